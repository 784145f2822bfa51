// The worker of the application: it runs the planner, and stands behind Go's wasm_exec.js.
// The planner says nothing but why it ends, when that is against its will: the beginning tells it.
let said = '';
console.log = (text) => { if (said.length < 4000) said += `${text}\n`; };

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
    said += String(error);
  }
  postMessage({ dead: said || 'the planner has ended' });
}

self.onmessage = ({ data }) => {
  if (data.module) start(data.module);
  else if (data.stop) self.stop?.();
  else self.ask(data.request, data.bytes ?? null);
};
