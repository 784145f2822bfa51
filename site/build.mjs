// Bundles the page into internal/page/bundle, which the Go package there embeds: "npm ci" and then
// "npm run build". The result depends on nothing but the sources and package-lock.json.
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { build } from 'esbuild';

const here = new URL('.', import.meta.url);
const out = new URL('../internal/page/bundle/', here);

const result = await build({
  entryPoints: [new URL('src/main.js', here).pathname],
  bundle: true, minify: true, format: 'iife', target: 'es2023', charset: 'ascii', legalComments: 'none', write: false, metafile: true,
});
const program = result.outputFiles[0].text;
if (program.includes('</script') || program.includes('<!--')) throw new Error('the program would end its own element');
await writeFile(new URL('page.js', out), program);

const style = await build({ entryPoints: [new URL('src/page.css', here).pathname], minify: true, write: false });
await writeFile(new URL('page.css', out), style.outputFiles[0].text);
await writeFile(new URL('page.html', out), await readFile(new URL('src/page.html', here)));

// The licences of all packages of which there is a line in the program.
const used = new Set();
for (const path of Object.keys(result.metafile.inputs)) {
  const inside = path.split('node_modules/').at(-1);
  if (inside !== path) used.add(inside.split('/')[0]);
}
let licences = '';
for (const name of [...used].sort()) {
  const folder = new URL(`node_modules/${name}/`, here);
  const { version, license } = JSON.parse(await readFile(new URL('package.json', folder)));
  const file = (await readdir(folder)).find((f) => /^licen[sc]e/i.test(f));
  licences += `${name} ${version} (${license})\n\n${(await readFile(new URL(file, folder), 'utf8')).trim()}\n\n`;
}
await writeFile(new URL('licences.txt', out), `${licences.trim()}\n`);
