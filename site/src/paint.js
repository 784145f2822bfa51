// Paints a map and its load curve on a canvas.
import { short } from './dom.js';
import { colour, fill, hatch } from './look.js';
import { boxes, byteTicks, curveHeight, label, laneHeight, lanes, levels, lower, margin, shared, slant, stepText, stepTicks, tail } from './scene.js';

const font = '11px system-ui, sans-serif';

// map paints what lies where. Of view it reads the plan, the scales, the size, and what is picked,
// near to that, or found by a search.
export function map(context, view) {
  const { plan, x, y, width, height } = view;
  const area = { left: margin.left, right: width - margin.right, top: margin.top, bottom: height - margin.bottom };
  context.clearRect(0, 0, width, height);
  context.save();
  context.beginPath();
  context.rect(area.left, area.top, area.right - area.left, area.bottom - area.top);
  context.clip();
  lines(context, view, area);
  context.font = font;
  context.textBaseline = 'middle';
  persistent(context, view, area);
  const list = boxes(plan, x, y, area);
  for (const b of list) {
    context.globalAlpha = strength(view, b.of);
    context.fillStyle = fill(b.of);
    // Whole pixels are drawn fastest, and one of them stays free between neighbours.
    const [left, top] = [Math.max(Math.round(b.x), area.left - 1), Math.max(Math.round(b.y), area.top - 1)];
    const [right, bottom] = [Math.min(Math.round(b.x + b.w), area.right + 1), Math.min(Math.round(b.y + b.h), area.bottom + 1)];
    context.fillRect(left, top, Math.max(right - left - (right - left > 3), 1), Math.max(bottom - top - (bottom - top > 3), 1));
  }
  context.globalAlpha = 1;
  const both = shared(plan, x, y, area);
  if (both.length > 0) context.fillStyle = hatch(context);
  for (const b of both) context.fillRect(b.x, b.y, b.w, b.h);
  context.fillStyle = colour('text');
  const halo = plan.overlapList.length > 0;
  for (const b of list) text(context, b, area, halo);
  mark(context, list, view);
  band(context, view, area);
  rules(context, view, area);
  context.restore();
  scale(context, view.ticks, y, area.top, area.bottom);
}

// strength is less for tensors that a search does not find, or that are not in memory at the picked position.
function strength({ found, position }, t) {
  if (found && !found.has(t)) return 0.18;
  return position !== null && (t.first_op > position || t.last_op < position) ? 0.35 : 1;
}

// persistent draws the tail at the end of the arena.
function persistent(context, view, area) {
  const t = tail(view.plan);
  if (!t) return;
  const [top, bottom] = [view.y(t.hi), view.y(t.lo)];
  context.fillStyle = colour('tail');
  context.fillRect(area.left, top, area.right - area.left, bottom - top);
  if (bottom - top < 13) return;
  context.fillStyle = colour('text');
  context.fillText(t.words, area.left + 4, Math.min(Math.max((top + bottom) / 2, area.top + 7), area.bottom - 7));
}

// mark outlines what is picked and what is near to that. A tensor in tiles has one outline for all of its
// pieces: what the others' outlines cover of a piece is painted again.
function mark(context, list, view) {
  const marked = list.filter((b) => b.of === view.picked || view.near?.has(b.of));
  const { tiled } = view.plan.graphOf;
  for (const b of marked) {
    const [stroke, width] = b.of === view.picked ? ['pick', 3] : ['near', 2];
    outline(context, b, colour(stroke), tiled ? 2 * width : width);
  }
  if (!tiled) return;
  for (const b of marked) {
    context.fillStyle = fill(b.of);
    context.fillRect(b.x, b.y, b.w, b.h);
  }
}

// scale writes what the axis of bytes says, to the left of what it measures.
function scale(context, ticks, y, top, bottom) {
  context.font = font;
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  context.fillStyle = colour('text');
  context.strokeStyle = colour('muted');
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(margin.left - 0.5, top);
  context.lineTo(margin.left - 0.5, bottom);
  for (const t of ticks) {
    const at = Math.round(y(t.value)) + 0.5;
    if (at < top - 1 || at > bottom + 1) continue;
    context.moveTo(margin.left - 5, at);
    context.lineTo(margin.left, at);
    context.fillText(t.text, margin.left - 8, Math.min(at, bottom - 4));
  }
  context.stroke();
  context.textAlign = 'left';
}

// below writes the operators below the curve.
function below(context, { x, plan, width }) {
  context.font = font;
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  context.fillStyle = colour('text');
  context.strokeStyle = colour('muted');
  context.beginPath();
  context.moveTo(margin.left, curveHeight + 0.5);
  context.lineTo(width - margin.right, curveHeight + 0.5);
  for (const t of stepTicks(plan.graphOf, x)) {
    const { at } = t;
    if (at < margin.left || at > width - margin.right) continue;
    context.moveTo(at, curveHeight);
    context.lineTo(at, curveHeight + 5);
    context.save();
    context.translate(at, curveHeight + 10);
    context.rotate(-slant);
    context.fillText(stepText(t.text, at), 0, 0);
    context.restore();
  }
  context.stroke();
  context.textAlign = 'left';
}

// lines draws the grid.
function lines(context, view, area) {
  context.strokeStyle = colour('grid');
  context.lineWidth = 1;
  for (const tick of view.ticks) {
    const at = Math.round(view.y(tick.value)) + 0.5;
    context.beginPath();
    context.moveTo(area.left, at);
    context.lineTo(area.right, at);
    context.stroke();
  }
}

// band marks the operator that is picked.
function band(context, view, area) {
  if (view.position === null) return;
  const [left, width] = [view.x(view.position), Math.max(view.x(view.position + 1) - view.x(view.position), 1)];
  context.strokeStyle = colour('pick');
  context.lineWidth = 1;
  context.strokeRect(left, area.top, width, area.bottom - area.top);
}

// text writes a tensor's name into its box, in the part of it that can be seen.
function text(context, b, area, halo) {
  const left = Math.max(b.x, area.left);
  const w = Math.min(b.x + b.w, area.right) - left;
  if (b.h < 13 || w < 24) return;
  const words = label(b.of, w, 6.2);
  if (!words) return;
  const at = [left + 4, Math.min(Math.max(b.y + b.h / 2, area.top + 7), area.bottom - 7)];
  if (halo) {
    context.strokeStyle = fill(b.of);
    context.lineWidth = 4;
    context.strokeText(words, ...at);
  }
  context.fillText(words, ...at);
}

function outline(context, b, stroke, width) {
  context.strokeStyle = stroke;
  context.lineWidth = width;
  context.strokeRect(b.x, b.y, b.w, b.h);
}

// rules draws the levels of the plan across the map.
function rules(context, view, area) {
  for (const l of levels(view.plan, view.budgets, view.y)) {
    const at = view.y(l.value);
    context.strokeStyle = colour(l.name);
    context.lineWidth = 1.5;
    context.setLineDash(l.dash ?? []);
    context.beginPath();
    context.moveTo(area.left, at);
    context.lineTo(area.right, at);
    context.stroke();
    context.setLineDash([]);
    context.textAlign = l.anchor;
    const place = [area.left + 4 + l.at * (area.right - area.left - 8), at + (l.below ? 8 : -7)];
    if (l.below) { // where boxes may be
      context.strokeStyle = colour('back');
      context.lineWidth = 3;
      context.strokeText(l.words, ...place);
    }
    context.fillStyle = colour(l.name);
    context.fillText(l.words, ...place);
    context.textAlign = 'left';
  }
}

// curve paints how many bytes are alive at each position, and the operators below.
export function curve(context, view) {
  const { x, load, width } = view;
  const graph = view.plan.graphOf;
  context.clearRect(0, 0, width, lower(view.plan.graphOf));
  context.font = font;
  const { layers } = view.plan.graphOf;
  if (layers) drawLanes(context, view);
  context.save();
  context.translate(0, layers ? 2 * laneHeight + 4 : 0);
  below(context, view);
  context.restore();
  scale(context, byteTicks(load, 2), load, load.range()[1] - 8, curveHeight);
  context.save();
  context.beginPath();
  context.rect(margin.left, 0, width - margin.left - margin.right, curveHeight);
  context.clip();
  context.fillStyle = colour('load');
  context.beginPath();
  steps(context, view);
  context.fill();
  if (view.position !== null) {
    context.strokeStyle = colour('pick');
    context.lineWidth = 2;
    context.strokeRect(x(view.position), 1, Math.max(x(view.position + 1) - x(view.position), 1), curveHeight - 2);
  }
  if (graph.most) peak(context, view, graph.most);
  if (view.plan.lower_bound_bytes > 0) bound(context, view);
  context.restore();
}

function bound(context, { plan, load, width }) {
  const at = load(plan.lower_bound_bytes);
  context.strokeStyle = colour('bound');
  context.lineWidth = 1.5;
  context.setLineDash([6, 4]);
  context.beginPath();
  context.moveTo(margin.left, at);
  context.lineTo(width - margin.right, at);
  context.stroke();
  context.setLineDash([]);
}

// steps adds the curve to a path: one bar for each operator, and one for each pixel where there are more
// operators than pixels, as high as the highest of them.
function steps(context, { x, load, plan, width }) {
  let [at, end, most] = [0, 0, -1];
  const bar = () => most >= 0 && context.rect(at, load(most), Math.max(end - at - (end - at > 4 ? 1 : 0), 1), load(0) - load(most));
  for (const s of plan.graphOf.load) {
    const [left, right] = [Math.round(x(s.first)), Math.round(x(s.last + 1))];
    if (right < margin.left || left > width - margin.right) continue;
    if (most >= 0 && left === at) {
      [end, most] = [Math.max(end, right), Math.max(most, s.bytes)];
      continue;
    }
    bar();
    [at, end, most] = [left, right, s.bytes];
  }
  bar();
}

// drawLanes draws what the loader and the processor do below the curve.
function drawLanes(context, view) {
  context.textBaseline = 'middle';
  for (const lane of lanes(view)) {
    context.fillStyle = colour('text');
    context.textAlign = 'right';
    context.fillText(lane.name, margin.left - 8, lane.top + 9);
    for (const b of lane.bars) {
      context.fillStyle = colour(b.colour);
      context.fillRect(b.left, lane.top, b.width, laneHeight - 4);
    }
  }
  context.textAlign = 'left';
}

// peak marks where most bytes are alive, which may be narrower than a pixel.
function peak(context, view, s) {
  const at = (view.x(s.first) + view.x(s.last + 1)) / 2;
  if (at < margin.left || at > view.width - margin.right) return;
  const top = view.load(s.bytes);
  context.fillStyle = colour('peak');
  const wide = Math.max(view.x(s.last + 1) - view.x(s.first) - 1, 2);
  context.fillRect(at - wide / 2, top, wide, view.load(0) - top);
  context.beginPath();
  context.moveTo(at - 5, top - 7);
  context.lineTo(at + 5, top - 7);
  context.lineTo(at, top);
  context.fill();
  context.font = font;
  context.textBaseline = 'top';
  const twice = s.bytes > view.plan.head_bytes ? ' (shared bytes count for each tensor)' : '';
  const words = `peak ${short(s.bytes)}${twice}`;
  const left = at + 9 + context.measureText(words).width > view.width - margin.right;
  context.textAlign = left ? 'right' : 'left';
  context.strokeStyle = colour('back');
  context.lineWidth = 4;
  context.strokeText(words, at + (left ? -9 : 9), 2);
  context.fillText(words, at + (left ? -9 : 9), 2);
  context.textAlign = 'left';
}
