// The page's side of the planner, wherever that runs.

// DeadError says why the planner ended.
export class DeadError extends Error {}

// A Planner answers one request at a time; progress is called with sentences. connect(receive, died)
// connects to a new planner, which is a WebAssembly program (wasm.js) or in the server (server.js): it
// calls receive({ text, data, report }) with replies, and died(why) if no more will come. It returns
// the functions ask(text, bytes), stop() and end().
export class Planner {
  constructor(connect, progress) {
    this.progress = progress;
    this.ready = new Promise((resolve, reject) => { this.waiting = { resolve, reject }; });
    this.last = this.ready.catch(() => {}); // no request comes before the planner is there
    this.link = connect((reply) => this.receive(reply), (why) => this.died(why));
  }

  receive({ text, data, report }) {
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
    this.link?.end();
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
      this.link.ask(JSON.stringify(request), bytes);
    });
  }

  // stop asks for the best so far.
  stop() {
    this.link.stop();
  }
}
