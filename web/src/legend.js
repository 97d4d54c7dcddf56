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
  // numbers; or texts where a value is more than a number
  show(numbers) {
    numbers.forEach((x, i) => {
      const text = typeof x === 'string' ? x : x === undefined ? ''
        : `${short(x, 6)}${this.unit && x !== null ? `\u2009${this.unit}` : ''}`;
      if (this.values[i].textContent !== text) this.values[i].textContent = text;
    });
  }
}
