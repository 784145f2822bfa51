// What the document says of a model, with what follows from it: who makes a tensor, who reads it,
// and which tensors share memory in a plan.
import { bytes, count, printable } from './dom.js';
import styles from './roles.json';

// roles maps roles to their words in legends.
export const roles = Object.fromEntries(styles.map((s) => [s.role, s.words]));

const requesterShades = styles.find((s) => s.role === 'requester').light.length;

// prepare adds to a model of the document what is looked up often.
export function prepare(model) {
  if (model.error) return model;
  model.graphByName = new Map(model.graphs.map((g) => [g.name, prepareGraph(g)]));
  for (const plan of model.plans) {
    plan.graphOf = model.graphByName.get(plan.graph);
    plan.word = plan.used_bytes ? 'head' : 'total'; // what the planned memory is called
    // The end of the arena, where the tail is; of other memory only the planned part is known.
    plan.arena = plan.used_bytes ? total(plan) : 0;
    plan.end = Math.max(plan.head_bytes, plan.arena, 1);
  }
  model.planByName = new Map(model.plans.map((p) => [p.name, p]));
  return model;
}

// isBad tells whether the verdict on a model is one to be seen first; a page without verdicts has none.
export const isBad = (model) => model.verdict !== undefined && !['FITS', 'REQUIRES'].includes(model.verdict);

function prepareGraph(graph) {
  const byID = new Map();
  graph.first = 0;
  graph.last = Math.max(graph.operators.length - 1, 0);
  for (const [index, t] of graph.tensors.entries()) {
    Object.assign(t, { index, label: printable(t.name || ''), producers: [], consumers: [], pieces: pieces(t) });
    byID.set(t.id, t);
    graph.first = Math.min(graph.first, t.first_op);
    graph.last = Math.max(graph.last, t.last_op);
  }
  for (const op of graph.operators) {
    op.key = keyOf(graph, op);
    op.label = printable(op.name);
    op.title = op.key ? `${op.position} ${op.label}` : op.label;
    for (const id of new Set(op.inputs)) byID.get(id)?.consumers.push(op);
    for (const id of new Set(op.outputs)) byID.get(id)?.producers.push(op);
  }
  graph.byID = byID;
  tint(graph);
  // What a position is called, and when each one begins where some take longer than others.
  graph.step = graph.operators.length === 0 ? 'event' : graph.tiled ? 'step' : 'position';
  for (const [i, l] of (graph.layers ?? []).entries()) l.wait_ms = l.compute_begin_ms - (graph.layers[i - 1]?.compute_end_ms ?? 0);
  graph.starts = graph.layers ? [0, ...graph.layers.map((l) => l.compute_end_ms)] : graph.start_steps;
  graph.load = graph.operators.length > 0
    ? graph.operators.map((op) => ({ first: op.position, last: op.position, bytes: op.breadth_bytes }))
    : sections(graph.tensors);
  graph.most = graph.load.reduce((most, s) => (most && most.bytes >= s.bytes ? most : s), null);
  graph.peak = graph.operators.reduce((most, op) => (most && most.breadth_bytes >= op.breadth_bytes ? most : op), null);
  return graph;
}

// tint gives the blocks of a trace the colours of the functions that requested them: the first ones to those
// that hold most bytes for the longest time, as in the pictures of the command.
function tint(graph) {
  if (graph.tensors.length === 0 || graph.tensors.some((t) => t.role !== 'block' || !t.label)) return;
  const held = new Map();
  for (const t of graph.tensors) held.set(t.label, (held.get(t.label) ?? 0) + t.size_bytes * (t.last_op - t.first_op + 1));
  graph.requesters = [...held.keys()].sort((a, b) => held.get(b) - held.get(a) || (a < b ? -1 : 1));
  const rank = new Map(graph.requesters.map((name, i) => [name, i]));
  for (const t of graph.tensors) t.requester = rank.get(t.label);
}

// legend returns the colours of the maps of a model with their words: for each, the names of its shades.
export function legend(model) {
  const used = new Set(model.graphs.flatMap((g) => g.tensors.map((t) => (t.requester === undefined ? t.role : null))));
  const list = styles.filter((s) => used.has(s.role)).map((s) => ({ role: s.role, words: s.words, shades: s.light.map((_, i) => `${s.role}-${i}`) }));
  for (const g of model.graphs) {
    for (const [i, name] of (g.requesters ?? []).slice(0, requesterShades).entries()) list.push({ words: name, shades: [`requester-${i}`] });
  }
  if (model.plans.some((p) => p.arena)) list.push({ role: 'tail', words: 'tail', shades: ['tail'] });
  if (model.plans.some((p) => p.in_model && overlaps(p).length > 0)) list.push({ role: 'overlap', words: roles.overlap, shades: ['overlap-0'], hatched: true });
  if (model.graphs.some((g) => g.layers)) list.push({ role: 'stall', words: 'the processor waits', shades: ['bound'] });
  return list;
}

// keyOf is what an operator is known by, with its subgraph. Writing the inputs and reading the outputs are no
// operators and have none.
function keyOf(graph, op) {
  if (op.index >= 0) return `${op.subgraph}:${op.index}`;
  return graph.tiled || graph.start_steps || graph.layers ? '' : `${op.subgraph}:enter`;
}

// sections are the times in which the same number of bytes is in use.
function sections(tensors) {
  const changes = tensors.flatMap((t) => [[t.first_op, t.size_bytes], [t.last_op + 1, -t.size_bytes]]).sort((a, b) => a[0] - b[0]);
  const list = [];
  let bytes = 0;
  for (const [i, [at, change]] of changes.entries()) {
    bytes += change;
    const next = changes[i + 1]?.[0];
    if (next > at) list.push({ first: at, last: next - 1, bytes });
  }
  return list;
}

// pieces are the times in which a tensor holds the same bytes, from the beginning of a position to the
// end of one. Bytes of a tensor in tiles are in use from half steps to half steps.
function pieces(t) {
  if (t.lives) {
    return t.lives.map((l) => ({ first: l.first_half_step / 2, last: (l.last_half_step + 1) / 2 - 1, lo: l.offset_bytes, hi: l.offset_bytes + l.size_bytes }));
  }
  const list = [];
  let from = t.first_op;
  for (const g of t.gaps ?? []) {
    if (from < g.first_op) list.push({ first: from, last: g.first_op - 1, lo: 0, hi: t.size_bytes });
    if (g.held_bytes > 0) list.push({ first: g.first_op, last: g.last_op, lo: g.held_offset_bytes, hi: g.held_offset_bytes + g.held_bytes });
    from = g.last_op + 1;
  }
  if (from <= t.last_op) list.push({ first: from, last: t.last_op, lo: 0, hi: t.size_bytes });
  return list;
}

// overlaps returns the rectangles in which two tensors of a plan hold the same bytes at a time.
export function overlaps(plan) {
  if (plan.overlapList) return plan.overlapList;
  const all = plan.graphOf.tensors
    .flatMap((t) => t.pieces.map((p) => ({ t, first: p.first, last: p.last, lo: plan.offsets_bytes[t.index] + p.lo, hi: plan.offsets_bytes[t.index] + p.hi })))
    .filter((p) => p.hi > p.lo)
    .sort((a, b) => a.first - b.first);
  const list = [];
  let active = [];
  for (const p of all) {
    active = active.filter((q) => q.last + 1 > p.first);
    for (const q of active) {
      if (q.t !== p.t && q.lo < p.hi && p.lo < q.hi) {
        list.push({ a: q.t, b: p.t, first: p.first, last: Math.min(p.last, q.last), lo: Math.max(p.lo, q.lo), hi: Math.min(p.hi, q.hi) });
      }
    }
    active.push(p);
  }
  plan.overlapList = list;
  return list;
}

// sharing says with which tensors one shares memory in a plan, and why that is right.
export function sharing(plan, t) {
  return overlaps(plan).filter((o) => o.a === t || o.b === t).map((o) => {
    const other = o.a === t ? o.b : o.a;
    const pair = (x) => (x.from === t.id && x.to === other.id) || (x.from === other.id && x.to === t.id);
    const known = plan.overlaps.find(pair) ?? plan.in_place.find(pair);
    const reason = known ? known.why : 'the embedded plan places them there; the runtime does not check it';
    return { other, bytes: o.hi - o.lo, first: o.first, last: o.last, reason };
  });
}

// inTiles says why a tensor in tiles is in memory.
function inTiles(t) {
  const [made, read] = [t.producers, t.consumers].map((list) => count(list.length, 'step'));
  return `Written by ${made} and read by ${read}. Each of its bytes is held from the step that writes it to the last one that reads it.`;
}

const at = (op) => `${op.label} at position ${op.position}`;

// why says in one sentence why a tensor is in memory for as long as it is.
export function why(graph, t) {
  if (t.role === 'scratch') {
    const op = graph.operators[t.first_op];
    return `Scratch that the kernel of ${op ? at(op) : 'an operator'} uses while it runs.`;
  }
  const kept = { weight: 'Prefetched weights, held until their layer has computed.', resident: 'Weights that stay in memory from run to run.', block: `Requested by the program at event ${t.first_op} and released after event ${t.last_op}.` };
  if (kept[t.role]) return kept[t.role];
  if (graph.tiled) return inTiles(t);
  if (graph.layers) return `Held from the layer that makes it, ${t.first_op}, to the last one that reads it, ${t.last_op}.`;
  const made = t.producers[0];
  const read = t.consumers.at(-1);
  let text = made ? `Made by ${at(made)}` : 'There before the run';
  if (t.role === 'input') text = 'An input of the model, which has to be there before it is read';
  if (t.role === 'variable') text = 'A variable, which keeps its value from one run to the next';
  if (t.role === 'output') return `${text}; it is an output of the model, so it stays until the end.`;
  if (!read) return `${text}; nothing reads it, but the runtime still reserves memory for it.`;
  if (t.consumers.length > 1) text += `, read by ${count(t.consumers.length, 'operator')}`;
  text += `, and read for the last time by ${at(read)}`;
  return t.last_op > read.position ? `${text}; it stays until position ${t.last_op}.` : `${text}.`;
}

// neighbours are the tensors that are read or written together with one.
export function neighbours(graph, t) {
  const near = new Set();
  for (const op of t.producers) for (const id of op.inputs) near.add(graph.byID.get(id));
  for (const op of t.consumers) for (const id of op.outputs) near.add(graph.byID.get(id));
  near.delete(undefined);
  near.delete(t);
  return near;
}

// matcher returns what tells whether a tensor or an operator is meant by a search: a regular
// expression where the text is one, or else the text itself.
export function matcher(query) {
  if (!query) return null;
  let expression;
  try {
    expression = new RegExp(query, 'i');
  } catch {
    expression = new RegExp(query.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'i');
  }
  return {
    tensor: (t) => expression.test(t.id) || expression.test(t.name) || expression.test(t.dtype ?? '') || expression.test(t.role) || t.producers.some((op) => expression.test(op.name)),
    operator: (op) => expression.test(op.key) || expression.test(op.name) || op.inputs.some((id) => expression.test(id)) || op.outputs.some((id) => expression.test(id)),
  };
}

// planWords say of a plan how large it is, and what is known of it.
export function planWords(plan) {
  const size = `${plan.word} ${bytes(plan.head_bytes)}`;
  if (plan.proven_optimal) return `${size}, proven best`;
  return plan.lower_bound_bytes > 0 ? `${size}, lower bound ${bytes(plan.lower_bound_bytes)}` : size;
}

// total is what a plan takes: the required arena where it is known, or else what is planned.
export const total = (plan) => plan.required_bytes || plan.head_bytes;
