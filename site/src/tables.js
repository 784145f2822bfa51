// Tables of all tensors and of all operators, linked with the maps.
import { h, hex, middle, number, replace } from './dom.js';
import { term } from './glossary.js';
import { roles } from './model.js';

const some = 100;

// A Table has columns: what is above, the term that explains it, what is in a cell, what it is sorted by, whether it
// is a number, whether it stays on one line, and the rows that have it; a column that no row has is left out. Rows are
// made as they are needed.
export class Table {
  constructor(id, caption, columns, choose) {
    Object.assign(this, { id, all: columns, columns, choose, rows: [], most: some, sorted: null, down: false });
    this.head = h('tr', {});
    this.body = h('tbody', {});
    this.caption = h('caption', {}, caption);
    this.more = h('button', { type: 'button', onclick: () => this.show(this.most * 5) });
    this.table = h('table', { id }, this.caption, h('thead', {}, this.head), this.body);
    this.element = h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption }, this.table, h('p', { class: 'more' }, this.more));
  }

  // set gives the table other rows, of all that there are; picked is the one to be marked.
  set(rows, everything, picked, words) {
    this.rows = rows;
    this.columns = this.all.filter((c) => !c.has || everything.some(c.has));
    this.picked = picked;
    this.caption.textContent = words;
    this.draw();
  }

  show(most) {
    this.most = most;
    this.draw();
  }

  sortBy(column) {
    this.down = this.sorted === column ? !this.down : column.number === true;
    this.sorted = column;
    this.draw();
  }

  order() {
    if (!this.sorted) return this.rows;
    const by = this.sorted.sort ?? this.sorted.cell;
    const sign = this.down ? -1 : 1;
    return [...this.rows].sort((a, b) => sign * compare(by(a), by(b)));
  }

  draw() {
    const refocus = this.focused();
    this.fill();
    refocus();
  }

  // focused returns what gives the focus back to where it was, which a table that is filled anew loses.
  focused() {
    const cell = document.activeElement?.closest?.('th, td');
    if (!cell || !this.table.contains(cell)) return () => {};
    const { cellIndex: column, parentElement: line } = cell;
    return () => {
      const after = line === this.head ? this.head : [...this.body.children].find((tr) => tr.of === line.of);
      after?.children[column]?.querySelector('button')?.focus({ preventScroll: true });
    };
  }

  fill() {
    replace(this.head, this.columns.map((c) => h('th', {
      scope: 'col', class: c.number ? 'number' : null,
      'aria-sort': this.sorted === c ? (this.down ? 'descending' : 'ascending') : null,
    }, h('button', { type: 'button', class: 'sort', onclick: () => this.sortBy(c) }, c.term ? term(c.term, c.head) : c.head, this.sorted === c ? (this.down ? ' ▾' : ' ▴') : ''))));
    const ordered = this.order();
    const at = ordered.indexOf(this.picked);
    const most = Math.max(this.most, at + 20);
    replace(this.body, ordered.slice(0, most).map((row) => this.row(row)));
    this.more.hidden = ordered.length <= most;
    this.more.textContent = `Show more of ${number(ordered.length)}`;
  }

  row(row) {
    const cells = this.columns.map((c, i) => {
      const content = c.cell(row);
      if (i > 0) return h('td', { class: c.number ? 'number' : c.line ? 'line' : null }, content);
      return h('th', { scope: 'row', class: c.number ? 'number' : null }, h('button', { type: 'button', class: 'link', 'aria-pressed': row === this.picked ? 'true' : 'false', onclick: () => this.choose(row) }, content));
    });
    const line = h('tr', { class: row === this.picked ? 'picked' : null }, cells);
    line.of = row;
    return line;
  }

  // reveal brings the picked row into sight.
  reveal() {
    const row = this.body.querySelector('.picked');
    row?.scrollIntoView({ block: 'nearest' });
    row?.querySelector('button')?.focus({ preventScroll: true });
  }
}

const compare = (a, b) => (typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), 'en', { numeric: true }));

// tensorColumns are those of the table of tensors, or of blocks; offset returns where a tensor lies.
export function tensorColumns(noun, offset, link) {
  const blocks = noun === 'blocks';
  return [
    { head: blocks ? 'block' : 'T#', cell: (t) => middle(t.id), sort: (t) => t.id },
    { head: blocks ? 'function' : 'name', line: true, has: (t) => t.label, cell: (t) => middle(t.label), sort: (t) => t.label },
    { head: 'role', line: true, has: () => !blocks, cell: (t) => roles[t.role] },
    { head: 'type', has: (t) => t.dtype, cell: (t) => t.dtype ?? '' },
    { head: 'shape', line: true, has: (t) => t.shape, cell: (t) => (t.shape ? `[${t.shape.join(', ')}]` : '') },
    { head: 'size (B)', number: true, cell: (t) => number(t.size_bytes), sort: (t) => t.size_bytes },
    { head: 'from', number: true, cell: (t) => number(t.first_op), sort: (t) => t.first_op },
    { head: 'to', number: true, cell: (t) => number(t.last_op), sort: (t) => t.last_op },
    { head: 'address', term: 'address', number: true, cell: (t) => hex(offset(t)), sort: offset },
    { head: 'made by', line: true, has: (t) => t.producers[0], cell: (t) => (t.producers[0] ? link(t.producers[0]) : ''), sort: (t) => t.producers[0]?.position ?? -1 },
  ];
}

// operatorColumns are those of the table of operators; layer returns when one is computed whose weights are streamed.
export function operatorColumns(step, link, layer) {
  const ms = (head, of, term) => ({ head, term, number: true, has: (op) => layer && of(layer(op)) > 0, cell: (op) => of(layer(op)).toFixed(3), sort: (op) => of(layer(op)) });
  return [
    { head: step, term: step, number: true, cell: (op) => number(op.position), sort: (op) => op.position },
    { head: 'Op#', line: true, has: (op) => op.key, cell: (op) => op.key },
    { head: 'operator', line: true, cell: (op) => middle(op.label), sort: (op) => op.label },
    { head: 'live (B)', term: 'live bytes', number: true, cell: (op) => number(op.breadth_bytes), sort: (op) => op.breadth_bytes },
    { head: 'live tensors', number: true, cell: (op) => number(op.alive), sort: (op) => op.alive },
    { head: 'MACs', term: 'multiply-accumulate', number: true, has: (op) => op.macs, cell: (op) => number(op.macs), sort: (op) => op.macs },
    { head: 'weights (B)', number: true, has: (op) => op.weights_bytes, cell: (op) => number(op.weights_bytes), sort: (op) => op.weights_bytes },
    { head: 'loads (B)', number: true, has: (op) => layer?.(op).load_bytes, cell: (op) => number(layer(op).load_bytes), sort: (op) => layer(op).load_bytes },
    ms('waits (ms)', (l) => l.wait_ms, 'stall'),
    ms('computes (ms)', (l) => l.compute_end_ms - l.compute_begin_ms),
    { head: 'reads', has: (op) => op.inputs.length, cell: (op) => link(op.inputs), sort: (op) => op.inputs.length },
    { head: 'writes', has: (op) => op.outputs.length, cell: (op) => link(op.outputs), sort: (op) => op.outputs.length },
  ];
}
