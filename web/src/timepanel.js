// timepanel.js - lines over time: one zoom and one cursor for all panels of a group, and the time of the 3-D view
import uPlot from 'uplot';
import { el } from './element.js';
import { nearestRow, values } from './data.js';
import { axis } from './axis.js';
import { Panel, gaps, look } from './panel.js';

const SHORTEST_DRAG = 5;       // pixels: less is a click

export class TimePanel extends Panel {
  get isTime() { return true; }
  height(width) { return width < 480 ? 210 : 250; }

  table() {
    const log = this.about.y.log;
    const lines = this.order.map(i => this.lines[i]);
    const one = lines.every(l => l.xs === lines[0].xs);
    if (one) return [values(lines[0].xs), ...lines.map(l => gaps(l.ys, log))];
    return uPlot.join(lines.map(l => [values(l.xs), gaps(l.ys, log)]));
  }

  options(width) {
    const { x, y, kind } = this.about, group = this.group;
    const stepped = uPlot.paths.stepped({ align: -1 });
    return {
      width, height: this.height(width), pxAlign: 0, padding: [8, 18, 0, 0], legend: { show: false },
      cursor: {
        y: false, points: { size: 7, width: 0 },
        sync: { key: group.key, scales: ['x', null], setSeries: false,
          filters: { pub: type => type === 'mousemove' || type === 'mouseleave' } },
        drag: { x: true, y: false, setScale: false, dist: SHORTEST_DRAG },
        bind: { dblclick: () => () => { this.unzoom(); return null; } },
      },
      scales: {
        x: { time: false, range: () => group.zoom ?? group.range },
        y: y.log ? { distr: 3, range: (u, a, b) => a === null ? [0.1, 1] : uPlot.rangeLog(a, b, 10, false) }
          : { range: (u, a, b) => a === null ? [0, 1]
            : uPlot.rangeNum(a, b, { min: { pad: 0.06, soft: 0, mode: 3 }, max: { pad: 0.06, soft: 0, mode: 3 } }) },
      },
      axes: [axis({ ...x, scale: 'x' }), axis({ ...y, scale: 'y' })],
      series: [{}, ...this.order.map(i => {
        const line = this.lines[i];
        return { ...this.series(line), ...(look(line).marks ? { paths: () => null } : kind === 'steps' ? { paths: stepped } : {}) };
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
    over.append(this.mark);
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
  showValues() {
    if (!this.plot) return;
    const { left, idx } = this.plot.cursor;
    const t = left >= 0 && idx !== null && idx !== undefined ? this.plot.posToVal(left, 'x') : this.group.time;
    this.legend.show(this.lines.map(l => t === null ? undefined : values(l.ys)[nearestRow(values(l.xs), t)]));
  }
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
