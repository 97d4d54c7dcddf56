// theme.js - light and dark. The system decides until the reader does; paper is always light
import { el } from './element.js';

// eight hues told apart by most eyes, darker on white, lighter on black; 0 and 1 are the pair seen most
const HUES = {
  light: ['#0b62a8', '#c84e00', '#00835f', '#a33d83', '#8a6a00', '#2d8fc4', '#5b4bb5', '#5f6b76'],
  dark: ['#62b4f0', '#ff9450', '#35c79c', '#ea92c6', '#e3bd4a', '#9fd4f5', '#a99bf0', '#a3afba'],
};
const heard = new Set();
const system = matchMedia('(prefers-color-scheme: dark)');
let chosen = null, printing = false;

export const theme = () => printing ? 'light' : chosen ?? (system.matches ? 'dark' : 'light');
export const hue = i => HUES[theme()][i % 8];
export const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
export const onTheme = f => heard.add(f);

function tell() {
  document.documentElement.dataset.theme = theme();
  for (const f of heard) f(theme());
}

export function print(on) {
  if (printing === on) return;
  printing = on;
  tell();
}

// a page opened as a file may have no storage: the choice then lasts as long as the page
const kept = {
  get: () => { try { return localStorage.getItem('epicycle-theme'); } catch { return null; } },
  set: v => { try { localStorage.setItem('epicycle-theme', v); } catch { /* not kept */ } },
};

const MOON = 'M13.5 9.6A6 6 0 0 1 6.4 2.5 6 6 0 1 0 13.5 9.6Z';
const SUN = 'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM8 .8v2M8 13.2v2M.8 8h2M13.2 8h2' +
  'M2.9 2.9l1.4 1.4M11.7 11.7l1.4 1.4M2.9 13.1l1.4-1.4M11.7 4.3l1.4-1.4';

export function startTheme(header) {
  const before = kept.get();
  if (before === 'light' || before === 'dark') chosen = before;
  const button = el('button', { type: 'button', class: 'icon theme' });
  const look = () => {
    const other = theme() === 'dark' ? 'light' : 'dark';
    button.innerHTML = `<svg viewBox="0 0 16 16" aria-hidden="true"><path d="${other === 'dark' ? MOON : SUN}"/></svg>`;
    button.setAttribute('aria-label', `${other} colours`);
    button.title = `${other} colours`;
  };
  button.addEventListener('click', () => {
    chosen = theme() === 'dark' ? 'light' : 'dark';
    kept.set(chosen);
    tell();
  });
  heard.add(look);
  system.addEventListener('change', tell);
  header?.append(button);
  tell();
}
