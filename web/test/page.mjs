// page.mjs - the report in a browser: node page.mjs MODULES FOLDER, where the folder holds bearing, double, pendulum, two,
// three, sparse and lost .html, bearing.csv and truth.csv
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { browser, check, near, open, shown, tally } from './browser.mjs';

const [modules, folder] = process.argv.slice(2);
const at = name => join(folder, name);
const started = Date.now();

// how many pixels of a plot's canvas have a colour that is no grey
const inked = page => page.evaluate(() => [...document.querySelectorAll('figure.plot')]
  .filter(f => f.checkVisibility() && f.getBoundingClientRect().top < innerHeight && f.getBoundingClientRect().bottom > 0)
  .map(f => {
    const c = f.querySelector('canvas');
    if (!c) return 0;
    const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
    let n = 0;
    for (let i = 0; i < d.length; i += 4)
      if (d[i + 3] > 100 && Math.max(d[i], d[i + 1], d[i + 2]) - Math.min(d[i], d[i + 1], d[i + 2]) > 40) n++;
    return n;
  }));
const rows = file => {
  const [names, ...lines] = readFileSync(file, 'utf8').trim().split('\n').map(l => l.split(','));
  return Object.fromEntries(names.map((n, i) => [n, lines.map(l => Number(l[i]))]));
};
const view = (page, f, arg) => page.evaluate(([code, a]) => new Function('v', 'a', `return ${code}`)(window.epicycle.views[0], a),
  [f, arg]);
const panels = page =>
  page.evaluate(() => window.epicycle.plots.map(({ plot, panel }) => ({ kind: panel.kind, x: [plot.scales.x.min, plot.scales.x.max] })));
// pauses grow with the time that the first page took, so that a slow machine has drawn what is looked at
let pace = 1;
const rest = (page, ms) => page.waitForTimeout(ms * pace);

async function opens(b) {
  check(statSync(at('bearing.html')).size <= 5e6, `the page of the bearing has ${statSync(at('bearing.html')).size} bytes, more than 5 MB`);
  const p = await open(b, at('bearing.html'));
  const stands = await p.page.evaluate(() => performance.getEntriesByName('epicycle-ready')[0].startTime);
  await p.close();
  check(stands > 0, `the page of the bearing says that it stands: ${stands}`);
  pace = Math.max(1, stands / 500);
  return Math.round(stands);
}

async function drawn(page) {
  for (const [i, n] of (await inked(page)).entries()) check(n > 100, `plot ${i} in view has ${n} coloured pixels`);
  const colours = await page.evaluate(() => {
    const c = document.createElement('canvas'), from = window.epicycle.views[0].stage.canvas;
    c.width = from.width;
    c.height = from.height;
    const g = c.getContext('2d');
    // what was drawn is there until the task ends
    window.epicycle.views[0].stage.render(1);
    g.drawImage(from, 0, 0);
    return new Set(new Uint32Array(g.getImageData(0, 0, c.width, c.height).data.buffer)).size;
  });
  check(colours > 1000, `the view has ${colours} colours`);
  await page.evaluate(() => document.querySelectorAll('figure.plot')[4].scrollIntoView());
  await rest(page, 300);
  const later = await inked(page);
  check(later.length > 1 && later.every(n => n > 20), `plots that come into view have ${later} coloured pixels`);
}

async function zooms(page) {
  await page.evaluate(() => document.querySelector('figure.plot').scrollIntoView());
  const area = await (await page.$('figure.plot .u-over')).boundingBox();
  const before = await panels(page), times = before.filter(p => p.kind !== 'portrait');
  check(times.length >= 4, `${times.length} time panels are drawn`);
  const [a, b] = times[0].x, pixel = (b - a) / area.width, y = area.y + area.height / 2;
  await page.mouse.move(area.x + 0.25 * area.width, y);
  await page.mouse.down();
  await page.mouse.move(area.x + 0.5 * area.width, y, { steps: 3 });
  await page.mouse.move(area.x + 0.75 * area.width, y, { steps: 3 });
  await page.mouse.up();
  await rest(page, 100);
  for (const p of (await panels(page)).filter(q => q.kind !== 'portrait')) {
    near(p.x[0], a + 0.25 * (b - a), 2 * pixel, 'after dragging, all time panels begin at a quarter');
    near(p.x[1], a + 0.75 * (b - a), 2 * pixel, 'after dragging, all time panels end at three quarters');
  }
  await page.mouse.dblclick(area.x + 0.5 * area.width, y);
  await rest(page, 100);
  for (const p of (await panels(page)).filter(q => q.kind !== 'portrait'))
    check(p.x[0] === a && p.x[1] === b, `after a double click a panel shows ${p.x}`);

  // one cursor over all of them, at the same time
  await page.mouse.move(area.x + 0.4 * area.width, y);
  await rest(page, 60);
  const cursors = await page.evaluate(() =>
    window.epicycle.plots.filter(p => p.panel.kind !== 'portrait').map(({ plot }) => plot.posToVal(plot.cursor.left, 'x')));
  for (const t of cursors) near(t, a + 0.4 * (b - a), 2 * pixel, 'the cursor of every time panel');
  const value = await page.textContent('figure.plot .legend .value');
  check(/\d/.test(value), `the legend shows '${value}' at the cursor`);

  // a click sets the time of the view, and its line stands there in all panels
  await page.mouse.click(area.x + 0.6 * area.width, y);
  near(await view(page, 'v.time'), a + 0.6 * (b - a), 2 * pixel, 'a click in a plot sets the time');
  const line = await page.evaluate(() => document.querySelector('figure.plot .now').getBoundingClientRect().left);
  near(line, area.x + 0.6 * area.width, 2, 'the line of the time');
  // a line is switched off and on by its name
  const button = (await page.$$('figure.plot .legend button'))[0];
  await button.click();
  check(await page.evaluate(() => window.epicycle.plots[0].plot.series.slice(1).some(s => !s.show)), 'a click in the legend hides a line');
  await button.click();
  check(await page.evaluate(() => window.epicycle.plots[0].plot.series.slice(1).every(s => s.show)), 'another one shows it again');
}

async function plays(page) {
  await page.evaluate(() => scrollTo(0, 0));
  const ball = () => view(page, 'v.position("ball 1")');
  const apart = (p, q) => Math.hypot(...p.map((x, i) => x - q[i]));
  await view(page, 'v.setTime(0)');
  const p0 = await ball();
  await page.click('button.play');
  await rest(page, 700);
  const p1 = await ball();
  check(await view(page, 'v.playing'), 'play plays');
  check(apart(p0, p1) > 1e-4, `while it plays the ball has moved by ${apart(p0, p1)} m`);
  await page.click('button.play');
  const p2 = await ball(), t2 = await view(page, 'v.time');
  await rest(page, 300);
  check(apart(p2, await ball()) === 0 && t2 === await view(page, 'v.time'), 'pause holds the ball and the time');

  const slider = await (await page.$('input.time')).boundingBox();
  await page.mouse.click(slider.x + slider.width / 2, slider.y + slider.height / 2);
  const [a, b] = await view(page, 'v.range');
  near(await view(page, 'v.time'), (a + b) / 2, 0.02 * (b - a), 'scrubbing to the middle');
  check((await page.textContent('.clock')).startsWith('10.') && (await page.textContent('.clock')).endsWith('ms'),
    `the clock says ${await page.textContent('.clock')}`);
  near(await page.evaluate(() => Number(document.querySelector('input.time').value)), 0.5, 0.02, 'the slider');
}

async function keys(page) {
  await page.evaluate(() => document.activeElement.blur());
  const row = () => view(page, 'Math.round(v.times.findIndex(t => Math.abs(t - v.time) < 1e-9))');
  await page.keyboard.press('Home');
  check(await row() === 0, 'home goes to the start');
  await page.keyboard.press('ArrowRight');
  check(await row() === 1, 'right steps one row');
  await page.keyboard.press('Shift+ArrowRight');
  check(await row() === 11, 'with shift ten');
  await page.keyboard.press('ArrowLeft');
  check(await row() === 10, 'left steps back');
  await page.keyboard.press('End');
  check(await row() === await view(page, 'v.times.length - 1'), 'end goes to the end');
  const speed = await view(page, 'v.speed');
  check(speed === 0.002, `a run of 20 ms is played at ${speed}`);
  await page.keyboard.press('+');
  check(await view(page, 'v.speed') === 0.005, 'plus is faster');
  await page.keyboard.press('-');
  await page.keyboard.press('-');
  check(await view(page, 'v.speed') === 0.001, 'minus is slower');
  await page.keyboard.press('Space');
  check(await view(page, 'v.playing'), 'space plays');
  await page.keyboard.press('Space');
  check(!await view(page, 'v.playing'), 'space pauses');
  const camera = () => view(page, 'v.stage.camera.position.toArray()');
  const c0 = await camera();
  const stage = await (await page.$('.stage')).boundingBox();
  const [x, y] = [stage.x + stage.width / 2, stage.y + stage.height / 2];
  const far = () => view(page, 'v.stage.camera.position.distanceTo(v.stage.controls.target)');
  const d0 = await far();
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, 120);
  await rest(page, 200);
  near(await far(), d0, 1e-9 * d0, 'the wheel scrolls the page before the view was clicked');
  await page.evaluate(() => scrollTo(0, 0));
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 120, y + 20, { steps: 4 });
  await page.mouse.up();
  await rest(page, 300);
  check(Math.hypot(...(await camera()).map((c, i) => c - c0[i])) > 0.01, 'dragging turns the camera');
  near(await far(), d0, 1e-6 * d0, 'and keeps its distance');
  await page.mouse.wheel(0, -240);
  await rest(page, 400);
  check(await far() < 0.97 * d0, 'the wheel comes nearer after a click');
  await page.keyboard.press('r');
  await rest(page, 200);
  for (let i = 0; i < 3; i++) await page.keyboard.press('l');
  await rest(page, 100);
  check(Math.hypot(...(await camera()).map((x, i) => x - c0[i])) > 0.01, 'l turns the camera');
  await page.keyboard.press('r');
  await rest(page, 100);
  check(Math.hypot(...(await camera()).map((x, i) => x - c0[i])) < 1e-9, 'r puts the camera back');
  await page.keyboard.press('a');
  check(!await view(page, 'v.arrowsOn') && !/arrow/.test(await page.textContent('.note')), 'a hides the arrows and their note');
  await page.keyboard.press('a');
  check(/longest arrow = [0-9.]+\s*k?N/.test(await page.textContent('.note')), `the note says ${await page.textContent('.note')}`);
  await page.keyboard.press('?');
  check(await page.isVisible('dl.keys'), '? lists the keys');
  await page.keyboard.press('?');
  check(!await page.isVisible('dl.keys'), 'and hides the list');
}

// what is seen is what was computed: places from the scene at the times of two rows
async function places(page) {
  const csv = rows(at('bearing.csv'));
  const range = name => Math.max(...csv[name]) - Math.min(...csv[name]);
  for (const row of [137, 802]) {
    await view(page, 'v.setTime(a)', csv.t[row]);
    for (const ball of [1, 4, 9]) {
      const p = await view(page, 'v.position(a)', `ball ${ball}`);
      'xyz'.split('').forEach((c, i) => near(p[i], csv[`ball${ball}.${c}`][row], 1e-6 * range(`ball${ball}.${c}`),
        `${c} of ball ${ball} in row ${row}`));
    }
  }
  check(Math.abs(csv['ball1.x'][137] - csv['ball1.x'][802]) > 0.01 * range('ball1.x'), 'the two rows differ');
  // between two rows: on the curve through them and their neighbours, not on the chord
  await view(page, 'v.setTime(a)', (csv.t[400] + csv.t[401]) / 2);
  const x = csv['ball2.x'].slice(399, 403), curve = (9 * (x[1] + x[2]) - x[0] - x[3]) / 16;
  check(Math.abs(curve - (x[1] + x[2]) / 2) > 2e-6 * range('ball2.x'), 'the curve is not the chord');
  near((await view(page, 'v.position("ball 2")'))[0], curve, 3e-7 * range('ball2.x'), 'half way between two rows');
}

async function themes(page) {
  const look = () => page.evaluate(() => [document.documentElement.dataset.theme, getComputedStyle(document.body).backgroundColor]);
  const [first, paper] = await look();
  await page.click('button.theme');
  const [second, other] = await look();
  check(first === 'light' && second === 'dark' && paper !== other, `the theme goes from ${first} on ${paper} to ${second} on ${other}`);
  await rest(page, 100);
  for (const n of await inked(page)) check(n > 20, 'plots are drawn in the dark');
  await page.click('button.theme');
  check((await look())[0] === 'light', 'and back');
}

async function prints(page) {
  await page.emulateMedia({ media: 'print' });
  await rest(page, 300);
  check(!await page.isVisible('.player') && !await page.isVisible('button.theme'), 'paper has no buttons');
  const images = await page.evaluate(() =>
    [...document.querySelectorAll('img.paper')].filter(i => i.checkVisibility()).map(i => i.naturalWidth));
  check(images.length > 4 && images.every(w => w > 200), `paper has pictures ${images}`);
  const ink = await page.evaluate(() => Promise.all([...document.querySelectorAll('img.paper')].map(async i => {
    await i.decode();
    const c = document.createElement('canvas'), g = c.getContext('2d');
    [c.width, c.height] = [i.naturalWidth, i.naturalHeight];
    g.drawImage(i, 0, 0);
    const d = g.getImageData(0, 0, c.width, c.height).data;
    let n = 0;
    for (let k = 0; k < d.length; k += 4)
      if (d[k + 3] > 100 && Math.max(d[k], d[k + 1], d[k + 2]) - Math.min(d[k], d[k + 1], d[k + 2]) > 40) n++;
    return n;
  })));
  check(ink.every(n => n > 20), `the pictures on paper have ${ink} coloured pixels`);
  await page.emulateMedia({ media: 'screen' });
  await rest(page, 200);
  check(await page.isVisible('.player') && !await page.$('img.paper'), 'the screen has its own again');
}

async function bearing(b) {
  const { page, wrong, close } = await open(b, at('bearing.html'));
  await shown(page);
  await drawn(page);
  await zooms(page);
  await plays(page);
  await keys(page);
  await places(page);
  await themes(page);
  await prints(page);
  const rate = await page.evaluate(async () => {
    const v = window.epicycle.views[0], from = v.stage.renderer.info.render.frame, t = performance.now();
    scrollTo(0, 0);
    v.play();
    // as long as four pictures take, however slow the machine
    while (v.stage.renderer.info.render.frame < from + 4) await new Promise(done => setTimeout(done, 50));
    v.pause();
    return 1000 * (v.stage.renderer.info.render.frame - from) / (performance.now() - t);
  });
  check(rate > 0, `${rate} pictures a second`);
  const still = await page.evaluate(async () => {
    const info = window.epicycle.views[0].stage.renderer.info.render;
    await new Promise(done => setTimeout(done, 400));
    const from = info.frame;
    await new Promise(done => setTimeout(done, 300));
    return info.frame - from;
  });
  check(still === 0, `${still} pictures were drawn while nothing changed`);
  check(wrong.length === 0, wrong.join('; '));
  await close();
  return Math.round(rate);
}

async function phone(b) {
  for (const name of ['bearing', 'double', 'pendulum', 'two']) {
    const { page, wrong, close } = await open(b, at(`${name}.html`),
      { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true });
    await page.evaluate(() => document.querySelectorAll('details').forEach(d => { d.open = true; }));
    await rest(page, 200);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    check(wide <= 390, `on a telephone ${name} is ${wide} pixels wide`);
    if (name === 'pendulum') {
      await page.evaluate(() => document.querySelector('figure.plot .u-over').scrollIntoView({ block: 'center' }));
      await rest(page, 300);
      const area = await (await page.$('figure.plot .u-over')).boundingBox();
      await page.touchscreen.tap(area.x + area.width / 2, area.y + area.height / 2);
      const [a, b2] = await view(page, 'v.range');
      near(await view(page, 'v.time'), (a + b2) / 2, 0.02 * (b2 - a), 'a tap sets the time');
    }
    check(wrong.length === 0, `${name} on a telephone: ${wrong.join('; ')}`);
    await close();
  }
}

// two runs with rows of their own in one page: lines over one another, a choice of the run in the view
async function two(b) {
  const { page, wrong, close } = await open(b, at('two.html'), { colorScheme: 'dark' });
  await shown(page);
  check(await page.evaluate(() => document.documentElement.dataset.theme) === 'dark', 'a dark system gets a dark page');
  check(await view(page, 'v.times.length') === 51, 'the first run has 51 rows');
  await page.selectOption('.player select[aria-label="run"]', { label: 'short steps' });
  check(await view(page, 'v.times.length') === 401, 'the second one 401');
  await view(page, 'v.setTime(20)');
  const end = await view(page, 'v.position("bob")');
  near(Math.hypot(...end), 1, 1e-6, 'the bob is on its rod');
  for (const n of await inked(page)) check(n > 100, 'plots of two runs are drawn');
  // the view of the next model in the same page
  await page.evaluate(() => window.epicycle.views[1].figure.scrollIntoView());
  await page.waitForFunction(() => window.epicycle.views[1].shown);
  await page.evaluate(() => window.epicycle.views[1].shown);
  const apart = await page.evaluate(() => window.epicycle.views.map(v => v.range[1]));
  near(apart[0], 20, 1e-6, 'the first view lasts');
  near(apart[1], 0.001, 1e-9, 'the second view lasts');
  check(wrong.length === 0, wrong.join('; '));
  await close();
}

// the numbers under the cursor are of one time for all lines, and those of the motion; what is faster than the rows is a band, zoomed or
// not
async function readings(b) {
  const { page, wrong, close } = await open(b, at('sparse.html'));
  await page.evaluate(() => document.querySelector('figure.plot').scrollIntoView());
  await rest(page, 300);
  const truth = rows(at('truth.csv'));
  for (const name of ['q', 'v']) {
    const reach = Math.max(...truth[name]) - Math.min(...truth[name]);
    const worst = await page.evaluate(([column, t, x]) => {
      const p = window.epicycle.plots.find(o => o.panel.kind === 'time' && o.panel.title === column);
      return Math.max(...t.map((time, i) => Math.abs(p.read(time)[0].value - x[i])));
    }, [name, truth.t, truth[name]]);
    check(worst < 1e-5 * reach, `between rows ${name} reads up to ${worst} off, of ${reach}`);
  }
  check(await page.evaluate(() => window.epicycle.plots.every(p => !p.panel.banded || /error/.test(p.panel.title))),
    'rows that show the motion have no bands');
  check(wrong.length === 0, wrong.join('; '));
  await close();

  const three = await open(b, at('three.html'));
  await three.page.evaluate(() => document.querySelector('figure.plot').scrollIntoView());
  await rest(three.page, 300);
  const find = title =>
    three.page.evaluate(t => window.epicycle.plots.findIndex(o => o.panel.title === t && o.panel.kind === 'time'), title);
  const [q, v] = [await find('q'), await find('v')];
  const read = (k, t) => three.page.evaluate(([i, time]) => window.epicycle.plots[i].read(time), [k, t]);
  for (const t of [0.0123, 0.1234, 0.3333, 0.6543, 0.9876]) {
    const x = (await read(q, t)).map(r => r.value ?? (r.low + r.high) / 2);
    check(Math.max(...x) - Math.min(...x) < 3e-5, `at ${t} three runs that agree read ${x}`);
    const r = (await read(v, t))[0];
    check(r.high - r.low > 0.1, `at ${t} the resolved v reads ${JSON.stringify(r)}, which is no band`);
  }
  const area = await (await three.page.$('figure.plot .u-over')).boundingBox();
  await three.page.mouse.move(area.x + 0.372 * area.width, area.y + area.height / 2);
  await rest(three.page, 100);
  const told = await three.page.$$eval('figure.plot:first-of-type .legend .value', l =>
    l.slice(0, 3).map(x => Number.parseFloat(x.textContent.replace('\u2212', '-'))));
  check(told.length === 3 && Math.max(...told) - Math.min(...told) < 3e-5, `under the cursor they read ${told}`);
  const inside = () => three.page.evaluate(i => {
    const { plot } = window.epicycle.plots[i], { left, top, width, height } = plot.bbox;
    const d = plot.ctx.getImageData(left, top, width, height).data;
    let n = 0;
    for (let k = 0; k < d.length; k += 4) if (Math.max(d[k], d[k + 1], d[k + 2]) - Math.min(d[k], d[k + 1], d[k + 2]) > 40) n++;
    return n / (d.length / 4);
  }, v);
  const whole = await inside();
  await three.page.evaluate(i => window.epicycle.plots[i].panel && window.epicycle.groups[0].setZoom([0.2, 0.21]), v);
  await rest(three.page, 200);
  check(whole > 0.2 && await inside() > 0.3, `the band fills ${whole} of the plot, zoomed ${await inside()}`);
  check((await three.page.$$eval('.undersampled', l => l.map(p => p.textContent))).includes('faster than the rows: shown as a band'),
    'it is said that there is a band');
  check(/difference from resolved/.test(await three.page.textContent('main')), 'runs that are compared have their difference');
  check(three.wrong.length === 0, three.wrong.join('; '));
  await three.close();
}

// a run that blew up: red, its sentence, what there was; nothing that is no number
async function failed(b) {
  const { page, wrong, close } = await open(b, at('lost.html'));
  await page.waitForFunction(() => window.epicycle.views[0].shown);
  await page.evaluate(() => document.querySelectorAll('details').forEach(d => { d.open = true; }));
  await view(page, 'v.setTime(1e9)');
  await rest(page, 300);
  check(await page.isVisible('p.failure') && /became/.test(await page.textContent('p.failure')), 'the sentence of the failure is there');
  const red = await page.evaluate(() => getComputedStyle(document.querySelector('td.failed')).color.match(/\d+/g).map(Number));
  check(red[0] > 2 * red[1] && red[0] > 2 * red[2], `the status has the colour ${red}`);
  check(!/\bNaN\b|\bInfinity\b|\binf\b|\bnan\b/.test(await page.innerText('main')), 'nothing says NaN');
  for (const n of await inked(page)) check(n > 20, 'what there was until then is drawn');
  check(wrong.length === 0, wrong.join('; '));
  await close();
}

// what cannot be read is said, and the rest stands
async function broken(b) {
  const text = readFileSync(at('pendulum.html'), 'utf8');
  writeFileSync(at('cut.html'), text.replace(/("groups":\[)/, '$1,'));
  const cut = await open(b, at('cut.html'));
  check(/cannot be read/.test(await cut.page.textContent('.trouble')), 'data that is cut off is said');
  check(await cut.page.isVisible('table.results'), 'the tables stand without data');
  check(cut.wrong.length === 0, cut.wrong.join('; '));
  await cut.close();
  writeFileSync(at('short.html'), text.replace(/("name":"v"[^}]*?"n":)(\d+)/, (_, before, n) => `${before}${Number(n) - 1}`));
  const short = await open(b, at('short.html'));
  await short.page.evaluate(() => document.querySelector('figure.plot').scrollIntoView());
  await rest(short.page, 200);
  check(/cannot be drawn/.test(await short.page.textContent('.trouble')), 'a column of a wrong length is said');
  check((await inked(short.page)).some(n => n > 100), 'other plots are drawn all the same');
  check(short.wrong.length === 0, short.wrong.join('; '));
  await short.close();
}

async function withoutScreen() {
  const b = await browser(modules, ['--disable-3d-apis']);
  const { page, close } = await open(b, at('pendulum.html'));
  await page.waitForSelector('.stage .trouble');
  check(/WebGL/.test(await page.textContent('.stage .trouble')), 'a browser without WebGL gets a sentence');
  await view(page, 'v.setTime(5)');
  check(await page.isVisible('figure.plot .now'), 'and the player still moves the time of the plots');
  await close();
  await b.close();
}

// a part that breaks off is a failure, and the others still have their turn
async function part(f, b) {
  try {
    return await f(b);
  } catch (e) {
    check(false, `${f.name}: ${e.message.split('\n')[0]}`);
    return NaN;
  }
}
const b = await browser(modules);
const stands = await part(opens, b), rate = await part(bearing, b);
for (const f of [phone, two, readings, failed, broken]) await part(f, b);
await b.close();
await part(withoutScreen);
console.log(`the bearing's page stands after ${stands} ms and plays ${rate} pictures a second; ` +
  `${Math.round((Date.now() - started) / 1000)} s`);
console.log(`${tally.passed} passed, ${tally.failed} failed`);
process.exit(tally.failed ? 1 : 0);
