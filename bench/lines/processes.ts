/** What a second process that answers calls is worth, on EventStoreDB; and what it costs to run in several processes at all. */
import { join } from 'node:path';
import { createClient } from '../../test/support/client.ts';
import { type Creator, creatorWith, openCreator } from '../../test/support/creator.ts';
import { compare, inTurns, median } from '../measuring/alternate.ts';
import { startEventStoreServer } from '../measuring/event-store-server.ts';
import {
  nonceAccountsAreThere,
  ofACore,
  type PlayedFlows,
  playFlows,
  stepTimes,
} from '../measuring/flow-load.ts';
import { type Comparison, type Line, written } from '../measuring/line.ts';
import { idleSeconds } from '../measuring/machine.ts';
import { processorSecondsOf } from '../measuring/processor-time.ts';
import { type RunningService, startService } from '../measuring/service.ts';
import { openSeveralProcesses, type SeveralProcesses } from '../measuring/several-processes.ts';
import { inTemporaryFolder } from '../measuring/temporary-folder.ts';

const ROUNDS = 3;
const TIMES = { warmUpMilliseconds: 2_000, milliseconds: 8_000 };
const CREATORS = 48;
const SOL = 1_000;
/** A draft holds its nonce account until the chain has finalized it, about 13 seconds. */
const NONCE_ACCOUNTS = 600;
const ENVIRONMENT = {
  RATE_LIMITS: 'off',
  NONCE_ACCOUNTS_MIN: String(NONCE_ACCOUNTS),
  NONCE_ACCOUNTS_MAX: '10000',
};

type Side = 'embedded' | 'one' | 'two';
const NAMES: Readonly<Record<Side, string>> = {
  embedded: 'one embedded process',
  one: 'one API process on EventStoreDB',
  two: 'two API processes on EventStoreDB',
};

export const processes: Line = () =>
  inTemporaryFolder(async (folder) => {
    const eventStore = await startEventStoreServer(folder);
    if ('leftOut' in eventStore) return eventStore;
    const stops = [eventStore.stop];
    try {
      const embedded = await startService(join(folder, 'embedded'), ENVIRONMENT);
      stops.push(embedded.stop);
      const several = await openSeveralProcesses(join(folder, 'several'), eventStore, ENVIRONMENT);
      stops.push(several.stop);
      return comparisonsOf(await measure(embedded, several));
    } finally {
      for (const stop of stops.reverse()) await stop();
    }
  });

async function measure(
  embedded: RunningService,
  several: SeveralProcesses,
): Promise<ReadonlyMap<Side, readonly PlayedFlows<string>[]>> {
  const first = await several.startApi('api-1');
  await Promise.all([first, embedded].map(({ url }) => nonceAccountsAreThere(url, NONCE_ACCOUNTS)));
  const itsCreators = await openCreators(embedded);
  const creators = await openCreators(first);
  return await inTurns(ROUNDS, {
    embedded: () => playFlows(itsCreators, TIMES, () => withIdle(embedded.processorSeconds())),
    one: () => playFlows(creators, TIMES, () => secondsOf(several, [first])),
    two: async () => {
      const second = await several.startApi('api-2');
      try {
        const spread = creators.map((creator, number) => (number % 2 === 0 ? creator : at(second, creator)));
        return await playFlows(spread, TIMES, () => secondsOf(several, [first, second]));
      } finally {
        await second.stop();
      }
    },
  });
}

function comparisonsOf(results: ReadonlyMap<Side, readonly PlayedFlows<string>[]>): readonly Comparison[] {
  const { medians, ratio } = compare(
    new Map([...results].map(([side, all]) => [side, all.map(({ rate }) => rate)] as const)),
  );
  const against = (what: string, above: Side, below: Side): Comparison => ({
    what,
    ratio: ratio(above, below),
    figures: `${written(medians[above])} flows/s, ${written(medians[below])} flows/s`,
  });
  return [
    against(`create-to-confirmed flows of ${CREATORS} creators at once: ${NAMES.two} / one`, 'two', 'one'),
    against(`the same: ${NAMES.one} / ${NAMES.embedded}`, 'one', 'embedded'),
    against(`the same: ${NAMES.two} / ${NAMES.embedded}`, 'two', 'embedded'),
    ...[...results].map(([side, all]) => ({ what: `in ${NAMES[side]}`, figures: figuresOf(all) })),
  ];
}

/** What a flow takes is that of all but those who create. */
function figuresOf(all: readonly PlayedFlows<string>[]): string {
  const parts = Object.keys(all[0]?.shares ?? {});
  const shares = parts.map(
    (part) => [part, median(all.map((played) => played.shares[part] ?? Number.NaN))] as const,
  );
  const ours = shares.filter(([part]) => part !== 'creators' && part !== 'idle');
  const sum = ours.reduce((total, [, share]) => total + share, 0);
  return [
    ...stepTimes(all),
    ofACore(Object.fromEntries(shares)),
    `${written((sum * 1_000) / median(all.map(({ rate }) => rate)))} ms of processor time for a flow`,
  ].join('; ');
}

function secondsOf(several: SeveralProcesses, apis: readonly RunningService[]) {
  const own = apis.map(({ pid }, index) => [`api ${index + 1}`, processorSecondsOf(pid)] as const);
  return withIdle({ ...Object.fromEntries(own), ...several.processorSeconds() });
}

function withIdle(seconds: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return { ...seconds, idle: idleSeconds() };
}

/** The same creator, in the same session, at another process. */
function at({ url }: RunningService, { keypair, token }: Creator): Creator {
  return creatorWith({ client: createClient(url), keypair, token });
}

function openCreators(service: RunningService): Promise<readonly Creator[]> {
  return Promise.all(Array.from({ length: CREATORS }, () => openCreator(service, { sol: SOL })));
}
