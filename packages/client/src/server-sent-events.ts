/** Reads server-sent events (WHATWG HTML, 9.2) from a body as it arrives. */

interface ServerSentEvent {
  /** The last id that was named so far; "" before any. */
  readonly id: string;
  readonly data: string;
}

export interface ServerSentEvents extends AsyncIterable<ServerSentEvent> {
  /** Milliseconds to wait before connecting again, as the server last said; undefined if it has not. */
  readonly retry: number | undefined;
}

/** Ends with the body, and rejects as it does. An event whose end has not arrived is left out. */
export function readServerSentEvents(body: ReadableStream<Uint8Array>): ServerSentEvents {
  let retry: number | undefined;

  async function* read(): AsyncGenerator<ServerSentEvent> {
    let [id, data]: [string, string[]] = ['', []];
    for await (const line of linesOf(body)) {
      const [, field = '', value = ''] = /^([^:]*)(?::[ ]?(.*))?$/s.exec(line) ?? [];
      if (line === '') {
        if (data.length > 0) yield { id, data: data.join('\n') };
        data = [];
      } else if (field === 'id') id = value;
      else if (field === 'data') data.push(value);
      else if (field === 'retry' && /^\d{1,9}$/.test(value)) retry = Number(value);
    }
  }

  return {
    get retry() {
      return retry;
    },
    [Symbol.asyncIterator]: read,
  };
}

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      // Ours end lines with a line feed alone; a proxy may send both characters, in two pieces.
      const lines = `${rest}${value}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
