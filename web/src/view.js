// view.js - the 3-D view of a group: its run, its time, its player
import { el } from './element.js';
import { decimals, fixed, prettyUnit, scaling, short, withUnit } from './number.js';
import { nearestRow, values } from './data.js';
import { RunScene } from './scene.js';
import { Stage } from './stage.js';
import { Triad } from './triad.js';
import { onTheme } from './theme.js';
import { controls, keyList } from './player.js';

const WHOLE_RUN = 10;          // seconds that a run takes unless told otherwise
const MOST_SCREENS = 6;
const SLOWEST = -6, FASTEST = 1;

// 1, 2, 5, 10 ... from 1e-6 to 10 of real time, further where a run is longer or shorter than that
function speeds(start) {
  const out = [];
  const low = Math.min(SLOWEST, Math.floor(Math.log10(start)) - 1), high = Math.max(FASTEST, Math.ceil(Math.log10(start)) + 1);
  for (let e = low; e <= high; e++) for (const m of [1, 2, 5]) if (e < high || m === 1) out.push(Number(`${m}e${e}`));
  return out;
}

export class View {
  constructor(group, figure) {
    Object.assign(this, { group, figure, playing: false, loop: true, arrowsOn: true, trailsOn: true, time: 0 });
    this.runs = group.data.runs.filter(r => r.scene);
    this.place = el('div', { class: 'stage' });
    this.ui = controls(this);
    figure.replaceChildren(this.place, this.ui.root, keyList());
    this.choose(0);
    onTheme(() => { this.built?.paint(); this.stage?.colours(); this.notes(); });
    figure.addEventListener('pointerdown', () => { View.current = this; });
    figure.addEventListener('focusin', () => { View.current = this; });
  }

  // the graph is made when it is first wanted, the drawing when the figure is first seen
  get scene() {
    if (this.built) return this.built;
    this.built = this.trying(() => new RunScene(this.run, this.run.scene));
    this.built?.at(this.time);
    return this.built;
  }
  trying(make) {
    if (this.broken) return null;
    try {
      return make();
    } catch (e) {
      this.broken = e.message;
      this.say(`The view cannot be drawn: ${e.message}.`);
      return null;
    }
  }
  say(text) { this.place.replaceChildren(el('p', { class: 'trouble', role: 'alert', text })); }

  open() {
    if (this.stage || this.noScreen || !this.scene) return;
    try {
      this.stage = new Stage(this.place);
    } catch {
      this.noScreen = true;
      this.place.classList.add('without');
      this.say('The 3-D view needs WebGL, which this browser does not offer or has switched off. ' +
        'The plots work without it, and the player moves their time.');
      return;
    }
    // the one that was opened first makes room
    View.alive.push(this);
    if (View.alive.length > MOST_SCREENS) View.alive.shift().close();
    const canvas = this.stage.canvas;
    canvas.tabIndex = 0;
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', `3-D view of ${this.group.data.model}. Space plays, the arrow keys step, i j k l turn the camera`);
    this.triad = new Triad();
    this.note = el('p', { class: 'note' });
    this.hover = el('p', { class: 'hover', hidden: true });
    this.place.append(this.note, this.triad.root, this.hover);
    this.stage.after = () => this.triad.turn(this.stage.camera);
    this.hovering(canvas);
    this.shown = this.stage.show(this.scene);
    this.notes();
    this.apply();
  }
  close() {
    this.pause();
    this.stage.close();
    this.stage = this.note = null;
    this.place.replaceChildren();
  }
  hovering(canvas) {
    let wanted = null;
    canvas.addEventListener('pointermove', e => {
      if (e.buttons || e.pointerType === 'touch') { this.hover.hidden = true; return; }
      if (!wanted) requestAnimationFrame(() => {
        const name = this.playing ? null : this.stage.pick(...wanted);
        this.hover.hidden = !name;
        if (name) {
          this.hover.textContent = name;
          this.hover.style.transform = `translate(${wanted[0] + 14}px, ${wanted[1] + 10}px)`;
        }
        wanted = null;
      });
      wanted = [e.offsetX, e.offsetY];
    });
    canvas.addEventListener('pointerleave', () => { this.hover.hidden = true; });
  }

  // what the picture measures: the longest arrow of each unit, the grid
  notes() {
    if (!this.note) return;
    const scene = this.scene, unit = this.lengthUnit;
    const lines = [];
    if (this.arrowsOn) for (const [of, most] of scene.largest)
      lines.push(el('span',
        { text: `longest arrow = ${withUnit(most, of, 3)}${scene.scaleMode === 'root' ? ', lengths as the square root' : ''}`,
        style: scene.largest.size > 1 ? `--of: ${scene.arrowSets.find(s => s.unit === of).colour()}` : null }));
    if (this.stage.ground.children.length)
      lines.push(el('span', { text: `grid ${unit ? withUnit(this.stage.step, unit, 3) : short(this.stage.step)}` }));
    if (scene.coarse) lines.push(el('span', { class: 'coarse', text: 'faster than the rows: shown at the rows alone' }));
    this.note.replaceChildren(...lines);
  }
  // of the model: that of the first coordinate of a shape's kind, where columns have one
  get lengthUnit() { return this.run.columns.slice(1).some(c => c.unit === 'm') ? 'm' : ''; }

  choose(index) {
    const before = this.run;
    this.run = this.runs[index];
    this.built?.dispose();
    this.built = null;
    this.broken = null;
    this.times = values(this.run.columns[0]);
    this.unit = this.run.columns[0].unit ?? 's';
    this.range = [this.times[0], this.times[this.times.length - 1]];
    const whole = this.range[1] - this.range[0] || 1;
    this.speeds = speeds(whole / WHOLE_RUN);
    if (!before)
      this.speed = this.speeds.reduce((a, b) => Math.abs(Math.log(b * WHOLE_RUN / whole)) < Math.abs(Math.log(a * WHOLE_RUN / whole)) ? b
        : a);
    // so many digits that two rows are told apart
    this.writes = scaling(Math.max(...this.range.map(Math.abs)), this.unit);
    const step = whole / Math.max(1, this.times.length - 1) / this.writes.factor;
    this.digits = Math.min(6, Math.max(1, decimals(Number(step.toPrecision(1)))));
    if (this.stage && this.scene) {
      this.shown = this.stage.show(this.scene);
      this.notes();
    }
    this.setTime(before ? this.time : this.range[0]);
    this.ui.refresh();
  }

  text(t) { return `${fixed(t / this.writes.factor, this.digits)}${this.writes.unit ? `\u2009${this.writes.unit}` : ''}`; }
  speedText() {
    if (this.unit !== 's') return `${short(this.speed)}${this.unit ? `\u2009${prettyUnit(this.unit)}` : ''} per second`;
    return this.speed === 1 ? 'real time' : this.speed < 1 ? `${withUnit(this.speed, 's', 3)} per second`
      : `${short(this.speed)}\u00d7 real time`;
  }

  setTime(t) {
    this.time = Math.min(this.range[1], Math.max(this.range[0], Number(t)));
    this.apply();
  }
  apply() {
    // what nobody has looked at yet is placed when it is made
    if (this.built) {
      this.built.at(this.time);
      this.built.showArrows(this.arrowsOn);
      this.built.showTrails(this.trailsOn);
    }
    this.stage?.invalidate();
    this.group.showTime(this.time);
    this.ui.moved();
  }
  // to the next or an earlier row: the numbers there are the model's own
  step(rows) {
    this.pause();
    const n = this.times.length, i = nearestRow(this.times, this.time);
    this.setTime(this.times[Math.min(n - 1, Math.max(0, i + rows))]);
  }
  play() {
    if (this.playing) return;
    if (this.time >= this.range[1]) this.setTime(this.range[0]);
    this.playing = true;
    let last = performance.now();
    const tick = now => {
      if (!this.playing) return;
      // a tab that was away does not jump
      const t = this.time + Math.min(0.1, Math.max(0, (now - last) / 1000)) * this.speed;
      last = now;
      const [a, b] = this.range;
      if (t < b) this.setTime(t);
      else if (this.loop && b > a) this.setTime(a + (t - b) % (b - a));
      else { this.setTime(b); this.pause(); }
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    this.ui.refresh();
  }
  pause() {
    this.playing = false;
    this.ui.refresh();
  }
  toggle() { if (this.playing) this.pause(); else this.play(); }
  faster(steps) {
    const s = this.speeds,
      i = s.reduce((best, x, k) => Math.abs(Math.log(x / this.speed)) < Math.abs(Math.log(s[best] / this.speed)) ? k : best, 0);
    this.setSpeed(s[Math.min(s.length - 1, Math.max(0, i + steps))]);
  }
  setSpeed(x) {
    this.speed = x;
    this.ui.refresh();
  }
  setArrows(mode) {
    this.arrowsOn = mode !== 'off';
    if (this.scene && mode !== 'off') this.scene.scaleMode = mode;
    this.apply();
    this.notes();
    this.ui.refresh();
  }
  setTrails(on) {
    this.trailsOn = on;
    this.apply();
    this.ui.refresh();
  }
  setLoop(on) {
    this.loop = on;
    this.ui.refresh();
  }
  resetCamera() { this.stage?.home(); }
  position(name) {
    const scene = this.scene;
    if (!scene) throw new Error(this.broken);
    return scene.position(name);
  }
  picture() {
    if (!this.stage) return null;
    this.stage.render(this.stage.fine());
    return this.stage.canvas.toDataURL('image/png');
  }
}
View.alive = [];
