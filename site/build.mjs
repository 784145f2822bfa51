// Bundles the page of "report" into internal/page/bundle, and what the application has besides into
// internal/webapp/bundle, which the Go packages there embed: "npm ci" and then "npm run build". The
// result depends on nothing but the sources and package-lock.json.
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const here = new URL('.', import.meta.url);
const source = (name) => new URL(`src/${name}`, here);

// bundle writes compressed files into the bundle of a Go package. A file with the same contents stays as it
// is, since releases of node compress differently.
async function bundle(name, files) {
  const out = new URL(`../internal/${name}/bundle/`, here);
  await mkdir(out, { recursive: true });
  for (const [file, text] of Object.entries(files)) {
    const packed = new URL(`${file}.gz`, out);
    const old = await readFile(packed).then(gunzipSync, () => null);
    if (!old?.equals(Buffer.from(text))) await writeFile(packed, gzipSync(text, { level: 9 }));
  }
}

// style returns a style sheet after a banner.
async function style(name, css = '') {
  const { outputFiles } = await build({ entryPoints: [source(name).pathname], bundle: true, minify: true, write: false, banner: { css } });
  return outputFiles[0].text;
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
  // The functions of a trace have a swatch for each shade.
  const shades = styles.filter((s) => s.role === 'requester').flatMap((s) => s.light.map((_, i) => `.swatch.${s.role}-${i}{background:var(--${s.role}-${i})}`)).join('');
  const dark = colours('dark');
  return `:root{${colours('light')}}@media (prefers-color-scheme:dark){:root:not([data-theme="light"]){${dark}}}:root[data-theme="dark"]{${dark}}${styles.map(swatch).join('')}${shades}`;
}

// glossary is the module "glossary": the entries of docs/glossary.md with these names, as plain text.
const glossary = {
  name: 'glossary',
  setup(b) {
    b.onResolve({ filter: /^glossary$/ }, ({ path }) => ({ path, namespace: 'glossary' }));
    b.onLoad({ filter: /./, namespace: 'glossary' }, async () => {
      const { terms } = await import(source('terms.js'));
      const text = await readFile(new URL('../docs/glossary.md', here), 'utf8');
      const plain = (markdown) => markdown.replace(/\[(.*?)\]\(.*?\)/g, '$1').replace(/[*`]/g, '').replace(/\s+/g, ' ').trim();
      const entries = {};
      for (const [, names, entry] of text.matchAll(/^\*\*(.+?)\.\*\* (.+?)\n(?=\n|$)/gsm)) {
        for (const name of names.replace(/ \(.*?\)/g, '').toLowerCase().split(', ')) entries[name] ??= plain(entry);
      }
      const missing = terms.filter((t) => !entries[t]);
      if (missing.length > 0) throw new Error(`docs/glossary.md does not explain ${missing.join(', ')}`);
      return { contents: JSON.stringify(Object.fromEntries(terms.map((t) => [t, entries[t]]))), loader: 'json' };
    });
  },
};

// script returns a program, and the files that it consists of. What its entry exports is a global value
// of a name, if it has one.
async function script(entry, globalName) {
  const result = await build({
    entryPoints: [source(entry).pathname],
    bundle: true, minify: true, format: 'iife', globalName, target: 'es2023', charset: 'ascii', legalComments: 'none', write: false, metafile: true, plugins: [glossary],
  });
  const { text } = result.outputFiles[0];
  if (text.includes('</script') || text.includes('<!--')) throw new Error('the program would end its own element');
  return { text, inputs: Object.keys(result.metafile.inputs) };
}

// licences returns the licences of all packages that files come from.
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

const program = await script('main.js', 'page');
await bundle('page', {
  'page.js': program.text,
  'page.css': await style('page.css', await roles()),
  'page.html': await readFile(source('page.html')),
  'licences.txt': await licences(program.inputs),
});
await bundle('webapp', {
  'application.js': (await script('application.js')).text,
  'application.css': await style('application.css'),
  'application.html': await readFile(source('application.html')),
  'worker.js': (await script('worker.js')).text,
});
