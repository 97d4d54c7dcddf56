// portrait.js - one coordinate over another: x goes to and fro, lengths are alike on both axes where the units are
import { el } from './element.js';
import { limits, nearestRow, values } from './data.js';
import { axis } from './axis.js';
import { Panel, look } from './panel.js';
import { short } from './number.js';
import { hue, onTheme } from './theme.js';

const LONGEST_SIDE = 5;        // beyond this ratio of the sides, alike lengths would leave a thread
const PAD = 0.05;
const REACH = 24;              // pixels from the cursor to the point it shows

const joined = pairs => pairs.filter(Boolean).reduce((a, b) => a ? [Math.min(a[0], b[0]), Math.max(a[1], b[1])] : b, null) ?? [0, 1];

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

  measure() {
    const all = { x: padded(joined(this.lines.map(l => limits(values(l.xs))))),
      y: padded(joined(this.lines.map(l => limits(values(l.ys))))) };
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
  table() { return [null, ...this.order.map(i => [values(this.lines[i].xs), values(this.lines[i].ys)])]; }

  // the path follows the points in their order; a gap lifts the pen
  path(u, i) {
    const [xs, ys] = u.data[i];
    const marks = look(this.lines[this.order[i - 1]]).marks;
    const path = new Path2D();
    const { x, y } = u.scales, b = u.bbox;
    const px = b.width / (x.max - x.min), py = b.height / (y.max - y.min);
    const r = 2.5 * devicePixelRatio;
    let down = false;
    for (let k = 0; k < xs.length; k++) {
      const X = b.left + (xs[k] - x.min) * px, Y = b.top + b.height - (ys[k] - y.min) * py;
      if (!Number.isFinite(X + Y)) { down = false; continue; }
      if (marks) { path.moveTo(X + r, Y); path.arc(X, Y, r, 0, 2 * Math.PI); }
      else if (down) path.lineTo(X, Y);
      else path.moveTo(X, Y);
      down = true;
    }
    return { stroke: marks ? null : path, fill: marks ? path : null, clip: null, band: null, gaps: null, flags: 3 };
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
        ...this.series(this.lines[i]), fill: look(this.lines[i]).marks ? () => hue(this.lines[i].hue) : undefined,
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
      const k = t === null ? 0 : nearestRow(values(line.times), t);
      const [x, y] = [values(line.xs)[k], values(line.ys)[k]];
      const [left, top] = [this.plot.valToPos(x, 'x'), this.plot.valToPos(y, 'y')];
      const inside = left >= -1 && top >= -1 && left <= this.plot.over.clientWidth + 1 && top <= this.plot.over.clientHeight + 1;
      dot.hidden = t === null || !inside || this.plot.series[this.order.indexOf(i) + 1].show === false;
      if (!dot.hidden) dot.style.transform = `translate(${left}px, ${top}px)`;
    });
    this.showValues();
  }

  // the nearest point of each line, where the cursor is near one
  nearest(line) {
    const { left, top } = this.plot.cursor;
    const xs = values(line.xs), ys = values(line.ys), { x, y } = this.plot.scales;
    const px = this.plot.over.clientWidth / (x.max - x.min), py = this.plot.over.clientHeight / (y.max - y.min);
    const X = x.min + left / px, Y = y.max - top / py;
    let best = -1, least = REACH ** 2;
    for (let k = 0; k < xs.length; k++) {
      const d = ((xs[k] - X) * px) ** 2 + ((ys[k] - Y) * py) ** 2;
      if (d < least) { least = d; best = k; }
    }
    return best;
  }
  showValues() {
    if (!this.plot) return;
    const over = this.plot.cursor.left >= 0;
    const t = this.group.time;
    this.legend.show(this.lines.map(line => {
      const k = over ? this.nearest(line) : t === null ? -1 : nearestRow(values(line.times), t);
      return k < 0 ? '' : `${short(values(line.xs)[k])}, ${short(values(line.ys)[k])}`;
    }));
  }
}
