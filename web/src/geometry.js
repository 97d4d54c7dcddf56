// geometry.js - the bodies of the shapes, in the sizes that the header gives them. Round things turn about z
import { BufferAttribute, BufferGeometry, ShapeUtils, SphereGeometry, Vector2 } from 'three';

const FULL = 2 * Math.PI;

// grids of points with normals, collected into one geometry
class Surface {
  constructor() { Object.assign(this, { points: [], normals: [], faces: [] }); }

  // f(u, v) for u, v in [0, 1] gives a point and its normal; the faces look the way of the normals
  grid(nu, nv, f) {
    const first = this.points.length / 3;
    for (let i = 0; i <= nu; i++) for (let j = 0; j <= nv; j++) {
      const [p, n] = f(i / nu, j / nv);
      this.points.push(...p);
      this.normals.push(...n);
    }
    const at = (i, j) => first + i * (nv + 1) + j;
    const flip = this.looksBack(at(nu >> 1, nv >> 1), at((nu >> 1) + 1, nv >> 1), at(nu >> 1, (nv >> 1) + 1));
    for (let i = 0; i < nu; i++) for (let j = 0; j < nv; j++) {
      const [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
      this.faces.push(...(flip ? [a, c, b, a, d, c] : [a, b, c, a, c, d]));
    }
  }
  point(k) { return this.points.slice(3 * k, 3 * k + 3); }
  looksBack(a, b, c) {
    const [p, q, r] = [this.point(a), this.point(b), this.point(c)];
    const u = q.map((x, i) => x - p[i]), v = r.map((x, i) => x - p[i]);
    const n = this.normals.slice(3 * a, 3 * a + 3);
    return n[0] * (u[1] * v[2] - u[2] * v[1]) + n[1] * (u[2] * v[0] - u[0] * v[2]) + n[2] * (u[0] * v[1] - u[1] * v[0]) < 0;
  }
  geometry() {
    const g = new BufferGeometry();
    g.setAttribute('position', new BufferAttribute(new Float32Array(this.points), 3));
    g.setAttribute('normal', new BufferAttribute(new Float32Array(this.normals), 3));
    g.setIndex(this.faces);
    return g;
  }
}

// a closed outline in the plane of r and z, as pieces with normals of their own, turned about z from angle a to b
function turned(surface, pieces, a = 0, b = FULL, whole = 96) {
  const n = Math.max(8, Math.ceil(whole * (b - a) / FULL));
  for (const piece of pieces) surface.grid(n, piece.length - 1, (u, v) => {
    const [r, z, nr, nz] = piece[Math.round(v * (piece.length - 1))];
    const phi = a + u * (b - a), c = Math.cos(phi), s = Math.sin(phi);
    return [[r * c, r * s, z], [nr * c, nr * s, nz]];
  });
  if (b - a < FULL - 1e-9) for (const [phi, sign] of [[a, 1], [b, -1]]) face(surface, pieces.flatMap(p => p.slice(0, -1)), phi, sign);
  return surface;
}

// the flat end of a body that is turned by less than a whole turn
function face(surface, outline, phi, sign) {
  const first = surface.points.length / 3, c = Math.cos(phi), s = Math.sin(phi);
  for (const [r, z] of outline) {
    surface.points.push(r * c, r * s, z);
    surface.normals.push(sign * s, -sign * c, 0);
  }
  for (const t of ShapeUtils.triangulateShape(outline.map(([r, z]) => new Vector2(r, z)), [])) {
    const [i, j, k] = t.map(x => x + first);
    surface.faces.push(...(surface.looksBack(i, j, k) ? [i, k, j] : [i, j, k]));
  }
}

// straight pieces between corners; the outside is on the right of the way
function straight(corners) {
  return corners.slice(1).map((to, i) => {
    const from = corners[i];
    const d = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
    const n = [(to[1] - from[1]) / d, -(to[0] - from[0]) / d];
    return [[...from, ...n], [...to, ...n]];
  });
}

// a rectangle with its corners taken off a little, so that edges catch the light; goes round with the outside on its right
function chamfered(inner, outer, width, part = 0.06) {
  const w = width / 2, c = part * Math.min(outer - inner, width);
  const near = inner + (inner > 0 ? c : 0);
  const corners = [[inner, w - c], [inner, c - w], [near, -w], [outer - c, -w], [outer, c - w], [outer, w - c], [outer - c, w], [near, w],
    [inner, w - c]];
  return inner > 0 ? straight(corners) : straight(corners).slice(2, 7);
}

export const ball = ([r]) => new SphereGeometry(r, 40, 24).rotateX(Math.PI / 2);

export function cylinder([r, length]) { return turned(new Surface(), chamfered(0, r, length, 0.04)).geometry(); }
export function ring([inner, outer, width]) { return turned(new Surface(), chamfered(inner, outer, width)).geometry(); }

export function cone([r, height]) {
  const l = Math.hypot(r, height);
  const side = Array.from({ length: 9 }, (_, i) => [r * i / 8, height * i / 8, height / l, -r / l]);
  return turned(new Surface(), [side, [[r, height, 0, 1], [0, height, 0, 1]]]).geometry();
}

export function box([a, b, c]) {
  const s = new Surface(), half = [a / 2, b / 2, c / 2];
  const bevel = 0.04 * Math.min(a, b, c);
  for (let k = 0; k < 3; k++) for (const sign of [-1, 1]) s.grid(1, 1, (u, v) => {
    const p = [0, 0, 0], n = [0, 0, 0], [i, j] = [(k + 1) % 3, (k + 2) % 3];
    p[k] = sign * half[k];
    p[i] = (2 * u - 1) * (half[i] - bevel);
    p[j] = (2 * v - 1) * (half[j] - bevel);
    n[k] = sign;
    return [p, n];
  });
  bevels(s, half, bevel);
  return s.geometry();
}

// twelve strips and eight corners between the six faces of a box
function bevels(s, half, bevel) {
  const R = Math.SQRT1_2;
  for (let k = 0; k < 3; k++) for (const si of [-1, 1]) for (const sj of [-1, 1]) {
    const [i, j] = [(k + 1) % 3, (k + 2) % 3];
    s.grid(1, 1, (u, v) => {
      const p = [0, 0, 0], n = [0, 0, 0];
      p[k] = (2 * u - 1) * (half[k] - bevel);
      p[i] = si * (half[i] - v * bevel);
      p[j] = sj * (half[j] - (1 - v) * bevel);
      n[i] = si * R;
      n[j] = sj * R;
      return [p, n];
    });
  }
  const T = 1 / Math.sqrt(3);
  for (const sx of [-1, 1]) for (const sy of [-1, 1]) for (const sz of [-1, 1]) {
    const first = s.points.length / 3, sign = [sx, sy, sz];
    for (let k = 0; k < 3; k++) {
      s.points.push(...half.map((h, m) => sign[m] * (m === k ? h : h - bevel)));
      s.normals.push(...sign.map(x => x * T));
    }
    s.faces.push(...(s.looksBack(first, first + 1, first + 2) ? [first, first + 2, first + 1] : [first, first + 1, first + 2]));
  }
}

// the outline of a grooved ring: plain side, shoulder, width, radius of the groove, of the circle of its centres
function grooved([plain, shoulder, width, groove, circle]) {
  const w = width / 2, out = plain > shoulder, away = shoulder - circle;
  const reach = Math.min(Math.sqrt(Math.max(0, groove ** 2 - away ** 2)), 0.94 * w);
  if (!(reach > 0)) return chamfered(Math.min(plain, shoulder), Math.max(plain, shoulder), width);
  // seen from the centre of the groove the arc goes from one shoulder over the bottom to the other
  const half = Math.asin(Math.min(1, reach / groove));
  const side = out ? 1 : -1, arc = [];
  for (let i = 0; i <= 28; i++) {
    const a = -half + 2 * half * i / 28;
    arc.push([circle + side * groove * Math.cos(a), groove * Math.sin(a), -side * Math.cos(a), -Math.sin(a)]);
  }
  const c = 0.05 * width, e = 0.25 * c, d = side;
  const before = straight([[shoulder + d * e, -w], [shoulder, -w + e], [arc[0][0], arc[0][1]]]);
  const after = straight([[arc[28][0], arc[28][1]], [shoulder, w - e], [shoulder + d * e, w], [plain - d * c, w], [plain, w - c],
    [plain, c - w], [plain - d * c, -w], [shoulder + d * e, -w]]);
  // straight() takes the outside to be on the right: an outer ring goes round the other way
  const outward = out ? p => p.map(([r, z, nr, nz]) => [r, z, -nr, -nz]) : p => p;
  return [...before.map(outward), arc, ...after.map(outward)];
}

// a cut of 0 leaves the ring whole; else it is open by this angle about the angle `at`
export const race = (size, cut = 0, at = 0) => turned(new Surface(), grooved(size),
  ...(cut ? [at + cut / 2, at + FULL - cut / 2] : [])).geometry();
export const sector = (size, cut, at) => turned(new Surface(), grooved(size), at - cut / 2, at + cut / 2).geometry();

// a ring with round radial holes. Each pocket has a patch of its own, from the hole's edge to the borders of its share
export function cage([inner, outer, width, count, radius]) {
  const n = Math.max(1, Math.round(count)), w = width / 2, share = Math.PI / n, s = new Surface();
  if (!(radius > 0)) return ring([inner, outer, width]);
  const [rz, ry] = [Math.min(radius, 0.93 * w), Math.min(radius, 0.97 * inner * Math.sin(Math.min(share, 1.5)))];
  // u runs round the hole; a multiple of 8 puts points on the corners
  const edge = (phi, rho) => [Math.asin(ry * Math.cos(phi) / rho), rz * Math.sin(phi)];
  const border = phi => {
    const [c, z] = [Math.cos(phi), Math.sin(phi)], k = 1 / Math.max(Math.abs(c), Math.abs(z));
    return [share * c * k, w * z * k];
  };
  for (let p = 0; p < n; p++) {
    const centre = FULL * p / n;
    for (const [rho, sign] of [[inner, -1], [outer, 1]]) s.grid(48, 4, (u, v) => {
      const phi = u * FULL, a = edge(phi, rho), b = border(phi);
      const theta = centre + a[0] + (b[0] - a[0]) * v, z = a[1] + (b[1] - a[1]) * v;
      return [[rho * Math.cos(theta), rho * Math.sin(theta), z], [sign * Math.cos(theta), sign * Math.sin(theta), 0]];
    });
    s.grid(48, 1, (u, v) => {
      const phi = u * FULL, rho = inner + (outer - inner) * v, [theta, z] = edge(phi, rho);
      const [c, y] = [Math.cos(centre), -Math.cos(phi)];
      return [[rho * Math.cos(centre + theta), rho * Math.sin(centre + theta), z], [-Math.sin(centre) * y, c * y, -Math.sin(phi)]];
    });
  }
  for (const sign of [-1, 1]) s.grid(144, 1, (u, v) => {
    const phi = u * FULL, rho = inner + (outer - inner) * v;
    return [[rho * Math.cos(phi), rho * Math.sin(phi), sign * w], [0, 0, sign]];
  });
  return s.geometry();
}

// from 0 to 1 along z; a bar has radius 1, an arrow too (of its head), both are scaled to measure
export const bar = () => turned(new Surface(), straight([[0, 0], [1, 0], [1, 1], [0, 1]]), 0, FULL, 24).geometry();
export const arrow = () => turned(new Surface(), straight([[0, 0], [0.42, 0], [0.42, 0.68], [1, 0.68], [0, 1]]), 0, FULL, 14).geometry();

// a wire wound about z: its points move with its length, the wire stays round
export class Coil {
  constructor(radius, turns) {
    Object.assign(this, { radius, turns: Math.max(1, turns || 8), around: 8 });
    this.along = Math.round(this.turns * 20) + 24;
    this.wire = radius * Math.min(0.16, 1 / this.turns + 0.06);
    const s = new Surface();
    // a straight wire has its faces the same way round
    s.grid(this.along, this.around, (u, v) => [[Math.cos(FULL * v), Math.sin(FULL * v), u], [Math.cos(FULL * v), Math.sin(FULL * v), 0]]);
    this.geometry = s.geometry();
    this.stretch(radius * this.turns);
  }
  // the ends lie on the axis: a tenth of the length on each side leads from it into the winding
  centre(x, length) {
    const lead = 0.1, y = Math.min(1, Math.max(0, (x - lead) / (1 - 2 * lead)));
    const r = this.radius * Math.min(1, x / lead, (1 - x) / lead), phi = FULL * this.turns * y;
    return [r * Math.cos(phi), r * Math.sin(phi), x * length];
  }
  stretch(length) {
    if (length === this.length) return;
    this.length = length;
    const p = this.geometry.attributes.position.array, n = this.geometry.attributes.normal.array;
    for (let i = 0, k = 0; i <= this.along; i++) {
      const x = i / this.along, e = 1e-4;
      const c = this.centre(x, length), b = this.centre(Math.min(1, x + e), length), a = this.centre(Math.max(0, x - e), length);
      let t = b.map((v, m) => v - a[m]);
      const d = Math.hypot(...t) || 1;
      t = t.map(v => v / d);
      // a frame about the way of the wire: outward, and across
      const phi = Math.atan2(c[1], c[0]) || 0;
      let o = [Math.cos(phi), Math.sin(phi), 0];
      const along = o[0] * t[0] + o[1] * t[1];
      o = o.map((v, m) => v - along * t[m]);
      const l = Math.hypot(...o) || 1;
      o = o.map(v => v / l);
      const q = [t[1] * o[2] - t[2] * o[1], t[2] * o[0] - t[0] * o[2], t[0] * o[1] - t[1] * o[0]];
      for (let j = 0; j <= this.around; j++, k += 3) {
        const a2 = FULL * j / this.around, ca = Math.cos(a2), sa = Math.sin(a2);
        for (let m = 0; m < 3; m++) {
          n[k + m] = ca * o[m] + sa * q[m];
          p[k + m] = c[m] + this.wire * n[k + m];
        }
      }
    }
    this.geometry.attributes.position.needsUpdate = true;
    this.geometry.attributes.normal.needsUpdate = true;
    this.geometry.boundingSphere = null;
  }
}
