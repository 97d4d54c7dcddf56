// axis.js - how an axis writes its numbers: a prefix or power of ten in the unit, and a common part taken away where the
// numbers differ in their last digits only
import { css } from './theme.js';
import { decade, decimals, fixed, scaling, short } from './number.js';

export const FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';
const LEAST_GAP = 20;          // pixels between the texts of a logarithmic axis

export function writing(min, max, unit) {
  const span = max - min, most = Math.max(Math.abs(min), Math.abs(max));
  let away = 0;
  if (span > 0 && span < 1e-4 * most) {
    const unitOfSpan = 10 ** Math.ceil(Math.log10(span));
    away = Math.round((min + max) / 2 / unitOfSpan) * unitOfSpan;
  }
  return { away, ...scaling(Math.max(Math.abs(min - away), Math.abs(max - away)), unit) };
}

function label(u, of) {
  const s = u.scales[of.scale];
  const w = of.log ? scaling(1, of.unit) : writing(s.min, s.max, of.unit);
  const away = w.away ? ` ${w.away < 0 ? '+' : '\u2212'} ${short(Math.abs(w.away), 12)}` : '';
  return `${of.name}${away}${w.unit ? `  (${w.unit})` : ''}`;
}

function linear(u, splits, of, step) {
  const s = u.scales[of.scale];
  const w = writing(s.min, s.max, of.unit);
  const digits = decimals(Number((step / w.factor).toPrecision(6)));
  return splits.map(v => v === null ? '' : fixed((v - w.away) / w.factor, digits));
}

// whole powers of ten, as many as have room; all ticks where there is less than one power
function logarithmic(u, splits, of) {
  const s = u.scales[of.scale];
  const decades = Math.log10(s.max / s.min);
  if (decades < 1.5) return splits.map(v => v === null ? '' : short(v, 3));
  const pixels = of.scale === 'x' ? u.bbox.width / 3 : u.bbox.height;
  const every = Math.max(1, Math.ceil(LEAST_GAP * devicePixelRatio * decades / Math.max(pixels, 1)));
  return splits.map(v => v !== null && Math.round(Math.log10(v)) % every === 0 ? decade(v) : '');
}

export function axis(of) {
  const line = { stroke: () => css('--grid'), width: 1 };
  const flat = of.scale === 'x';
  return {
    scale: of.scale, side: flat ? 2 : 3, font: FONT, labelFont: FONT, stroke: () => css('--axis'),
    label: u => label(u, of), labelSize: 20, labelGap: flat ? 2 : 0, gap: 5, space: flat ? 64 : 34,
    size: flat ? 26 : (u, texts) => Math.max(38, 16 + 6.7 * Math.max(0, ...(texts ?? []).map(t => (t ?? '').length))),
    values: (u, splits, _, __, step) => of.log ? logarithmic(u, splits, of) : linear(u, splits, of, step),
    ...(of.log ? { filter: (u, splits) => splits } : {}),
    grid: line, ticks: { ...line, size: 5 }, border: { show: true, stroke: () => css('--rule'), width: 1 },
  };
}
