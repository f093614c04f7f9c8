/** The service's EventStoreDB adapter, compared with its client used as the client's documentation shows. */

import { randomId } from '../../src/kernel/runtime/ids.ts';
import { compare, inTurns } from '../measuring/alternate.ts';
import { type EventStoreServer, startEventStoreServer } from '../measuring/event-store-server.ts';
import { type Comparison, type Line, written } from '../measuring/line.ts';
import { type StoreJobResult, startStoreClient } from '../measuring/store-client.ts';
import { inTemporaryFolder } from '../measuring/temporary-folder.ts';

const EVENTS = 100_000;
const ROUNDS_OF_EVENTS = 5;
const WRITERS = 50;
const ROUNDS = 9;
const MILLISECONDS = 1_000;
const WARM_UP = 1_500;
const TARGET = { atLeast: 0.9 };

export const eventStore: Line = () =>
  inTemporaryFolder(async (folder) => {
    const server = await startEventStoreServer(folder);
    if ('leftOut' in server) return server;
    try {
      // Reading is measured first, because it expects only the events of its own writer in the log.
      const reading = await caughtUp(server);
      return [...(await appended(server)), ...reading];
    } finally {
      await server.stop();
    }
  });

async function appended(server: EventStoreServer): Promise<readonly Comparison[]> {
  const ours = startStoreClient({ kind: 'adapter', url: server.url, prefix: newPrefix() });
  const bare = startStoreClient({ kind: 'bare', url: server.url, prefix: newPrefix() });
  try {
    const comparisons: Comparison[] = [];
    for (const [writers, what, target] of [
      [WRITERS, `appends of one event (200 bytes) by ${WRITERS} concurrent writers`, TARGET],
      [1, 'the same by one writer', undefined],
    ] as const) {
      const job = { kind: 'append', writers } as const;
      for (const side of [ours, bare]) await side.run({ ...job, milliseconds: WARM_UP });
      const spent = server.processorSeconds();
      const start = performance.now();
      const results = await inTurns(ROUNDS, {
        ours: () => ours.run({ ...job, milliseconds: MILLISECONDS }),
        bare: () => bare.run({ ...job, milliseconds: MILLISECONDS }),
      });
      const share = (server.processorSeconds() - spent) / ((performance.now() - start) / 1_000);
      const { rates, work } = compared(results);
      comparisons.push({
        what: `${what}: our adapter / @eventstore/db-client`,
        ratio: rates.ratio('ours', 'bare'),
        ...(target && { target }),
        figures:
          `${written(rates.medians.ours)}/s, ${written(rates.medians.bare)}/s; ` +
          `by the client's processor time ${written(work.ratio('ours', 'bare'))} ` +
          `(${microseconds(work.medians.ours)}, ${microseconds(work.medians.bare)})` +
          (Number.isFinite(share) ? `; of a core: server ${Math.round(share * 100)} %` : ''),
      });
    }
    return comparisons;
  } finally {
    await Promise.all([ours.stop(), bare.stop()]);
  }
}

async function caughtUp({ url }: EventStoreServer): Promise<readonly Comparison[]> {
  const prefix = newPrefix();
  // A separate process, so that the reading client has done nothing else before.
  const writer = startStoreClient({ kind: 'adapter', url, prefix });
  const { rate } = await writer.run({ kind: 'write', events: EVENTS }).finally(() => writer.stop());
  const ours = startStoreClient({ kind: 'adapter', url, prefix });
  const bare = startStoreClient({ kind: 'bare', url, prefix });
  try {
    const { rates, work } = compared(
      await inTurns(ROUNDS_OF_EVENTS, {
        ours: () => ours.run({ kind: 'subscribe', events: EVENTS }),
        subscribed: () => bare.run({ kind: 'subscribe', events: EVENTS }),
        read: () => bare.run({ kind: 'read', events: EVENTS }),
      }),
    );
    const against = (side: 'subscribed' | 'read') => ({
      ratio: rates.ratio('ours', side),
      figures:
        `${written(rates.medians.ours)} events/s, ${written(rates.medians[side])} events/s; ` +
        `by the client's processor time ${written(work.ratio('ours', side))} ` +
        `(${microseconds(work.medians.ours)}, ${microseconds(work.medians[side])})`,
    });
    const before = against('subscribed');
    return [
      {
        what: `${EVENTS.toLocaleString('en-US')} events delivered from the start until caught up: our \`subscribe\` / its \`subscribeToAll\` with a filter`,
        ...before,
        figures: `${before.figures}; written before at ${written(rate)} events/s, 500 in a call`,
      },
      { what: 'the same / its `readAll`', ...against('read') },
    ];
  } finally {
    await Promise.all([ours.stop(), bare.stop()]);
  }
}

function compared<Side extends string>(results: ReadonlyMap<Side, readonly StoreJobResult[]>) {
  const each = (figure: keyof StoreJobResult) =>
    compare(new Map([...results].map(([side, all]) => [side, all.map((one) => one[figure])] as const)));
  return { rates: each('rate'), work: each('work') };
}

/** Processor time for one event. */
function microseconds(eventsPerSecond: number): string {
  return `${written(1e6 / eventsPerSecond)} us`;
}

function newPrefix(): string {
  return `bench_${randomId().slice(-12)}`;
}
