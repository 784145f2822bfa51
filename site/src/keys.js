// What keys do on a map.

const step = 60;

// help is what is written of the keys.
export const help = [
  ['← →', 'the tensor before or after in time'],
  ['↑ ↓', 'the tensor above or below in memory'],
  ['Space', 'play the run, or pause'],
  [', .', 'the operator before or after'],
  ['Enter', 'show the picked tensor or operator in the table'],
  ['F', 'zoom to the picked tensor'],
  ['Esc', 'pick nothing; then show the whole map'],
  ['+ −', 'zoom in or out'],
  ['0', 'show the whole map'],
  ['Shift + arrows', 'move the map'],
  ['N, Shift + N', 'the next or previous tensor that the search found'],
  ['P', 'the peak'],
  ['/', 'search'],
];

// keys does what a key asks for, and reports whether it asks for anything.
export function keys(app, pane, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const { tensor } = app.picked();
  const pan = { ArrowLeft: [step, 0], ArrowRight: [-step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] }[event.key];
  if (pan && event.shiftKey) return done(app.panBy(...pan));
  switch (event.key) {
    case 'ArrowLeft': return go(app, inTime(app, tensor, -1));
    case 'ArrowRight': return go(app, inTime(app, tensor, 1));
    case 'ArrowUp': return go(app, inMemory(app, tensor, 1));
    case 'ArrowDown': return go(app, inMemory(app, tensor, -1));
    case '+': case '=': return done(app.zoomBy(1.5));
    case '-': case '_': return done(app.zoomBy(1 / 1.5));
    case '0': return done(app.whole());
    case 'f': case 'F': return done(tensor && app.zoomTo(tensor));
    case 'n': return go(app, found(app, tensor, 1));
    case 'N': return go(app, found(app, tensor, -1));
    case 'p': case 'P': return done(pane.plan.graphOf.peak && app.choosePosition(pane, pane.plan.graphOf.peak.position));
    case ' ': return done(app.playback.toggle());
    case ',': return done(app.playback.by(-1));
    case '.': return done(app.playback.by(1));
    case 'Enter': return done(app.showRow());
    case 'Escape': return done(app.view.t || app.view.p ? app.chooseTensor(pane, null) : app.whole());
  }
  return false;
}

const done = () => true;

function go(app, t) {
  if (t) app.chooseTensor(app.panes[0], t);
  return true;
}

const byTime = (a, b) => a.first_op - b.first_op || a.last_op - b.last_op || a.index - b.index;

function inTime(app, t, by) {
  const order = [...app.panes[0].plan.graphOf.tensors].sort(byTime);
  return t ? order[order.indexOf(t) + by] : order[by > 0 ? 0 : order.length - 1];
}

// inMemory returns the nearest tensor above or below that is alive in the middle of a tensor's life.
function inMemory(app, t, by) {
  if (!t) return inTime(app, t, by);
  const { plan } = app.panes[0];
  const offset = (x) => plan.offsets_bytes[x.index];
  const middle = Math.floor((t.first_op + t.last_op) / 2);
  return plan.graphOf.tensors
    .filter((x) => x !== t && x.first_op <= middle && middle <= x.last_op && by * (offset(x) - offset(t)) > 0)
    .sort((a, b) => by * (offset(a) - offset(b)))[0];
}

function found(app, t, by) {
  if (!app.match) return null;
  const order = app.panes[0].plan.graphOf.tensors.filter(app.match.tensor).sort(byTime);
  const at = order.indexOf(t);
  return order[(at + by + order.length + (at < 0 && by < 0 ? 1 : 0)) % order.length];
}
