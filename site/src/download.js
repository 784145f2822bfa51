// What can be taken away: the picture as SVG or PNG, the plan as CSV, all that is known as JSON.
import { printable } from './dom.js';
import { colour, fill } from './look.js';
import { boxes, curveHeight, label, margin, shared, stepText, stepTicks } from './scene.js';

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

// png is a picture of all panes, one below the other, as they are. Canvas.toBlob would wait for a moment in
// which the browser is idle, and Chromium lets people wait for many seconds until there is one.
export function png(panes) {
  const ratio = panes[0].ratio;
  const title = 24;
  const high = panes.reduce((sum, p) => sum + p.frame.height + p.lower + title, 0);
  const canvas = document.createElement('canvas');
  canvas.width = panes[0].map.width;
  canvas.height = Math.round(high * ratio);
  const c = canvas.getContext('2d');
  c.fillStyle = colour('back');
  c.fillRect(0, 0, canvas.width, canvas.height);
  let y = 0;
  for (const pane of panes) {
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.fillStyle = colour('text');
    c.font = 'bold 13px system-ui, sans-serif';
    c.fillText(`${pane.title}: ${pane.words()}`, 8, y + 16);
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

// svg is the same as a drawing.
export function svg(panes) {
  const width = panes[0].frame.width;
  const parts = [];
  let y = 0;
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
  const out = [`<text x="8" y="16" font-size="13" font-weight="bold" fill="${ink}">${escape(`${pane.title}: ${pane.words()}`)}</text><g transform="translate(0,24)">`];
  for (const t of view.ticks) {
    const at = r(view.y(t.value));
    out.push(`<path d="M${area.left} ${at}H${area.right}" stroke="${colour('grid')}"/><text x="${area.left - 8}" y="${at + 4}" text-anchor="end" fill="${ink}">${escape(t.text)}</text>`);
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
  for (const [value, stroke] of [[view.plan.lower_bound_bytes, 'bound'], [view.plan.head_bytes, 'peak']]) {
    const at = r(view.y(value));
    if (value > 0 && at >= area.top && at <= area.bottom) out.push(`<path d="M${area.left} ${at}H${area.right}" stroke="${colour(stroke)}" stroke-width="1.5"${stroke === 'bound' ? ' stroke-dasharray="6 4"' : ''}/>`);
  }
  const { load: sections, most } = view.plan.graphOf;
  for (const s of sections) {
    const b = { x: view.x(s.first), w: Math.max(view.x(s.last + 1) - view.x(s.first), 0.5), y: view.height + view.load(s.bytes), h: view.load(0) - view.load(s.bytes) };
    if (b.x < area.right && b.x + b.w > area.left) out.push(`<rect x="${r(Math.max(b.x, area.left))}" y="${r(b.y)}" width="${r(Math.min(b.x + b.w, area.right) - Math.max(b.x, area.left))}" height="${r(b.h)}" fill="${colour(s === most ? 'peak' : 'load')}"/>`);
  }
  for (const t of stepTicks(view.plan.graphOf, view.x)) {
    out.push(`<text transform="translate(${r(t.at)},${r(view.height + curveHeight + 12)}) rotate(-40)" text-anchor="end" fill="${ink}">${escape(stepText(t.text, t.at))}</text>`);
  }
  return `${out.join('')}</g>`;
}
