// motion.js - where a shape is at a time: the rows themselves at their times; between them cubics or straight lines and even turns, and
// where rows do not show the motion no place at all but that of the nearest row
import { Quaternion, Vector3 } from 'three';
import { limits, values } from './data.js';

const NOWHERE = new Vector3(NaN, NaN, NaN);

export class Motion {
  constructor(shape, times, way) {
    const rows = times.length;
    const need = (columns, n, what) => {
      if (!columns) return null;
      const v = columns.map(values);
      if (v.length !== n || v.some(c => c.length !== rows))
        throw new Error(`the shape "${shape.name}" has not ${n} columns of ${rows} numbers for its ${what}`);
      return v;
    };
    Object.assign(this, { rows, times, way });
    this.at = need(shape.at, 3, 'place');
    this.attitude = need(shape.attitude, 4, 'attitude');
    this.to = need(shape.to, 3, 'end');
    if (!this.at) throw new Error(`the shape "${shape.name}" has no place`);
  }
  vector(columns, row, out) { return columns ? out.set(columns[0][row], columns[1][row], columns[2][row]) : out.copy(NOWHERE); }
  turn(row, out) {
    const a = this.attitude;
    // w, x, y, z; all zero: no rotation
    out.set(a[1][row], a[2][row], a[3][row], a[0][row]);
    return out.lengthSq() > 0 ? out.normalize() : out.identity();
  }
  // part 0 is the row itself, to the last bit
  between(columns, row, part, out) {
    this.vector(columns, row, out);
    if (!(part > 0) || row + 1 >= this.rows) return out;
    const way = this.way[row + 1];
    if (way === 'b') return part < 0.5 ? out : this.vector(columns, row + 1, out);
    return way === 'c' && columns ? this.bent(columns, row, part, out) : out.lerp(this.vector(columns, row + 1, next), part);
  }
  // the cubic through two rows on either side
  bent(columns, row, part, out) {
    const t = this.times, u = t[row] + part * (t[row + 1] - t[row]);
    const from = Math.max(0, Math.min(row - 1, this.rows - 4)), to = Math.min(this.rows - 1, from + 3);
    out.set(0, 0, 0);
    for (let i = from; i <= to; i++) {
      let weight = 1;
      for (let k = from; k <= to; k++) if (k !== i) weight *= (u - t[k]) / (t[i] - t[k]);
      out.addScaledVector(this.vector(columns, i, next), weight);
    }
    return out;
  }
  attitudeAt(row, part, out) {
    if (!this.attitude) return out.identity();
    this.turn(row, out);
    if (!(part > 0) || row + 1 >= this.rows) return out;
    if (this.way[row + 1] === 'b') return part < 0.5 ? out : this.turn(row + 1, out);
    return out.slerp(this.turn(row + 1, turned), part);
  }
  // does it keep its height along an axis of space, and turn about that axis alone?
  stays(axis, slack) {
    const k = 'xyz'.indexOf(axis), level = columns => {
      const m = limits(columns[k]);
      return !m || m[1] - m[0] <= slack;
    };
    if (!level(this.at) || (this.to && !level(this.to))) return false;
    if (!this.attitude) return true;
    const own = new Vector3(), first = new Vector3(), q = new Quaternion();
    const seen = (row, out) => out.set(0, 0, 0).setComponent(k, 1).applyQuaternion(this.turn(row, q).invert());
    seen(0, first);
    for (let i = 1; i < this.rows; i += Math.max(1, this.rows >> 6)) if (seen(i, own).distanceTo(first) > 1e-3) return false;
    return true;
  }
  // the largest angle from the first attitude: does it turn at all?
  turns() {
    if (!this.attitude) return 0;
    const first = this.turn(0, new Quaternion()), q = new Quaternion();
    let most = 0;
    for (let i = 1; i < this.rows; i += Math.max(1, this.rows >> 6)) most = Math.max(most, first.angleTo(this.turn(i, q)));
    return most;
  }
}
const next = new Vector3(), turned = new Quaternion();
