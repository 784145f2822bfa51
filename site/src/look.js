// Colours come from the style sheet, for the light and the dark look and for print.

const names = ['text', 'muted', 'grid', 'back', 'input', 'output', 'activation-0', 'activation-1', 'activation-2', 'scratch', 'variable', 'constant', 'overlap', 'bound', 'peak', 'pick', 'near', 'load', 'budget', 'tail', 'weight', 'resident', 'intermediate'];

let colours = {};

// refresh reads the colours anew.
export function refresh() {
  const style = getComputedStyle(document.documentElement);
  colours = Object.fromEntries(names.map((n) => [n, style.getPropertyValue(`--${n}`).trim()]));
}

export const colour = (name) => colours[name];

// fill is the colour of a tensor: neighbours in the file get other shades of one colour.
export function fill(t) {
  return t.role === 'activation' || t.role === 'block' || t.role === 'tensor' ? colours[`activation-${t.index % 3}`] : colours[t.role];
}

// hatch is the pattern over bytes that two tensors share.
export function hatch(context) {
  const tile = document.createElement('canvas');
  tile.width = tile.height = 8;
  const c = tile.getContext('2d');
  c.strokeStyle = colours.overlap;
  c.lineWidth = 2;
  c.beginPath();
  for (const d of [-8, 0, 8]) {
    c.moveTo(d, 8);
    c.lineTo(d + 8, 0);
  }
  c.stroke();
  return context.createPattern(tile, 'repeat');
}

// theme sets the look: "light", "dark", or as the system has it.
export function theme(word) {
  if (word === 'light' || word === 'dark') document.documentElement.dataset.theme = word;
  else delete document.documentElement.dataset.theme;
  refresh();
}
