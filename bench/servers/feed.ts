/** Process with the service of `open-levy.ts` that appends events itself, as many as it is currently allowed to. */
import { randomId } from '../../src/kernel/runtime/ids.ts';
import { type Served, serve } from '../measuring/child.ts';
import { creationOf } from '../measuring/many-tokens.ts';
import type { Allowance, Appended } from './feed-messages.ts';
import type { LevyOptions } from './levy-options.ts';
import { type Levy, openLevy } from './open-levy.ts';

/** Concurrent appends, so that they share a commit. */
const AT_ONCE = 100;
const TRIES = 100;
const PAUSE = 50;

async function openFeed(options: LevyOptions): Promise<Served> {
  const levy = await openLevy(options);
  const positions: string[] = [];
  let allowed = 0;
  let isWorking = false;

  async function work(): Promise<void> {
    while (positions.length < allowed) {
      const first = positions.length;
      const count = Math.min(AT_ONCE, allowed - first);
      positions.push(
        ...(await Promise.all(Array.from({ length: count }, (_, index) => append(levy, first + index)))),
      );
    }
  }

  process.on('message', (message: Allowance | 'positions') => {
    if (message === 'positions') {
      const answer: Appended = { positions: positions.toSorted() };
      process.send?.(answer);
      return;
    }
    allowed = message.appended;
    if (isWorking) return;
    isWorking = true;
    work().finally(() => {
      isWorking = false;
    });
  });
  // The feed needs a log with at least one event.
  await append(levy, -1);
  await feedCanWork(levy);
  return levy;
}

/** Resolves when the read model that the feed needs is built. */
async function feedCanWork({ eventFeed }: Levy): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await eventFeed.startAt(undefined);
      return;
    } catch (error) {
      if (tries === TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }
}

/** Appends an event that everybody receives, and resolves with its position. */
async function append({ store, codec }: Levy, number: number): Promise<string> {
  const event = creationOf(number);
  const encoded = codec.encode('token', randomId(), event, {
    commandId: event.data.transactionId,
    inputHash: '',
    correlationId: event.data.transactionId,
    causationId: event.data.transactionId,
    actor: event.data.creator,
    occurredAt: new Date().toISOString(),
  });
  const result = await store.append(`token-${event.data.token.tokenId}`, 'none', [encoded]);
  if (result.outcome !== 'appended') throw new Error('a token cannot be created twice');
  return result.position;
}

await serve(openFeed);
