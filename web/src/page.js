// page.js - the report comes alive: figures are filled when they come into view, everything else is as it was written
import uplotStyle from 'uplot/dist/uPlot.min.css';
import { el } from './element.js';
import { read } from './data.js';
import { Group } from './group.js';
import { View } from './view.js';
import { listen } from './player.js';
import { print, startTheme } from './theme.js';

const AHEAD = '300px';         // figures are drawn this far before they are seen

function watchFigures(groups) {
  const owner = new Map();
  for (const g of groups) {
    for (const p of g.panels)
      owner.set(p.figure,
        { draw: () => p.draw(), enter: () => { g.seen.add(p); p.placeTime?.(); }, leave: () => g.seen.delete(p),
        resize: () => p.resize() });
    if (g.view)
      owner.set(g.view.figure, { draw: () => ready.then(() => setTimeout(() => g.view.open(), 0)), enter() {}, leave() {}, resize() {} });
  }
  const seen = new IntersectionObserver(list => {
    for (const e of list) {
      const o = owner.get(e.target);
      if (e.isIntersecting) { o.draw(); o.enter(); } else o.leave();
    }
  }, { rootMargin: AHEAD });
  const sized = new ResizeObserver(list => { for (const e of list) owner.get(e.target).resize(); });
  for (const figure of owner.keys()) { seen.observe(figure); sized.observe(figure); }
}

// paper gets pictures: light, and as wide as its column
function watchPrinting(groups) {
  const figures = () => groups.flatMap(g => [...g.panels, ...(g.view ? [g.view] : [])]);
  const before = () => {
    if (document.documentElement.classList.contains('printing')) return;
    for (const f of figures()) if (f.draw) f.draw(); else f.open();
    print(true);
    document.documentElement.classList.add('printing');
    for (const f of figures()) {
      const data = f.picture();
      if (data) (f.frame ?? f.place).after(el('img', { class: 'paper', src: data, alt: '' }));
    }
  };
  const after = () => {
    document.documentElement.classList.remove('printing');
    document.querySelectorAll('img.paper').forEach(i => i.remove());
    print(false);
  };
  addEventListener('beforeprint', before);
  addEventListener('afterprint', after);
  matchMedia('print').addEventListener('change', e => e.matches ? before() : after());
}

// the view that was used last, else the one that fills most of the window
function currentView(groups) {
  const views = groups.map(g => g.view).filter(Boolean);
  const inside = v => {
    const r = v.figure.getBoundingClientRect();
    return Math.min(r.bottom, innerHeight) - Math.max(r.top, 0);
  };
  if (View.current && inside(View.current) > 0) return View.current;
  return views.filter(v => inside(v) > 0).sort((a, b) => inside(b) - inside(a))[0] ?? View.current ?? views[0];
}

function start() {
  const root = document.querySelector('main') ?? document.body;
  document.documentElement.classList.add('live');
  startTheme(document.querySelector('header'));
  document.head.prepend(el('style', { text: uplotStyle }));
  try {
    const data = read(document.getElementById('epicycle-data'));
    const groups = data.groups.map((g, i) => new Group(g, i, root));
    watchFigures(groups);
    watchPrinting(groups);
    listen(() => currentView(groups));
    return { groups, views: groups.map(g => g.view) };
  } catch (e) {
    root.prepend(el('p', { class: 'trouble', role: 'alert', text: e.message }));
    return { groups: [], views: [], error: e.message };
  }
}

// figures in view are drawn two frames after the page stands; the views follow, so that they hold nothing up
const ready = new Promise(done => {
  const settle = () =>
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => { performance.mark('epicycle-ready'); done(true); }, 0)));
  if (document.readyState === 'complete') settle(); else addEventListener('load', settle);
});
const page = start();
window.epicycle = {
  views: page.views,
  groups: page.groups,
  error: page.error,
  get plots() {
    return page.groups.flatMap(g => g.panels.filter(p => p.plot)
      .map(p => ({ plot: p.plot, panel: p.about, group: g.index, read: t => p.read(t) })));
  },
  ready,
};
