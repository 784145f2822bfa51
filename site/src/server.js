// The planner in the process that serves the page. A request is a POST of a line of JSON and the bytes
// of a model. The response is a sequence of replies, each a line of JSON and its bytes; only the last
// one is no progress.

// connect connects to a new planner, which a random number names: nobody else can guess it.
export function connect(receive, died) {
  const id = [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, '0')).join('');
  const ended = new AbortController();
  const post = (path, body) => fetch(`${path}?${id}`, { method: 'POST', body, signal: ended.signal });
  const ask = async (request, bytes) => {
    const response = await post('ask', new Blob(bytes ? [request, '\n', bytes] : [request, '\n']));
    if (response.ok) await replies(response.body.getReader(), receive);
    else receive({ text: JSON.stringify({ kind: 'failed', message: (await response.text()).trim() }) });
  };
  receive({ text: '{"kind":"ready"}' });
  return {
    ask: (request, bytes) => ask(request, bytes).catch(() => died('tflarena serve does not answer: start it again, and open the address that it prints')),
    stop: () => post('stop').catch(() => {}), // the request that it stops fails, too
    end: () => ended.abort(),
  };
}

// replies calls receive with each reply of a response, up to the answer.
async function replies(reader, receive) {
  let rest = new Uint8Array(0);
  const more = async () => {
    const { done, value } = await reader.read();
    if (done) throw new Error('the response has no answer');
    rest = value;
  };
  const line = async () => {
    const decoder = new TextDecoder();
    let text = '';
    for (;;) {
      const end = rest.indexOf(10);
      text += decoder.decode(end < 0 ? rest : rest.subarray(0, end), { stream: end < 0 });
      if (end >= 0) {
        rest = rest.subarray(end + 1);
        return text;
      }
      await more();
    }
  };
  const take = async (size) => {
    if (!size) return null;
    const bytes = new Uint8Array(size);
    for (let at = 0; at < size;) {
      if (!rest.length) await more();
      const part = rest.subarray(0, size - at);
      bytes.set(part, at);
      at += part.length;
      rest = rest.subarray(part.length);
    }
    return bytes;
  };
  for (;;) {
    const text = await line();
    const { kind, data_bytes: data, report_bytes: report } = JSON.parse(text);
    receive({ text, data: await take(data), report: await take(report) });
    if (kind !== 'progress') return;
  }
}
