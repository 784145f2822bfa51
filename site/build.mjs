// Bundles the page of "report" into internal/page/bundle, and the application into
// internal/webapp/bundle, which the Go packages there embed: "npm ci" and then "npm run build". The
// result depends on nothing but the sources and package-lock.json.
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { build } from 'esbuild';

const here = new URL('.', import.meta.url);
const source = (name) => new URL(`src/${name}`, here);

// bundle writes a program, its style sheet and its page under a name, with the licences of all
// packages of which there is a line in the program.
async function bundle(folder, name, entry) {
  const out = new URL(`../internal/${folder}/bundle/`, here);
  await mkdir(out, { recursive: true });
  const { text, inputs } = await script(entry);
  await writeFile(new URL(`${name}.js`, out), text);
  const style = await build({ entryPoints: [source(`${name}.css`).pathname], bundle: true, minify: true, write: false, banner: { css: await roles() } });
  await writeFile(new URL(`${name}.css`, out), style.outputFiles[0].text);
  await writeFile(new URL(`${name}.html`, out), await readFile(source(`${name}.html`)));
  await writeFile(new URL('licences.txt', out), await licences(inputs));
  return out;
}

// roles returns the colours of the roles of tensors, on light and dark backgrounds, and their swatches.
async function roles() {
  const styles = JSON.parse(await readFile(source('roles.json')));
  const colours = (look) => styles.flatMap((s) => s[look].map((c, i) => `--${s.role}-${i}:${c};`)).join('');
  const swatch = (s) => {
    const list = s.light.map((_, i) => `var(--${s.role}-${i})`);
    const stop = (i) => `${Math.round(100 * i / list.length)}%`;
    return `.swatch.${s.role}{background:linear-gradient(90deg,${list.map((c, i) => `${c} ${stop(i)} ${stop(i + 1)}`).join()})}`;
  };
  const dark = colours('dark');
  return `:root{${colours('light')}}@media (prefers-color-scheme:dark){:root:not([data-theme="light"]){${dark}}}:root[data-theme="dark"]{${dark}}${styles.map(swatch).join('')}`;
}

async function script(entry) {
  const result = await build({
    entryPoints: [source(entry).pathname],
    bundle: true, minify: true, format: 'iife', target: 'es2023', charset: 'ascii', legalComments: 'none', write: false, metafile: true,
  });
  const { text } = result.outputFiles[0];
  if (text.includes('</script') || text.includes('<!--')) throw new Error('the program would end its own element');
  return { text, inputs: Object.keys(result.metafile.inputs) };
}

async function licences(inputs) {
  const used = new Set();
  for (const path of inputs) {
    const inside = path.split('node_modules/').at(-1);
    if (inside !== path) used.add(inside.split('/')[0]);
  }
  let all = '';
  for (const name of [...used].sort()) {
    const folder = new URL(`node_modules/${name}/`, here);
    const { version, license } = JSON.parse(await readFile(new URL('package.json', folder)));
    const file = (await readdir(folder)).find((f) => /^licen[sc]e/i.test(f));
    all += `${name} ${version} (${license})\n\n${(await readFile(new URL(file, folder), 'utf8')).trim()}\n\n`;
  }
  return `${all.trim()}\n`;
}

await bundle('page', 'page', 'main.js');
const application = await bundle('webapp', 'application', 'application.js');
await writeFile(new URL('worker.js', application), (await script('worker.js')).text);
