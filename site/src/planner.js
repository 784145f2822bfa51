// The page's side of the planner, which runs in a worker. All files are fetched once: a planner that
// has to be started again is made of what is there.
const files = { module: 'planner.wasm.gz', worker: 'worker.js' };

// DeadError says why the planner ended.
export class DeadError extends Error {}

// load fetches the planner.
export async function load() {
  if (typeof WebAssembly !== 'object') throw new Error('this browser has no WebAssembly, or it is switched off');
  const [module, worker] = await Promise.all([get(files.module).then(unpacked).then((b) => WebAssembly.compile(b)), get(files.worker)]);
  return { module, url: URL.createObjectURL(new Blob([worker], { type: 'text/javascript' })) };
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

// A Planner answers one request at a time; progress is called with sentences.
export class Planner {
  constructor({ module, url }, progress) {
    this.worker = new Worker(url);
    this.progress = progress;
    this.ready = new Promise((resolve, reject) => { this.waiting = { resolve, reject }; });
    this.last = this.ready.catch(() => {}); // no request comes before the planner is there
    this.worker.onmessage = ({ data }) => this.message(data);
    this.worker.onerror = (event) => {
      event.preventDefault();
      this.died(event.message || 'its worker has ended');
    };
    this.worker.postMessage({ module });
  }

  message({ text, data, report, dead }) {
    if (dead) {
      this.died(dead);
      return;
    }
    const reply = JSON.parse(text);
    if (reply.kind === 'progress') this.progress(reply.message);
    else this.settle((w) => w.resolve({ ...reply, data, report }));
  }

  settle(how) {
    const { waiting } = this;
    this.waiting = null;
    if (waiting) how(waiting);
  }

  died(why) {
    this.worker.terminate();
    this.dead = true;
    this.settle((w) => w.reject(new DeadError(why)));
  }

  // ask returns the reply to a request, which comes after those to earlier ones; bytes, where there
  // are any, go with it and are not copied.
  ask(request, bytes) {
    const reply = this.last.then(() => this.post(request, bytes));
    this.last = reply.catch(() => {});
    return reply;
  }

  post(request, bytes) {
    if (this.dead) return Promise.reject(new DeadError('it had ended before'));
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      this.worker.postMessage({ request: JSON.stringify(request), bytes }, bytes ? [bytes.buffer] : []);
    });
  }

  // stop asks for the best so far.
  stop() {
    this.worker.postMessage({ stop: true });
  }
}
