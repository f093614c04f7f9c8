// Server-sent events as they arrive: in pieces of any size, with whatever line ends a proxy makes of them.
import { expect, test } from 'vitest';
import { readServerSentEvents } from '../src/server-sent-events.ts';

const TEXT = 'retry: 1500\n\n:\n\nid: 1\nevent: a\ndata: {"é":1}\n\ndata: x\ndata: y\n\nid: 3\ndata: cut off';

async function readIn(pieces: readonly Uint8Array[]) {
  const events = readServerSentEvents(ReadableStream.from(pieces) as ReadableStream<Uint8Array>);
  const found = [];
  for await (const event of events) found.push(event);
  return { found, retry: events.retry };
}

test.each([['\n'], ['\r\n']])('are read whole, whatever the pieces and line ends (%j)', async (end) => {
  const bytes = new TextEncoder().encode(TEXT.replaceAll('\n', end));
  for (const size of [1, 2, 7, bytes.length]) {
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.slice(index * size, (index + 1) * size),
    );
    expect(await readIn(pieces)).toEqual({
      found: [
        { id: '1', data: '{"é":1}' },
        { id: '1', data: 'x\ny' },
      ],
      retry: 1_500,
    });
  }
});
