/** Cost of a load and an append in a stream with 100,000 events, compared with a new stream. */
import { join } from 'node:path';
import { openSqliteDatabase } from '../../src/adapters/sqlite/database.ts';
import { createSqliteEventStore } from '../../src/adapters/sqlite/event-store.ts';
import type { EventStore } from '../../src/kernel/ports/event-store.ts';
import { systemClock } from '../../src/kernel/runtime/clock.ts';
import type { DomainEvent, StreamDefinition } from '../../src/kernel/runtime/define-stream.ts';
import { createEventCodec } from '../../src/kernel/runtime/event-codec.ts';
import { causeOf, createExecutor, type Executor } from '../../src/kernel/runtime/execute.ts';
import { deriveId, randomId } from '../../src/kernel/runtime/ids.ts';
import { streams } from '../../src/streams/index.ts';
import {
  NonceAccountOpened,
  NonceLeased,
  NonceReturned,
  nonceAccount,
} from '../../src/streams/nonce-account.ts';
import { alternate } from '../measuring/alternate.ts';
import { type Line, written } from '../measuring/line.ts';
import { creationOf } from '../measuring/many-tokens.ts';
import { inTemporaryFolder } from '../measuring/temporary-folder.ts';

const EVENTS = 100_000;
const EVENTS_AN_APPEND = 500;
const ROUNDS = 15;
const CALLS_A_ROUND = 40;
const STARTS_A_ROUND = 5;

/** One stream per kind, with its next event as a pure function of its state. */
interface Kind<State, Event extends DomainEvent> {
  readonly name: string;
  readonly stream: StreamDefinition<State, Event>;
  readonly first: (streamId: string) => readonly Event[];
  readonly next: (state: State, streamId: string) => Event;
}

const account = creationOf(0).data.token.mintAddress;

const nonce: Kind<Parameters<typeof nonceAccount.evolve>[0], Parameters<typeof nonceAccount.evolve>[1]> = {
  name: 'a nonce account',
  stream: nonceAccount,
  first: () => [NonceAccountOpened({ account, index: 0, value: account })],
  next: (state) =>
    state?.lease === undefined
      ? NonceLeased({ account, transactionId: randomId(), value: account })
      : NonceReturned({ account, transactionId: state.lease }),
};

export const longStreams: Line = () =>
  inTemporaryFolder(async (folder) => {
    const database = openSqliteDatabase(join(folder, 'levy.db'));
    const store = createSqliteEventStore(database);
    const comparisons = await comparisonsOf(store, nonce);
    await store.close();
    await database.close();
    return comparisons;
  });

async function comparisonsOf<State, Event extends DomainEvent>(store: EventStore, kind: Kind<State, Event>) {
  const { name, stream, next } = kind;
  const long = deriveId('long', name);
  await fill(executorOn(store), kind, long, EVENTS);

  const running = executorOn(store);
  const append = (streamId: string) =>
    running.execute(stream, streamId, causeOf('bench'), (state) => [next(state, streamId)]);
  await append(long);
  const { medians, ratio } = await alternate(ROUNDS, {
    long: () => microseconds(CALLS_A_ROUND, () => append(long)),
    fresh: () => freshly(kind, running, (streamId) => microseconds(CALLS_A_ROUND, () => append(streamId))),
  });
  const starting = await alternate(ROUNDS, {
    long: () => microseconds(STARTS_A_ROUND, () => executorOn(store).load(stream, long)),
    fresh: () =>
      freshly(kind, running, (streamId) =>
        microseconds(STARTS_A_ROUND, () => executorOn(store).load(stream, streamId)),
      ),
    whole: () => microseconds(1, () => running.load(stream, long, { eventsFrom: 0 })),
  });
  return [
    {
      what: `load and append, ${name} with ${written(EVENTS)} events / a new one`,
      ratio: ratio('long', 'fresh'),
      target: { atMost: 1.2 },
      figures: `${written(medians.long)} us, ${written(medians.fresh)} us`,
    },
    {
      what: `the first load after a start, ${name} / reading all of its events`,
      ratio: starting.ratio('long', 'whole'),
      figures: `${written(starting.medians.long)} us, ${written(starting.medians.whole)} us; of one that has just begun ${written(starting.medians.fresh)} us`,
    },
  ];
}

function executorOn(store: EventStore): Executor {
  return createExecutor(store, createEventCodec(streams), systemClock);
}

async function fill<State, Event extends DomainEvent>(
  executor: Executor,
  { stream, first, next }: Kind<State, Event>,
  streamId: string,
  events: number,
): Promise<void> {
  for (let written = 0; written < events; written += EVENTS_AN_APPEND) {
    await executor.execute(stream, streamId, causeOf('bench'), (before, { revision }) => {
      const several: Event[] = revision === 'none' ? [...first(streamId)] : [];
      let state = several.reduce(stream.evolve, before);
      while (several.length < Math.min(EVENTS_AN_APPEND, events)) {
        const event = next(state, streamId);
        several.push(event);
        state = stream.evolve(state, event);
      }
      return several;
    });
  }
}

/** On a new stream of the kind, with one event. */
async function freshly<State, Event extends DomainEvent>(
  kind: Kind<State, Event>,
  executor: Executor,
  work: (streamId: string) => Promise<number>,
): Promise<number> {
  const streamId = randomId();
  await fill(executor, kind, streamId, 1);
  return work(streamId);
}

/** Cost per call, over this many consecutive calls. */
async function microseconds(calls: number, call: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  for (let count = 0; count < calls; count += 1) await call();
  return ((performance.now() - begun) * 1_000) / calls;
}
