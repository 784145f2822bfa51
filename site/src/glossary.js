// Explains terms with the entries of docs/glossary.md.
import entries from 'glossary';
import { h, printable } from './dom.js';
import { roles } from './model.js';

// term returns words with the explanation of a term as their tooltip; without words, the term itself.
export const term = (name, words = name) => h('abbr', { class: 'term', title: entries[name] }, words);

// verdictTerms are the terms that explain words of a verdict.
const verdictTerms = { requires: 'required', REQUIRES: 'required', budget: 'budget', spare: 'spare', kernels: 'kernels' };

// verdictWords returns the text of a verdict, with explanations of its words.
export const verdictWords = (text) => printable(text).split(/\b/).map((word) => (verdictTerms[word] ? term(verdictTerms[word], word) : word));

// explain gives the terms that are written in a page their explanations.
export function explain(element) {
  for (const e of element.querySelectorAll('[data-term]')) Object.assign(e, { className: 'term', title: entries[e.dataset.term] });
}

// explained returns a list of the terms on the page, with their explanations, for those who have no pointer.
export function explained() {
  const shown = new Set([...document.querySelectorAll('.term')].map((e) => e.title));
  return h('dl', {}, Object.entries(entries).filter(([, text]) => shown.has(text)).map(([name, text]) => [h('dt', {}, name), h('dd', {}, text)]).flat());
}

// roleTerms are the terms that explain roles of tensors.
const roleTerms = { activation: 'activation', variable: 'variable', scratch: 'scratch', weight: 'streamed', resident: 'resident', block: 'block', tail: 'tail', overlap: 'overlap', stall: 'stall' };

// roleTerm returns the words of a role, or others for it, with an explanation if there is one.
export const roleTerm = (role, words = roles[role]) => (roleTerms[role] ? term(roleTerms[role], words) : words);
