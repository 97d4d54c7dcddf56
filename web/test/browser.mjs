// browser.mjs - a browser that is offline and tells on its pages; checks that are counted
import { createRequire } from 'node:module';
import { join } from 'node:path';

const PLAIN = ['--no-sandbox', '--disable-gpu', '--enable-unsafe-swiftshader', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--no-first-run'];

export async function browser(modules, extra = []) {
  const { chromium } = createRequire(join(modules, 'package.json'))('playwright-core');
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: [...PLAIN, ...extra], headless: true });
}

// a page with the list of what went wrong in it: errors, and requests that leave the file
export async function open(browser, file, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, offline: true, ...options });
  context.setDefaultTimeout(120000);
  const page = await context.newPage();
  const wrong = [];
  page.on('pageerror', e => wrong.push(`error: ${e.message}`));
  page.on('console', m => { if (m.type() === 'error') wrong.push(`console: ${m.text()}`); });
  page.on('request', r => { if (!/^(file|data|blob):/.test(r.url())) wrong.push(`request: ${r.url()}`); });
  await page.goto(`file://${file}`);
  await page.evaluate(() => window.epicycle.ready);
  return { page, wrong, close: () => context.close() };
}
export const shown = page =>
  page.waitForFunction(() => window.epicycle.views[0].shown).then(() => page.evaluate(() => window.epicycle.views[0].shown));

export const tally = { passed: 0, failed: 0 };
export function check(truth, what) {
  if (truth) tally.passed++;
  else { tally.failed++; console.log(`FAILED: ${what}`); }
  return truth;
}
export const near = (a, b, slack, what) => check(Math.abs(a - b) <= slack, `${what}: ${a} is not ${b} to ${slack}`);
