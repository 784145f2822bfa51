// The page of a report: it shows the document in it. The page of the application has none, and its
// program uses what this one exports.
import * as viewer from './viewer.js';

export { save } from './download.js';
export { bytes, h, printable, replace } from './dom.js';
export { explain, verdictWords } from './glossary.js';
export * as state from './state.js';
export { viewer };

viewer.watch();
const data = document.getElementById('data');
if (data) {
  viewer.load(data.textContent);
  document.documentElement.dataset.ready = Math.round(performance.now());
}
