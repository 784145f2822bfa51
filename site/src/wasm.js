// The planner as WebAssembly, in a worker. All files are fetched once: a planner that has to be started
// again is made of what is there.
const files = { module: 'planner.wasm.gz', worker: 'worker.js' };

// load fetches the planner, and returns the function that connects to a new one.
export async function load() {
  if (typeof WebAssembly !== 'object') throw new Error('this browser has no WebAssembly, or it is switched off');
  const [module, script] = await Promise.all([get(files.module).then(unpacked).then((b) => WebAssembly.compile(b)), get(files.worker)]);
  const url = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
  return (receive, died) => {
    const worker = new Worker(url);
    worker.onmessage = ({ data }) => (data.dead ? died(data.dead) : receive(data));
    worker.onerror = (event) => {
      event.preventDefault();
      died(event.message || 'its worker has ended');
    };
    worker.postMessage({ module });
    return {
      ask: (request, bytes) => worker.postMessage({ request, bytes }, bytes ? [bytes.buffer] : []),
      stop: () => worker.postMessage({ stop: true }),
      end: () => worker.terminate(),
    };
  };
}

async function get(name) {
  const response = await fetch(name);
  if (!response.ok) throw new Error(`${name}: ${response.status} ${response.statusText}`);
  return response.arrayBuffer();
}

// unpacked returns what was compressed: a server may have unpacked it already.
async function unpacked(buffer) {
  const [a, b] = new Uint8Array(buffer, 0, 2);
  if (a !== 0x1f || b !== 0x8b) return buffer;
  if (typeof DecompressionStream !== 'function') throw new Error('this browser is too old: it has no DecompressionStream');
  return new Response(new Blob([buffer]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}
