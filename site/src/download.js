// What can be taken away: the picture as SVG or PNG, the plan as CSV, all that is known as JSON.
import { printable } from './dom.js';
import { colour, fill, hatch } from './look.js';
import { boxes, curveHeight, label, laneHeight, lanes, levels, margin, rows, shared, stepText, stepTicks, tail } from './scene.js';

// save offers a file to be kept.
export function save(name, type, content) {
  const blob = content instanceof Blob ? content : new Blob([content], { type });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// fileName is a name for a file about a model.
export function fileName(input, plan, extension) {
  const base = input.split(/[/\\:]/).at(-1).replace(/\.tflite$/, '').replace(/[^\w.-]+/g, '_') || 'model';
  return `${base}-${plan}.${extension}`;
}

const cell = (value) => {
  const text = String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

// csv has a line for each tensor, with its offset in each of the plans.
export function csv(plans) {
  const graph = plans[0].graphOf;
  const same = plans.filter((p) => p.graphOf === graph);
  const heads = ['id', 'name', 'role', 'dtype', 'shape', 'size_bytes', 'first_op', 'last_op', ...same.map((p) => `offset_bytes_${p.name}`)];
  const lines = graph.tensors.map((t) => [t.id, t.name, t.role, t.dtype, t.shape?.join('x'), t.size_bytes, t.first_op, t.last_op, ...same.map((p) => p.offsets_bytes[t.index])]);
  return [heads, ...lines].map((line) => line.map(cell).join(',')).join('\r\n') + '\r\n';
}

// json is the part of the document that is about one model.
export function json(text, index) {
  const document = JSON.parse(text);
  return JSON.stringify({ ...document, models: [document.models[index]] }, null, 1);
}

// png is a picture of all panes, one below the other, as they are, with a legend. Canvas.toBlob would wait for a moment in
// which the browser is idle, and Chromium lets people wait for many seconds until there is one.
export function png(panes, legend) {
  const ratio = panes[0].ratio;
  const title = 24;
  const canvas = document.createElement('canvas');
  const c = canvas.getContext('2d');
  c.font = small;
  const { placed, height } = rows(legend, panes[0].frame.width, (words) => c.measureText(words).width);
  const high = panes.reduce((sum, p) => sum + p.frame.height + p.lower + title, height);
  canvas.width = panes[0].map.width;
  canvas.height = Math.round(high * ratio);
  c.fillStyle = colour('back');
  c.fillRect(0, 0, canvas.width, canvas.height);
  c.setTransform(ratio, 0, 0, ratio, 0, 0);
  c.font = small;
  for (const { x, y, words, shades, hatched } of placed) {
    c.fillStyle = hatched ? hatch(c) : colour(shades[0]);
    c.fillRect(x, y + 4, 12, 12);
    c.fillStyle = colour('text');
    c.fillText(words, x + 18, y + 14);
  }
  let y = height;
  for (const pane of panes) {
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.fillStyle = colour('text');
    c.font = 'bold 13px system-ui, sans-serif';
    c.fillText(pane.words(), 8, y + 16);
    y += title;
    c.drawImage(pane.map, 0, y, pane.frame.width, pane.frame.height);
    c.drawImage(pane.curve, 0, y + pane.frame.height, pane.frame.width, pane.lower);
    y += pane.frame.height + pane.lower;
  }
  const [, text] = canvas.toDataURL('image/png').split(',');
  return Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
}

const escape = (text) => String(text).replace(/[&<>"']/g, (c) => `&#${c.codePointAt(0)};`).replace(/[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/gu, '');
const r = (n) => Math.round(n * 100) / 100;

const small = '11px sans-serif';

// svg is the same as a drawing.
export function svg(panes, legend) {
  const width = panes[0].frame.width;
  const { placed, height } = rows(legend, width, (words) => words.length * 6.6);
  const parts = placed.map(({ x, y, words, shades, hatched }) => `<rect class="swatch" x="${x}" y="${y + 4}" width="12" height="12" fill="${hatched ? 'url(#shared)' : colour(shades[0])}"/>`
    + `<text x="${x + 18}" y="${y + 14}" fill="${colour('text')}">${escape(printable(words))}</text>`);
  let y = height;
  for (const pane of panes) {
    parts.push(`<g transform="translate(0,${y})">${drawing(pane)}</g>`);
    y += pane.frame.height + pane.lower + 24;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${y}" viewBox="0 0 ${width} ${y}" font-family="sans-serif" font-size="11">`
    + `<defs><pattern id="shared" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="2" height="8" fill="${colour('overlap-0')}"/></pattern></defs>`
    + `<rect width="${width}" height="${y}" fill="${colour('back')}"/>${parts.join('')}</svg>\n`;
}

function drawing(pane) {
  const view = pane.view();
  const area = { left: margin.left, right: view.width - margin.right, top: margin.top, bottom: view.height - margin.bottom };
  const rect = (b, paint, inner) => {
    const [x0, y0] = [Math.max(b.x, area.left), Math.max(b.y, area.top)];
    const [x1, y1] = [Math.min(b.x + b.w, area.right), Math.min(b.y + b.h, area.bottom)];
    return `<rect x="${r(x0)}" y="${r(y0)}" width="${r(Math.max(x1 - x0, 0))}" height="${r(Math.max(y1 - y0, 0))}" fill="${paint}">${inner ?? ''}</rect>`;
  };
  const ink = colour('text');
  const out = [`<text x="8" y="16" font-size="13" font-weight="bold" fill="${ink}">${escape(pane.words())}</text><g transform="translate(0,24)">`];
  for (const t of view.ticks) {
    const at = r(view.y(t.value));
    out.push(`<path d="M${area.left} ${at}H${area.right}" stroke="${colour('grid')}"/><text x="${area.left - 8}" y="${at + 4}" text-anchor="end" fill="${ink}">${escape(t.text)}</text>`);
  }
  const end = tail(view.plan);
  if (end) {
    const b = { x: area.left, y: view.y(end.hi), w: area.right - area.left, h: view.y(end.lo) - view.y(end.hi) };
    if (b.y < area.bottom && b.y + b.h > area.top) out.push(rect(b, colour('tail'), `<title>${escape(end.words)}</title>`));
  }
  const list = boxes(view.plan, view.x, view.y, area);
  for (const b of list) out.push(rect(b, fill(b.of), `<title>${escape(`${b.of.id} ${printable(b.of.name)}`)}</title>`));
  for (const b of shared(view.plan, view.x, view.y, area)) out.push(rect(b, 'url(#shared)'));
  for (const b of list) {
    const left = Math.max(b.x, area.left);
    const words = b.h >= 13 ? label(b.of, Math.min(b.x + b.w, area.right) - left, 6.6) : '';
    const middle = Math.min(Math.max(b.y + b.h / 2 + 4, area.top + 10), area.bottom - 3);
    if (words) out.push(`<text x="${r(left + 4)}" y="${r(middle)}" fill="${ink}">${escape(words)}</text>`);
  }
  for (const l of levels(view.plan, view.budgets, view.y)) {
    const at = r(view.y(l.value));
    if (at < area.top || at > area.bottom) continue;
    out.push(`<path class="${l.name}" d="M${area.left} ${at}H${area.right}" stroke="${colour(l.name)}" stroke-width="1.5"${l.dash ? ` stroke-dasharray="${l.dash.join(' ')}"` : ''}/>`
      + `<text x="${r(area.left + 4 + l.at * (area.right - area.left - 8))}" y="${at + (l.below ? 12 : -3)}" text-anchor="${l.anchor}" fill="${colour(l.name)}" stroke="${colour('back')}" stroke-width="3" paint-order="stroke">${escape(l.words)}</text>`);
  }
  const { load: sections, most } = view.plan.graphOf;
  for (const s of sections) {
    const b = { x: view.x(s.first), w: Math.max(view.x(s.last + 1) - view.x(s.first), 0.5), y: view.height + view.load(s.bytes), h: view.load(0) - view.load(s.bytes) };
    if (b.x < area.right && b.x + b.w > area.left) out.push(`<rect x="${r(Math.max(b.x, area.left))}" y="${r(b.y)}" width="${r(Math.min(b.x + b.w, area.right) - Math.max(b.x, area.left))}" height="${r(b.h)}" fill="${colour(s === most ? 'peak' : 'load')}"/>`);
  }
  const times = view.plan.graphOf.layers ? lanes(view) : [];
  for (const lane of times) {
    const top = view.height + lane.top;
    out.push(`<text x="${area.left - 8}" y="${top + 13}" text-anchor="end" fill="${ink}">${lane.name}</text>`);
    for (const b of lane.bars) out.push(`<rect x="${r(b.left)}" y="${top}" width="${r(b.width)}" height="${laneHeight - 4}" fill="${colour(b.colour)}"/>`);
  }
  for (const t of stepTicks(view.plan.graphOf, view.x)) {
    out.push(`<text transform="translate(${r(t.at)},${r(view.height + curveHeight + times.length * laneHeight + 12)}) rotate(-40)" text-anchor="end" fill="${ink}">${escape(stepText(t.text, t.at))}</text>`);
  }
  return `${out.join('')}</g>`;
}
