// sweep.js - what stands at the pointer in the pictures of a sweep, and the command that runs that case alone
const out = document.getElementById("case");
const words = ["", "done", "doubtful", "failed", "refused", "too long", "crashed"];
const number = x => x === null ? "none" : String(+x.toPrecision(10));

function tell(k, whole) {
  const axes = sweep.axes.map(a => `${a.name}=${number(a.x[k])}`).join("  ");
  const kept = sweep.kept.map(a => `${a.name}=${number(a.x[k])}`).join("  ");
  const alone = sweep.alone.replace(/\{([^}]*)\}/g, (all, name) => {
    const axis = sweep.axes.find(a => a.name === name);
    return axis ? axis.x[k] : all;
  });
  out.textContent = `case ${k}, ${words[sweep.outcome[k]]}:  ${axes}\n${kept}` + (whole ? `\n${alone}` : "");
}

// the frame of a picture in the window: the image of a map, or what its curves are clipped to
function frame(figure) {
  const image = figure.querySelector("image");
  if (image) return image.getBoundingClientRect();
  const svg = figure.querySelector("svg"), r = svg.querySelector("clipPath rect"), at = svg.getBoundingClientRect();
  const scale = at.width/svg.viewBox.baseVal.width;
  return {left: at.left + scale*r.getAttribute("x"), top: at.top + scale*r.getAttribute("y"), width: scale*r.getAttribute("width"),
    height: scale*r.getAttribute("height")};
}

const spans = new Map();
function span(list, log) {
  if (spans.has(list)) return spans.get(list);
  const f = x => log ? Math.log(x) : x;
  let low = Infinity, high = -Infinity;
  for (const x of list) if (x !== null) { low = Math.min(low, f(x)); high = Math.max(high, f(x)); }
  const s = {low, high, part: x => high > low ? (f(x) - low)/(high - low) : 0.5};
  spans.set(list, s);
  return s;
}

function nearest(figure, event) {
  const r = frame(figure);
  let u = (event.clientX - r.left)/r.width, v = 1 - (event.clientY - r.top)/r.height;
  if (u < 0 || u > 1 || v < 0 || v > 1) return -1;
  // cells reach half a step beyond their numbers; curves have a twentieth of room above and below
  if (sweep.map) { u = (u*sweep.map[0] - 0.5)/(sweep.map[0] - 1); v = (v*sweep.map[1] - 0.5)/(sweep.map[1] - 1); }
  else v = 1.1*v - 0.05;
  const [xlog, ylog] = figure.dataset.log.split(" ").map(Number);
  const x = sweep.axes[sweep.across].x, y = sweep.map ? sweep.axes[sweep.beside].x : sweep.kept[figure.dataset.kept].x;
  const sx = span(x, xlog), sy = span(y, ylog);
  let best = -1, least = Infinity;
  for (let k = 0; k < sweep.cases; k++) {
    if (y[k] === null) continue;
    const d = (sx.part(x[k]) - u)**2 + (sy.part(y[k]) - v)**2;
    if (d < least) { least = d; best = k; }
  }
  return best;
}

let kept = false;
for (const figure of document.querySelectorAll("figure")) {
  figure.addEventListener("mousemove", e => { const k = nearest(figure, e); if (k >= 0 && !kept) tell(k, false); });
  figure.addEventListener("click", e => { const k = nearest(figure, e); kept = k >= 0 && !kept; if (k >= 0) tell(k, kept); });
}
