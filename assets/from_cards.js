// Whoever follows a card of a scenario sees what it changed: the page goes back to its top, also for the keyboard.
export default function () {
  const follow = event => {
    if (!event.target.closest?.(".st-key-gallery a, .st-key-scenarios a")) return;
    const main = document.querySelector("[data-testid=stMain]"), heading = main?.querySelector("h1");
    main?.scrollTo(0, 0);
    if (!heading) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  };
  document.addEventListener("click", follow);
  return () => document.removeEventListener("click", follow);
}
