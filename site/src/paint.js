// Paints a map and its load curve on a canvas.
import { colour, fill, hatch } from './look.js';
import { boxes, label, margin, shared } from './scene.js';

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
  const list = boxes(plan, x, y, area);
  for (const b of list) {
    context.globalAlpha = view.found && !view.found.has(b.of) ? 0.18 : 1;
    context.fillStyle = fill(b.of);
    context.fillRect(b.x, b.y, b.w, b.h);
    if (b.w > 3 && b.h > 3) {
      context.strokeStyle = colour('back');
      context.lineWidth = 1;
      context.strokeRect(b.x + 0.5, b.y + 0.5, b.w - 1, b.h - 1);
    }
  }
  context.fillStyle = hatch(context);
  context.globalAlpha = 1;
  for (const b of shared(plan, x, y, area)) context.fillRect(b.x, b.y, b.w, b.h);
  context.fillStyle = colour('text');
  const halo = plan.overlapList.length > 0;
  for (const b of list) text(context, b, area, halo);
  for (const b of list) {
    if (b.of === view.picked) outline(context, b, colour('pick'), 3);
    else if (view.near?.has(b.of)) outline(context, b, colour('near'), 2);
  }
  rules(context, view, area);
  context.restore();
}

// lines draws the grid, and the operator that is picked as a band.
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
  if (view.position === null) return;
  context.fillStyle = colour('near');
  context.globalAlpha = 0.25;
  context.fillRect(view.x(view.position), area.top, Math.max(view.x(view.position + 1) - view.x(view.position), 1), area.bottom - area.top);
  context.globalAlpha = 1;
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

// rules draws the lower bound and the end of the plan across the map.
function rules(context, view, area) {
  const { plan, y } = view;
  const line = (value, stroke, dash, words, above) => {
    const at = y(value);
    context.strokeStyle = stroke;
    context.lineWidth = 1.5;
    context.setLineDash(dash);
    context.beginPath();
    context.moveTo(area.left, at);
    context.lineTo(area.right, at);
    context.stroke();
    context.setLineDash([]);
    context.textAlign = 'right';
    context.fillStyle = stroke;
    context.fillText(words, area.right - 4, at + (above ? -7 : 8));
    context.textAlign = 'left';
  };
  if (plan.lower_bound_bytes > 0 && plan.lower_bound_bytes < plan.head_bytes) line(plan.lower_bound_bytes, colour('bound'), [6, 4], 'lower bound', false);
  line(plan.head_bytes, colour('peak'), [], plan.proven_optimal ? 'head = lower bound' : 'head', true);
  if (view.budget) line(view.budget, colour('budget'), [2, 3], 'budget of the head', true);
}

// curve paints how many bytes are alive at each position.
export function curve(context, view) {
  const { x, load, width, height } = view;
  const graph = view.plan.graphOf;
  context.clearRect(0, 0, width, height);
  context.save();
  context.beginPath();
  context.rect(margin.left, 0, width - margin.left - margin.right, height);
  context.clip();
  context.fillStyle = colour('load');
  for (const op of graph.operators) {
    const left = x(op.position);
    const right = x(op.position + 1);
    if (right < margin.left || left > width - margin.right) continue;
    context.fillStyle = op === graph.peak ? colour('peak') : colour('load');
    context.fillRect(left, load(op.breadth_bytes), Math.max(right - left - (right - left > 4 ? 1 : 0), 1), load(0) - load(op.breadth_bytes));
  }
  if (view.position !== null) {
    context.strokeStyle = colour('pick');
    context.lineWidth = 2;
    context.strokeRect(x(view.position), 1, Math.max(x(view.position + 1) - x(view.position), 1), height - 2);
  }
  const at = load(view.plan.lower_bound_bytes);
  context.strokeStyle = colour('bound');
  context.setLineDash([6, 4]);
  context.beginPath();
  context.moveTo(margin.left, at);
  context.lineTo(width - margin.right, at);
  context.stroke();
  context.restore();
}
