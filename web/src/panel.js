// panel.js - one plot: what time panels and portraits have in common
import uPlot from 'uplot';
import { el } from './element.js';
import { values } from './data.js';
import { hue, onTheme } from './theme.js';
import { Curve } from './curve.js';
import { Legend } from './legend.js';

const PAPER = 500;             // pixels of a plot on paper, half a page wide
const LOOKS = {
  line: { width: 1.6 },
  dashed: { width: 1.6, dash: [7, 4] },
  faint: { width: 1, alpha: 0.45 },
  marks: { width: 0, marks: true },
};
export const look = line => LOOKS[line.look] ?? LOOKS.line;

export class Panel {
  constructor(group, about, figure) {
    Object.assign(this, { group, about, figure, plot: null, shown: false });
    const runs = group.data.runs;
    this.lines = about.lines.map((l, i) => {
      const of = runs[l.run], columns = of?.columns;
      if (!columns?.[l.x] || !columns[l.y]) throw new Error(`the panel "${about.title}" wants a column that is not there`);
      return { ...l, of, hue: l.hue ?? i, name: l.name ?? columns[l.y].name, times: columns[0], xs: columns[l.x], ys: columns[l.y] };
    });
    // faint lines are drawn first; the legend keeps the order that was asked for
    this.order = this.lines.map((_, i) => i).sort((a, b) => (this.lines[b].look === 'faint') - (this.lines[a].look === 'faint') || a - b);
    this.frame = el('div', { class: 'frame' });
    this.legend = new Legend(this.lines, about.y.unit, (i, on) => this.plot?.setSeries(this.order.indexOf(i) + 1, { show: on }));
    this.reset = el('button', { type: 'button', class: 'small reset', text: 'whole range', hidden: true });
    this.reset.addEventListener('click', () => this.unzoom());
    figure.querySelectorAll(':scope > svg').forEach(svg => svg.remove());
    figure.append(this.frame, this.legend.root);
    if (about.banded)
      figure.append(el('p', { class: 'undersampled',
        text: `faster than the rows: shown as ${about.kind === 'portrait' ? 'single steps' : 'a band'}` }));
    (figure.querySelector('figcaption') ?? figure).append(this.reset);
    this.legend.colour(i => hue(this.lines[i].hue));
  }

  width() { return Math.max(200, Math.floor(this.frame.clientWidth)); }

  // the numbers are decoded and drawn when the panel is first seen
  draw() {
    if (this.plot || this.broken || !this.frame.clientWidth) return;
    try {
      this.plot = new uPlot(this.options(this.width()), this.table(), this.frame);
    } catch (e) {
      this.broken = true;
      this.frame.replaceChildren(el('p', { class: 'trouble', role: 'alert', text: `This plot cannot be drawn: ${e.message}.` }));
      return;
    }
    this.plot.root.setAttribute('role', 'img');
    this.plot.root.setAttribute('aria-label',
      `${this.about.y.name} against ${this.about.x.name}; lines: ${this.lines.map(l => l.name).join(', ')}`);
    this.legend.colour(i => hue(this.lines[i].hue));
    onTheme(() => {
      this.legend.colour(i => hue(this.lines[i].hue));
      this.plot.redraw(true, true);
    });
    this.drawn();
  }
  drawn() {}
  // what the lines are at one time, all at the same: { name, value } or { name, low, high }; null where there is nothing
  read(t) {
    return this.lines.map(l => {
      const at = Curve.of(l.of, this.isTime ? l.x : 0, l.y, this.about.kind === 'steps').at(t);
      return at && { name: l.name, ...at };
    });
  }
  resize() {
    if (this.plot && this.frame.clientWidth && this.width() !== this.plot.width)
      this.plot.setSize({ width: this.width(), height: this.height(this.width()) });
  }
  series(line) {
    const l = look(line);
    return {
      label: line.name, stroke: () => hue(line.hue), width: l.width, dash: l.dash, alpha: l.alpha ?? 1,
      points: l.marks ? { show: true, size: 5, width: 0, fill: () => hue(line.hue) } : { show: false },
    };
  }
  // for paper: drawn at once, in a width at which the letters keep their size
  picture() {
    if (!this.plot) return null;
    this.plot.setSize({ width: PAPER, height: this.height(PAPER) });
    this.flush();
    const data = this.plot.ctx.canvas.toDataURL('image/png');
    this.plot.setSize({ width: this.width(), height: this.height(this.width()) });
    return data;
  }
  // uPlot draws a little later unless it is told to do it in one go
  flush() { this.plot.batch(() => {}); }
}

// gaps are null; on a logarithmic axis so is what has no logarithm
export function gaps(column, log) {
  const v = values(column);
  const hole = log ? x => !(x > 0) || x === Infinity : x => !Number.isFinite(x);
  return v.some(hole) ? Array.from(v, x => hole(x) ? null : x) : v;
}
