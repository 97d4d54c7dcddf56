// player.js - the buttons and sliders under the view, and what the keys do
import { el } from './element.js';

const ICONS = {
  play: 'M4 2.5v11l9-5.5z', pause: 'M4 2.5h3v11H4zM9 2.5h3v11H9z',
  camera: 'M2 7V2h5M14 9v5H9M2 9v5h5M14 7V2H9',
};
const icon = name => `<svg viewBox="0 0 16 16" aria-hidden="true" class="${name}"><path d="${ICONS[name]}"/></svg>`;

export const KEYS = [
  ['space', 'play or pause', [' '], v => v.toggle()],
  ['\u2190 \u2192', 'one row back or on; with shift ten', ['ArrowLeft', 'ArrowRight'],
    (v, e) => v.step((e.key === 'ArrowLeft' ? -1 : 1) * (e.shiftKey ? 10 : 1))],
  ['home end', 'to the start, to the end', ['Home', 'End'], (v, e) => v.setTime(v.range[e.key === 'Home' ? 0 : 1])],
  ['+ \u2212', 'faster, slower', ['+', '=', '-', '_'], (v, e) => v.faster(e.key === '+' || e.key === '=' ? 1 : -1)],
  ['j l i k', 'turn the camera', ['j', 'l', 'i', 'k'],
    (v, e) => v.stage?.orbit({ j: -0.12, l: 0.12 }[e.key] ?? 0, { i: 0.1, k: -0.1 }[e.key] ?? 0)],
  ['u o', 'nearer, farther', ['u', 'o'], (v, e) => v.stage?.orbit(0, 0, e.key === 'u' ? 0.9 : 1 / 0.9)],
  ['r', 'first camera again', ['r'], v => v.resetCamera()],
  ['a', 'arrows on or off', ['a'], v => v.setArrows(v.arrowsOn ? 'off' : v.scene?.scaleMode ?? 'linear')],
  ['t', 'trails on or off', ['t'], v => v.setTrails(!v.trailsOn)],
  ['?', 'these keys', ['?'], v => v.ui.help()],
];

// keys go to the view that was used last, or else to the first one; fields and buttons keep theirs
export function listen(current) {
  document.addEventListener('keydown', e => {
    if (e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented) return;
    const at = e.target;
    const field = at.closest?.('select, textarea, input:not(.time)');
    const presses = at.closest?.('button, summary, a') && (e.key === ' ' || e.key === 'Enter');
    const scrolls = at.closest?.('.scroll') && e.key.startsWith('Arrow');
    const view = current();
    if (!view || field || presses || scrolls) return;
    const entry = KEYS.find(k => k[2].includes(e.key));
    if (!entry) return;
    e.preventDefault();
    entry[3](view, e);
  });
}

export function keyList() {
  const list = el('dl', { class: 'keys', hidden: true });
  for (const [keys, what] of KEYS) list.append(el('dt', {}, ...keys.split(' ').map(k => el('kbd', { text: k }))), el('dd', { text: what }));
  list.append(el('dt', { text: 'mouse' }), el('dd', { text: 'drag turns, right drag moves, wheel zooms once the view was clicked' }));
  return list;
}

const chip = (text, press, title) => {
  const b = el('button', { type: 'button', class: 'chip', text, title, 'aria-pressed': 'true' });
  b.addEventListener('click', press);
  return b;
};
const choice = (label, words, change) => {
  const s = el('select', { 'aria-label': label }, ...words.map(([value, text]) => el('option', { value, text })));
  s.addEventListener('change', () => change(s.value));
  return s;
};

export function controls(view) {
  const play = el('button', { type: 'button', class: 'icon play' });
  play.addEventListener('click', () => view.toggle());
  const time = el('input', { type: 'range', class: 'time', min: 0, max: 1, step: 'any', value: 0, 'aria-label': 'time' });
  time.addEventListener('input', () => view.setTime(view.range[0] + Number(time.value) * (view.range[1] - view.range[0])));
  const clock = el('output', { class: 'clock' });
  const speed = el('input', { type: 'range', class: 'speed', min: 0, max: 1, step: 1, 'aria-label': 'speed' });
  speed.addEventListener('input', () => view.setSpeed(view.speeds[Number(speed.value)]));
  const pace = el('output', { class: 'pace' });
  const loop = chip('loop', () => view.setLoop(!view.loop), 'start again at the end');
  const trails = chip('trails', () => view.setTrails(!view.trailsOn), 'paths of the past (t)');
  const arrows = choice('arrows', [['linear', 'arrows: linear'], ['root', 'arrows: square root'], ['off', 'arrows: off']],
    mode => view.setArrows(mode));
  const run = choice('run', view.runs.map((r, i) => [i, r.name]), i => view.choose(Number(i)));
  const camera = el('button', { type: 'button', class: 'icon', title: 'first camera again (r)', 'aria-label': 'first camera again' });
  camera.innerHTML = icon('camera');
  camera.addEventListener('click', () => view.resetCamera());
  const help = el('button',
    { type: 'button', class: 'icon help', text: '?', title: 'keys (?)', 'aria-label': 'keys', 'aria-expanded': 'false' });
  const has = f => view.runs.some(r => r.scene.shapes.some(f));
  const root = el('div', { class: 'player' },
    el('div', { class: 'row' }, play, time, clock),
    el('div', { class: 'row options' }, el('label', { class: 'pacing' }, el('span', { text: 'speed' }), speed, pace), loop,
      ...(has(s => s.trail) ? [trails] : []), ...(has(s => s.kind === 'arrow') ? [arrows] : []), ...(view.runs.length > 1 ? [run] : []),
        el('span', { class: 'push' }), camera, help));

  const ui = {
    root,
    moved() {
      const [a, b] = view.range;
      time.value = b > a ? (view.time - a) / (b - a) : 0;
      time.style.setProperty('--part', `${100 * time.value}%`);
      const text = view.text(view.time);
      if (clock.textContent === text) return;
      clock.textContent = text;
      time.setAttribute('aria-valuetext', text);
    },
    refresh() {
      const what = view.playing ? 'pause' : 'play';
      if (play.dataset.what !== what) {
        play.dataset.what = what;
        play.innerHTML = icon(what);
        play.title = `${what} (space)`;
        play.setAttribute('aria-label', what);
      }
      speed.max = view.speeds.length - 1;
      const i = view.speeds.findIndex(x => x >= view.speed * 0.999);
      speed.value = i < 0 ? view.speeds.length - 1 : i;
      pace.textContent = view.speedText();
      speed.setAttribute('aria-valuetext', view.speedText());
      loop.setAttribute('aria-pressed', String(view.loop));
      trails.setAttribute('aria-pressed', String(view.trailsOn));
      arrows.value = view.arrowsOn ? view.built?.scaleMode ?? 'linear' : 'off';
      clock.style.minWidth = `${view.text(view.range[1]).length + 1}ch`;
    },
    help() {
      const list = view.figure.querySelector('.keys');
      list.hidden = !list.hidden;
      help.setAttribute('aria-expanded', String(!list.hidden));
    },
  };
  help.addEventListener('click', () => ui.help());
  return ui;
}
