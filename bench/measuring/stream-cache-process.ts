/**
 * Process that receives the events of many flows, like one beside the processes that recorded them, and reports its
 * heap after a garbage collection. Requires `--expose-gc`.
 */
import type { EventStore } from '../../src/kernel/ports/event-store.ts';
import { createEventCodec, idOf } from '../../src/kernel/runtime/event-codec.ts';
import { strictReader } from '../../src/kernel/runtime/event-reader.ts';
import { createStreamCache, createStreamLoader } from '../../src/kernel/runtime/stream-cache.ts';
import { streams as definitions } from '../../src/streams/index.ts';
import { serve } from './child.ts';
import { writeFlows } from './many-flows.ts';

export interface StreamCacheSize {
  readonly tokens: number;
  /** Maximum bytes of JSON. */
  readonly maxBytes: number;
}

export interface StreamCacheHeld {
  readonly streams: number;
  readonly events: number;
  /** Bytes of the heap. */
  readonly heard: number;
  /** The same after everything was folded. */
  readonly folded: number;
}

const { gc } = globalThis;
if (gc === undefined) throw new Error('start this with --expose-gc');

await serve(async (options: StreamCacheSize) => {
  process.once('message', () => {
    measure(options).then(
      (found) => process.send?.(found),
      (error: unknown) => {
        process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
        process.exit(1);
      },
    );
  });
  return { url: 'http://127.0.0.1', close: async () => undefined };
});

function held(): number {
  gc?.();
  return process.memoryUsage().heapUsed;
}

async function measure({ tokens, maxBytes }: StreamCacheSize): Promise<StreamCacheHeld> {
  const cache = createStreamCache({ maxBytes, isFollowed: () => true });
  const names = new Set<string>();
  let position = 0;
  const heard: Pick<EventStore, 'append'> = {
    async append(stream, expected, events) {
      let revision = expected === 'none' ? -1 : expected;
      names.add(stream);
      for (const event of events) {
        revision += 1;
        position += 1;
        // In the form of the store's parsed message.
        const stored = JSON.parse(
          JSON.stringify({ ...event, stream, revision, position: numbered(position) }),
        );
        cache.learn([stored]);
      }
      return { outcome: 'appended', revision, position: numbered(position) };
    },
  };
  const before = held();
  await writeFlows(heard, tokens);
  const remembered = [...names].filter((name) => cache.latest(name) !== undefined);
  names.clear();
  const ofHeard = held() - before;
  const { cached } = createStreamLoader({
    cache,
    decode: strictReader(createEventCodec(definitions)).read,
    read: async () => [],
    snapshots: { latest: async () => undefined },
  });
  let events = 0;
  for (const name of remembered) {
    const stream = definitions.find(({ category }) => name.startsWith(`${category}-`));
    const found = cache.latest(name);
    if (stream === undefined || found === undefined) continue;
    events += found.stored.length;
    await cached(stream as never, idOf(name));
  }
  return { streams: remembered.length, events, heard: ofHeard, folded: held() - before };
}

function numbered(position: number): string {
  return String(position).padStart(20, '0');
}
