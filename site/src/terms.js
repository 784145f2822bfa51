// terms are the entries of docs/glossary.md that the page explains, in the order in which it lists them.
export const terms = [
  'arena', 'required', 'used', 'head', 'tail', 'budget', 'spare', 'lower bound', 'optimal', 'live bytes', 'peak',
  'tensor', 'operator', 'position', 'step', 'address', 'activation', 'variable', 'scratch', 'in-place output', 'overlap',
  'multiply-accumulate', 'latency', 'stall', 'resident', 'streamed', 'block', 'kernels',
];
