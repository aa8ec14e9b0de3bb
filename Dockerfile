# docker build -t privcause .
# docker run --rm -v privcause-ledger:/data -p 127.0.0.1:8501:8501 privcause
# The named volume keeps the budget ledger, its secret and its signing key: without it every container would begin with
# fresh budgets. Another place: -e PRIVCAUSE_LEDGER=/elsewhere/ledger.sqlite, with a volume there.
FROM python:3.11.14-slim-bookworm
WORKDIR /app
COPY requirements.lock ./
RUN pip install --no-cache-dir -r requirements.lock
COPY . .
RUN useradd --create-home privcause && install -d -o privcause -m 700 /data
USER privcause
ENV PRIVCAUSE_LEDGER=/data/ledger.sqlite
VOLUME /data
# Inside the container every address; the -p above keeps it on this machine's loopback.
CMD ["python", "-m", "streamlit", "run", "app.py", "--server.address", "0.0.0.0", "--server.headless", "true"]
