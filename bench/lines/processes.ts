/** What a second process that answers calls is worth, on EventStoreDB; and what it costs to run in several processes at all. */
import { join } from 'node:path';
import { openCreator } from '../../test/support/creator.ts';
import { compare, inTurns, median } from '../measuring/alternate.ts';
import {
  type FlowTimes,
  nonceAccountsAreThere,
  ofACore,
  type PlayedFlows,
  playFlows,
  stepTimes,
} from '../measuring/flow-load.ts';
import { type Comparison, type Line, written } from '../measuring/line.ts';
import { idleSeconds } from '../measuring/machine.ts';
import { type RunningService, startService } from '../measuring/service.ts';
import { openSeveralProcesses } from '../measuring/several-processes.ts';
import { inTemporaryFolder } from '../measuring/temporary-folder.ts';

const ROUNDS = 3;
const TIMES = { warmUpMilliseconds: 2_000, milliseconds: 8_000 };
/** Before the first round, until the code that answers has been compiled. */
const WARM_UP = { warmUpMilliseconds: 0, milliseconds: 8_000 };
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
    const stops: (() => Promise<void>)[] = [];
    try {
      const one = await openSeveralProcesses(join(folder, 'one'), 1, ENVIRONMENT);
      if ('leftOut' in one) return one;
      stops.push(one.stop);
      const two = await openSeveralProcesses(join(folder, 'two'), 2, ENVIRONMENT);
      if ('leftOut' in two) return two;
      stops.push(two.stop);
      const embedded = await startService(join(folder, 'embedded'), ENVIRONMENT);
      stops.push(embedded.stop);
      const sides = {
        embedded: await openSide([embedded], embedded.processorSeconds),
        one: await openSide(one.apis, one.processorSeconds),
        two: await openSide(two.apis, two.processorSeconds),
      };
      for (const play of Object.values(sides)) await play(WARM_UP);
      return comparisonsOf(
        await inTurns(ROUNDS, {
          embedded: () => sides.embedded(TIMES),
          one: () => sides.one(TIMES),
          two: () => sides.two(TIMES),
        }),
      );
    } finally {
      for (const stop of stops.reverse()) await stop();
    }
  });

/** Its creators are spread evenly over those that answer. */
async function openSide(
  apis: readonly [RunningService, ...RunningService[]],
  processorSeconds: () => Readonly<Record<string, number>>,
): Promise<(times: FlowTimes) => Promise<PlayedFlows<string>>> {
  const services = Array.from({ length: CREATORS }, (_, number) => apis[number % apis.length] ?? apis[0]);
  await Promise.all(apis.map(({ url }) => nonceAccountsAreThere(url, NONCE_ACCOUNTS)));
  const creators = await Promise.all(services.map((service) => openCreator(service, { sol: SOL })));
  return (times) => playFlows(creators, times, () => ({ ...processorSeconds(), idle: idleSeconds() }));
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
