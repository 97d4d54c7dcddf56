// legend.js - the lines of a panel by colour and name, with their values; a click switches a line off
import { el } from './element.js';
import { prettyUnit, short } from './number.js';

export class Legend {
  constructor(lines, unit, toggle) {
    this.unit = prettyUnit(unit);
    this.values = [];
    this.swatches = [];
    this.root = el('div', { class: 'legend' });
    lines.forEach((line, i) => {
      const swatch = el('span', { class: `swatch ${line.look ?? 'line'}` });
      const value = el('span', { class: 'value' });
      const button = el('button', { type: 'button', 'aria-pressed': 'true', title: `${line.name}: show or hide` }, swatch,
        el('span', { class: 'name', text: line.name }), value);
      button.addEventListener('click', () => {
        const on = button.getAttribute('aria-pressed') !== 'true';
        button.setAttribute('aria-pressed', String(on));
        toggle(i, on);
      });
      this.values.push(value);
      this.swatches.push(swatch);
      this.root.append(button);
    });
  }
  colour(of) { this.swatches.forEach((s, i) => { s.style.color = of(i); }); }
  // { value }, { low, high }, null where there is nothing; or texts
  show(all) {
    const unit = this.unit ? `\u2009${this.unit}` : '';
    const text = x => typeof x === 'string' ? x : !x ? '' : x.low !== undefined ? `${short(x.low, 4)} \u2026 ${short(x.high, 4)}${unit}`
      : Number.isFinite(x.value) ? `${short(x.value, 6)}${unit}` : '\u2013';
    all.forEach((x, i) => { if (this.values[i].textContent !== text(x)) this.values[i].textContent = text(x); });
  }
}
