// The card of what is picked, beside the maps.
import { bytes, h, hex, number, replace } from './dom.js';
import { roleTerm, term } from './glossary.js';
import { sharing, why } from './model.js';

const link = (text, act) => h('button', { class: 'link', type: 'button', onclick: act }, text);

// details shows the tensor or the operator that is picked.
export function details(app, place) {
  const { tensor, operator } = app.picked();
  const inside = place.contains(document.activeElement);
  if (tensor) replace(place, ...ofTensor(app, tensor));
  else if (operator) replace(place, ...ofOperator(app, operator));
  else replace(place, h('h2', {}, 'Details'), h('p', { class: 'muted' }, 'Point at a box on the map, or pick one with a click, with the arrow keys, or in a table below.'));
  if (!inside) return;
  // What had the focus is gone; the keyboard goes on at the new heading.
  place.firstChild.tabIndex = -1;
  place.firstChild.focus({ preventScroll: true });
}

function rows(list) {
  return h('dl', {}, list.filter(([, value]) => value !== null && value !== undefined && value !== false).map(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]).flat());
}

const operatorLink = (app, op) => link(op.title, () => app.choosePosition(app.panes[0], op.position));

function list(items, most = 12) {
  if (items.length === 0) return 'none';
  const more = items.length > most ? [h('li', {}, `and ${number(items.length - most)} more`)] : [];
  return h('ul', { class: 'plain' }, items.slice(0, most).map((i) => h('li', {}, i)), more);
}

function ofTensor(app, t) {
  const graph = app.panes[0].plan.graphOf;
  const places = app.panes.map((pane) => {
    const there = pane.plan.graphOf === graph ? t : app.counterpart(t, pane.plan.graphOf);
    if (!there) return pane.plan.graphOf.tiled ? [`address ${pane.title}`, 'none: it stays on chip'] : null;
    const offset = pane.plan.offsets_bytes[there.index];
    return [term('address', app.panes.length > 1 ? `address ${pane.title}` : 'address'), `${hex(offset)} to ${hex(offset + there.size_bytes)} (${number(offset)})`];
  }).filter(Boolean);
  return [
    h('h2', {}, `${t.id} ${t.label}`),
    rows([
      ['role', roleTerm(t.role)],
      ['requested by', t.requester !== undefined && t.label],
      ['type', t.dtype],
      ['shape', t.shape && `[${t.shape.join(', ')}]`],
      ['size', bytes(t.size_bytes)],
      ...places,
      ['in memory', `${graph.step}s ${t.first_op} to ${t.last_op}`],
      ['why', why(graph, t)],
      ['made by', t.producers.length > 0 && list(t.producers.map((op) => operatorLink(app, op)))],
      ['read by', t.consumers.length > 0 && list(t.consumers.map((op) => operatorLink(app, op)))],
      ...app.panes.flatMap((pane) => shares(app, pane, graph, t)),
    ]),
    h('p', { class: 'buttons' },
      h('button', { type: 'button', onclick: () => app.zoomTo(t) }, 'Show on the map'),
      h('button', { type: 'button', onclick: () => app.showRow() }, 'Show in the table'),
      unpick(app)),
  ];
}

const unpick = (app) => h('button', { type: 'button', onclick: () => app.chooseTensor(app.panes[0], null) }, 'Pick nothing');

// shares says with which tensors one shares memory in the plan of a pane.
function shares(app, pane, graph, t) {
  const there = pane.plan.graphOf === graph ? t : app.counterpart(t, pane.plan.graphOf);
  if (!there) return [];
  return sharing(pane.plan, there).map((s) => [app.panes.length > 1 ? `shares in ${pane.title}` : 'shares', h('span', {},
    `${bytes(s.bytes)} with `, link(`${s.other.id} ${s.other.label}`, () => app.chooseTensor(pane, s.other)),
    ` at ${graph.step}s ${s.first} to ${s.last}: ${s.reason}`)]);
}

// times say when a layer with prefetched weights loads and computes.
function times(graph, op) {
  const l = graph.layers?.[op.position];
  if (!l) return [];
  const ms = (from, to) => `${from.toFixed(3)} to ${to.toFixed(3)} ms`;
  return [['loads', l.load_end_ms > l.load_begin_ms && `${bytes(l.load_bytes)}, ${ms(l.load_begin_ms, l.load_end_ms)}`], ['computes', ms(l.compute_begin_ms, l.compute_end_ms)]];
}

function ofOperator(app, op) {
  const graph = app.panes[0].plan.graphOf;
  const tensorLinks = (ids) => list(ids.filter(Boolean).map((id) => {
    const t = graph.byID.get(id);
    return t ? link(`${t.id} ${t.label}, ${bytes(t.size_bytes)}`, () => app.chooseTensor(app.panes[0], t)) : `${id} (not planned, such as a constant)`;
  }));
  const alive = graph.tensors.filter((t) => t.first_op <= op.position && op.position <= t.last_op).sort((a, b) => b.size_bytes - a.size_bytes);
  return [
    h('h2', {}, `${op.key} ${op.label}`.trim()),
    rows([
      [term(graph.step), [`${op.position}`, op === graph.peak && [', the ', term('peak')]].flat()],
      [term('live bytes'), `${bytes(op.breadth_bytes)} in ${number(op.alive)} tensors`],
      [term('multiply-accumulate', 'MACs'), op.macs > 0 && number(op.macs)],
      ...times(graph, op),
      ['weights', op.weights_bytes > 0 && bytes(op.weights_bytes)],
      ['reads', tensorLinks(op.inputs)],
      ['writes', tensorLinks(op.outputs)],
      ['in memory', list(alive.map((t) => link(`${t.id} ${t.label}, ${bytes(t.size_bytes)}`, () => app.chooseTensor(app.panes[0], t))), 10)],
    ]),
    h('p', { class: 'buttons' }, unpick(app)),
  ];
}
