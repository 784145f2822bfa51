// A pane shows one plan: its map, and the load curve below.
import { scaleLinear } from 'd3-scale';
import { pointer, select } from 'd3-selection';
import { zoom, zoomIdentity } from 'd3-zoom';
import { bytes, h, hex, printable, replace } from './dom.js';
import { roles, sharing, why } from './model.js';
import * as paint from './paint.js';
import { boxes, byteTicks, curveHeight, frame, lower, margin, tail, zoomed } from './scene.js';

// A Pane tells the app what is done with it, and shows what the app says.
export class Pane {
  constructor(app, plan, title) {
    Object.assign(this, { app, plan, title, transform: zoomIdentity });
    this.map = h('canvas', { 'aria-hidden': 'true' });
    this.curve = h('canvas', { 'aria-hidden': 'true' });
    this.tip = h('div', { class: 'tip', hidden: true, 'aria-hidden': 'true' });
    this.area = h('div', {
      class: 'map', tabindex: '0', role: 'application', 'aria-roledescription': 'memory map', 'aria-describedby': 'keys',
      'aria-label': `Memory map, ${title}: ${printable(plan.title)}. ${plan.graphOf.tiled ? 'Steps' : 'Positions'} run from left to right, addresses upwards.`,
    }, this.map, this.curve, this.tip);
    this.element = this.area;
    this.listen();
  }

  listen() {
    this.zoom = zoom().scaleExtent([1, 4096]).filter((event) => this.zooms(event)).on('zoom', (event) => {
      this.transform = event.transform;
      if (event.sourceEvent) this.app.zoomed(this);
    });
    select(this.map).call(this.zoom).on('dblclick.zoom', null)
      .on('mousemove.tip', (event) => this.hover(pointer(event, this.map)))
      .on('mouseleave.tip', () => this.hover(null))
      .on('click.pick', (event) => this.pick(pointer(event, this.map)));
    select(this.curve).on('click', (event) => this.app.choosePosition(this, Math.floor(this.x.invert(pointer(event, this.curve)[0]))));
    this.area.addEventListener('keydown', (event) => this.app.key(event, this));
  }

  // zooms leaves the wheel to the page where there is nothing to zoom out of.
  zooms(event) {
    return !event.button && !(event.type === 'wheel' && event.deltaY > 0 && this.transform.k <= 1);
  }

  // resize fits the pane to its place; plans are all that are shown, on one scale.
  resize(plans, height) {
    const width = Math.max(this.area.clientWidth, 280);
    this.frame = frame(this.plan, plans, width, height);
    this.loadMost = Math.max(...plans.map((p) => Math.max(p.graphOf.most?.bytes ?? 0, p.lower_bound_bytes)), 1);
    this.ratio = window.devicePixelRatio || 1;
    this.lower = lower(this.plan.graphOf);
    for (const [canvas, high] of [[this.map, height], [this.curve, this.lower]]) {
      canvas.width = Math.round(width * this.ratio);
      canvas.height = Math.round(high * this.ratio);
      canvas.style.width = `${width}px`;
      canvas.style.height = `${high}px`;
    }
    this.area.style.height = `${height + this.lower}px`;
    const corner = [[margin.left, margin.top], [width - margin.right, height - margin.bottom]];
    this.zoom.extent(corner).translateExtent(corner);
  }

  // show puts the pane to a part of the whole without telling the app.
  show(transform) {
    this.transform = transform;
    this.map.__zoom = transform;
  }

  // view is what there is to be painted.
  view() {
    const { x, y, width, height } = this.frame;
    this.x = zoomed(x, this.transform);
    this.y = this.transform.rescaleY(y);
    const load = scaleLinear([0, this.loadMost * 1.05], [curveHeight - 2, 12]);
    return {
      plan: this.plan, x: this.x, y: this.y, width, height, load, ticks: byteTicks(this.y, Math.max(3, Math.floor(height / 50))),
      ...this.app.marks(this),
    };
  }

  draw() {
    if (!this.frame) return;
    const view = this.view();
    for (const [canvas, painter] of [[this.map, paint.map], [this.curve, paint.curve]]) {
      const context = canvas.getContext('2d');
      context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
      painter(context, view);
    }
  }

  // at returns the tensor at a place on the map, the topmost of those that share it, or the plan in its tail.
  at([px, py]) {
    const area = { left: margin.left, right: this.frame.width - margin.right, top: margin.top, bottom: this.frame.height - margin.bottom };
    if (px < area.left || px > area.right || py < area.top || py > area.bottom) return null;
    const t = tail(this.plan);
    if (t && this.y.invert(py) >= t.lo && this.y.invert(py) < t.hi) return this.plan;
    return boxes(this.plan, this.x, this.y, area).findLast((b) => px >= b.x && px <= b.x + b.w && py >= b.y && py <= b.y + b.h)?.of ?? null;
  }

  pick(place) {
    const t = this.at(place);
    this.app.chooseTensor(this, t === this.plan ? null : t);
  }

  // hover shows a card beside the pointer.
  hover(place) {
    const t = place && this.at(place);
    this.tip.hidden = !t;
    this.map.style.cursor = t && t !== this.plan ? 'pointer' : 'grab';
    if (!t) return;
    if (this.tipped !== t) replace(this.tip, ...(t === this.plan ? tailCard(t) : card(this.plan, t)));
    this.tipped = t;
    const right = place[0] > this.frame.width / 2;
    this.tip.style.left = right ? '' : `${place[0] + 14}px`;
    this.tip.style.right = right ? `${this.frame.width - place[0] + 14}px` : '';
    this.tip.style.top = `${Math.min(place[1] + 10, this.frame.height - 60)}px`;
  }
}

// tailCard is what is said of the tail beside the pointer.
const tailCard = (plan) => [h('b', {}, tail(plan).words), ...plan.parts.map((p) => h('div', {}, `${p.name}: ${bytes(p.size_bytes)}`))];

// card is what is said of a tensor beside the pointer.
function card(plan, t) {
  const offset = plan.offsets_bytes[t.index];
  return [
    h('b', {}, `${t.id} ${t.label}`),
    h('div', {}, [roles[t.role], t.dtype, t.shape && `[${t.shape.join(', ')}]`, bytes(t.size_bytes)].filter(Boolean).join(' · ')),
    h('div', {}, `address ${hex(offset)} to ${hex(offset + t.size_bytes)}, ${plan.graphOf.step}s ${t.first_op} to ${t.last_op}`),
    h('div', {}, why(plan.graphOf, t)),
    ...sharing(plan, t).slice(0, 3).map((s) => h('div', { class: 'warn' }, `shares ${bytes(s.bytes)} with ${s.other.id} ${s.other.label}`)),
  ];
}
