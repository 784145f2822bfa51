// What is in a picture of a plan, in pixels: the page draws it on a canvas, and a download as SVG.
import { scaleLinear } from 'd3-scale';
import { elide } from './dom.js';
import { overlaps } from './model.js';

export const margin = { left: 84, right: 14, top: 14, bottom: 4 };
export const names = 96; // the room for operators' names below the map
export const curveHeight = 96;
export const laneHeight = 22; // of the loader and of the processor, where there are such
export const slant = 40 * Math.PI / 180; // at which these names rise

// frame returns the scales of the map of a plan, before it is zoomed. Plans are all that are shown
// together, so that the same place is the same time and the same address on all maps.
export function frame(plan, plans, width, height) {
  const even = plans.map((p) => p.graphOf).filter((g) => !g.starts);
  const domain = [Math.min(...even.map((g) => g.first)), Math.max(...even.map((g) => g.last)) + 1];
  const most = Math.max(...plans.map((p) => p.end));
  return {
    width, height,
    x: across(plan.graphOf, domain, [margin.left, width - margin.right]),
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
