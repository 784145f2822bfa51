// What is in a picture of a plan, in pixels: the page draws it on a canvas, and a download as SVG.
import { scaleLinear } from 'd3-scale';
import { elide, short } from './dom.js';
import { overlaps } from './model.js';

export const margin = { left: 84, right: 14, top: 14, bottom: 4 };
const names = 96; // the room for operators' names below the map
const numbers = 44; // and for numbers
export const curveHeight = 96;
export const laneHeight = 22; // of the loader and of the processor, where there are such
export const slant = 40 * Math.PI / 180; // at which these names rise

// lower is the height of what is below the map.
export const lower = (graph) => curveHeight + (graph.layers ? 2 * laneHeight + 4 : 0) + (graph.operators.length > 0 && !graph.layers ? names : numbers);

// frame returns the scales of the map of a plan, before it is zoomed. Plans are all that are shown
// together: the same height is the same address on all maps. Each is as wide as its own run, since positions of models
// with other operators have nothing in common.
export function frame(plan, plans, width, height) {
  const { first, last } = plan.graphOf;
  const most = Math.max(...plans.map((p) => p.end));
  return {
    width, height,
    x: across(plan.graphOf, [first, last + 1], [margin.left, width - margin.right]),
    y: scaleLinear([0, most * 1.07], [height - margin.bottom, margin.top]),
  };
}

// across returns the scale of positions. Where it is known when they begin, it is that of time, or of
// the steps of a plan in tiles beside it.
function across(graph, domain, range) {
  if (!graph.starts) return scaleLinear(domain, range);
  const time = scaleLinear([0, graph.starts.at(-1) || 1], range);
  return timed(graph.starts, time);
}

// timed is a scale of positions that begin at given times.
function timed(starts, time) {
  const moment = (p) => {
    const i = Math.max(0, Math.min(Math.floor(p), starts.length - 2));
    return starts[i] + (p - i) * (starts[i + 1] - starts[i]);
  };
  const x = (p) => time(moment(p));
  x.time = time;
  x.range = () => time.range();
  x.invert = (px) => {
    const ms = time.invert(px);
    const after = starts.findIndex((s) => s > ms);
    const i = after < 0 ? starts.length - 2 : Math.max(after - 1, 0);
    return i + (ms - starts[i]) / (starts[i + 1] - starts[i] || 1);
  };
  x.domain = () => time.range().map(x.invert);
  x.zoomed = (transform) => timed(starts, transform.rescaleX(time));
  return x;
}

// zoomed is a scale of positions after a transform.
export const zoomed = (x, transform) => (x.zoomed ? x.zoomed(transform) : transform.rescaleX(x));

// boxes returns the rectangles of the tensors of a plan that can be seen. One that would be too
// small to be seen is drawn a little larger.
export function boxes(plan, x, y, area) {
  const list = [];
  for (const t of plan.graphOf.tensors) {
    const base = plan.offsets_bytes[t.index];
    for (const p of t.pieces) add(list, t, p.first, p.last, base + p.lo, base + p.hi, x, y, area);
  }
  return list;
}

// shared returns the rectangles in which two tensors hold the same bytes.
export function shared(plan, x, y, area) {
  const list = [];
  for (const o of overlaps(plan)) add(list, o, o.first, o.last, o.lo, o.hi, x, y, area);
  return list;
}

function add(list, of, first, last, lo, hi, x, y, area) {
  if (hi <= lo) return;
  const box = { of, x: x(first), y: y(hi), w: x(last + 1) - x(first), h: y(lo) - y(hi) };
  if (box.x > area.right || box.x + box.w < area.left || box.y > area.bottom || box.y + box.h < area.top) return;
  box.w = Math.max(box.w, 1);
  box.h = Math.max(box.h, 1);
  list.push(box);
}

// lanes returns what the loader and the processor do, and where the processor waits.
export function lanes({ plan, x, width }) {
  const { layers } = plan.graphOf;
  const bars = (colour, from, to) => layers.map((l) => {
    const [left, right] = [Math.max(x.time(from(l)), margin.left), Math.min(x.time(to(l)), width - margin.right)];
    return { colour, left, width: right > left ? Math.max(right - left - (right - left > 3), 1) : 0 };
  }).filter((b) => b.width > 0);
  return [
    { name: 'loader', bars: bars('scratch-0', (l) => l.load_begin_ms, (l) => l.load_end_ms) },
    { name: 'processor', bars: [...bars('output-0', (l) => l.compute_begin_ms, (l) => l.compute_end_ms), ...bars('bound', (l) => l.compute_begin_ms - l.wait_ms, (l) => l.compute_begin_ms)] },
  ].map((lane, i) => ({ ...lane, top: curveHeight + 4 + i * laneHeight }));
}

// levels returns the lines across the map of a plan, with their names and where these begin or end, as parts of the width: each
// has a place of its own, since lines may be close to each other. A name is below its line if it would be on another above.
export function levels(plan, budgets, y) {
  const bound = plan.lower_bound_bytes;
  const { word, head_bytes: head, arena } = plan;
  const line = (name, value, words, at, anchor, more) => ({ name, value, words: `${words} ${short(value)}`, at, anchor, ...more });
  return [
    bound > 0 && bound < head && line('bound', bound, 'lower bound', 0.8, 'end', { dash: [6, 4], below: true }),
    line('peak', head, plan.proven_optimal && head === bound ? `${word} = lower bound` : word, 1, 'end', { below: arena > 0 && y(head) - y(arena) < 14 }),
    arena > 0 && line('text', arena, 'required arena', 0, 'start'),
    ...budgets.map(([value, words, ofArena]) => (ofArena && !arena ? null : line('budget', value, words, 0.4, 'start', { dash: [2, 3], below: true }))),
  ].filter(Boolean);
}

// tail returns the addresses of the tail of the arena, null where it is not known.
export const tail = (plan) => (plan.arena ? { lo: plan.arena - plan.tail_bytes, hi: plan.arena, words: `tail ${short(plan.tail_bytes)}` } : null);

// rows places entries of a legend side by side, in as many rows as a width requires; long returns the length
// of words.
export function rows(list, width, long) {
  const height = 18;
  let [x, y] = [8, 0];
  const placed = list.map((entry) => {
    const words = elide(entry.words, 60);
    const w = 18 + long(words) + 14;
    if (x > 8 && x + w > width) [x, y] = [8, y + height];
    const at = { ...entry, words, x, y };
    x += w;
    return at;
  });
  return { placed, height: y + height + 4 };
}

// label returns what fits into a box, given how wide a character is.
export function label(t, w, character) {
  const room = Math.floor((w - 6) / character);
  const characters = [...(t.label ? `${t.id} ${t.label}` : t.id)];
  if (characters.length <= room) return characters.join('');
  if (room < [...t.id].length) return '';
  if (room < [...t.id].length + 5) return t.id;
  return `${characters.slice(0, room - 1).join('')}…`;
}

// byteTicks returns round numbers of one binary unit up to the ends of a scale.
export function byteTicks(y, count) {
  const [a, b] = y.domain();
  const span = Math.max(Math.abs(a), Math.abs(b));
  const [unit, bytes] = [['GiB', 2 ** 30], ['MiB', 2 ** 20], ['KiB', 2 ** 10], ['B', 1]].find(([, n]) => span >= n * 4 || n === 1);
  const inUnits = scaleLinear([a / bytes, b / bytes], [0, 1]);
  const format = inUnits.tickFormat(count);
  return inUnits.ticks(count).filter((v) => v >= 0 && (bytes > 1 || Number.isInteger(v))).map((v) => ({ value: v * bytes, text: `${format(v)} ${unit}` }));
}

// stepTicks returns positions with the operators' names where there is room for all of them, and
// fewer where there is not.
export function stepTicks(graph, x) {
  if (graph.start_steps) return apart(graph.operators.map((op) => ({ at: (x(op.position) + x(op.position + 1)) / 2, text: op.title })));
  if (x.time) {
    const format = x.time.tickFormat(12);
    return x.time.ticks(12).map((ms) => ({ at: x.time(ms), text: `${format(ms)} ms` }));
  }
  const [a, b] = x.domain();
  const perStep = Math.abs(x(1) - x(0));
  const every = Math.max(1, Math.ceil(15 / perStep));
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000, 200000, 500000, 1e6].find((s) => s >= every) ?? every;
  const list = [];
  for (let p = Math.max(Math.ceil(a / step) * step, graph.first); p < b && p <= graph.last; p += step) {
    const op = graph.operators[p];
    list.push({ at: x(p + 0.5), text: op?.title ?? `${p}` });
  }
  return list;
}

// apart leaves out of a list of ticks those that are too close to the one before.
function apart(list) {
  let last = -Infinity;
  return list.filter((t) => {
    const keep = t.at - last >= 18;
    if (keep) last = t.at;
    return keep;
  });
}

// stepText is as much of what is below a position as has room there: it rises to its place from the
// left, and may not begin outside of the picture.
export function stepText(text, x) {
  const perCharacter = 5.2; // pixels from left to right, at an angle of 40 degrees
  return elide(text, Math.min(17, Math.floor(x / perCharacter)));
}
