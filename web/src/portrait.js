// portrait.js - one coordinate over another: x goes to and fro, lengths are alike on both axes where the units are
import { el } from './element.js';
import { limits, values } from './data.js';
import { axis } from './axis.js';
import { Curve, apartAt, portraitPath } from './curve.js';
import { Panel } from './panel.js';
import { short } from './number.js';
import { hue, onTheme } from './theme.js';

const LONGEST_SIDE = 5;        // beyond this ratio of the sides, alike lengths would leave a thread
const PAD = 0.05;
const REACH = 24;              // pixels from the cursor to the point it shows

const joinedOrNone = pairs => pairs.filter(Boolean).reduce((a, b) => a ? [Math.min(a[0], b[0]), Math.max(a[1], b[1])] : b, null);
const joined = pairs => joinedOrNone(pairs) ?? [0, 1];

function padded([a, b]) {
  const d = (b - a || Math.abs(a) || 1) * PAD;
  return [a - d, b + d];
}

export class Portrait extends Panel {
  constructor(group, about, figure) {
    super(group, about, figure);
    this.box = null;
  }
  get isTime() { return false; }

  // both columns over time
  curves(line) { return [Curve.of(line.of, 0, line.x), Curve.of(line.of, 0, line.y)]; }
  measure() {
    const reach = k => padded(joined(this.lines.map(l => {
      const c = this.curves(l)[k];
      return joinedOrNone([c.n ? c.reach(c.t[0], c.t[c.n - 1]) : null, c.one ? limits(c.one) : null]);
    })));
    const all = { x: reach(0), y: reach(1) };
    const ratio = (all.y[1] - all.y[0]) / (all.x[1] - all.x[0]);
    this.alike = (this.about.x.unit ?? '') === (this.about.y.unit ?? '') && !this.about.y.log && ratio < LONGEST_SIDE
      && ratio > 1 / LONGEST_SIDE;
    this.ratio = this.alike ? Math.max(0.45, Math.min(1, ratio)) : 0.56;
    this.whole = all;
    this.box = all;
  }
  height(width) {
    if (!this.whole) this.measure();
    return Math.round(Math.max(210, Math.min(420, width * this.ratio)));
  }
  table() {
    this.lines.forEach(l => this.curves(l));
    return [null, ...this.order.map(i => [values(this.lines[i].xs), values(this.lines[i].ys)])];
  }

  // joined where rows show the motion, single steps where they do not
  path(u, i) {
    const { x, y } = u.scales, b = u.bbox;
    const px = v => b.left + (v - x.min) / (x.max - x.min) * b.width, py = v => b.top + b.height - (v - y.min) / (y.max - y.min) * b.height;
    const line = portraitPath(...this.curves(this.lines[this.order[i - 1]]), px, py);
    return { stroke: line, fill: null, clip: null, band: null, gaps: null, flags: 3 };
  }

  options(width) {
    const { x, y } = this.about;
    const height = this.height(width);
    return {
      mode: 2, width, height, pxAlign: 0, padding: [8, 18, 0, 0], legend: { show: false },
      cursor: { points: { show: false }, dataIdx: () => null, drag: { x: true, y: true, setScale: false, dist: 5 },
        bind: { dblclick: () => () => { this.unzoom(); return null; } } },
      scales: { x: { time: false, auto: false, range: () => this.box.x }, y: { auto: false, range: () => this.box.y } },
      axes: [axis({ ...x, scale: 'x' }), axis({ ...y, log: false, scale: 'y' })],
      series: [null, ...this.order.map(i => ({
        ...this.series(this.lines[i]), ...(this.curves(this.lines[i]).some(c => c.one) ? { width: 0.8 } : {}),
        points: { show: false }, facets: [{ scale: 'x', auto: true }, { scale: 'y', auto: true }], paths: (u, k) => this.path(u, k),
      }))],
      hooks: {
        setSelect: [u => {
          const s = u.select;
          if (s.width >= 5 && s.height >= 5)
            this.zoom({ x: [u.posToVal(s.left, 'x'), u.posToVal(s.left + s.width, 'x')],
              y: [u.posToVal(s.top + s.height, 'y'), u.posToVal(s.top, 'y')] });
          u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        }],
        setCursor: [() => this.showValues()],
        draw: [() => { this.refit(); this.placeTime(); }],
      },
    };
  }

  drawn() {
    this.dots = this.lines.map(() => el('div', { class: 'dot', hidden: true }));
    this.plot.over.append(...this.dots);
    const paint = () => this.dots.forEach((d, i) => { d.style.background = hue(this.lines[i].hue); });
    paint();
    onTheme(paint);
  }

  // axes settle while the plot is drawn: the box follows their room
  refit() {
    const { width, height } = this.plot.bbox;
    if (this.fitted === `${width} ${height}`) return;
    this.fitted = `${width} ${height}`;
    queueMicrotask(() => this.apply());
  }

  // the wanted box, grown until lengths are alike on both axes
  apply() {
    if (!this.plot?.bbox.width) return;
    let { x, y } = this.box;
    if (this.alike) {
      const b = this.plot.bbox;
      const scale = Math.max((x[1] - x[0]) / b.width, (y[1] - y[0]) / b.height);
      const grown = ([lo, hi], pixels) => [(lo + hi - scale * pixels) / 2, (lo + hi + scale * pixels) / 2];
      [x, y] = [grown(x, b.width), grown(y, b.height)];
    }
    this.plot.batch(() => {
      this.plot.setScale('x', { min: x[0], max: x[1] });
      this.plot.setScale('y', { min: y[0], max: y[1] });
    });
  }
  flush() {
    super.flush();
    this.apply();
    super.flush();
  }
  zoom(box) {
    this.box = box;
    this.reset.hidden = box === this.whole;
    this.apply();
  }
  unzoom() { this.zoom(this.whole); }

  // the state at the view's time, as a dot on every line
  placeTime() {
    if (!this.dots) return;
    this.dots.forEach((dot, i) => {
      const line = this.lines[i];
      const t = this.group.time;
      const at = t === null ? null : this.place(line, t);
      const [x, y] = at ?? [NaN, NaN];
      const [left, top] = [this.plot.valToPos(x, 'x'), this.plot.valToPos(y, 'y')];
      const inside = left >= -1 && top >= -1 && left <= this.plot.over.clientWidth + 1 && top <= this.plot.over.clientHeight + 1;
      dot.hidden = !at || !inside || this.plot.series[this.order.indexOf(i) + 1].show === false;
      if (!dot.hidden) dot.style.transform = `translate(${left}px, ${top}px)`;
    });
    this.showValues();
  }

  // at a time: both numbers, or null where one of them is not known
  place(line, t) {
    const [x, y] = this.curves(line).map(c => c.at(t)?.value);
    return Number.isFinite(x + y) ? [x, y] : null;
  }
  // the point of a line that is nearest to the cursor, where it is near one: rows first, then between them
  nearest(line) {
    const { left, top } = this.plot.cursor, { x, y } = this.plot.scales;
    const kx = this.plot.over.clientWidth / (x.max - x.min), ky = this.plot.over.clientHeight / (y.max - y.min);
    const X = x.min + left / kx, Y = y.max - top / ky, [cx, cy] = this.curves(line);
    let best = null, least = REACH ** 2, row = -1;
    const look = (a, b) => {
      const d = ((a - X) * kx) ** 2 + ((b - Y) * ky) ** 2;
      if (!(d < least)) return false;
      [least, best] = [d, [a, b]];
      return true;
    };
    for (let k = 0; k < cx.n; k++) if (look(cx.x[k], cy.x[k])) row = k;
    for (let i = Math.max(1, row); row >= 0 && i <= row + 1 && i < cx.n; i++)
      for (let k = 1; k < 16 && !apartAt(cx, cy, i); k++) look(cx.inside(i, k / 16), cy.inside(i, k / 16));
    return best;
  }
  showValues() {
    if (!this.plot) return;
    const over = this.plot.cursor.left >= 0;
    const t = this.group.time;
    this.legend.show(this.lines.map(line => {
      const at = over ? this.nearest(line) : t === null ? null : this.place(line, t);
      return at ? `${short(at[0])}, ${short(at[1])}` : '';
    }));
  }
}
