// stage.js - light, ground, camera and drawing. Nothing is drawn unless something has changed
import { BufferAttribute, BufferGeometry, Color, DirectionalLight, Group, HemisphereLight, LineBasicMaterial, LineSegments, Mesh,
  NeutralToneMapping, PCFShadowMap, PerspectiveCamera,
  PlaneGeometry, Quaternion, Raycaster, Scene, ShadowMaterial, Vector2, Vector3, WebGLRenderer } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { room } from './material.js';
import { css, theme } from './theme.js';

const FOV = 26, MARGIN = 1.12;
const SLOW = 45;               // ms a frame: from here on the picture gets simpler
const STANDS = 250;            // ms without a change
const round125 = x => {
  const p = 10 ** Math.floor(Math.log10(x)), m = x / p;
  return p * (m < 1.5 ? 1 : m < 3.5 ? 2 : m < 7.5 ? 5 : 10);
};

// a processor that plays graphics card gets a plainer picture; #full at the end of the address asks for the full one
function software(gl) {
  const about = gl.getExtension('WEBGL_debug_renderer_info');
  const name = `${gl.getParameter(gl.RENDERER)} ${about ? gl.getParameter(about.UNMASKED_RENDERER_WEBGL) : ''}`;
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name) && location.hash !== '#full';
}

// such a processor smooths edges by finer pixels once the picture stands, not in every picture
function context() {
  for (const antialias of [true, false]) {
    const canvas = document.createElement('canvas');
    const gl = canvas.getContext('webgl2', { alpha: true, antialias, powerPreference: 'high-performance' });
    if (!gl) throw new Error('no WebGL');
    const soft = software(gl);
    if (soft !== antialias) return { canvas, context: gl, soft };
    gl.getExtension('WEBGL_lose_context')?.loseContext();
  }
  throw new Error('no WebGL');
}

export class Stage {
  constructor(place) {
    this.place = place;
    this.scene = new Scene();
    this.camera = new PerspectiveCamera(FOV, 2, 0.01, 100);
    this.after = () => {};
    const screen = context();
    this.soft = screen.soft;
    this.renderer = new WebGLRenderer(screen);
    this.canvas = screen.canvas;
    place.prepend(this.canvas);
    this.renderer.toneMapping = NeutralToneMapping;
    this.renderer.debug.checkShaderErrors = false;
    if (!this.soft) this.scene.environment = room(this.renderer);
    this.light();
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.canvas.style.touchAction = 'pan-y';
    this.controls.enableDamping = !matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.controls.dampingFactor = 0.12;
    this.controls.addEventListener('start', () => { this.moved = true; });
    this.controls.addEventListener('change', () => this.invalidate());
    // the wheel scrolls the page until the view was clicked; pinching always zooms
    this.canvas.addEventListener('wheel', e => { this.controls.enableZoom = e.ctrlKey || document.activeElement === this.canvas; },
      { capture: true, passive: true });
    this.canvas.addEventListener('pointerdown', () => { this.controls.enableZoom = true; this.canvas.focus({ preventScroll: true }); },
      { capture: true });
    this.slow = 0;
    this.level = 0;
    const glance = ([e]) => {
      this.seen = e.isIntersecting;
      if (this.seen) this.invalidate();
    };
    this.watching = [new ResizeObserver(() => this.resize()), new IntersectionObserver(glance, { rootMargin: '100px' })];
    for (const w of this.watching) w.observe(place);
  }

  light() {
    this.renderer.shadowMap.enabled = !this.soft;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.sky = new HemisphereLight('#ffffff', '#8a8f96', this.soft ? 1.5 : 0.55);
    this.key = new DirectionalLight('#fff8ee', 2.1);
    this.key.castShadow = !this.soft;
    this.key.shadow.mapSize.set(1536, 1536);
    this.key.shadow.radius = 4;
    this.key.shadow.intensity = 0.75;
    this.scene.add(this.sky, this.key, this.key.target);
  }

  show(run) {
    if (this.run) this.scene.remove(this.run.root, this.ground);
    const same = this.run && this.run.plane === run.plane && this.run.upright === run.upright;
    this.run = run;
    if (this.soft) run.simplify();
    this.scene.add(run.root);
    this.up = run.upright ? new Vector3(0, 1, 0) : new Vector3(0, 0, 1);
    this.floor();
    this.scene.environmentRotation.set(run.upright ? -Math.PI / 2 : 0, 0, 0);
    this.aimLight();
    this.colours();
    if (!same) this.home();
    this.resize();
    // the page goes on while the graphics card reads its programs
    this.busy = true;
    const compiled = this.renderer.extensions.has('KHR_parallel_shader_compile')
      ? this.renderer.compileAsync(this.scene, this.camera).catch(() => {}) : Promise.resolve();
    return compiled.then(() => {
      this.busy = false;
      this.draw();
    });
  }

  // the first look: what moves in a plane from its front; bearings from the front and a little aside; others from above the front
  direction() {
    if (this.run.plane) return (this.run.upright ? new Vector3(0, 0, 1) : new Vector3(0, -1, this.run.hasFloor ? 0.2 : 0)).normalize();
    return (this.run.upright ? new Vector3(0.85, 0.42, 1) : new Vector3(0.75, -1.5, 0.62)).normalize();
  }
  home() {
    const box = this.run.box, radius = this.run.radius;
    this.camera.up.copy(this.up);
    this.controls.target.copy(box.getCenter(new Vector3()));
    const d = this.direction();
    const right = new Vector3().crossVectors(this.up, d).normalize(), top = new Vector3().crossVectors(d, right);
    const tan = Math.tan(FOV / 2 * Math.PI / 180), aspect = this.camera.aspect;
    let far = 0;
    // all of the motion lies inside the picture
    const p = new Vector3();
    for (const q of this.run.outline) {
      p.copy(q).sub(this.controls.target);
      far = Math.max(far, p.dot(d) + Math.max(Math.abs(p.dot(right)) / (tan * aspect), Math.abs(p.dot(top)) / tan));
    }
    far = far || 4 * radius;
    this.camera.position.copy(this.controls.target).addScaledVector(d, far * MARGIN);
    this.camera.near = 0.01 * radius;
    this.camera.far = 60 * radius;
    this.camera.updateProjectionMatrix();
    this.controls.minDistance = 0.15 * radius;
    this.controls.maxDistance = 30 * radius;
    // the rest of an earlier turn would be added to the new place
    const damping = this.controls.enableDamping;
    this.controls.enableDamping = false;
    this.controls.update();
    this.controls.enableDamping = damping;
    this.moved = false;
    this.invalidate();
  }
  // by keys: turn (to the side, upward) in radians, or come nearer by a factor
  orbit(side, upward, nearer = 1) {
    const arm = this.camera.position.clone().sub(this.controls.target);
    const turn = new Quaternion().setFromAxisAngle(this.up, side);
    const right = new Vector3().crossVectors(this.up, arm).normalize();
    const angle = arm.angleTo(this.up) - upward;
    arm.applyQuaternion(new Quaternion().setFromAxisAngle(right,
      angle > 0.02 && angle < Math.PI - 0.02 ? -upward : 0)).applyQuaternion(turn);
    this.camera.position.copy(this.controls.target).addScaledVector(arm, nearer);
    this.moved = true;
    this.controls.update();
    this.invalidate();
  }

  // a grid under the motion, or behind it where it is planar; it carries the shadow
  floor() {
    const { box, radius } = this.run, centre = box.getCenter(new Vector3());
    this.ground = new Group();
    const planar = this.run.plane && !this.run.hasFloor;
    const normal = !planar ? this.up.clone() : this.run.upright ? new Vector3(0, 0, 1) : new Vector3(0, -1, 0);
    const low = centre.clone();
    if (planar && this.run.upright) low.z = box.min.z - 0.12 * radius;
    else if (planar) low.y = box.max.y + 0.12 * radius;
    else if (this.run.upright) low.y = box.min.y - 0.02 * radius;
    else low.z = box.min.z - 0.02 * radius;
    this.step = round125(radius / 4);
    this.ground.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), normal);
    // lines through whole multiples of the step
    const back = this.ground.quaternion.clone().invert(), local = low.clone().applyQuaternion(back);
    local.x = Math.round(local.x / this.step) * this.step;
    local.y = Math.round(local.y / this.step) * this.step;
    this.ground.position.copy(local.applyQuaternion(this.ground.quaternion));
    if (!this.run.hasFloor) this.ground.add(this.grid(this.step, 2.6 * radius));
    if (!this.run.hasFloor && !this.soft) {
      const shadow = new Mesh(new PlaneGeometry(8 * radius, 8 * radius), new ShadowMaterial({ opacity: 0.22 }));
      shadow.receiveShadow = true;
      shadow.position.z = -0.002 * radius;
      this.ground.add(shadow);
    }
    this.scene.add(this.ground);
  }
  grid(step, far) {
    const n = Math.ceil(far / step), points = [], colours = [], pieces = 12;
    const fade = (x, y) => Math.max(0, 1 - Math.hypot(x, y) / far) ** 1.2;
    for (let i = -n; i <= n; i++) for (let k = 0; k < pieces; k++) for (const across of [0, 1]) for (const end of [0, 1]) {
      const a = i * step, b = (2 * (k + end) / pieces - 1) * far;
      const [x, y] = across ? [b, a] : [a, b];
      points.push(x, y, 0);
      colours.push(1, 1, 1, fade(x, y));
    }
    const g = new BufferGeometry();
    g.setAttribute('position', new BufferAttribute(new Float32Array(points), 3));
    g.setAttribute('color', new BufferAttribute(new Float32Array(colours), 4));
    this.lines = new LineSegments(g, new LineBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false }));
    return this.lines;
  }
  aimLight() {
    const { box, radius } = this.run, centre = box.getCenter(new Vector3());
    // from the left above; what moves in a plane has its shadow behind it
    const flat = this.run.upright ? new Vector3(-0.45, 0.8, 1) : new Vector3(-0.45, -1, 0.8);
    const deep = this.run.upright ? new Vector3(-0.35, 1, 0.75) : new Vector3(-0.6, -0.55, 1.3);
    const from = this.run.plane ? flat : deep;
    this.key.position.copy(centre).addScaledVector(from.normalize(), 4 * radius);
    this.key.target.position.copy(centre);
    const c = this.key.shadow.camera;
    Object.assign(c, { left: -1.5 * radius, right: 1.5 * radius, top: 1.5 * radius, bottom: -1.5 * radius, near: 0.5 * radius,
      far: 9 * radius });
    c.updateProjectionMatrix();
    this.key.shadow.normalBias = 0.006 * radius;
    this.key.shadow.bias = -0.0004;
  }
  colours() {
    const dark = theme() === 'dark';
    this.lines?.material.color.set(new Color(css('--stage-line')));
    this.renderer.toneMappingExposure = dark ? 0.92 : 1.05;
    this.scene.environmentIntensity = dark ? 0.75 : 0.95;
    this.run?.paint();
    this.invalidate();
  }

  resize() {
    const w = this.place.clientWidth, h = this.place.clientHeight;
    if (!w || !h) return;
    this.renderer.setSize(w, h, false);
    const before = this.camera.aspect;
    this.camera.aspect = w / h;
    this.camera.updateProjectionMatrix();
    if (this.run && !this.moved && Math.abs(before - this.camera.aspect) > 1e-3) this.home();
    this.invalidate();
  }
  invalidate() {
    if (this.pending) return;
    this.pending = requestAnimationFrame(() => {
      this.pending = 0;
      this.controls.update();
      if (this.seen !== false && !this.busy) this.draw();
    });
  }
  draw() {
    if (!this.run) return;
    this.judge(performance.now());
    this.render(this.coarse());
    clearTimeout(this.standing);
    if (this.coarse() === this.fine()) return;
    this.standing = setTimeout(() => this.render(this.fine()), STANDS);
  }
  render(ratio) {
    if (ratio !== this.renderer.getPixelRatio()) this.renderer.setPixelRatio(ratio);
    this.renderer.render(this.scene, this.camera);
    this.after();
  }
  // pixels of a picture that stands, and of one that moves
  fine() { return this.soft ? Math.max(2, devicePixelRatio) : Math.min(2, devicePixelRatio); }
  coarse() {
    if (this.soft) return this.level > 0 ? 0.6 : 1;
    return [this.fine(), 1, 1, 0.6][this.level];
  }
  // three ways to be faster, one after the other: coarser pixels, no shadows, coarser still
  judge(now) {
    const gap = now - (this.last ?? 0);
    this.last = now;
    if (gap > 400) return;
    this.slow = gap > SLOW ? this.slow + 1 : Math.max(0, this.slow - 0.5);
    if (this.slow < 8 || this.level > 2) return;
    this.slow = 0;
    this.level++;
    if (this.level === 2) this.key.castShadow = false;
  }

  // a browser has but a few screens of this kind: one that is out of sight is given back
  close() {
    for (const w of this.watching) w.disconnect();
    clearTimeout(this.standing);
    cancelAnimationFrame(this.pending);
    this.controls.dispose();
    this.scene.remove(this.run.root);
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }

  // the name of what is under a point of the picture
  pick(x, y) {
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2(2 * x / this.place.clientWidth - 1, 1 - 2 * y / this.place.clientHeight), this.camera);
    const hit = ray.intersectObjects(this.run.parts.map(p => p.node),
      true).find(h => h.object.userData.name && h.object.visible && !h.object.material.transparent);
    return hit?.object.userData.name ?? null;
  }
}
