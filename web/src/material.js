// material.js - what the looks are made of, and the room that shines in steel and brass
import { BackSide, BoxGeometry, CanvasTexture, Color, DoubleSide, Mesh, MeshBasicMaterial, MeshPhongMaterial, MeshStandardMaterial,
  PMREMGenerator, PlaneGeometry, SRGBColorSpace, Scene } from 'three';

const LOOKS = {
  plain: { color: '#6f8fb0', metalness: 0.05, roughness: 0.5 },
  steel: { color: '#c9ced4', metalness: 1, roughness: 0.27 },
  brass: { color: '#d0a552', metalness: 0.95, roughness: 0.34 },
  dark: { color: '#454c55', metalness: 0.35, roughness: 0.55 },
  bright: { color: '#e2571e', metalness: 0, roughness: 0.45 },
  glass: { color: '#9fc3de', metalness: 0, roughness: 0.1, transparent: true, opacity: 0.2, depthWrite: false, side: DoubleSide },
};
const made = new Map();

export function material(look) {
  const name = LOOKS[look] ? look : 'plain';
  if (!made.has(name)) made.set(name, new MeshStandardMaterial({ ...LOOKS[name], envMapIntensity: 1 }));
  return made.get(name);
}

// balls that turn are marked, so that one sees them roll: a band round the middle and a dot on each pole
let marks = null;
function marking() {
  if (marks) return marks;
  const canvas = document.createElement('canvas');
  canvas.width = 512;
  canvas.height = 256;
  const c = canvas.getContext('2d');
  c.fillStyle = '#fff';
  c.fillRect(0, 0, 512, 256);
  c.fillStyle = '#2f5f96';
  c.fillRect(0, 0, 512, 26);
  c.fillRect(0, 230, 512, 26);
  c.fillRect(0, 116, 512, 24);
  c.fillRect(0, 0, 20, 256);
  marks = new CanvasTexture(canvas);
  marks.colorSpace = SRGBColorSpace;
  marks.anisotropy = 4;
  return marks;
}
export function marked(look) {
  const name = `${look}-marked`;
  if (!made.has(name)) {
    const m = material(look).clone();
    m.map = marking();
    if (look === 'steel') m.metalness = 0.8;
    made.set(name, m);
  }
  return made.get(name);
}

// without a graphics card metal cannot mirror a room: it shines by its lamps alone
const plainer = new WeakMap();
export function simple(m) {
  if (!plainer.has(m)) {
    const { color, map, transparent, opacity, depthWrite, metalness } = m;
    plainer.set(m, new MeshPhongMaterial({ color, map, transparent, opacity, depthWrite, specular: metalness > 0.5 ? '#8a8a8a' : '#333333',
      shininess: metalness > 0.5 ? 60 : 30 }));
    plainer.get(m).color = color;
  }
  return plainer.get(m);
}

// a bright room with three lamps: small, because it is only ever seen in curved metal
export function room(renderer) {
  const scene = new Scene();
  const walls = new Mesh(new BoxGeometry(20, 20, 20),
    ['#b4bbc2', '#b4bbc2', '#8f979f', '#cfd5da', '#eef1f3', '#565b60'].map(color => new MeshBasicMaterial({ color, side: BackSide })));
  scene.add(walls);
  const lamp = (x, y, z, w, h, power) => {
    const m = new Mesh(new PlaneGeometry(w, h), new MeshBasicMaterial({ color: new Color(power, power, power), side: DoubleSide }));
    m.position.set(x, y, z);
    m.lookAt(0, 0, 0);
    scene.add(m);
  };
  lamp(-4, -7, 7, 7, 6, 6);
  lamp(8, -3, 3, 3, 8, 3.5);
  lamp(-3, 8, 4, 9, 3, 2.5);
  const generator = new PMREMGenerator(renderer);
  const target = generator.fromScene(scene, 0.03, 0.1, 50, { size: 64 });
  generator.dispose();
  walls.geometry.dispose();
  return target.texture;
}
