// The view is in the address, behind the #, so that a link or the back button leads to it again.

const fields = ['m', 'a', 'b', 't', 'p', 'q', 'z', 'theme'];

// read returns the view that an address stands for.
export function read() {
  const words = new URLSearchParams(location.hash.slice(1));
  const state = {};
  for (const field of fields) if (words.get(field)) state[field] = words.get(field);
  return state;
}

// address returns what stands behind the # for a view.
export function address(state) {
  const words = new URLSearchParams();
  for (const field of fields) if (state[field]) words.set(field, state[field]);
  return `#${words}`;
}

let timer;

// write keeps the view in the address. What happens many times a second, such as a pan, is written
// once it is over. A step is something that the back button leads back from.
export function write(state, step) {
  clearTimeout(timer);
  const next = address(state);
  if (step) {
    if (next !== location.hash) history.pushState(null, '', next);
    return;
  }
  timer = setTimeout(() => history.replaceState(null, '', address(state)), 120);
}
