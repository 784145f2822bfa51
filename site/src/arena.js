// The whole arena: the head, and the parts of the tail, of one or two plans.
import { bytes, h, number, percent } from './dom.js';
import { term } from './glossary.js';
import { total } from './model.js';

// arena returns bars and a table; it is null where only the head is known.
export function arena(panes, budget) {
  const plans = panes.map((p) => p.plan);
  if (plans.some((p) => !p.used_bytes)) return null;
  const most = Math.max(...plans.map((p) => Math.max(p.required_bytes, p.used_bytes)), budget ?? 0);
  return [
    ...panes.map((pane) => bar(pane, most, budget, panes.length > 1)),
    budget ? h('p', { class: 'muted' }, `The line across is the budget, ${bytes(budget)}.`) : null,
    h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Parts of the arena' }, table(panes)),
  ];
}

function bar(pane, most, budget, named) {
  const { plan } = pane;
  const parts = [{ name: 'head', size_bytes: plan.head_bytes }, ...plan.parts];
  let at = 0;
  const ns = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(ns, 'svg');
  svg.setAttribute('viewBox', '0 0 1000 30');
  svg.setAttribute('preserveAspectRatio', 'none');
  svg.setAttribute('class', 'bar');
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', `Arena ${pane.title}: required ${bytes(plan.required_bytes)}, used ${bytes(plan.used_bytes)}, head ${bytes(plan.head_bytes)} and tail ${bytes(plan.tail_bytes)}`);
  const add = (x, w, className, title) => {
    const rect = document.createElementNS(ns, 'rect');
    for (const [k, v] of Object.entries({ x, y: 2, width: w, height: 26, class: className })) rect.setAttribute(k, v);
    const words = document.createElementNS(ns, 'title');
    words.textContent = title;
    rect.append(words);
    svg.append(rect);
  };
  for (const [i, p] of parts.entries()) {
    const w = 1000 * p.size_bytes / most;
    add(at, w, i === 0 ? 'head' : `tail tail-${i % 3}`, `${p.name}: ${bytes(p.size_bytes)}, ${percent(p.size_bytes, plan.used_bytes)}`);
    at += w;
  }
  if (budget) add(1000 * budget / most - 1, 2, 'limit', `budget ${bytes(budget)}`);
  return h('figure', { class: 'arena' },
    h('figcaption', {}, named ? h('b', {}, `${pane.title}: `) : null, term('required'), ` ${bytes(plan.required_bytes)}, `, term('used'), ` ${bytes(plan.used_bytes)} = `, term('head'), ` ${number(plan.head_bytes)} + `, term('tail'), ` ${number(plan.tail_bytes)}`), svg);
}

function table(panes) {
  const plans = panes.map((p) => p.plan);
  const names = ['head', ...new Set(plans.flatMap((p) => p.parts.map((x) => x.name)))];
  const size = (p, name) => (name === 'head' ? p.head_bytes : p.parts.find((x) => x.name === name)?.size_bytes ?? 0);
  const line = (name, of, strong) => {
    const values = plans.map(of);
    const cells = values.map((v) => h('td', { class: 'number' }, number(v)));
    if (plans.length > 1) cells.push(h('td', { class: 'number' }, difference(values[1] - values[0])));
    return h('tr', { class: strong ? 'sum' : null }, h('th', { scope: 'row' }, name), cells);
  };
  return h('table', {}, h('caption', {}, 'What the arena holds, in bytes'),
    h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'part'), panes.map((p) => h('th', { scope: 'col', class: 'number' }, panes.length > 1 ? p.title : 'bytes')),
      plans.length > 1 ? h('th', { scope: 'col', class: 'number' }, 'difference') : null)),
    h('tbody', {}, names.map((n) => line(n, (p) => size(p, n))), line('used', (p) => p.used_bytes, true), line('required', total, true)));
}

// difference writes how much more or less there is.
export function difference(n) {
  if (n === 0) return '0';
  return n > 0 ? `+${number(n)}` : `−${number(-n)}`;
}
