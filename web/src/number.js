// number.js - numbers and units as an engineer writes them

const PREFIX = { '-12': 'p', '-9': 'n', '-6': '\u00b5', '-3': 'm', 0: '', 3: 'k', 6: 'M', 9: 'G' };
const TAKES_PREFIX = /^(s|m|N|J|W|Pa|Hz|V|A|N m|N\*m|m\/s|m\/s\^2|Nm)$/;
const SUPER = { '-': '\u207b', 0: '\u2070', 1: '\u00b9', 2: '\u00b2', 3: '\u00b3', 4: '\u2074', 5: '\u2075', 6: '\u2076', 7: '\u2077',
  8: '\u2078', 9: '\u2079', '.': '\u02d9' };
const MINUS = '\u2212', TIMES = '\u00d7', THIN = '\u2009';

export const raised = n => String(n).replace(/[-0-9.]/g, c => SUPER[c]);
export const prettyUnit = u => (u || '').replace(/\^(-?[0-9.]+)/g, (_, n) => raised(n)).replace(/\*/g, '\u00b7').replace(/ +/g, '\u00b7');

// a number that is divided away before printing, and the unit that says so
export function scaling(most, unit = '') {
  const size = Math.abs(most);
  let power = 0;
  if (size > 0 && size < Infinity && (size < 0.1 || size >= 1e4)) power = 3 * Math.floor(Math.log10(size) / 3 + 1e-9);
  if (power && TAKES_PREFIX.test(unit) && PREFIX[power] !== undefined)
    return { factor: 10 ** power, unit: PREFIX[power] + prettyUnit(unit) };
  const plain = prettyUnit(unit);
  if (!power) return { factor: 1, unit: plain };
  return { factor: 10 ** power, unit: `10${raised(power)}${plain ? `${THIN}${plain}` : ''}` };
}

// as many decimals as steps of this size need
export function decimals(step) {
  let digits = 0;
  for (let x = Math.abs(step); digits < 12 && Math.abs(x - Math.round(x)) > 1e-6 * x; x *= 10) digits++;
  return digits;
}
export const fixed = (x, digits) => {
  const text = x.toFixed(digits);
  return (/^-0(\.0*)?$/.test(text) ? text.slice(1) : text).replace('-', MINUS);
};

// four or so digits, powers of ten where they are shorter
export function short(x, digits = 4) {
  if (x === null || x === undefined || Number.isNaN(x)) return '\u2013';
  if (!Number.isFinite(x)) return x > 0 ? '\u221e' : `${MINUS}\u221e`;
  if (x === 0) return '0';
  const size = Math.abs(x);
  if (size >= 1e-3 && size < 1e5) return Number(x.toPrecision(digits)).toString().replace('-', MINUS);
  const [m, e] = x.toExponential(digits - 1).split('e');
  return `${Number(m).toString().replace('-', MINUS)}${TIMES}10${raised(Number(e))}`;
}

export function withUnit(x, unit, digits = 4) {
  const s = scaling(x, unit);
  return s.factor !== 1 && TAKES_PREFIX.test(unit) ? `${short(x / s.factor, digits)}${THIN}${s.unit}`
    : `${short(x, digits)}${unit ? `${THIN}${prettyUnit(unit)}` : ''}`;
}

// the text of a power of ten on a logarithmic axis
export function decade(x) {
  const e = Math.round(Math.log10(x));
  if (Math.abs(Math.log10(x) - e) > 1e-6) return '';
  return e >= -2 && e <= 3 ? String(Number((10 ** e).toPrecision(3))) : `10${raised(e)}`;
}
