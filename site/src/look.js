// Colours come from the style sheet, for the light and the dark look and for print.
import styles from './roles.json';

const shades = new Map(styles.map((s) => [s.role, s.light.length]));
const names = ['text', 'muted', 'grid', 'back', 'bound', 'peak', 'pick', 'near', 'load', 'budget', 'tail', ...styles.flatMap((s) => s.light.map((_, i) => `${s.role}-${i}`))];

let colours = {};

// refresh reads the colours anew.
export function refresh() {
  const style = getComputedStyle(document.documentElement);
  colours = Object.fromEntries(names.map((n) => [n, style.getPropertyValue(`--${n}`).trim()]));
}

export const colour = (name) => colours[name];

// fill is the colour of a tensor: that of the function that requested it, or a shade of its role's, of which
// neighbours in the file get different ones.
export const fill = (t) => shade(t.requester === undefined ? t.role : 'requester', t.requester ?? t.index);

const shade = (role, i) => colours[`${role}-${i % shades.get(role)}`];

// hatch is the pattern over bytes that two tensors share.
export function hatch(context) {
  const tile = document.createElement('canvas');
  tile.width = tile.height = 8;
  const c = tile.getContext('2d');
  c.strokeStyle = colours['overlap-0'];
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
