# docker build -t privcause . && docker run --rm -p 127.0.0.1:8501:8501 privcause
FROM python:3.11-slim
WORKDIR /app
COPY requirements.lock ./
RUN pip install --no-cache-dir -r requirements.lock
COPY . .
RUN useradd --create-home privcause
USER privcause
# Inside the container every address; the -p above keeps it on this machine's loopback.
CMD ["python", "-m", "streamlit", "run", "app.py", "--server.address", "0.0.0.0", "--server.headless", "true"]
