// scene.js - the shapes of one run as a graph of nodes that follow the rows; it needs no screen
import { Box3, BufferGeometry, DoubleSide, Group, InstancedMesh, Matrix4, Mesh, MeshBasicMaterial, MeshStandardMaterial, Object3D,
  PlaneGeometry, Quaternion, Vector3 } from 'three';
import { Line2 } from 'three/addons/lines/Line2.js';
import { LineGeometry } from 'three/addons/lines/LineGeometry.js';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { rowAt, values } from './data.js';
import { ways } from './curve.js';
import { Coil, arrow, bar, ball, box, cage, cone, cylinder, race, ring, sector } from './geometry.js';
import { marked, material, simple } from './material.js';
import { Motion } from './motion.js';
import { css, hue, theme } from './theme.js';

const CUT = 2.3;               // radians of an outer ring that are made of glass, so that the balls are seen
const CUT_AT = 0.5;            // about this angle from its x axis
const SAME_ROW = 1e-4;         // of the time between two rows
const ROLLS = 0.1;             // radians: a ball that turns less needs no marks
const LONGEST_ARROW = 0.32;    // of the radius of the scene
const Z = new Vector3(0, 0, 1);
const SOLID = { ball, box, cylinder, cone, ring, cage };
const ARROW_HUES = [1, 2, 3, 0];

// points that lie on the outside of a shape, in its own axes
const rim = (r, z) => Array.from({ length: 12 }, (_, i) => [r * Math.cos(i * Math.PI / 6), r * Math.sin(i * Math.PI / 6), z]);
const both = (r, length) => [...rim(r, length / 2), ...rim(r, -length / 2)];
const corners = (a, b, c) => [-1, 1].flatMap(x => [-1, 1].flatMap(y => [-1, 1].map(z => [x * a, y * b, z * c])));
const OUTSIDE = {
  ball: s => corners(s[0] * 0.8, s[0] * 0.8, s[0] * 0.8), box: s => corners(s[0] / 2, s[1] / 2, s[2] / 2), cylinder: s => both(s[0], s[1]),
  cone: s => [[0, 0, 0], ...rim(s[0], s[1])], ring: s => both(s[1], s[2]), race: s => both(Math.max(s[0], s[1]), s[2]),
    cage: s => both(s[1], s[2]),
  bar: s => corners(s[0], s[0], s[0]), coil: s => corners(s[0], s[0], s[0]),
};
const FINEST = 8, MOST_POINTS = 16000;         // pieces of a trail between two rows; points of one
const FAR_OFF = 1e5;           // times the size of the scene at its start: what is farther away is not drawn
const MOMENTS = 120;           // of the motion that are measured

export class RunScene {
  constructor(run, scene) {
    this.times = values(run.columns[0]);
    this.rows = this.times.length;
    this.root = new Group();
    this.way = ways(scene.way, this.rows);
    this.coarse = this.way.includes('b');
    this.parts = scene.shapes.map(shape => ({ shape, motion: new Motion(shape, this.times, this.way), node: null }));
    this.scaleMode = 'linear';
    this.measure();
    this.parts.forEach(p => this.build(p));
    this.buildArrows();
    this.buildTrails();
    this.at(this.times[0]);
  }

  // the box of the whole motion, and the plane in which it happens, if it does in one
  measure() {
    this.box = new Box3();
    this.outline = [];
    const v = new Vector3(), turn = new Quaternion(), every = Math.max(1, Math.ceil(this.rows / MOMENTS));
    this.far = this.reach();
    for (const { shape, motion } of this.parts) if (shape.kind !== 'floor') {
      const outside = OUTSIDE[shape.kind]?.(shape.size) ?? [[0, 0, 0]];
      for (let i = 0; i < this.rows; i += every) for (const end of shape.kind === 'arrow' ? [motion.at] : [motion.at, motion.to]) {
        if (!end || !(motion.vector(end, i, v).length() < this.far)) continue;
        motion.attitudeAt(i, 0, turn);
        for (const p of outside) {
          const q = new Vector3(...p).applyQuaternion(turn).add(v);
          this.outline.push(q);
          this.box.expandByPoint(q);
        }
      }
    }
    if (this.box.isEmpty()) this.box.set(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
    this.radius = Math.max(this.box.getSize(v).length() / 2, 1e-12);
    const races = this.parts.filter(p => p.shape.kind === 'race' || p.shape.kind === 'cage');
    this.plane = races.length ? null
      : ['y', 'z'].find(axis => this.parts.every(p => p.shape.kind === 'arrow' || p.motion.stays(axis, 1e-6 * this.radius))) ?? null;
    // a bearing whose axis is z stands on the screen, and so does a mechanism in the plane of x and y: y is up there
    const q = new Quaternion();
    this.upright = this.plane === 'z' || races.some(p => Math.abs(v.copy(Z).applyQuaternion(p.motion.attitudeAt(0, 0, q)).z) > 0.9);
    this.hasFloor = this.parts.some(p => p.shape.kind === 'floor');
  }

  // a run that blew up is seen as it was before: what is so much farther away than at the start is no part of the picture
  reach() {
    const v = new Vector3();
    let start = 0;
    for (const { shape, motion } of this.parts) if (shape.kind !== 'floor') {
      start = Math.max(start, ...shape.size.filter(Number.isFinite));
      for (const end of shape.kind === 'arrow' ? [motion.at] : [motion.at, motion.to])
        if (end && motion.vector(end, 0, v).length() < Infinity) start = Math.max(start, v.length());
    }
    return start > 0 ? FAR_OFF * start : Infinity;
  }
  build(part) {
    const { shape } = part, kind = shape.kind;
    part.node = new Object3D();
    part.node.name = shape.name;
    this.root.add(part.node);
    if (SOLID[kind]) this.solid(part);
    else if (kind === 'race') this.race(part);
    else if (kind === 'bar') this.add(part, bar(), material(shape.look));
    else if (kind === 'floor') this.floor(part);
    else if (kind === 'coil') {
      part.coil = new Coil(shape.size[0] || 0.03 * this.radius, shape.size[1]);
      this.add(part, part.coil.geometry, material(shape.look === 'plain' ? 'steel' : shape.look));
    }
  }
  add(part, geometry, look) {
    const mesh = new Mesh(geometry, look);
    const glass = look.transparent;
    mesh.castShadow = !glass;
    mesh.receiveShadow = !glass;
    mesh.userData.name = part.shape.name;
    part.node.add(mesh);
    return mesh;
  }
  solid(part) {
    const { shape, motion } = part;
    const size = shape.size.slice();
    if (shape.kind === 'ball' && !(size[0] > 0)) size[0] = 0.025 * this.radius;
    const rolls = shape.kind === 'ball' && motion.turns() > ROLLS;
    this.add(part, SOLID[shape.kind](size), rolls ? marked(shape.look) : material(shape.look));
  }

  // an outer ring of steel is cut open in space: the cut does not turn with it
  race(part) {
    const { shape } = part, [plain, shoulder] = shape.size;
    if (plain > shoulder && shape.look !== 'glass') {
      part.still = new Group();
      part.node.add(part.still);
      const solid = this.add(part, race(shape.size, CUT, CUT_AT), material(shape.look));
      const glass = this.add(part, sector(shape.size, CUT, CUT_AT), material('glass'));
      part.still.add(solid, glass);
    } else this.add(part, race(shape.size), material(shape.look));
  }
  floor(part) {
    const [a, b] = part.shape.size;
    const far = 4 * this.radius;
    const mesh = this.add(part, new PlaneGeometry(a || far, b || far), floorMaterial);
    mesh.castShadow = false;
  }

  // all arrows are one mesh, drawn twice: solid where they are seen, faint through what hides them
  buildArrows() {
    this.arrows = this.parts.filter(p => p.shape.kind === 'arrow');
    this.largest = new Map();
    const v = new Vector3();
    for (const { shape, motion } of this.arrows) for (let i = 0; i < this.rows; i++) {
      const l = motion.vector(motion.to, i, v).length();
      if (l > (this.largest.get(shape.unit ?? '') ?? 0)) this.largest.set(shape.unit ?? '', l);
    }
    const units = [...this.largest.keys()];
    const kinds = new Map(this.arrows.filter(p => this.largest.has(p.shape.unit ?? '')).map(p => [`${p.shape.unit ?? ''} ${p.shape.look}`,
      p.shape]));
    this.arrowSets = [...kinds.values()].map(({ unit = '', look }) => {
      const parts = this.arrows.filter(p => (p.shape.unit ?? '') === unit && p.shape.look === look);
      const mesh = (extra, order) => {
        const m = new InstancedMesh(arrow(), new MeshBasicMaterial({ ...extra }), parts.length);
        m.frustumCulled = false;
        m.renderOrder = order;
        this.root.add(m);
        return m;
      };
      const colour = look === 'dark' ? () => css('--ink') : () => hue(ARROW_HUES[units.indexOf(unit) % 4]);
      return { unit, parts, colour, seen: mesh({}, 3),
        hidden: mesh({ transparent: true, opacity: 0.4, depthTest: false, depthWrite: false }, 2) };
    });
    this.paint();
  }
  paint() {
    for (const s of this.arrowSets) for (const m of [s.seen, s.hidden]) m.material.color.set(s.colour());
    this.trails?.forEach((t, i) => t.line.material.color.set(hue(i)));
    floorMaterial.color.set(theme() === 'dark' ? '#39424c' : '#dfe4e8');
  }
  longest(unit, size) {
    const most = this.largest.get(unit);
    return LONGEST_ARROW * this.radius * (this.scaleMode === 'root' ? Math.sqrt(size / most) : size / most);
  }
  placeArrows(row, part) {
    const to = new Vector3(), matrix = new Matrix4(), scale = new Vector3(), turn = new Quaternion();
    for (const set of this.arrowSets) set.parts.forEach(({ motion, node }, k) => {
      motion.between(motion.to, row, part, to);
      const size = to.length(), length = size > 0 ? this.longest(set.unit, size) : 0;
      const shown = length > 1e-4 * this.radius && node.position.length() < this.far;
      const r = shown ? Math.min(0.02 * this.radius, 0.3 * length) : 0;
      if (shown) turn.setFromUnitVectors(Z, to.divideScalar(size));
      matrix.compose(shown ? node.position : to.set(0, 0, 0), turn, scale.set(r, r, shown ? length : 0));
      set.seen.setMatrixAt(k, matrix);
      set.hidden.setMatrixAt(k, matrix);
    });
    for (const s of this.arrowSets) s.seen.instanceMatrix.needsUpdate = s.hidden.instanceMatrix.needsUpdate = true;
  }
  showArrows(on) { for (const s of this.arrowSets) s.seen.visible = s.hidden.visible = on; }

  // a path of the whole run, of which only the past is shown: curved between rows, and broken where they do not show the motion
  buildTrails() {
    const v = new Vector3(), steps = Math.max(1, Math.min(FINEST, Math.floor(MOST_POINTS / this.rows)));
    this.trails = this.parts.filter(p => p.shape.trail && p.shape.kind !== 'floor' && this.rows > 1).map((part, i) => {
      const points = [], motion = part.motion, columns = motion.to ?? motion.at;
      let last = null;
      const add = (row, u) => {
        motion.between(columns, row, u, v);
        if (v.length() < this.far) last = [v.x, v.y, v.z];
        points.push(last);
      };
      for (let k = 0; k + 1 < this.rows; k++) for (let m = 0; m < steps; m++) add(k, m / steps);
      add(this.rows - 1, 0);
      const first = points.find(Boolean) ?? [0, 0, 0];
      const geometry = new LineGeometry().setPositions(points.flatMap(p => p ?? first));
      const line = new Line2(geometry, new LineMaterial({ color: hue(i), linewidth: 2, transparent: true, opacity: 0.75 }));
      line.frustumCulled = false;
      this.root.add(line);
      const t = { part, line, steps, segments: geometry.attributes.instanceStart.data };
      // a piece without a length is not seen
      for (let k = 1; k < this.rows; k++) if (this.way[k] === 'b')
        for (let m = (k - 1) * steps; m < k * steps; m++) t.segments.array.copyWithin(6 * m + 3, 6 * m, 6 * m + 3);
      t.whole = t.segments.array.slice();
      return t;
    });
  }
  // the last piece ends where the shape is now
  placeTrails(row, fraction) {
    for (const t of this.trails) {
      const a = t.segments.array, last = (this.rows - 1) * t.steps - 1;
      const i = Math.min(row * t.steps + Math.floor(fraction * t.steps), last);
      const now = t.part.node.position;
      if (t.changed !== undefined) for (let m = 0; m < 6; m++) a[6 * t.changed + m] = t.whole[6 * t.changed + m];
      if (!t.part.motion.to && now.length() < this.far && this.way[Math.min(row + 1, this.rows - 1)] !== 'b') now.toArray(a, 6 * i + 3);
      t.changed = i;
      t.segments.needsUpdate = true;
      t.line.geometry.instanceCount = Math.min(last + 1, row * t.steps + Math.ceil(fraction * t.steps));
    }
  }
  showTrails(on) { for (const t of this.trails) t.line.visible = on; }

  at(t) {
    let row = rowAt(this.times, t);
    const span = row + 1 < this.rows ? this.times[row + 1] - this.times[row] : 0;
    let part = span > 0 ? Math.min(1, Math.max(0, (t - this.times[row]) / span)) : 0;
    // times of rows came through single precision: at a row the row itself is shown
    if (part < SAME_ROW) part = 0;
    if (part > 1 - SAME_ROW) { part = 0; row++; }
    for (const p of this.parts) this.place(p, row, part);
    this.placeArrows(row, part);
    this.placeTrails(row, part);
  }
  place(p, row, part) {
    const { motion, node, shape } = p;
    motion.between(motion.at, row, part, node.position);
    if (shape.kind === 'arrow') return;
    if (motion.to) this.span(p, row, part);
    else motion.attitudeAt(row, part, node.quaternion);
    node.visible = Number.isFinite(node.quaternion.w) && node.position.length() < this.far && !(motion.to && !(along.length() < this.far));
    // the spin about its own axis is taken out again for what is cut open in space
    if (p.still) {
      const q = node.quaternion, l = Math.hypot(q.w, q.z);
      if (l > 1e-9) p.still.quaternion.set(0, 0, -q.z / l, q.w / l);
    }
  }
  // bars and springs from `at` to `to`
  span(p, row, part) {
    const { motion, node, shape } = p;
    motion.between(motion.to, row, part, along).sub(node.position);
    const length = along.length();
    if (!(length < this.far)) return;
    node.quaternion.setFromUnitVectors(Z, length > 0 ? along.clone().divideScalar(length) : Z);
    if (p.coil) p.coil.stretch(length);
    else {
      const r = shape.size[0] || 0.008 * this.radius;
      node.scale.set(r, r, Math.max(length, 1e-9 * this.radius));
    }
  }
  position(name) {
    const part = this.parts.find(p => p.shape.name === name);
    if (!part) return null;
    return part.node.getWorldPosition(new Vector3()).toArray();
  }
  // the same looks for a machine without a graphics card
  simplify() {
    this.root.traverse(o => { if (o.material?.isMeshStandardMaterial) o.material = simple(o.material); });
  }
  dispose() {
    this.root.traverse(o => o.geometry instanceof BufferGeometry && o.geometry.dispose());
  }
}
const along = new Vector3();
const floorMaterial = new MeshStandardMaterial({ roughness: 0.9, metalness: 0, side: DoubleSide });
