// A new step begins at its heading, for the eye and for the keyboard; other reruns leave the page where it is.
export default function ({ data }) {
  const main = document.querySelector('[data-testid="stMain"]');
  if (!main || main.dataset.step === data) return;
  const first = main.dataset.step === undefined;
  main.dataset.step = data;
  if (first) return;
  main.scrollTo(0, 0);
  const heading = main.querySelector("h1");
  if (heading) {
    heading.tabIndex = -1;
    heading.style.outline = "none"; // where reading goes on, not something to press
    heading.focus({ preventScroll: true });
  }
}
