// timepanel.js - lines over time: one zoom and one cursor for all panels of a group, and the time of the 3-D view
import uPlot from 'uplot';
import { el } from './element.js';
import { values } from './data.js';
import { axis } from './axis.js';
import { Curve, timePath } from './curve.js';
import { Panel, gaps, look } from './panel.js';
import { hue, onTheme } from './theme.js';

const SHORTEST_DRAG = 5;       // pixels: less is a click

export class TimePanel extends Panel {
  get isTime() { return true; }
  height(width) { return width < 480 ? 210 : 250; }

  table() {
    const log = this.about.y.log;
    const lines = this.order.map(i => this.lines[i]);
    // what cannot be read is said before anything is drawn
    lines.forEach(l => this.curve(l));
    const one = lines.every(l => l.xs === lines[0].xs);
    if (one) return [values(lines[0].xs), ...lines.map(l => gaps(l.ys, log))];
    return uPlot.join(lines.map(l => [values(l.xs), gaps(l.ys, log)]));
  }

  curve(line) { return Curve.of(line.of, line.x, line.y, this.about.kind === 'steps'); }
  // lines and bands as they are, not as the table has them
  path(u, k) {
    const { x, y } = u.scales, b = u.bbox, log = this.about.y.log;
    const up = v => log ? Math.log10(v > 0 ? v : y.min) : v, low = up(y.min), high = up(y.max);
    const px = t => b.left + (t - x.min) / (x.max - x.min) * b.width;
    const py = v => v === null || (log && !(v > 0) && v !== 0) ? NaN : b.top + b.height * (1 - (up(v) - low) / (high - low));
    const { line, band } = timePath(this.curve(this.lines[this.order[k - 1]]), x.min, x.max, px, py, !log);
    return { stroke: line, fill: band, clip: null, band: null, gaps: null, flags: 3 };
  }
  // how far the lines that are shown go in the span that is seen
  reach(u) {
    const [a, b] = this.group.zoom ?? this.group.range;
    let all = null;
    this.order.forEach((i, k) => {
      if (u.series[k + 1]?.show === false) return;
      const c = this.curve(this.lines[i]);
      const r = this.about.y.log ? positive(c, a, b) : c.reach(a, b);
      if (r) all = all ? [Math.min(all[0], r[0]), Math.max(all[1], r[1])] : r;
    });
    return all;
  }

  options(width) {
    const { x, y } = this.about, group = this.group;
    return {
      width, height: this.height(width), pxAlign: 0, padding: [8, 18, 0, 0], legend: { show: false },
      cursor: {
        y: false, points: { show: false },
        sync: { key: group.key, scales: ['x', null], setSeries: false,
          filters: { pub: type => type === 'mousemove' || type === 'mouseleave' } },
        drag: { x: true, y: false, setScale: false, dist: SHORTEST_DRAG },
        bind: { dblclick: () => () => { this.unzoom(); return null; } },
      },
      scales: {
        x: { time: false, range: () => group.zoom ?? group.range },
        y: y.log ? { distr: 3, range: u => { const r = this.reach(u); return r ? uPlot.rangeLog(...r, 10, false) : [0.1, 1]; } }
          : { range: u => {
            const r = this.reach(u);
            return r ? uPlot.rangeNum(...r, { min: { pad: 0.06, soft: 0, mode: 3 }, max: { pad: 0.06, soft: 0, mode: 3 } }) : [0, 1];
          } },
      },
      axes: [axis({ ...x, scale: 'x' }), axis({ ...y, scale: 'y' })],
      series: [{}, ...this.order.map(i => {
        const line = this.lines[i];
        return { ...this.series(line), fill: () => `${hue(line.hue)}66`, paths: look(line).marks ? () => null : (u, k) => this.path(u, k) };
      })],
      hooks: {
        setSelect: [u => {
          if (u.select.width >= SHORTEST_DRAG)
            group.setZoom([u.posToVal(u.select.left, 'x'), u.posToVal(u.select.left + u.select.width, 'x')]);
          u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        }],
        setCursor: [() => this.showValues()],
        draw: [() => this.placeTime()],
      },
    };
  }

  drawn() {
    const over = this.plot.over;
    this.mark = el('div', { class: 'now', hidden: true });
    this.dots = this.lines.map(() => el('div', { class: 'dot small', hidden: true }));
    over.append(this.mark, ...this.dots);
    const paint = () => this.dots.forEach((d, i) => { d.style.background = hue(this.lines[i].hue); });
    paint();
    onTheme(paint);
    if (this.group.view) over.classList.add('sets-time');
    over.addEventListener('click', e => this.group.view?.setTime(this.plot.posToVal(e.offsetX, 'x')));
    touchZoom(this.plot, (a, b) => this.group.setZoom([a, b]));
    this.reset.hidden = !this.group.zoom;
    this.placeTime();
  }

  unzoom() { this.group.setZoom(null); }
  zoomed([min, max], whole) {
    this.plot?.setScale('x', { min, max });
    this.reset.hidden = whole;
  }

  // the vertical line of the view's time, and the values there while no cursor is over the panels
  placeTime() {
    if (!this.mark) return;
    const t = this.group.time;
    const s = this.plot.scales.x;
    this.mark.hidden = t === null || t < s.min || t > s.max;
    if (!this.mark.hidden) this.mark.style.transform = `translateX(${this.plot.valToPos(t, 'x') - 0.75}px)`;
    this.showValues();
  }
  // all lines at the time under the cursor; a dot on each that has one number there
  showValues() {
    if (!this.plot) return;
    const { left } = this.plot.cursor, over = left >= 0;
    const t = over ? this.plot.posToVal(left, 'x') : this.group.time;
    const all = t === null ? this.lines.map(() => undefined) : this.read(t);
    this.legend.show(all);
    this.dots?.forEach((dot, i) => {
      const v = all[i]?.value, top = over && Number.isFinite(v) && !(this.about.y.log && !(v > 0)) ? this.plot.valToPos(v, 'y') : NaN;
      dot.hidden = !(top >= -1 && top <= this.plot.over.clientHeight + 1) || this.plot.series[this.order.indexOf(i) + 1].show === false;
      if (!dot.hidden) dot.style.transform = `translate(${left}px, ${top}px)`;
    });
  }
}

// on a logarithmic axis: what is above zero
function positive(c, a, b) {
  const [from, to] = c.span(a, b), all = [];
  for (let i = from; i <= to; i++) for (const v of i > from && c.way[i] === 'b' ? [c.x[i], c.low[i], c.high[i]] : [c.x[i]])
    if (v > 0 && v < Infinity) all.push(v);
  return all.length ? [Math.min(...all), Math.max(...all)] : null;
}

// uPlot hears the mouse only: a finger that moves sideways chooses a range, up and down scrolls the page
export function touchZoom(plot, zoom) {
  const over = plot.over;
  let from = null;
  over.style.touchAction = 'pan-y';
  const at = e => Math.max(0, Math.min(over.clientWidth, e.clientX - over.getBoundingClientRect().left));
  over.addEventListener('pointerdown', e => { if (e.pointerType === 'touch') from = at(e); });
  over.addEventListener('pointermove', e => {
    if (from === null || e.pointerType !== 'touch') return;
    plot.setSelect({ left: Math.min(from, at(e)), width: Math.abs(at(e) - from), top: 0, height: over.clientHeight }, false);
  });
  const end = e => {
    if (from === null || e.pointerType !== 'touch') return;
    const [a, b] = [Math.min(from, at(e)), Math.max(from, at(e))];
    from = null;
    plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    if (e.type === 'pointerup' && b - a > 3 * SHORTEST_DRAG) zoom(plot.posToVal(a, 'x'), plot.posToVal(b, 'x'));
  };
  over.addEventListener('pointerup', end);
  over.addEventListener('pointercancel', end);
}
