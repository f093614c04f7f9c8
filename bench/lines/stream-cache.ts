/** Memory of the stream cache of a process that has received the events of 100,000 tokens, which fill the cache. */
import { fork } from 'node:child_process';
import { answerOf, ended } from '../measuring/child.ts';
import { type Line, written } from '../measuring/line.ts';
import type { StreamCacheHeld, StreamCacheSize } from '../measuring/stream-cache-process.ts';

const TOKENS = 100_000;
/** Equal to the service's. */
const MAX_BYTES = 32 * 1024 * 1024;
const START_TIMEOUT = 60_000;
const RUN_TIMEOUT = 600_000;

export const streamCache: Line = async () => {
  const { streams, events, heard, folded } = await heldBy({ tokens: TOKENS, maxBytes: MAX_BYTES });
  const megabytes = (bytes: number) => `${written(bytes / 1024 / 1024)} MiB`;
  return [
    {
      what: `heap of the stream cache after ${TOKENS.toLocaleString('en-US')} tokens, all of them folded / their JSON`,
      ratio: folded / MAX_BYTES,
      figures: `${megabytes(folded)}, ${megabytes(MAX_BYTES)}; as they are received ${megabytes(heard)}; ${events} events of ${streams} streams`,
    },
  ];
};

async function heldBy(options: StreamCacheSize): Promise<StreamCacheHeld> {
  const child = fork(
    new URL('../measuring/stream-cache-process.ts', import.meta.url),
    [JSON.stringify(options)],
    { execArgv: [...process.execArgv, '--expose-gc'] },
  );
  try {
    await answerOf(child, START_TIMEOUT);
    const answer = answerOf(child, RUN_TIMEOUT);
    child.send('measure');
    return (await answer) as StreamCacheHeld;
  } finally {
    await ended(child);
  }
}
