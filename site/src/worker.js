// The worker of the application: it runs the planner, and stands behind Go's wasm_exec.js.
// What the planner says last, when it ends against its will, is why.
let last = '';
console.log = (text) => { last = `${last}${text}\n`.slice(-4000); };

// The planner calls reply, and makes the functions ask and stop.
self.reply = (text, data, report) => {
  postMessage({ text, data, report }, [data, report].filter(Boolean).map((array) => array.buffer));
};

async function start(module) {
  try {
    const go = new Go(); // eslint-disable-line no-undef
    go.exit = () => {};
    await go.run(await WebAssembly.instantiate(module, go.importObject));
  } catch (error) {
    last += String(error);
  }
  postMessage({ dead: last || 'the planner has ended' });
}

self.onmessage = ({ data }) => {
  if (data.module) start(data.module);
  else if (data.stop) self.stop();
  else self.ask(data.request, data.bytes ?? null);
};
