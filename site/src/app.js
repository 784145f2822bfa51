// The view of one model: what is picked and shown, in one or two panes, and what keys do.
import { zoomIdentity } from 'd3-zoom';
import { build } from './build.js';
import { details } from './details.js';
import { bytes, count, printable } from './dom.js';
import { matcher, neighbours, planWords } from './model.js';
import { own, best } from './overview.js';
import { Pane } from './pane.js';
import { Playback } from './playback.js';
import { margin, zoomed } from './scene.js';
import * as state from './state.js';
import { keys } from './keys.js';

export class App {
  constructor(model, index, view, text) {
    Object.assign(this, { model, index, text, panes: [] });
    this.view = { ...view };
    if (!model.planByName.has(this.view.a)) this.view.a = own(model).name;
    if (this.view.b === undefined && view.a === undefined && best(model) !== own(model)) this.view.b = best(model).name;
    if (!model.planByName.has(this.view.b)) this.view.b = '';
    this.playback = new Playback(this);
    this.element = build(this);
    this.sized = new ResizeObserver(() => this.resize());
    this.shortcut = (event) => this.pressed(event);
  }

  start() {
    document.addEventListener('keydown', this.shortcut);
    this.plans();
    this.sized.observe(this.parts.panes);
  }

  close() {
    this.playback.stop();
    this.sized.disconnect();
    document.removeEventListener('keydown', this.shortcut);
  }

  // set changes the view, and with it the address.
  set(change, step) {
    Object.assign(this.view, change);
    state.write(this.view, step);
  }

  // plans makes the panes of the plans that are chosen.
  plans() {
    const names = [this.view.a, this.view.b].filter(Boolean);
    const titles = names.length > 1 ? ['A', 'B'] : ['plan'];
    this.panes = names.map((name, i) => new Pane(this, this.model.planByName.get(name), titles[i]));
    for (const pane of this.panes) pane.words = () => `${names.length > 1 ? `${pane.title}: ` : ''}${printable(this.model.input)}, ${pane.plan.title}: ${planWords(pane.plan)}`;
    this.parts.show(this);
    this.resize();
    this.restore();
    this.refresh();
  }

  resize() {
    const width = this.parts.panes.clientWidth;
    if (!width) return;
    const high = this.panes.length > 1 ? 300 : 400;
    const left = this.transform && this.panes[0].frame ? this.range() : null;
    for (const pane of this.panes) pane.resize(this.panes.map((p) => p.plan), high);
    if (left) this.toRange(left);
    this.draw();
  }

  get transform() {
    return this.panes[0]?.transform ?? zoomIdentity;
  }

  // range is the part of the whole that is shown, in positions and bytes, and toRange shows one.
  range() {
    const t = this.transform;
    const { x, y, height } = this.panes[0].frame;
    return { k: t.k, at: zoomed(x, t).invert(margin.left), low: t.rescaleY(y).invert(height - margin.bottom) };
  }

  toRange({ k, at, low }) {
    const { x, y, height } = this.panes[0].frame;
    this.toTransform(zoomIdentity.translate(margin.left - k * x(at), height - margin.bottom - k * y(low)).scale(k));
  }

  toTransform(transform) {
    const { zoom } = this.panes[0];
    const kept = zoom.constrain()(transform, zoom.extent()(), zoom.translateExtent());
    for (const pane of this.panes) pane.show(kept);
  }

  restore() {
    const [k, at, low] = (this.view.z ?? '').split(',').map(Number);
    if (k > 1 && Number.isFinite(at) && Number.isFinite(low)) this.toRange({ k: Math.min(k, 4096), at, low });
  }

  // zoomed is called when somebody zooms a pane: the other one follows.
  zoomed(from) {
    for (const pane of this.panes) if (pane !== from) pane.show(from.transform);
    this.moved();
  }

  moved() {
    this.untip();
    const { k, at, low } = this.range();
    this.set({ z: k > 1.0001 ? [k.toPrecision(6), at.toFixed(3), Math.round(low)].join(',') : '' });
    this.later();
  }

  // later draws once before the next frame, however often it is called.
  later() {
    if (this.pending) return;
    this.pending = requestAnimationFrame(() => {
      this.pending = 0;
      this.draw();
    });
  }

  draw() {
    for (const pane of this.panes) pane.draw();
  }

  // picked returns the tensor or the operator that is picked, of the first pane.
  picked() {
    const graph = this.panes[0].plan.graphOf;
    const tensor = this.view.t ? graph.byID.get(this.view.t) : null;
    return { tensor, operator: !tensor && this.view.p ? graph.operators[Number(this.view.p)] : null };
  }

  // counterpart is the tensor of another graph that has the same name, or else the same number.
  counterpart(t, graph) {
    if (!t.name) return graph.byID.get(t.id);
    const same = graph.byID.get(t.id);
    if (same?.name === t.name) return same;
    return graph.tensors.find((x) => x.name === t.name);
  }

  // sameOperator is the operator of another graph that makes the same tensor, null if it has none.
  sameOperator(op, graph, other) {
    if (graph === other) return op;
    const made = graph.byID.get(op.outputs[0]);
    return (made && this.counterpart(made, other)?.producers.at(-1)) ?? null;
  }

  // marks are what a pane has to mark.
  marks(pane) {
    const graph = pane.plan.graphOf;
    const first = this.panes[0].plan.graphOf;
    const { tensor, operator } = this.picked();
    const t = tensor && (graph === first ? tensor : this.counterpart(tensor, graph));
    const near = t ? neighbours(graph, t) : new Set();
    const op = operator && this.sameOperator(operator, first, graph);
    if (op) for (const id of [...op.inputs, ...op.outputs]) near.add(graph.byID.get(id));
    const found = this.match ? new Set(graph.tensors.filter(this.match.tensor)) : null;
    return { picked: t, near, found, position: op ? op.position : null, budgets: this.budgets(pane.plan) };
  }

  // budgeted shows another budget.
  budgeted() {
    this.parts.whole(this);
    this.draw();
  }

  // budgets are those of the memory that is planned, and of the whole arena.
  budgets({ word }) {
    const { head_budget_bytes: planned, budget_bytes: whole } = this.model;
    return [planned && [planned, word === 'head' ? 'budget of the head' : 'budget', false], whole && [whole, 'budget', true]].filter(Boolean);
  }

  chooseTensor(pane, t) {
    this.playback.stop();
    const first = this.panes[0].plan.graphOf;
    const own = t && pane.plan.graphOf !== first ? this.counterpart(t, first) : t;
    this.set({ t: own ? own.id : '', p: '' });
    this.refresh();
    this.say(own ? `${own.id} ${own.label}, ${bytes(own.size_bytes)}, ${first.step}s ${own.first_op} to ${own.last_op}` : 'nothing is picked');
  }

  choosePosition(pane, position) {
    const first = this.panes[0].plan.graphOf;
    const graph = pane.plan.graphOf;
    const op = graph.operators[position] && this.sameOperator(graph.operators[position], graph, first);
    if (!op) return;
    this.playback.to(op.position);
    this.say(`${first.step} ${op.position}, ${op.label}, ${bytes(op.breadth_bytes)} in memory`);
  }

  // showPosition picks an operator.
  showPosition(position) {
    this.set({ t: '', p: String(position) });
    this.refresh();
  }

  search(query) {
    this.set({ q: query });
    this.refresh();
    const n = this.match ? this.panes[0].plan.graphOf.tensors.filter(this.match.tensor).length : 0;
    this.parts.found.textContent = this.match ? count(n, 'tensor') : '';
  }

  // refresh shows again what depends on what is picked and searched. Tables wait until nothing is played.
  refresh() {
    this.match = matcher(this.view.q);
    this.untip();
    details(this, this.parts.details);
    this.playback.show(this.picked().operator);
    if (!this.playback.timer) this.parts.tables(this);
    this.draw();
  }

  // untip hides the cards beside the pointer, which would cover what is to be seen.
  untip() {
    for (const pane of this.panes) pane.tip.hidden = true;
  }

  say(words) {
    this.parts.live.textContent = words;
  }

  // zoomTo shows a tensor with some room around it.
  zoomTo(t) {
    const { x, y, width, height } = this.panes[0].frame;
    const offset = this.panes[0].plan.offsets_bytes[t.index];
    const [w, high] = [x(t.last_op + 1) - x(t.first_op), y(offset) - y(offset + t.size_bytes)];
    const k = Math.max(1, Math.min(4096, 0.6 * Math.min((width - margin.left) / Math.max(w, 0.01), height / Math.max(high, 0.01))));
    const middle = [x((t.first_op + t.last_op + 1) / 2), y(offset + t.size_bytes / 2)];
    this.toTransform(zoomIdentity.translate((width + margin.left) / 2 - k * middle[0], height / 2 - k * middle[1]).scale(k));
    this.moved();
    this.panes[0].area.focus({ preventScroll: true });
    this.panes[0].area.scrollIntoView({ block: 'nearest' });
  }

  zoomBy(factor) {
    const { width, height } = this.panes[0].frame;
    const t = this.transform;
    const k = Math.max(1, Math.min(4096, t.k * factor));
    const [cx, cy] = [(width + margin.left) / 2, height / 2];
    const [mx, my] = t.invert([cx, cy]);
    this.toTransform(k === 1 ? zoomIdentity : zoomIdentity.translate(cx - k * mx, cy - k * my).scale(k));
    this.moved();
  }

  panBy(dx, dy) {
    const t = this.transform;
    this.toTransform(zoomIdentity.translate(t.x + dx, t.y + dy).scale(t.k));
    this.moved();
  }

  whole() {
    for (const pane of this.panes) pane.show(zoomIdentity);
    this.moved();
  }

  showRow() {
    this.parts.reveal(this);
  }

  key(event, pane) {
    if (keys(this, pane, event)) event.preventDefault();
  }

  // pressed is called for all keys on the page.
  pressed(event) {
    this.untip();
    if (event.key !== '/' || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    event.preventDefault();
    this.parts.query.focus();
  }
}
