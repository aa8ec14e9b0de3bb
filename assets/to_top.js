// The page begins at its heading again, for the eye and for the keyboard: at a new step, or when one of some links is
// followed. Other reruns leave it where it is.
const page = () => document.querySelector('[data-testid="stMain"]');

function toTop() {
  page()?.scrollTo(0, 0);
  const heading = page()?.querySelector("h1");
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

export default function ({ data: { step, links } }) {
  if (step !== undefined && page() && page().dataset.step !== step) {
    const first = page().dataset.step === undefined;
    page().dataset.step = step;
    if (!first) toTop();
  }
  if (links === undefined) return;
  const follow = event => { if (event.target.closest?.(links)) toTop(); };
  document.addEventListener("click", follow);
  return () => document.removeEventListener("click", follow);
}
