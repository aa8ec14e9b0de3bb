// The first screen as one picture of slide size: an SVG, and a PNG drawn from it. Nothing leaves the browser.
const WIDE = 1920, TALL = 1080, MARGIN = 60, LETTER = 26;
const PAPER = `
  text { font: ${LETTER}px system-ui, "Segoe UI", sans-serif; fill: #0b0d10; paint-order: stroke; stroke: #fff; stroke-width: 5px; stroke-linejoin: round; }
  text.strong { font-weight: 650; } text.quiet { fill: #565d66; } text.xy { fill: #005a8d; } text.yx { fill: #9a4300; }
  text.title { font-size: 52px; font-weight: 650; } path { fill: none; } .axis, .grid-line { stroke: #c9cfd5; stroke-width: 2; }
  .zero { stroke: #565d66; stroke-width: 3; stroke-dasharray: 12 6 2 6; } .points { stroke: #565d66; stroke-width: 8; stroke-linecap: round; opacity: .5; }
  .fit, .bell { stroke-width: 5; } .fit.xy, .bell.xy { stroke: #0072b2; } .fit.yx, .bell.yx { stroke: #d55e00; stroke-dasharray: 14 8; }
  .shade { opacity: .32; } .shade.xy, .dot.xy { fill: #0072b2; } .shade.yx, .dot.yx { fill: #d55e00; } .dot.none { stroke: #565d66; stroke-width: 4; }
  .rug { stroke-width: 3; opacity: .75; } .rug.xy { stroke: #0072b2; } .rug.yx { stroke: #d55e00; }
  .theory { stroke: #009e73; stroke-width: 5; stroke-dasharray: 1 10; stroke-linecap: round; } .now { fill: #009e73; stroke: #fff; stroke-width: 4; }
  .arrow path { stroke-width: 7; stroke-linecap: round; stroke-linejoin: round; stroke: #565d66; } .arrow.xy path { stroke: #0072b2; } .arrow.yx path { stroke: #d55e00; } .arrow.pale path { opacity: .6; stroke: #565d66; stroke-width: 3.5; }`;

function slidePicture(box, scene, epsilon) {
  const paper = box.querySelector("svg").cloneNode(false), runs = runsAt(scene, epsilon), share = shares(scene, epsilon);
  for (const [name, value] of [["width", WIDE], ["height", TALL], ["viewBox", `0 0 ${WIDE} ${TALL}`]]) paper.setAttribute(name, value);
  element(paper, "style", {}, PAPER);
  element(paper, "rect", { width: WIDE, height: TALL, fill: "#fff" });
  const pale = !scene.arrow || Boolean(scene.doubt?.reason), way = !scene.arrow ? "none" : scene.arrow > 0 ? "xy" : "yx";
  const head = element(paper, "svg", { x: WIDE / 2 - 75, y: 34, width: 150, height: 50, viewBox: "0 0 120 40", class: `arrow ${way}${pale ? " pale" : ""}` });
  element(head, "path", { d: scene.arrow ? ARROW : BOTH_ENDS, transform: scene.arrow < 0 ? "rotate(180 60 20)" : "" });
  const title = (x, anchor, name) => element(paper, "text", { x, y: 76, class: "title", "text-anchor": anchor, style: `font-size:${Math.min(52, 1400 / name.length)}px` }, name);
  title(WIDE / 2 - 100, "end", scene.x); title(WIDE / 2 + 100, "start", scene.y);
  const why = pale ? `No arrow to tell; neither direction can be ruled out: ${scene.why || scene.doubt?.reason || "the two scores are equal."}` : `Noise-free arrow by ${scene.score}; ${percent(share.agree)} of private runs agree.`;
  element(paper, "text", { x: MARGIN, y: 140 }, `ε = ${+epsilon.toPrecision(6)}. ${why}`);
  const half = (WIDE - 3 * MARGIN) / 2, right = WIDE / 2 + MARGIN / 2;
  const place = (name, x, y, width, height) => {
    const svg = box.querySelector(`.${name} svg`).cloneNode(true);
    for (const [key, value] of Object.entries({ x, y, width, height, overflow: "visible" })) svg.setAttribute(key, value);
    svg.querySelectorAll(".dots").forEach(dots => { dots.replaceChildren(); delete dots.dataset.key; });
    paper.appendChild(svg);
    return [svg, { width, height, em: LETTER }];
  };
  const [pair, pairSize] = place("pair", MARGIN, 180, half, 480), [bells, bellsSize] = place("bells", right, 180, half, 480);
  const [curve, curveSize] = place("curve", MARGIN, 700, half, 270), [dots, dotsSize] = place("runs", right, 700, half, 270);
  drawPair(pair, scene, pairSize); drawBells(bells, scene, epsilon, runs, bellsSize); drawRuns(dots, scene, runs, dotsSize);
  const [x, y] = drawCurve(curve, scene, curveSize)(Math.min(HIGH, Math.max(LOW, epsilon)), share.agree), now = curve.querySelector(".now");
  for (const [key, value] of [["cx", x], ["cy", y], ["r", 14]]) now.setAttribute(key, value);
  const count = scene.arrow ? `${flipped(scene, runs)} of 100 simulated private runs flip the arrow` : `${runs.xy} of 100 simulated private runs say x → y`;
  element(paper, "text", { x: right, y: 1012, class: "strong" }, runs.refused ? `${count}, ${runs.refused} refuse` : count);
  element(paper, "text", { x: MARGIN, y: TALL - 20, class: "quiet" }, "PrivCause. Holds true (non-private) values: for you, not a private release.");
  return paper;
}

function handOver(blob, name) {
  const link = document.createElement("a"), address = URL.createObjectURL(blob);
  link.href = address; link.download = name; link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

async function savePicture(paper, name, kind) {
  const vector = new Blob([new XMLSerializer().serializeToString(paper)], { type: "image/svg+xml" });
  if (kind === "svg") { handOver(vector, `${name}.svg`); return; }
  const address = URL.createObjectURL(vector), image = new Image();
  image.src = address;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = WIDE; canvas.height = TALL;
  canvas.getContext("2d").drawImage(image, 0, 0);
  URL.revokeObjectURL(address);
  canvas.toBlob(blob => handOver(blob, `${name}.png`), "image/png");
}

const boxes = new WeakMap();
function mountPicture({ parentElement, data }) {
  const known = boxes.has(parentElement);
  boxes.set(parentElement, data);
  if (known) return undefined;
  const paper = () => slidePicture(parentElement.querySelector(".hero"), boxes.get(parentElement), boxes.get(parentElement).epsilon);
  for (const kind of ["png", "svg"]) parentElement.querySelector(`.save-${kind}`).addEventListener("click", () => savePicture(paper(), boxes.get(parentElement).file, kind));
  const copy = parentElement.querySelector(".copy"), said = parentElement.querySelector(".said");
  copy.addEventListener("click", async () => {
    try { await navigator.clipboard.writeText(location.href); said.textContent = "Copied."; } catch { said.textContent = location.href; }
  });
  return () => boxes.delete(parentElement);
}
