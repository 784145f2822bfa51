// The application: it opens a model, has it planned by the planner, and shows the report.
import { DeadError, Planner } from './planner.js';
import { connect } from './server.js';
import { load } from './wasm.js';

// The program of the report's page runs before this one.
const { bytes, explain, h, printable, replace, save, state, verdictWords, viewer } = globalThis.page;

// beginning is the number of bytes of a file that are checked before all of it is read.
const beginning = 64 * 2 ** 10;
// patience is the time limit in milliseconds for the planner to stop.
const patience = 10000;
// pause is the time in milliseconds from the last change of a budget to its verdict.
const pause = 150;

const at = (id) => document.getElementById(id);
const parts = Object.fromEntries(['file', 'drop', 'samples', 'kernels', 'alias', 'budget', 'verdict', 'rewrite', 'reorder', 'fit', 'least', 'stop', 'status', 'files'].map((id) => [id, at(id)]));

let connection; // the function that connects to a new planner
let planner;
let largest; // the size in bytes of the largest file that is read
let file = null; // the file that was chosen
let open = false; // whether the planner has it
let busy = false;
let typing; // the timer of a budget that changes
const made = new Map(); // the models that were made, by the names of their plans

// show shows a sentence until the next one comes, and say one that stays when the planner's progress has passed.
let said = ['', ''];
const show = (text, name = '') => {
  parts.status.textContent = printable(text);
  parts.status.className = name;
};
const say = (...what) => {
  said = what;
  show(...what);
};
const complain = (text) => say(text, 'error');

function verdict(text, name) {
  replace(parts.verdict, verdictWords(text));
  parts.verdict.className = name;
}

// enable switches the controls on that can be used now.
function enable() {
  for (const id of ['file', 'kernels', 'alias', 'budget']) parts[id].disabled = busy || !planner;
  for (const button of parts.samples.children) button.disabled = busy || !planner;
  for (const id of ['rewrite', 'reorder', 'least']) parts[id].disabled = busy || !open;
  parts.fit.disabled = busy || !open || !parts.budget.value.trim();
  parts.stop.disabled = !busy;
  document.documentElement.dataset.busy = busy;
}

// start starts a planner, and returns the choices that it has.
async function start() {
  planner = new Planner(connection, show);
  await planner.ready;
  return (await ask({ do: 'facts' })).facts;
}

// work does something with the planner while the page waits for it, and keeps the focus of the
// keyboard on something that is there.
async function work(does) {
  const focus = document.activeElement;
  clearTimeout(typing); // the work judges the budget when it is done
  busy = true;
  enable();
  if (focus?.disabled) parts.stop.focus();
  try {
    await does();
  } catch (error) {
    await failed(error);
  }
  busy = false;
  enable();
  if (document.activeElement === parts.stop || document.activeElement === document.body) focus?.focus();
}

// failed says what went wrong, and starts the planner again if it has ended.
async function failed(error) {
  if (!(error instanceof DeadError)) {
    complain(error.named ? ended(error.message) : sentence(error.message));
    return;
  }
  close();
  const memory = /out of memory|cannot allocate|allocation failed|memory access/i.test(error.message);
  complain(memory
    ? 'The planner ran out of memory, and was started again. A browser gives it 4 GiB at most: plan this model with the command tflarena, or choose a smaller one.'
    : `The planner ended unexpectedly, and was started again: ${error.message.trim().split('\n')[0]}`);
  try {
    await start();
  } catch (again) {
    planner = null;
    complain(`The planner cannot be started again: ${ended(again.message)}`);
  }
}

// ask returns the reply to a request; one that failed is an error.
async function ask(request, data) {
  const reply = await planner.ask(request, data);
  if (reply.kind === 'failed') throw new Error(reply.message);
  return reply;
}

const ended = (text) => (text && !/[.!?]$/.test(text) ? `${text}.` : text);
const sentence = (text) => ended(text.charAt(0).toUpperCase() + text.slice(1));
const decoder = new TextDecoder();

// close forgets the model that is open, but not the models that were made of it.
function close() {
  open = false;
  verdict('', '');
  viewer.clear();
}

// read opens the file that was chosen.
async function read(chosen) {
  try {
    await readFile(chosen);
  } catch (error) {
    close();
    if (error instanceof DeadError) throw error;
    throw Object.assign(new Error(`${chosen.name}: ${error.message}`), { named: true });
  }
}

// contents returns the bytes of a file, after a look at its size and its beginning.
async function contents(chosen) {
  if (chosen.size > largest) throw new Error(`the file has ${bytes(chosen.size)}, and this page reads models of up to ${bytes(largest)}. Use the command tflarena report for this model.`);
  if (chosen.size === 0) throw new Error('the file is empty');
  say(`Reading ${printable(chosen.name)}.`);
  await ask({ do: 'look' }, new Uint8Array(await chosen.slice(0, beginning).arrayBuffer()));
  return new Uint8Array(await chosen.arrayBuffer());
}

// readFile opens a file, or a sample, which the planner has.
async function readFile(chosen) {
  file = null;
  open = false;
  const data = chosen instanceof File ? await contents(chosen) : undefined;
  file = chosen;
  made.clear(); // only now: a file that is no model removes none
  list();
  verdict('', '');
  const reply = await ask({ do: 'open', name: chosen.name, kernels: parts.kernels.value, alias: parts.alias.value }, data);
  open = true;
  const { theme } = state.read();
  state.write({ theme }, true);
  viewer.load(decoder.decode(reply.data));
  say(`${printable(chosen.name)} is planned.`);
  await judge();
}

// judge compares the model with the budget.
async function judge() {
  const budget = parts.budget.value.trim();
  if (!open || !budget) {
    verdict('', '');
    viewer.budget(0);
    return;
  }
  const reply = await planner.ask({ do: 'judge', arena: budget });
  show(...said);
  viewer.budget(reply.verdict?.budget_bytes);
  if (reply.kind === 'failed') verdict(sentence(reply.message), 'warn');
  else verdict(reply.message, reply.verdict.plan ? 'yes' : 'no');
}

// make has a smaller model made, and offers it.
async function make(request) {
  const reply = await ask(request);
  const { model } = reply;
  if (reply.report) viewer.load(decoder.decode(reply.report));
  const least = request.do === 'fit' && !request.arena ? '-least' : '';
  if (reply.data) made.set((model.plan || request.do) + least, { ...model, data: reply.data, does: titles[model.plan] ?? 'a copy' });
  list();
  say(sentence(reply.message ?? ''));
  if (model.plan && viewer.has(model.plan)) viewer.compare('file', model.plan);
  await judge();
}

const titles = { rewritten: 'rewritten', reordered: 'rewritten and reordered', fitted: 'fitted' };

// list shows the models that were made.
function list() {
  replace(parts.files, [...made].map(([name, m]) => h('li', {},
    h('button', { type: 'button', id: `save-${name}`, onclick: () => save(m.file, 'application/octet-stream', m.data) }, `Save ${printable(m.file)}`),
    h('span', {}, m.changed ? (m.after.required_bytes ? `${m.does}: required arena ${bytes(m.after.required_bytes)}, was ${bytes(m.before.required_bytes)}` : `${m.does}: the required arena is not known`) : 'a copy of the model: there was nothing to gain'))));
}

// judgeLater judges the budget unless it changes within a time in milliseconds.
function judgeLater(after) {
  enable();
  parts.verdict.classList.add('stale');
  clearTimeout(typing);
  typing = setTimeout(() => judge().catch(failed).then(enable), after);
}

// offer shows the samples of the planner.
function offer(samples) {
  parts.samples.append(...samples.map((s) => h('button', { type: 'button', title: s.name, onclick: () => choose([s]) }, s.title)));
  parts.samples.hidden = false;
}

function choose(files) {
  if (busy || !planner || files.length === 0) return;
  const [chosen] = files;
  work(() => read(chosen));
}

function listen() {
  parts.file.addEventListener('click', () => { parts.file.value = ''; }); // so that the same file can be chosen again
  parts.file.addEventListener('change', () => choose(parts.file.files));
  for (const id of ['kernels', 'alias']) parts[id].addEventListener('change', () => file && work(() => read(file)));
  parts.budget.addEventListener('input', () => judgeLater(pause));
  parts.budget.addEventListener('change', () => judgeLater(0));
  parts.rewrite.addEventListener('click', () => work(() => make({ do: 'rewrite' })));
  parts.reorder.addEventListener('click', () => work(() => make({ do: 'rewrite', reorder: true })));
  parts.fit.addEventListener('click', () => work(() => make({ do: 'fit', arena: parts.budget.value.trim() })));
  parts.least.addEventListener('click', () => work(() => make({ do: 'fit' })));
  parts.stop.addEventListener('click', stop);
  for (const type of ['dragover', 'dragleave', 'drop']) {
    document.addEventListener(type, (event) => {
      event.preventDefault();
      parts.drop.classList.toggle('over', type === 'dragover');
      if (type === 'drop') choose(event.dataTransfer.files);
    });
  }
}

// stop asks the planner for the best so far, and ends it if it does not listen.
function stop() {
  const { waiting } = planner;
  planner.stop();
  show('Stopping.');
  setTimeout(() => {
    if (planner.waiting === waiting && waiting) planner.died('it did not stop');
  }, patience);
}

async function begin() {
  explain(document);
  viewer.show();
  listen();
  try {
    connection = document.documentElement.dataset.planner === 'server' ? connect : await load();
    const facts = await start();
    largest = facts.model_bytes_max;
    for (const [id, names] of [['kernels', facts.kernels], ['alias', facts.aliases]]) {
      replace(parts[id], names.map((n) => h('option', { value: n }, n)));
    }
    offer(facts.samples);
    parts.kernels.value = facts.kernels_usual;
    parts.alias.value = facts.aliases[0];
    say('');
  } catch (error) {
    planner = null;
    complain(`The planner cannot run here: ${error.message}. The command 'tflarena report' writes the same page without it.`);
  }
  enable();
  document.documentElement.dataset.ready = Math.round(performance.now());
}

begin();
