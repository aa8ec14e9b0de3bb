// From a scene (plain numbers) and an epsilon to shares, runs and pictures. Names are set as text, never as markup.
const LOW = 0.01, HIGH = 10, EDGE = 6, SAMPLES = 160, RUNS = 100, COLUMNS = 20;

// Densities and flip probabilities of a private margin, in noise scales (Theorems 3 and 5).
const LAWS = {
  "two-scores": { flip: t => Math.exp(-t) * (2 + t) / 4 },
  direction: { flip: t => Math.exp(-t) / 2, density: t => Math.exp(-t) / 2 },
  iqr: {
    flip: t => Math.exp(-t) * (48 + 33 * t + 9 * t * t + t * t * t) / 96,
    density: t => Math.exp(-t) * (15 + 15 * t + 6 * t * t + t * t * t) / 96,
  },
};
const THEOREMS = { "two-scores": " (Theorem 3)", iqr: " (Theorem 5)" };
const laplaceAbove = t => t >= 0 ? Math.exp(-t) / 2 : 1 - Math.exp(t) / 2;
const short = value => String(+value.toPrecision(2));
const logShare = epsilon => Math.log(epsilon / LOW) / Math.log(HIGH / LOW);

function percent(share) { // as the rest of the pages write it: never 100 % of something random
  const hundredths = 100 * share;
  if (hundredths < 0.1) return "less than 0.1 %";
  if (hundredths > 99.9) return "more than 99.9 %";
  return `${hundredths.toFixed(hundredths >= 1 && hundredths <= 99 ? 0 : 1)} %`;
}

const scaleAt = (scene, epsilon) => scene.scale / epsilon;

function released(scene, epsilon) { // P(all four log-IQRs pass one of their two tests)
  if (scene.kind !== "iqr") return 1;
  const each = scene.share * epsilon;
  return scene.distances.reduce((all, pair) => {
    const misses = pair.reduce((none, a) => none * (1 - laplaceAbove(scene.log + each * (1 - a))), 1);
    return all * (1 - misses);
  }, 1);
}

function shares(scene, epsilon) { // of all runs: agree, flip, refuse
  if (scene.hidden) return undefined;
  const answered = released(scene, epsilon);
  const wrong = scene.arrow ? LAWS[scene.kind].flip(Math.min(Math.abs(scene.margin) / scaleAt(scene, epsilon), 700)) : 0.5;
  return { agree: answered * (1 - wrong), flip: answered * wrong, refuse: 1 - answered };
}

function countsAt(scene, epsilon) { // true values are hidden: only how many runs say what was sent
  const { steps, counts } = scene, off = k => Math.abs(Math.log(steps[k] / epsilon));
  const nearest = steps.reduce((best, _, k) => off(k) < off(best) ? k : best, 0);
  const [xy, yx, refused] = epsilon === scene.epsilon ? counts.at(-1) : counts[nearest];
  return { values: [], prints: [], xy, yx, refused };
}

function runsAt(scene, epsilon) { // the first hundred runs: what each prints, and where its values lie
  if (scene.hidden) return countsAt(scene, epsilon);
  const scale = scaleAt(scene, epsilon), two = scene.kind === "two-scores", least = scene.noise[1];
  const values = scene.centres.map((centre, k) => scene.noise[k].map(unit => centre + scale * unit));
  const prints = scene.noise[0].map((_, i) => {
    if (scene.kind === "iqr" && (scene.endless || least[i] === null || epsilon < least[i])) return 0;
    return (two ? values[1][i] - values[0][i] : values[0][i]) > 0 ? 1 : -1;
  });
  const count = what => prints.filter(one => one === what).length;
  return { values, prints, xy: count(1), yx: count(-1), refused: count(0) };
}
const flipped = (scene, runs) => scene.arrow > 0 ? runs.yx : runs.xy;

function reach(scene) { // the axis of the bells; it does not move with epsilon
  if (scene.kind !== "two-scores") {
    const wide = Math.max(1.8 * Math.abs(scene.margin), 5 * scene.scale);
    return [-wide, wide];
  }
  const [one, two] = scene.centres, middle = (one + two) / 2, half = Math.max(1.3 * Math.abs(one - two), 4 * scene.scale);
  return [middle - half, middle + half];
}

function element(parent, name, attributes, text) {
  const made = document.createElementNS(parent.namespaceURI, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return parent.appendChild(made);
}
const line = points => points.length ? "M" + points.map(([a, b]) => `${a.toFixed(1)} ${b.toFixed(1)}`).join("L") : "";
const specks = points => points.map(([a, b]) => `M${a.toFixed(1)} ${b.toFixed(1)}h0`).join("");
const part = (svg, name) => svg.querySelector(name);
const say = (svg, text) => { part(svg, "title").textContent = text; };

// Every picture gets its svg, the scene, and a box: width, height, and em (pixels of one letter).
function drawPair(svg, scene, { width, height, em }) {
  const top = 1.6 * em, bottom = height - 1.6 * em, at = ([a, b]) => [EDGE + (width - 2 * EDGE) * a, bottom - (bottom - top) * b];
  const frame = part(svg, ".frame"), [x0, x1, y0, y1] = scene.ends;
  frame.replaceChildren();
  element(frame, "path", { class: "axis", d: `M${EDGE} ${top}V${bottom}H${width - EDGE}` });
  const [x, y] = ["x", "y"].map(name => scene[name] === name ? name : `${name}: ${scene[name]}`);
  element(frame, "text", { x: EDGE, y: em }, `↑ ${y}, ${y0} to ${y1}`);
  element(frame, "text", { x: width - EDGE, y: height - 0.4 * em, "text-anchor": "end" }, `${x}, ${x0} to ${x1} →`);
  part(svg, ".points").setAttribute("d", specks(scene.points.map(at)));
  [".fit.xy", ".fit.yx"].forEach((name, k) => part(svg, name).setAttribute("d", line(scene.fits[k].filter(([a, b]) => Math.max(Math.abs(a - 0.5), Math.abs(b - 0.5)) <= 0.52).map(at))));
  say(svg, `${scene.x} along, ${scene.y} up: ${scene.points.length} rows, with the curve fitted from x to y and the one from y to x.`);
}

function drawResiduals(svg, scene, { width, height, em }) {
  const frame = part(svg, ".frame"), gap = 2 * em, half = (width - gap) / 2, top = 2 * em, bottom = height - 1.8 * em;
  frame.replaceChildren();
  [["xy", "If x → y: what the fit leaves", scene.x], ["yx", "If y → x: what the fit leaves", scene.y]].forEach(([name, title, cause], k) => {
    const left = k * (half + gap), at = ([a, b]) => [left + EDGE + (half - 2 * EDGE) * a, bottom - (bottom - top) * b];
    element(frame, "path", { class: "axis", d: `M${left} ${top}V${bottom}H${left + half}M${left} ${(top + bottom) / 2}H${left + half}` });
    element(frame, "text", { x: left, y: 1.2 * em, class: `strong ${name}` }, title);
    element(frame, "text", { x: left + half, y: height - 0.4 * em, "text-anchor": "end" }, `${cause} →`);
    const rows = scene.leftovers?.[k] ?? [], cut = b => Math.min(1, Math.max(0, b)), above = rows.filter(([, b]) => b > 1).length, below = rows.filter(([, b]) => b < 0).length;
    part(svg, `.points.${name}`).setAttribute("d", specks(rows.map(([a, b]) => at([a, cut(b)]))));
    if (above) element(frame, "text", { x: left + half, y: top - 0.4 * em, "text-anchor": "end", class: "quiet" }, `▴ ${above} further up`);
    if (below) element(frame, "text", { x: left, y: height - 0.4 * em, class: "quiet" }, `▾ ${below} further down`);
  });
  say(svg, "Residuals of both directions against the supposed cause; under the right arrow the cloud looks the same everywhere.");
}

function drawBells(svg, scene, epsilon, runs, { width, height, em }) {
  const [low, high] = reach(scene), scale = scaleAt(scene, epsilon), two = scene.kind === "two-scores";
  const rugs = two ? 2 : 1, base = height - 1.5 * em - rugs * 0.9 * em, top = 1.5 * em;
  const across = z => EDGE + (width - 2 * EDGE) * (z - low) / (high - low), up = share => base - (base - top) * share;
  const along = Array.from({ length: SAMPLES + 1 }, (_, i) => low + (high - low) * i / SAMPLES);
  const grid = [...along, ...scene.centres, ...(two ? [] : [0])].sort((a, b) => a - b);
  const density = two ? t => Math.exp(-t) / 2 : LAWS[scene.kind].density, answered = released(scene, epsilon);
  const bell = centre => z => answered * density(Math.abs(z - centre) / scale) / density(0);
  const bells = scene.centres.map(bell), ways = two ? ["xy", "yx"] : [scene.margin >= 0 ? "xy" : "yx"];
  for (const way of ["xy", "yx"]) {
    const k = ways.indexOf(way);
    part(svg, `.bell.${way}`).setAttribute("d", k < 0 || scene.endless ? "" : line(grid.map(z => [across(z), up(bells[k](z))])));
    part(svg, `.rug.${way}`).setAttribute("d", k < 0 ? "" : rug(scene, runs, k, across, base + (0.25 + 0.9 * k) * em, 0.7 * em, [low, high]));
  }
  const shade = part(svg, ".shade"), winner = scene.arrow < 0 ? 1 : 0;
  // Two scores: where the winner's bell lies while the loser comes out smaller; the area is exactly P(flip) of the bell.
  const share = two ? z => bells[winner](z) * laplaceAbove((scene.centres[1 - winner] - z) / scale) : z => z * scene.arrow < 0 ? bells[0](z) : 0;
  const covered = grid.filter(z => two || z * scene.arrow <= 0);
  shade.setAttribute("d", scene.arrow && covered.length ? line([[across(covered[0]), base], ...covered.map(z => [across(z), up(two ? share(z) : bells[0](z))]), [across(covered.at(-1)), base]]) + "Z" : "");
  shade.setAttribute("class", `shade ${scene.arrow > 0 ? "yx" : "xy"}`);
  bellWords(svg, scene, epsilon, runs, { width, height, em, base, across, low, high, two });
}

function rug(scene, runs, k, across, top, length, [low, high]) {
  return runs.values[k].filter((z, i) => runs.prints[i] && z >= low && z <= high).map(z => `M${across(z).toFixed(1)} ${top.toFixed(1)}v${length.toFixed(1)}`).join("");
}

function bellWords(svg, scene, epsilon, runs, { width, height, em, base, across, low, high, two }) {
  const words = part(svg, ".words"), frame = part(svg, ".frame"), { flip, refuse } = shares(scene, epsilon);
  words.replaceChildren(); frame.replaceChildren();
  element(frame, "path", { class: "axis", d: `M${EDGE} ${base}H${width - EDGE}` });
  if (!two) element(frame, "path", { class: "zero", d: `M${across(0).toFixed(1)} ${1.3 * em}V${height - 1.5 * em}` });
  const beyond = side => runs.values.reduce((all, values) => all + runs.prints.filter((one, i) => one && side * values[i] > side * (side > 0 ? high : low)).length, 0);
  const what = count => `${two ? "score" : "run"}${count > 1 ? "s" : ""}`;
  const [left, right] = [beyond(-1), beyond(1)], foot = height - 0.35 * em;
  if (left) element(words, "text", { x: EDGE, y: foot }, `◂ ${left} ${what(left)} further left`);
  if (right) element(words, "text", { x: width - EDGE, y: foot, "text-anchor": "end" }, `${right} ${what(right)} further right ▸`);
  const narrow = width < 36 * em && (left || right);
  const axis = two ? "private scores: the smaller wins" : "private margin: right of zero is x → y";
  if (!narrow) element(words, "text", { x: width / 2, y: foot, "text-anchor": "middle", class: "quiet" }, axis);
  const said = scene.arrow ? `flips ${percent(flip)}` : "no arrow to flip";
  element(words, "text", { x: width - EDGE, y: 1.05 * em, "text-anchor": "end", class: "strong" }, refuse > 0.0005 ? `${said}, refuses ${percent(refuse)}` : said);
  if (two) ["xy", "yx"].forEach((way, k) => element(words, "text", { x: EDGE, y: (1.05 + 1.25 * k) * em, class: `strong ${way}` }, `score ${k ? "y → x" : "x → y"}`));
  else element(words, "text", { x: EDGE, y: 1.05 * em, class: "strong" }, `${scene.score}: margin`);
  say(svg, `${two ? "Two bells of the private scores" : "The bell of the private margin"} at epsilon ${short(epsilon)}; shaded: the arrow flips, ${percent(flip)} of runs. ${left} of ${two ? "200 scores" : "100 runs"} lie further left, ${right} further right.`);
}

function drawRuns(svg, scene, runs, { width, height }) {
  const dots = part(svg, ".dots"), flips = scene.arrow ? flipped(scene, runs) : runs.yx;
  const columns = width > 1.6 * height ? COLUMNS : COLUMNS / 2, across = width / columns, down = height / (RUNS / columns);
  const radius = Math.max(2, Math.min(across, down) * 0.36), odd = scene.arrow < 0 ? "xy" : "yx", usual = odd === "xy" ? "yx" : "xy";
  const key = `${width} ${height}`;
  if (dots.dataset.key !== key) { dots.replaceChildren(); dots.dataset.key = key; }
  for (let i = 0; i < RUNS; i++) {
    const dot = dots.children[i] ?? element(dots, "path", {});
    const kind = i < flips ? odd : i < flips + runs.refused ? "none" : usual;
    if (dot.getAttribute("class") === `dot ${kind}`) continue;
    const [x, y] = [across * (i % columns + 0.5), down * (Math.floor(i / columns) + 0.5)];
    dot.setAttribute("class", `dot ${kind}`);
    dot.setAttribute("d", SHAPES[kind](x, y, radius));
  }
}
const disc = (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
const SHAPES = {
  xy: disc,
  yx: (x, y, r) => `M${x} ${y - 1.15 * r}L${x + 1.15 * r} ${y}L${x} ${y + 1.15 * r}L${x - 1.15 * r} ${y}Z`,
  none: (x, y, r) => disc(x, y, 0.8 * r),
};

function drawCurve(svg, scene, { width, height, em }) {
  const floor = scene.kind === "iqr" ? 0 : 0.5, top = 2.1 * em, bottom = height - 1.5 * em;
  const at = (epsilon, share) => [EDGE + 3 * em + (width - 2 * EDGE - 3 * em) * logShare(epsilon), bottom - (bottom - top) * (share - floor) / (1 - floor)];
  const frame = part(svg, ".frame"), words = part(svg, ".words");
  frame.replaceChildren(); words.replaceChildren();
  for (const share of [floor, (1 + floor) / 2, 1]) {
    const [, y] = at(LOW, share);
    element(frame, "path", { class: "grid-line", d: `M${EDGE + 3 * em} ${y}H${width - EDGE}` });
    element(words, "text", { x: EDGE + 2.7 * em, y: y + 0.35 * em, "text-anchor": "end", class: "quiet" }, `${100 * share} %`);
  }
  for (const epsilon of [0.01, 0.1, 1, 10]) element(words, "text", { x: at(epsilon, 0)[0], y: height - 0.3 * em, "text-anchor": epsilon === 10 ? "end" : epsilon === 0.01 ? "start" : "middle", class: "quiet" }, epsilon === 1 ? "ε = 1" : String(epsilon));
  element(words, "text", { x: EDGE, y: em }, `runs that agree with the noise-free arrow${THEOREMS[scene.kind] ?? ""}`);
  part(svg, ".theory").setAttribute("d", line(Array.from({ length: 91 }, (_, i) => LOW * (HIGH / LOW) ** (i / 90)).map(e => at(e, shares(scene, e).agree))));
  return at;
}
