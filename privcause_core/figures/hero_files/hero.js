// The first screen: holds the chosen epsilon, draws every frame itself, and reports once when a gesture has ended.
const PLAY_SECONDS = 8, STILLS = 7, KEY_PAUSE = 250, PATIENCE = 3000;
const ARROW = "M8 20H108M90 6L110 20L90 34", BOTH_ENDS = "M10 20H110";
const MARKS = { check: "M3 9l4 4 7-10", cross: "M4 4l9 9M13 4l-9 9" };
const calm = matchMedia("(prefers-reduced-motion: reduce)");

class Hero {
  constructor(root) {
    this.root = root;
    this.box = root.querySelector(".hero");
    this.slider = this.at("input");
    this.button = this.at(".play");
    this.slider.addEventListener("pointerdown", () => { this.held = true; });
    for (const end of ["pointerup", "pointercancel"]) this.slider.addEventListener(end, () => { this.held = false; });
    this.slider.addEventListener("input", () => { this.stop(); this.wanted = this.data.steps[+this.slider.value]; this.ask(); });
    this.slider.addEventListener("change", () => { const keys = !this.held; this.held = false; this.settle(keys ? KEY_PAUSE : 0); });
    this.slider.addEventListener("keydown", event => { if (this.data.presenting && event.key.startsWith("Page")) event.preventDefault(); });
    this.button.addEventListener("click", () => this.playing ? this.stop(true) : this.play());
    this.watch = new ResizeObserver(() => { this.stale = true; this.ask(); });
    this.watch.observe(this.box);
    this.nudged = event => { event.preventDefault(); this.nudge(event.detail); };
    document.addEventListener("privcause:nudge", this.nudged);
    this.asked = event => { if (this.timer) event.detail.epsilon = this.report(); };
    document.addEventListener("privcause:unsent", this.asked);
  }

  at(name) { return this.box.querySelector(name); }

  leave() {
    this.stop();
    this.watch.disconnect();
    document.removeEventListener("privcause:nudge", this.nudged);
    document.removeEventListener("privcause:unsent", this.asked);
  }

  update({ data, setTriggerValue }) {
    this.send = setTriggerValue;
    const text = JSON.stringify(data);
    if (text === this.text) return;
    const former = this.data, was = this.wanted;
    this.text = text; this.data = data; this.stale = true;
    this.box.dataset.layout = data.layout ?? "screen";
    this.box.toggleAttribute("data-hidden", Boolean(data.hidden));
    this.slider.max = data.steps.length - 1;
    const busy = this.playing || this.held || this.timer, late = this.sent !== undefined && data.epsilon !== this.sent && performance.now() - this.sentAt < PATIENCE;
    if (!busy && !late) { this.wanted = this.from = data.epsilon; this.sent = undefined; }
    this.at(".grid").hidden = false; this.at(".unready").hidden = true;
    if (former && !busy && !late) this.tell(former, was);
    this.ask();
  }

  tell(former, was) { // after any change from outside: one sentence
    const names = Object.keys(this.data.told ?? {}).filter(name => former.told?.[name] !== undefined && former.told[name] !== this.data.told[name]);
    if (former.token !== this.data.token) this.moved("Another pair.");
    else if (names.length) this.moved(this.sentence(names.map(name => `${name} ${former.told[name]} → ${this.data.told[name]}`).join(", "), former, was, this.data, this.wanted));
    else if (was !== this.wanted) this.moved(this.sentence(`ε ${short(was)} → ${short(this.wanted)}`, former, was, this.data, this.wanted));
  }

  sentence(what, before, was, after, now) {
    const runs = [runsAt(before, was), runsAt(after, now)], secret = before.hidden || after.hidden;
    const noise = before.kind === after.kind && !secret ? `noise × ${short(scaleAt(after, now) / scaleAt(before, was))}, ` : "";
    const [one, two] = !after.arrow || !before.arrow ? runs.map(one => one.xy) : [flipped(before, runs[0]), flipped(after, runs[1])];
    return `${what}: ${noise}${!after.arrow || !before.arrow ? "x → y" : "flips"} ${one} → ${two} of 100`;
  }

  moved(text) { this.at(".moved").textContent = text; }

  ask() { this.frame ??= requestAnimationFrame(() => { this.frame = undefined; this.draw(); }); }

  size(svg) {
    const { width, height } = svg.getBoundingClientRect();
    return { width, height, em: parseFloat(getComputedStyle(svg).fontSize) };
  }

  draw() {
    if (!this.data) return;
    const began = performance.now(), scene = this.data, epsilon = this.wanted;
    if (this.stale) this.fixed();
    const runs = runsAt(scene, epsilon), share = shares(scene, epsilon), sizes = this.sizes;
    if (sizes.bells && !scene.hidden) drawBells(this.at(".bells svg"), scene, epsilon, runs, sizes.bells);
    if (sizes.runs) drawRuns(this.at(".runs svg"), scene, runs, sizes.runs);
    if (this.onCurve && !scene.hidden) this.point(epsilon, share.agree);
    this.words(epsilon, runs, share);
    this.box.dataset.drawn = (performance.now() - began).toFixed(2);
    this.box.dataset.frames = 1 + +(this.box.dataset.frames ?? 0);
    this.box.dataset.epsilon = epsilon;
  }

  fixed() { // what epsilon does not move
    this.stale = false; this.sizes = {}; this.onCurve = undefined;
    for (const name of ["pair", "residuals", "bells", "runs", "curve"]) {
      const size = this.size(this.at(`.${name} svg`));
      if (size.width > 0 && size.height > 0) this.sizes[name] = size;
    }
    this.names();
    if (this.data.hidden) return;
    if (this.sizes.pair) drawPair(this.at(".pair svg"), this.data, this.sizes.pair);
    if (this.sizes.residuals) drawResiduals(this.at(".residuals svg"), this.data, this.sizes.residuals);
    if (this.sizes.curve) this.onCurve = drawCurve(this.at(".curve svg"), this.data, this.sizes.curve);
  }

  names() {
    const { x, y, arrow, known, hidden, doubt, score } = this.data, svg = this.at(".arrow"), path = svg.querySelector("path");
    for (const [name, text] of [[".name.x", x], [".name.y", y]]) { this.at(name).textContent = text; this.at(name).title = text; }
    this.at(".arrow-line").classList.toggle("long", x.length + y.length > 26);
    this.at(".arrow-line").classList.toggle("named", x !== "x" || y !== "y");
    const told = !hidden && arrow, pale = Boolean(doubt?.reason);
    path.setAttribute("d", told ? ARROW : BOTH_ENDS);
    path.setAttribute("transform", told && arrow < 0 ? "rotate(180 60 20)" : "");
    svg.setAttribute("class", `arrow ${told ? arrow > 0 ? "xy" : "yx" : "none"}${pale || !told ? " pale" : ""}`);
    say(svg, hidden ? "The arrow is hidden" : !arrow ? "No arrow" : arrow > 0 ? "drives, so the noise-free arrow says:" : "is driven by, so the noise-free arrow says:");
    const line = this.at(".known");
    line.replaceChildren();
    if (hidden) { line.textContent = "True values are hidden."; return; }
    if (!arrow || pale) { line.textContent = `No arrow to tell; neither direction can be ruled out: ${this.data.why || doubt?.reason || "the two scores are equal."}`; line.className = "line known warned"; return; }
    line.className = "line known";
    line.append(`Noise-free arrow by ${score}. `);
    if (known) line.append(mark(known === arrow ? "check" : "cross", svg), known === arrow ? " The known arrow is the same." : " The known arrow is the other way: runs that agree are wrong.");
    else line.append("The known arrow is not on record.");
  }

  words(epsilon, runs, share) {
    const scene = this.data, flips = flipped(scene, runs), refused = runs.refused ? `, ${runs.refused} refuse to answer` : "";
    const count = scene.hidden || !scene.arrow ? `${runs.xy} of 100 private runs say x → y, ${runs.yx} say y → x${refused}` : `${flips} of 100 private runs flip the arrow${refused}`;
    this.at(".count").textContent = `${count} (simulated, not a release)`;
    say(this.at(".runs svg"), `${count}.`);
    this.at(".value").textContent = `= ${+epsilon.toPrecision(this.playing ? 2 : 6)}`;
    this.slider.value = this.nearest(epsilon);
    this.slider.setAttribute("aria-valuetext", `${+epsilon.toPrecision(3)}, ${count}`);
    this.doubts(share);
  }

  doubts(share) {
    const { hidden, arrow, doubt, kind, unrelated } = this.data, list = this.at(".doubts"), shown = [];
    if (!hidden && arrow) {
      shown.push(["Privacy", share.agree, kind === "iqr" ? "of private runs answer and agree" : "of private runs agree"]);
      if (doubt && !unrelated) {
        const flip = share.flip + share.refuse, stays = doubt.population;
        shown.push(["Sampling", stays, "that other people would agree"], ["Both", stays * (1 - flip) + (1 - stays) * share.flip, "that a private run tells their arrow"]);
      }
    }
    while (list.children.length > shown.length) list.lastChild.remove();
    shown.forEach(([title, value, note], k) => {
      const row = list.children[k] ?? list.appendChild(tile());
      row.children[0].textContent = title;
      row.children[1].firstChild.textContent = percent(value).replace("less than", "under").replace("more than", "over");
      row.children[1].lastChild.textContent = note;
    });
  }

  point(epsilon, agree) {
    const now = this.at(".now"), [x, y] = this.onCurve(Math.min(HIGH, Math.max(LOW, epsilon)), agree);
    now.setAttribute("cx", x.toFixed(1)); now.setAttribute("cy", y.toFixed(1));
    say(this.at(".curve svg"), `The share of private runs that agree, over epsilon; now ${percent(agree)} at ${short(epsilon)}.`);
  }

  nearest(epsilon) {
    const { steps } = this.data, off = k => Math.abs(Math.log(steps[k] / epsilon));
    return steps.reduce((best, _, k) => off(k) < off(best) ? k : best, 0);
  }

  nudge(by) {
    this.stop();
    this.wanted = this.data.steps[Math.min(this.data.steps.length - 1, Math.max(0, this.nearest(this.wanted) + by))];
    this.ask(); this.settle(KEY_PAUSE);
  }

  settle(wait = 0) { // the pointer was let go, a key was pressed, or Play ended
    const epsilon = this.wanted;
    clearTimeout(this.timer); this.timer = undefined;
    if (epsilon === (this.sent ?? this.data.epsilon)) return;
    this.moved(this.sentence(`ε ${short(this.from)} → ${short(epsilon)}`, this.data, this.from, this.data, epsilon));
    this.timer = setTimeout(() => this.send("epsilon", this.report()), wait); // held arrow keys: one report after the last
  }

  report() {
    clearTimeout(this.timer); this.timer = undefined;
    this.sent = this.from = this.wanted; this.sentAt = performance.now();
    return this.wanted;
  }

  play() {
    this.playing = true; this.label("Stop");
    const began = performance.now();
    const loop = now => {
      if (!this.playing) return;
      const share = Math.min(1, (now - began) / (1000 * PLAY_SECONDS));
      const shown = calm.matches ? Math.min(1, Math.floor(share * STILLS) / (STILLS - 1)) : share;
      const wanted = HIGH * (LOW / HIGH) ** shown;
      if (wanted !== this.wanted) { this.wanted = wanted; this.draw(); }
      if (share < 1) this.loop = requestAnimationFrame(loop); else this.stop(true);
    };
    this.loop = requestAnimationFrame(loop);
  }

  stop(report) {
    if (!this.playing) return;
    this.playing = false; cancelAnimationFrame(this.loop); this.label("Play");
    this.wanted = this.data.steps[this.nearest(this.wanted)];
    if (report) { this.ask(); this.settle(); }
  }

  label(text) {
    this.button.lastElementChild.textContent = text;
    this.button.setAttribute("aria-pressed", String(text === "Stop"));
    this.button.querySelector("path").setAttribute("d", text === "Stop" ? "M3 3h10v10h-10z" : "M3 2v12l10-6z");
  }
}

function mark(kind, like) {
  const svg = like.cloneNode(false);
  svg.setAttribute("viewBox", "0 0 17 17"); svg.setAttribute("class", `mark ${kind}`); svg.setAttribute("role", "img");
  element(svg, "title", {}, kind === "check" ? "same" : "other");
  element(svg, "path", { d: MARKS[kind] });
  return svg;
}

function tile() {
  const row = document.createElement("div"), value = document.createElement("dd");
  value.append(document.createElement("strong"), document.createElement("span"));
  row.append(document.createElement("dt"), value);
  return row;
}

const heroes = new WeakMap();
function mount(component) {
  const root = component.parentElement, held = heroes.get(root);
  const current = held?.slider.isConnected ? held : new Hero(root);
  heroes.set(root, current);
  current.update(component);
  return () => { current.leave(); heroes.delete(root); };
}
