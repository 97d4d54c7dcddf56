// triad.js - the small cross of axes in the corner of the view
import { Vector3 } from 'three';

const SIZE = 64, ARM = 20;
const AXES = [['x', 1, 0, 0], ['y', 0, 1, 0], ['z', 0, 0, 1]];

export class Triad {
  constructor() {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    svg.setAttribute('viewBox', `${-SIZE / 2} ${-SIZE / 2} ${SIZE} ${SIZE}`);
    svg.setAttribute('class', 'triad');
    svg.setAttribute('aria-hidden', 'true');
    this.root = svg;
    this.arms = AXES.map(([name, ...v]) => {
      const g = document.createElementNS(svg.namespaceURI, 'g');
      const line = document.createElementNS(svg.namespaceURI, 'line');
      const text = document.createElementNS(svg.namespaceURI, 'text');
      text.textContent = name;
      g.append(line, text);
      svg.append(g);
      return { axis: new Vector3(...v), g, line, text };
    });
  }
  turn(camera) {
    const back = camera.quaternion.clone().invert(), p = new Vector3();
    const arms = this.arms.map(a => ({ ...a, at: p.copy(a.axis).applyQuaternion(back).clone() }));
    for (const { line, text, g, at } of arms) {
      line.setAttribute('x2', ARM * at.x);
      line.setAttribute('y2', -ARM * at.y);
      text.setAttribute('x', (ARM + 8) * at.x);
      text.setAttribute('y', -(ARM + 8) * at.y);
      // an axis that points at the reader has no room for its letter
      const flat = Math.hypot(at.x, at.y);
      g.style.opacity = flat < 0.12 ? 0 : at.z < -0.3 ? 0.45 : 1;
    }
  }
}
