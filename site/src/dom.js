// Elements, and what people read: byte counts as the command writes them.

// h makes an element. Attributes whose value is null or false are left out; "on..." are listeners.
export function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat().filter((c) => c !== null && c !== undefined && c !== false));
  return element;
}

// replace gives an element other children.
export function replace(element, ...children) {
  element.replaceChildren(...children.flat().filter((c) => c !== null && c !== undefined && c !== false));
}

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const twoDecimals = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const scales = [['TiB', 2 ** 40], ['GiB', 2 ** 30], ['MiB', 2 ** 20], ['KiB', 2 ** 10]];

export const number = (n) => whole.format(n);

// short writes a byte count in its unit alone.
export function short(n) {
  const [unit, bytes] = scales.find(([, b]) => Math.abs(n) >= b) ?? ['B', 1];
  return bytes === 1 ? `${number(n)} B` : `${twoDecimals.format(n / bytes)} ${unit}`;
}

// bytes writes a byte count exactly, and in its unit where that helps.
export const bytes = (n) => (Math.abs(n) < 1024 ? `${number(n)} B` : `${number(n)} B (${short(n)})`);

export const percent = (part, all) => (all ? `${(100 * part / all).toFixed(1)} %` : '0.0 %');

export const hex = (n) => `0x${n.toString(16)}`;

// count writes a number of things.
export const count = (n, noun) => `${number(n)} ${noun}${n === 1 ? '' : 's'}`;

// printable shows characters that would not be seen, or would turn the text around, as their codes.
export function printable(text) {
  return String(text).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (c) => `\\u{${c.codePointAt(0).toString(16)}}`);
}

// middle leaves out the middle of a text that is too long, since names differ at their ends; the whole text is its
// tooltip.
export function middle(text, room = 44) {
  const characters = [...text];
  if (characters.length <= room) return text;
  const half = Math.floor((room - 1) / 2);
  return h('span', { title: text }, `${characters.slice(0, half).join('')}…${characters.slice(-half).join('')}`);
}

// elide shortens a text to a number of characters, and never cuts one in two.
export function elide(text, room) {
  const characters = [...text];
  if (characters.length <= room) return text;
  return room < 2 ? '' : `${characters.slice(0, room - 1).join('')}…`;
}
