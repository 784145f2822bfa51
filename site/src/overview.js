// The first page of a report of several models.
import { bytes, h, middle, number, percent, printable } from './dom.js';
import { term } from './glossary.js';
import { isBad, total } from './model.js';

// best returns the smallest of the plans that are in a model file, and else of all plans.
export function best(model) {
  const inModel = model.plans.filter((p) => p.in_model && p.name !== 'file');
  const list = inModel.length > 0 ? inModel : model.plans;
  return list.reduce((least, p) => (total(p) < total(least) ? p : least), list[0]);
}

// own returns the plan that there is before anything is done: where no plan is in a model file, that
// of the runtime's planner.
export const own = (model) => model.planByName.get('file') ?? model.planByName.get(model.runtime === 'litert' ? 'litert-arena' : 'tflm-greedy') ?? model.plans[0];

// overview lists the models; choose opens one.
export function overview(models, choose) {
  const most = Math.max(...models.filter((m) => !m.error).map((m) => total(own(m))), 1);
  const line = (m, i) => {
    if (m.error) return h('tr', {}, h('th', { scope: 'row' }, printable(m.input)), h('td', { colspan: '7', class: 'warn' }, `not read: ${printable(m.error.message)}`));
    const [is, could] = [total(own(m)), total(best(m))];
    return h('tr', {},
      h('th', { scope: 'row' }, h('button', { type: 'button', class: 'link', onclick: () => choose(i) }, middle(printable(m.input), 60))),
      h('td', { class: isBad(m) ? 'warn' : null }, m.verdict && m.verdict !== 'REQUIRES' ? m.verdict : ''),
      h('td', { class: 'number' }, number(is)),
      h('td', { class: 'number' }, number(Math.min(could, is))),
      h('td', { class: 'number' }, could < is ? percent(is - could, is) : '0.0 %'),
      h('td', {}, could < is ? best(m).title : own(m).title),
      h('td', { class: 'number' }, number(best(m).lower_bound_bytes)),
      h('td', {}, meter(is, Math.min(could, is), most)));
  };
  const heads = ['model', 'verdict', [term('required'), ' (B)'], 'best (B)', 'gain', 'how', [term('lower bound'), ' of the ', term('head'), ' (B)'], ''];
  return h('section', { 'aria-labelledby': 'overview-title' },
    h('h2', { id: 'overview-title' }, `${models.length} models`),
    h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'All models' },
      h('table', {}, h('caption', {}, 'Required arena, or planned memory if the arena is not known'),
        h('thead', {}, h('tr', {}, heads.map((text, i) => (text ? h('th', { scope: 'col', class: [2, 3, 4, 6].includes(i) ? 'number' : null }, text) : h('td', {}))))),
        h('tbody', {}, models.map(line)))));
}

function meter(is, could, most) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  for (const [k, v] of Object.entries({ viewBox: '0 0 200 14', class: 'meter', role: 'img', 'aria-label': `${bytes(could)} of ${bytes(is)}` })) svg.setAttribute(k, v);
  for (const [n, name] of [[is, 'was'], [could, 'could']]) {
    const rect = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
    for (const [k, v] of Object.entries({ x: 0, y: 2, width: 200 * n / most, height: 10, class: name })) rect.setAttribute(k, v);
    svg.append(rect);
  }
  return svg;
}
