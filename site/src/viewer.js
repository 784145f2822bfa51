// Shows a document: one model, or a list of several that leads to each of them. What is shown is in
// the address.
import { h, printable, replace } from './dom.js';
import * as look from './look.js';
import { prepare } from './model.js';
import { overview } from './overview.js';
import * as state from './state.js';
import { App } from './app.js';

const main = document.getElementById('main');
const nav = document.getElementById('models');
const themes = document.getElementById('theme');
const heading = document.getElementById('heading').textContent;
let text = '';
let models = [];
let app = null;

const several = () => models.length > 1;

// load shows another document.
export function load(json) {
  text = json;
  models = JSON.parse(text).models.map(prepare);
  document.getElementById('heading').textContent = several() ? `Memory of ${models.length} models` : printable(models[0]?.input ?? '');
  show();
}

// show builds what the address asks for.
export function show() {
  const view = state.read();
  look.theme(view.theme);
  themes.value = view.theme ?? 'auto';
  if (!models.length) return;
  const index = several() ? Number.parseInt(view.m ?? '-1', 10) : 0;
  const model = models[index];
  app?.close();
  app = null;
  if (!model) replace(main, overview(models, open));
  else if (model.error) replace(main, h('p', { class: 'warn' }, `${printable(model.input)}: ${printable(model.error.message)}`));
  else {
    app = new App(model, index, view, text);
    replace(main, app.element);
    app.start();
  }
  choice(model ? String(index) : '');
}

// choice is the list of models above the page.
function choice(value) {
  if (!several()) return;
  const list = h('select', { id: 'model', onchange: (event) => open(event.target.value) },
    h('option', { value: '' }, 'all models'), models.map((m, i) => h('option', { value: String(i) }, printable(m.input))));
  list.value = value;
  replace(nav, h('label', { for: 'model' }, 'Model '), list);
}

// open shows a model, or all of them.
function open(index) {
  const { theme } = state.read();
  state.write({ m: String(index), theme }, true);
  show();
}

// watch follows the address, the look and the printer from now on.
export function watch() {
  themes.addEventListener('change', () => {
    look.theme(themes.value);
    if (app) app.set({ theme: themes.value === 'auto' ? '' : themes.value });
    else state.write({ ...state.read(), theme: themes.value === 'auto' ? '' : themes.value });
  });
  window.addEventListener('hashchange', show);
  window.addEventListener('popstate', show);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    look.refresh();
    app?.draw();
  });
  // Paper is white whatever the look on the screen is.
  let before;
  window.addEventListener('beforeprint', () => {
    before = document.documentElement.dataset.theme;
    look.theme('light');
    document.documentElement.classList.add('printing');
    app?.resize();
  });
  window.addEventListener('afterprint', () => {
    look.theme(before);
    document.documentElement.classList.remove('printing');
    app?.resize();
  });
}

// clear shows no document.
export function clear() {
  app?.close();
  [app, models] = [null, []];
  document.getElementById('heading').textContent = heading;
  replace(main);
}

// budget sets the budget of the arena in bytes, or none.
export function budget(bytes) {
  for (const model of models) model.budget_bytes = bytes;
  app?.budgeted();
}

// has reports whether the document has a plan, and compare shows two.
export const has = (plan) => models.length === 1 && models[0].planByName?.has(plan);

export function compare(a, b) {
  const { theme } = state.read();
  state.write({ a, b, theme }, true);
  show();
}
