// curve.js - what a column does between two of its rows: a cubic, a straight line, or a band of all that the steps did there. The command
// decides which (see "Numbers in the page" of docs/report.md); here it is read, drawn and measured
import { limits, rowAt, values } from './data.js';

const known = new WeakMap();
const PARTS = 8;               // of a cubic that are looked at for how far it goes

// "c12b3": letters with how many pieces they are for. Piece i ends in row i
export function ways(text, n) {
  const out = new Array(n).fill('l');
  let i = 1;
  for (const [, letter, count] of (text ?? '').matchAll(/([a-z])(\d+)/g))
    for (let k = 0; k < Number(count) && i < n; k++) out[i++] = letter;
  return out;
}
// numbers of bands alone, at their pieces
function spread(column, way) {
  const out = new Float64Array(way.length).fill(NaN), v = column ? values(column) : [];
  let k = 0;
  way.forEach((w, i) => { if (i && w === 'b') out[i] = v[k++] ?? NaN; });
  return out;
}

export class Curve {
  constructor(times, column, rate, stepped = false) {
    this.t = values(times);
    this.x = values(column);
    this.n = this.x.length;
    if (this.t.length !== this.n) throw new Error(`a column of ${this.n} numbers has ${this.t.length} times`);
    this.way = ways(column.way, this.n);
    this.low = spread(column.low, this.way);
    this.high = spread(column.high, this.way);
    this.rate = rate ? values(rate) : null;
    this.one = column.one ? values(column.one) : null;
    this.next = column.next ? values(column.next) : null;
    this.stepped = stepped;
  }
  static of(run, x, y, stepped = false) {
    const times = run.columns[x], column = run.columns[y];
    if (!known.has(column)) known.set(column, new Map());
    const at = known.get(column);
    if (!at.has(times)) at.set(times, new Curve(times, column, column.rate ? run.columns[column.rate] : null, stepped));
    return at.get(times);
  }

  bent(i) { return this.way[i] === 'h' || this.way[i] === 'c'; }
  // at both ends of a piece, per unit of time
  slopes(i) {
    const { t, x } = this, h = t[i] - t[i - 1];
    if (this.way[i] === 'h') return [this.rate[i - 1], this.rate[i]];
    if (this.way[i] !== 'c' || !(h > 0)) return h > 0 ? [(x[i] - x[i - 1]) / h, (x[i] - x[i - 1]) / h] : [0, 0];
    // two rows on either side; at the ends of the run the four that are nearest
    const from = Math.max(0, Math.min(i - 2, this.n - 4)), to = Math.min(this.n - 1, from + 3);
    return [slope(t, x, from, to, t[i - 1]), slope(t, x, from, to, t[i])];
  }
  inside(i, u) {
    const a = this.x[i - 1], b = this.x[i], d = 1 - u;
    if (this.stepped) return b;
    if (u <= 0 || u >= 1) return u <= 0 ? a : b;
    const [s0, s1] = this.slopes(i), h = this.t[i] - this.t[i - 1];
    return a * d * d * (1 + 2 * u) + b * u * u * (1 + 2 * d) + h * u * d * (s0 * d - s1 * u);
  }
  // { value }, or { low, high } where it is faster than the rows; null before the first and after the last
  at(t) {
    const { n } = this, last = this.t[n - 1], slack = 1e-6 * (last - this.t[0]);
    if (!n || !(t >= this.t[0] - slack && t <= last + slack)) return null;
    if (n === 1 || t <= this.t[0]) return { value: this.x[0] };
    if (t >= last) return { value: this.x[n - 1] };
    const i = rowAt(this.t, t) + 1;
    const u = (t - this.t[i - 1]) / (this.t[i] - this.t[i - 1]);
    // times came through single precision: at a row the row itself
    if (u < 1e-4 && !this.stepped) return { value: this.x[i - 1] };
    if (u > 1 - 1e-4) return { value: this.x[i] };
    return this.way[i] === 'b' ? { low: this.low[i], high: this.high[i] } : { value: this.inside(i, u) };
  }
  // rows and pieces that are seen between two times
  span(a, b) { return [Math.max(0, rowAt(this.t, a)), Math.min(this.n - 1, rowAt(this.t, b) + 1)]; }
  // least and largest there
  reach(a, b) {
    if (!this.n) return null;
    const [from, to] = this.span(a, b), all = [];
    for (let i = from; i <= to; i++) {
      if (this.t[i] >= a && this.t[i] <= b) all.push(this.x[i]);
      if (i === from) continue;
      if (this.way[i] === 'b') all.push(this.low[i], this.high[i]);
      else for (let k = 0; k <= PARTS; k++) {
        const t = this.t[i - 1] + (this.t[i] - this.t[i - 1]) * k / PARTS;
        if (t >= a && t <= b) all.push(this.inside(i, k / PARTS));
      }
    }
    return limits(all);
  }
}

// derivative at u of the cubic through the points from..to
function slope(t, x, from, to, u) {
  let sum = 0;
  for (let i = from; i <= to; i++) {
    let rate = 0, below = 1;
    for (let k = from; k <= to; k++) if (k !== i) {
      let product = 1;
      for (let m = from; m <= to; m++) if (m !== i && m !== k) product *= u - t[m];
      rate += product;
      below *= t[i] - t[k];
    }
    sum += x[i] * rate / below;
  }
  return sum;
}

// ---- as a path of pixels: px and py take a number to its place ----
const THIN = 3;                // pixels: a band that is lower than this, or as narrow as 3, is as dark as a line

// lines, and what is filled behind them
export function timePath(c, a, b, px, py, linear) {
  const line = new Path2D(), band = new Path2D();
  const [from, to] = c.span(a, b);
  const fine = Math.max(1, devicePixelRatio);
  let down = false, end = 0, narrow = false;
  for (let i = from; i <= to; i++) {
    const X = px(c.t[i]), Y = py(c.x[i]);
    if (i === from || !c.n) { down = lift(line, X, Y); continue; }
    if (c.way[i] === 'b') {
      if (i > end) {
        for (end = i; end < to && c.way[end + 1] === 'b';) end++;
        narrow = px(c.t[end]) - px(c.t[i - 1]) < 3 * fine;
      }
      const x0 = px(c.t[i - 1]), top = py(c.high[i]), low = py(c.low[i]);
      if (Number.isFinite(top + low)) {
        if (narrow || low - top < THIN * fine) line.rect(x0, top, X - x0, low - top);
        else band.rect(x0, top, X - x0, low - top);
      }
      down = lift(line, X, Y);
    } else if (!Number.isFinite(X + Y)) down = false;
    else if (!down) down = lift(line, X, Y);
    else if (c.stepped) { line.lineTo(px(c.t[i - 1]), Y); line.lineTo(X, Y); }
    else if (c.bent(i) && linear) {
      const [s0, s1] = c.slopes(i), h = (c.t[i] - c.t[i - 1]) / 3;
      line.bezierCurveTo(px(c.t[i - 1] + h), py(c.x[i - 1] + h * s0), px(c.t[i] - h), py(c.x[i] - h * s1), X, Y);
    } else line.lineTo(X, Y);
  }
  return { line, band };
}
function lift(path, X, Y) {
  const there = Number.isFinite(X + Y);
  if (there) path.moveTo(X, Y);
  return there;
}

// one over another: joined where both are known; where not, one step of the run in each piece
export function portraitPath(cx, cy, px, py) {
  const line = new Path2D(), steps = new Path2D();
  let down = false;
  for (let i = 0; i < cx.n; i++) {
    const X = px(cx.x[i]), Y = py(cy.x[i]);
    if (!Number.isFinite(X + Y)) { down = false; continue; }
    const apart = i > 0 && apartAt(cx, cy, i);
    if (apart && cx.one && cy.one && lift(steps, px(cx.one[i]), py(cy.one[i]))) steps.lineTo(px(cx.next[i]), py(cy.next[i]));
    if (!down || apart) down = lift(line, X, Y);
    else if (cx.bent(i) && cy.bent(i)) {
      const h = (cx.t[i] - cx.t[i - 1]) / 3, [a, b] = cx.slopes(i), [c, d] = cy.slopes(i);
      line.bezierCurveTo(px(cx.x[i - 1] + h * a), py(cy.x[i - 1] + h * c), px(cx.x[i] - h * b), py(cy.x[i] - h * d), X, Y);
    } else line.lineTo(X, Y);
  }
  line.addPath(steps);
  return line;
}
export const apartAt = (cx, cy, i) => cx.way[i] === 'b' || cy.way[i] === 'b';
