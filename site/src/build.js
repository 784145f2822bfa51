// Builds the elements of the view of one model.
import { arena, difference } from './arena.js';
import { csv, fileName, json, png, save, svg } from './download.js';
import { bytes, h, middle, number, percent, printable, replace } from './dom.js';
import { explained, roleTerm, term, verdictWords } from './glossary.js';
import { help } from './keys.js';
import { isBad, legend, planWords, total } from './model.js';
import { Table, operatorColumns, tensorColumns } from './tables.js';

// build returns the view of an app's model, and gives the app the parts that change.
export function build(app) {
  const { model } = app;
  const parts = app.parts = {
    panes: h('div', { class: 'panes' }),
    details: h('section', { class: 'details', id: 'details', 'aria-label': 'Details' }),
    live: h('p', { class: 'unseen', 'aria-live': 'polite', id: 'live' }),
    found: h('span', { class: 'muted', id: 'found', 'aria-live': 'polite' }),
    summary: h('div', { class: 'summary', id: 'summary' }),
    arena: h('div', { id: 'arena' }),
    terms: h('div', { id: 'terms' }),
    query: h('input', { id: 'search', type: 'search', value: app.view.q ?? '', placeholder: 'name, number, type or operator', spellcheck: 'false', autocomplete: 'off' }),
  };
  parts.query.addEventListener('input', () => app.search(parts.query.value));
  const link = (op) => h('button', { type: 'button', class: 'link', onclick: () => app.choosePosition(app.panes[0], op.position) }, op.title);
  const ids = (list) => list.filter(Boolean).map((id) => (app.panes[0].plan.graphOf.byID.has(id)
    ? [h('button', { type: 'button', class: 'link', onclick: () => app.chooseTensor(app.panes[0], app.panes[0].plan.graphOf.byID.get(id)) }, id), ' ']
    : [`${id} `])).flat();
  const cells = (list) => h('span', {}, ids(list));
  const { layers } = model.graphs[0];
  parts.tensors = new Table('tensors', titled(noun(model)), tensorColumns(noun(model), (t) => app.panes[0].plan.offsets_bytes[t.index], link), (t) => app.chooseTensor(app.panes[0], t));
  parts.operators = new Table('operators', titled(doing(model)), operatorColumns(doing(model) === 'steps' ? 'step' : 'position', cells, layers && ((op) => layers[op.position])), (op) => app.choosePosition(app.panes[0], op.position));
  parts.show = show;
  parts.whole = whole;
  parts.tables = tables;
  parts.reveal = (a) => (a.picked().operator ? parts.operators : parts.tensors).reveal();
  const arenaSection = h('section', { 'aria-labelledby': 'arena-title' }, h('h2', { id: 'arena-title' }, 'The whole arena'), parts.arena);
  parts.arenaSection = arenaSection;
  return h('div', { class: 'model' },
    verdict(model),
    faults(model),
    command('To repair the file', model.next),
    parts.summary,
    intro(model),
    controls(app),
    app.playback.element,
    h('div', { class: 'view' }, h('section', { class: 'maps', 'aria-label': 'Memory maps' }, colours(model), parts.panes, keyHelp()), parts.details),
    arenaSection,
    h('section', { 'aria-label': `Table of ${noun(model)}` }, h('h2', {}, titled(noun(model))), parts.tensors.element),
    h('section', { 'aria-label': `Table of ${doing(model)}`, hidden: model.graphs.every((g) => g.operators.length === 0) }, h('h2', {}, titled(doing(model))), parts.operators.element),
    notes(model), h('details', { class: 'keys' }, h('summary', {}, 'Terms'), parts.terms), parts.live);
}

// intro says what the maps show, and what their axes are.
function intro(model) {
  const [graph] = model.graphs;
  const thing = term(noun(model) === 'blocks' ? 'block' : 'tensor');
  const whole = model.plans.some((p) => p.arena);
  const across = {
    events: 'From left to right: the events of the trace, its requests and releases.',
    time: 'From left to right: the time of one run.',
    steps: ['From left to right: the ', term('step', 'steps'), ', which read and write tiles.'],
    operators: ['From left to right: the ', term('operator', 'operators'), ', in the order in which they run.'],
  }[graph.operators.length === 0 ? 'events' : graph.layers ? 'time' : graph.tiled || graph.start_steps ? 'steps' : 'operators'];
  return h('p', { class: 'intro', id: 'intro' }, 'The map shows where each ', thing, ' lies, and when: a box is as wide as the time in which it is in memory, and as high as its size. ',
    across, ' From bottom to top: the ', term('address', 'addresses'), ' in bytes',
    whole ? [', from the beginning of the ', term('arena'), ' with its ', term('head'), ' to its end with the ', term('tail'), '. '] : '. ',
    'The bars below the map are the ', term('live bytes'), '.');
}

function controls(app) {
  const { model } = app;
  const options = (choose) => {
    const option = (p) => h('option', { value: p.name }, `${p.title}: ${bytes(total(p))}`);
    const group = (label, list) => h('optgroup', { label }, list.map(option));
    if (model.plans.every((p) => p.in_model)) return [choose, ...model.plans.map(option)].filter(Boolean);
    return [choose, group('as a model file', model.plans.filter((p) => p.in_model)), group('by a strategy', model.plans.filter((p) => !p.in_model))]
      .filter((x) => x && (x.tagName !== 'OPTGROUP' || x.children.length > 0));
  };
  const pick = (id, field, ...list) => {
    const select = h('select', { id, onchange: () => {
      app.set({ [field]: select.value, z: '' }, true);
      app.plans();
    } }, list);
    select.value = app.view[field] ?? '';
    return select;
  };
  const button = (id, text, act, label) => h('button', { id, type: 'button', onclick: act, 'aria-label': label }, text);
  const take = (extension) => fileName(model.input, app.panes[0].plan.name, extension);
  const only = model.plans.length < 2;
  return h('div', { class: 'controls', role: 'group', 'aria-label': 'View' },
    h('label', { for: 'plan-a', hidden: only }, 'Plan ', pick('plan-a', 'a', ...options(null))),
    h('label', { for: 'plan-b', hidden: only }, 'compared with ', pick('plan-b', 'b', ...options(h('option', { value: '' }, 'none')))),
    h('label', { for: 'search' }, 'Search ', app.parts.query), app.parts.found,
    h('span', { class: 'buttons' },
      button('zoom-in', '+', () => app.zoomBy(1.5), 'Zoom in'),
      button('zoom-out', '−', () => app.zoomBy(1 / 1.5), 'Zoom out'),
      button('whole', 'Whole map', () => app.whole())),
    h('span', { class: 'buttons', role: 'group', 'aria-label': 'Download' },
      button('get-svg', 'SVG', () => save(take('svg'), 'image/svg+xml', svg(app.panes, legend(model))), 'Download SVG'),
      button('get-png', 'PNG', () => save(take('png'), 'image/png', png(app.panes, legend(model))), 'Download PNG'),
      button('get-csv', 'CSV', () => save(take('csv'), 'text/csv', csv(app.panes.map((p) => p.plan))), 'Download CSV'),
      button('get-json', 'JSON', () => save(fileName(model.input, 'report', 'json'), 'application/json', json(app.text, app.index)), 'Download JSON')));
}

// noun is what lies in the memory of a model, or of a program's trace.
const noun = (model) => (model.graphs.every((g) => g.tensors.every((t) => t.role === 'block')) ? 'blocks' : 'tensors');
// doing is what a model does from left to right.
const doing = (model) => (model.graphs.every((g) => g.tiled) ? 'steps' : 'operators');
const titled = (word) => word.charAt(0).toUpperCase() + word.slice(1);

function colours(model) {
  return h('ul', { class: 'legend', 'aria-label': 'Colours' }, legend(model).map(({ role, words, shades }) => h('li', {},
    h('span', { class: `swatch ${role ?? shades[0]}`, 'aria-hidden': 'true' }), role ? roleTerm(role, words) : middle(words))));
}

function keyHelp() {
  return h('details', { class: 'keys' }, h('summary', {}, 'Keys and mouse'),
    h('p', { id: 'keys' }, 'On a map: the wheel zooms, dragging moves, a click picks a tensor; a click on the bars below picks an operator.'),
    h('dl', {}, help.map(([key, does]) => [h('dt', {}, h('kbd', {}, key)), h('dd', {}, does)]).flat()));
}

// show puts the panes, and what is said of their plans, in their places.
function show(app) {
  const { parts, panes, model } = app;
  replace(parts.panes, panes.map((pane) => h('figure', {}, h('figcaption', {}, panes.length > 1 ? h('b', {}, `${pane.title}: `) : null, printable(pane.plan.title), ', ', planWords(pane.plan)), pane.element)));
  replace(parts.summary, summary(panes, model));
  whole(app);
}

// whole shows the whole arena of each plan.
function whole({ parts, panes, model }) {
  const bars = arena(panes, model.budget_bytes);
  parts.arenaSection.hidden = !bars;
  replace(parts.arena, bars ?? []);
}

function summary(panes, model) {
  const [a, b] = panes.map((p) => p.plan);
  const what = () => (a.required_bytes ? term('required') : model.label);
  const of = (plan) => (model.plans.length > 1 ? [what(), `, ${plan.title}`] : what());
  const cards = time(a.graphOf);
  cards.push([of(a), bytes(total(a))]);
  if (b) cards.push([of(b), bytes(total(b))], ['difference', `${difference(total(b) - total(a))} B, ${percent(Math.abs(total(a) - total(b)), total(a))} ${total(b) > total(a) ? 'more' : 'less'}`]);
  const last = b ?? a;
  if (last.lower_bound_bytes > 0) cards.push([[term('lower bound'), ' of the ', last.word === 'head' ? term('head') : last.word], `${bytes(last.lower_bound_bytes)}${last.proven_optimal ? ', reached' : ''}`]);
  if (last.extra_macs) cards.push(['extra work', [number(last.extra_macs), ' ', term('multiply-accumulate', 'MACs')]]);
  return [h('dl', { class: 'cards' }, cards.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value)))),
    command('To make this file', last.next)];
}

// command is a command line to be copied, if there is one.
function command(what, line) {
  return line ? h('p', { class: 'next' }, `${what}: `, h('code', {}, line)) : null;
}

// time returns the cards of a run whose weights are loaded while it runs.
function time({ layers }) {
  if (!layers) return [];
  const latency = layers.at(-1).compute_end_ms;
  const waits = layers.reduce((sum, l) => sum + l.wait_ms, 0);
  return [[term('latency'), `${latency.toFixed(3)} ms`], [term('stall', 'stalls'), `${waits.toFixed(3)} ms, ${percent(waits, latency)}`]];
}

// tables fills the tables with what the search leaves.
function tables(app) {
  const graph = app.panes[0].plan.graphOf;
  const { tensor, operator } = app.picked();
  const { title } = app.panes[0];
  const of = (all, keep, word) => {
    const rows = app.match ? all.filter(keep) : all;
    return [rows, `${number(rows.length)} of ${number(all.length)} ${word}${title === 'plan' ? '' : ` of plan ${title}`}`];
  };
  const [tensors, tensorWords] = of(graph.tensors, app.match?.tensor, noun(app.model));
  const [operators, operatorWords] = of(graph.operators, app.match?.operator, graph.tiled ? 'steps' : 'operators');
  app.parts.tensors.set(tensors, graph.tensors, tensor, tensorWords);
  app.parts.operators.set(operators, graph.operators, operator, operatorWords);
  replace(app.parts.terms, explained());
}

// isFault tells the warnings that come first: the model does not run, or computes wrong results.
const isFault = (warning) => ['cannot_run', 'wrong_results'].includes(warning.kind);

// verdict is the first line: whether the model as it is runs right, and in which arena.
function verdict(model) {
  if (!model.verdict) return null;
  return h('p', { class: `verdict${isBad(model) ? ' warn' : ''}` }, h('b', {}, verdictWords(model.verdict)), model.verdict === 'REQUIRES' ? ' ' : ': ', verdictWords(model.verdict_text));
}

function faults(model) {
  const list = model.warnings.filter(isFault);
  return h('section', { class: 'faults', 'aria-label': 'Faults', hidden: list.length === 0 },
    h('ul', {}, list.map((n) => h('li', { class: 'warn' }, printable(n.text)))));
}

function notes(model) {
  const list = [...model.warnings.filter((n) => !isFault(n)).map((n) => ['warning', n.text]), ...model.notes.map((n) => ['note', n.text])];
  return h('section', { 'aria-labelledby': 'notes-title', hidden: list.length === 0 && !model.runtime }, h('h2', { id: 'notes-title' }, 'Notes'),
    h('ul', {}, list.map(([kind, text]) => h('li', { class: kind === 'warning' ? 'warn' : null }, `${kind}: ${printable(text)}`))),
    h('p', { class: 'muted' }, model.runtime && `Counted for the runtime ${model.runtime}${model.abi ? ` on ${model.abi}` : ''}${model.scratch ? `, scratch: ${model.scratch}` : ''}.`));
}
