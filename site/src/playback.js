// Plays a run: one operator after the other is picked, by a button, a scrubber or keys.
import { h, number } from './dom.js';

const still = matchMedia('(prefers-reduced-motion: reduce)');

export class Playback {
  constructor(app) {
    this.app = app;
    this.button = h('button', { id: 'play', type: 'button', onclick: () => this.toggle() });
    this.scrubber = h('input', { id: 'scrubber', type: 'range', min: '0', 'aria-label': 'Operator', oninput: () => this.to(Number(this.scrubber.value)) });
    this.now = h('span', { id: 'now', class: 'muted' });
    this.element = h('div', { class: 'controls playback', role: 'group', 'aria-label': 'Playback' }, this.button, this.scrubber, this.now);
  }

  get operators() {
    return this.app.panes[0].plan.graphOf.operators;
  }

  // show is called whenever something is picked.
  show(operator) {
    this.element.hidden = this.operators.length < 2;
    const words = this.timer ? '⏸ Pause' : '▶ Play';
    this.button.textContent = still.matches ? 'Next operator' : words;
    this.scrubber.max = String(this.operators.length - 1);
    this.scrubber.value = String(operator?.position ?? 0);
    this.scrubber.setAttribute('aria-valuetext', operator?.title ?? 'none');
    this.now.textContent = operator ? `${operator.title}: ${number(operator.breadth_bytes)} B live` : `${number(this.operators.length)} ${this.app.panes[0].plan.graphOf.tiled ? 'steps' : 'operators'}`;
  }

  // toggle starts or stops. Where motion is unwelcome, it only goes on to the next operator.
  toggle() {
    if (this.timer || this.operators.length < 2) return this.stop();
    const at = this.app.picked().operator?.position ?? -1;
    if (still.matches) return this.to(Math.min(at + 1, this.operators.length - 1));
    return this.next(at >= this.operators.length - 1 ? 0 : at + 1);
  }

  // next shows an operator and goes on after a while. A run takes about twelve seconds.
  next(position) {
    const last = this.operators.length - 1;
    this.timer = position < last ? setTimeout(() => this.next(position + 1), Math.min(Math.max(12000 / last, 60), 600)) : 0;
    this.app.showPosition(position);
  }

  // to shows an operator at once.
  to(position) {
    this.stop();
    if (this.operators[position]) this.app.showPosition(position);
  }

  // by goes some operators on or back.
  by(n) {
    const operator = this.app.picked().operator;
    this.to(operator ? operator.position + n : 0);
  }

  stop() {
    if (!this.timer) return;
    clearTimeout(this.timer);
    this.timer = 0;
    this.app.refresh();
  }
}
