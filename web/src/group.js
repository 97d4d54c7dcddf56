// group.js - the runs of one model: panels that share a zoom, a cursor and the time of the view
import { el } from './element.js';
import { limits, values } from './data.js';
import { TimePanel } from './timepanel.js';
import { Portrait } from './portrait.js';
import { View } from './view.js';

export class Group {
  constructor(data, index, root) {
    Object.assign(this, { data, index, key: `group-${index}`, zoom: null, time: null, view: null, panels: [] });
    const figure = root.querySelector(`figure.view[data-group="${index}"]`);
    if (figure && data.runs.some(r => r.scene)) this.attempt(figure, () => { this.view = new View(this, figure); });
    for (const f of root.querySelectorAll(`figure.plot[data-group="${index}"]`)) this.attempt(f, () => this.panel(f));
    this.seen = new Set();
  }
  attempt(figure, make) {
    try {
      make();
    } catch (e) {
      figure.append(el('p', { class: 'trouble', role: 'alert', text: `This figure cannot be drawn: ${e.message}.` }));
    }
  }
  panel(figure) {
    const about = this.data.panels[Number(figure.dataset.panel)];
    if (!about) throw new Error(`there is no panel ${figure.dataset.panel} in the data`);
    if (!about.lines?.length) throw new Error(`the panel "${about.title}" has no lines`);
    this.panels.push(new (about.kind === 'portrait' ? Portrait : TimePanel)(this, about, figure));
  }

  // all time panels show the same span
  get range() {
    if (this.whole) return this.whole;
    let a = Infinity, b = -Infinity;
    for (const p of this.panels) if (p.isTime) for (const l of p.lines) {
      const m = limits(values(l.xs));
      if (m) [a, b] = [Math.min(a, m[0]), Math.max(b, m[1])];
    }
    if (!(a <= b)) [a, b] = [0, 1];
    // ends that single precision moved a little go back to the round number
    const tidy = x => Math.abs(Number(x.toPrecision(6)) - x) < 1e-6 * (b - a) ? Number(x.toPrecision(6)) : x;
    this.whole = a < b ? [tidy(a), tidy(b)] : [a, a + 1];
    return this.whole;
  }
  setZoom(span) {
    const [a, b] = this.range;
    this.zoom = span ? [Math.max(a, Math.min(...span)), Math.min(b, Math.max(...span))] : null;
    if (this.zoom && !(this.zoom[1] - this.zoom[0] > 1e-12 * Math.max(Math.abs(a), Math.abs(b)))) this.zoom = null;
    for (const p of this.panels) if (p.isTime) p.zoomed(this.zoom ?? this.range, !this.zoom);
  }
  showTime(t) {
    this.time = t;
    for (const p of this.seen ?? []) p.placeTime?.();
  }
}
