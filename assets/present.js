// Keys of a presentation: page keys always turn, arrows where no widget wants them, + and - move epsilon, F fills the
// screen. The bar shows while somebody moves the mouse; a page that is too tall is shrunk to the
// screen, unless the screen is so low that its charts would be too small to read: then it scrolls.
const WANTS_ARROWS = "input, textarea, select, [contenteditable=true], [role=slider], [role=radio], [role=tab], [role=option], [role=combobox], [role=spinbutton], [role=grid], [role=listbox], [role=menuitem]";
const TYPING = "input:not([type=range], [type=radio], [type=checkbox], [type=button]), textarea, [contenteditable=true]";
const TURNS = { PageDown: 1, PageUp: -1 }, ARROWS = { ArrowRight: 1, ArrowLeft: -1 }, STEPS = { "+": 1, "-": -1 };
const AWAKE_FOR = 2500, SETTLE = 120, SMALLEST = 0.45, LOW = 560;

function focused() {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at;
}

class Stage {
  constructor(root) {
    this.wake = () => { document.documentElement.classList.add("presenter-awake"); clearTimeout(this.asleep); this.asleep = setTimeout(() => document.documentElement.classList.remove("presenter-awake"), AWAKE_FOR); };
    this.press = event => this.key(event);
    this.full = root.querySelector("button");
    this.full.dataset.keys = "taken";
    this.full.addEventListener("click", () => this.fill());
    document.addEventListener("keydown", this.press, true);
    document.addEventListener("pointermove", this.wake);
    this.watch = new MutationObserver(() => this.later());
    this.watch.observe(document.body, { childList: true, subtree: true });
    this.resized = () => this.later();
    addEventListener("resize", this.resized);
    this.later();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = focused(), typing = at?.matches?.(TYPING), turn = TURNS[event.key] ?? (at?.matches?.(WANTS_ARROWS) ? undefined : ARROWS[event.key]);
    if (turn) this.turn({ by: turn });
    else if (event.key === "Home" && !at?.matches?.(WANTS_ARROWS)) this.turn({ home: true });
    else if (!typing && STEPS[event.key]) this.nudge(STEPS[event.key]);
    else if (!typing && event.key.toLowerCase() === "f") this.fill();
    else return;
    event.preventDefault(); event.stopPropagation();
  }

  turn(where) { // one message: two at once could lose one
    const unsent = {};
    document.dispatchEvent(new CustomEvent("privcause:unsent", { detail: unsent }));
    this.send("turn", { ...where, epsilon: unsent.epsilon ?? null });
  }

  nudge(by) { // a picture on the page moves at once; without one the server does
    if (document.dispatchEvent(new CustomEvent("privcause:nudge", { detail: by, cancelable: true }))) this.send("nudge", by);
  }

  fill() { if (document.fullscreenElement) document.exitFullscreen(); else document.documentElement.requestFullscreen?.(); }

  later() { clearTimeout(this.timer); this.timer = setTimeout(() => this.fit(), SETTLE); }

  fit() {
    const main = document.querySelector("[data-testid=stMain]"), block = document.querySelector("[data-testid=stMainBlockContainer]");
    if (!block || innerWidth <= 640) return;
    if (innerHeight <= LOW && block.querySelector(".stPlotlyChart")) { block.style.zoom = ""; return; }
    let zoom = 1;
    for (let tries = 0; tries < 6; tries++) {
      block.style.zoom = zoom;
      const tall = main.scrollHeight / main.clientHeight;
      if (tall <= 1.001) break;
      zoom = Math.max(SMALLEST, 0.99 * zoom / Math.sqrt(tall));
    }
    this.watch.takeRecords();
  }

  leave() {
    document.removeEventListener("keydown", this.press, true);
    document.removeEventListener("pointermove", this.wake);
    removeEventListener("resize", this.resized);
    this.watch.disconnect(); clearTimeout(this.timer); clearTimeout(this.asleep);
    const block = document.querySelector("[data-testid=stMainBlockContainer]");
    if (block) block.style.zoom = "";
  }
}

const stages = new WeakMap();
export default function ({ parentElement, setTriggerValue }) {
  const stage = stages.get(parentElement) ?? new Stage(parentElement);
  stages.set(parentElement, stage);
  stage.send = setTriggerValue;
  return () => { stage.leave(); stages.delete(parentElement); };
}
