// build.mjs - one script out of src/ and the packages: node build.mjs [--modules DIR] OUT.js
// DIR is the folder whose node_modules holds esbuild, three and uplot; without it, this folder
import { createRequire } from 'node:module';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const LARGEST = 900e3;
const here = dirname(fileURLToPath(import.meta.url));

function request(words) {
  const at = words.indexOf('--modules');
  const modules = at < 0 ? here : resolve(words[at + 1] ?? '');
  const rest = at < 0 ? words : words.filter((_, i) => i !== at && i !== at + 1);
  if (rest.length !== 1) throw new Error('use: node build.mjs [--modules DIR] OUT.js');
  return { modules, out: rest[0] };
}

// the licences of what is carried along stand in front of it
function licences(modules) {
  const of = name => `${name}\n${readFileSync(join(modules, 'node_modules', name, 'LICENSE'), 'utf8').trim()}`;
  return `/*! this script carries three and uplot\n\n${of('three')}\n\n${of('uplot')}\n*/`;
}

async function build({ modules, out }) {
  const esbuild = createRequire(join(modules, 'package.json'))('esbuild');
  const made = await esbuild.build({
    entryPoints: [join(here, 'src', 'page.js')],
    nodePaths: [join(modules, 'node_modules')],
    bundle: true, minify: true, write: false, format: 'iife', target: 'es2020', charset: 'ascii',
    loader: { '.css': 'text' }, legalComments: 'none', banner: { js: licences(modules) }, logLevel: 'error',
  });
  const text = made.outputFiles[0].text;
  // either would end or bend the script element that holds the text
  for (const bad of ['</script', '<!--', '<script'])
    if (text.toLowerCase().includes(bad)) throw new Error(`the script contains ${bad}: write it another way`);
  if (text.length > LARGEST) throw new Error(`the script has ${text.length} bytes, more than ${LARGEST}`);
  writeFileSync(out, text);
  console.log(`${out}: ${Math.round(text.length / 1000)} kB`);
}

try {
  await build(request(process.argv.slice(2)));
} catch (e) {
  console.error(`build.mjs: ${e.message}`);
  process.exit(1);
}
