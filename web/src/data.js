// data.js - the numbers of the page: columns as they are written by the command, decoded when they are first asked for

function bytes(text) {
  const raw = atob(text);
  const out = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) out[i] = raw.charCodeAt(i);
  return out;
}

// value[i] = base + float32[i], little-endian; without f32 every value is base
export function values(column) {
  if (column.values) return column.values;
  const { n, base = 0, f32 } = column;
  if (!Number.isInteger(n) || n < 0) throw new Error(`a column has no length${column.name ? `: ${column.name}` : ''}`);
  const out = new Float64Array(n);
  if (f32 === undefined) out.fill(base ?? NaN);
  else {
    const b = bytes(f32);
    if (b.length !== 4 * n) throw new Error(`a column of ${n} numbers holds ${b.length / 4}${column.name ? `: ${column.name}` : ''}`);
    const view = new DataView(b.buffer);
    for (let i = 0; i < n; i++) out[i] = base + view.getFloat32(4 * i, true);
  }
  column.values = out;
  delete column.f32;
  return out;
}

// smallest and largest of what is a number; null if there is none
export function limits(numbers) {
  let least = Infinity, most = -Infinity;
  for (const x of numbers) {
    if (x < least && x > -Infinity) least = x;
    if (x > most && x < Infinity) most = x;
  }
  return least <= most ? [least, most] : null;
}

// the last row not after t
export function rowAt(times, t) {
  let a = 0, b = times.length - 1;
  while (a < b) {
    const m = (a + b + 1) >> 1;
    if (times[m] <= t) a = m; else b = m - 1;
  }
  return a;
}

export function nearestRow(times, t) {
  const i = rowAt(times, t);
  return i + 1 < times.length && times[i + 1] - t < t - times[i] ? i + 1 : i;
}

// all that the page needs to be there, or a sentence about what is not
export function read(element) {
  if (!element) throw new Error('The page has no data in it.');
  let data;
  try {
    data = JSON.parse(element.textContent);
  } catch {
    throw new Error('The data of this page cannot be read: it was cut off or changed. Write the report again.');
  }
  if (!Array.isArray(data.groups)) throw new Error('The data of this page has no groups of runs: it was not written by epicycle.');
  for (const g of data.groups) {
    g.runs ??= [];
    g.panels ??= [];
  }
  return data;
}
