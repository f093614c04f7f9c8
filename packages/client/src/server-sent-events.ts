/** Parses server-sent events (WHATWG HTML, 9.2) from a body as it is received. */

interface ServerSentEvent {
  /** Last id so far; "" before the first. */
  readonly id: string;
  readonly data: string;
}

export interface ServerSentEvents extends AsyncIterable<ServerSentEvent> {
  /** Reconnection delay in milliseconds, as last set by the server; undefined if never set. */
  readonly retry: number | undefined;
}

/** Ends with the body, and rejects if it fails. An incomplete event at the end is dropped. */
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
      // This service ends lines with a line feed only; a proxy may send both characters, in two chunks.
      const lines = `${rest}${value}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
