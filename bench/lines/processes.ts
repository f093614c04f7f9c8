/**
 * Cost of the service in several processes on EventStoreDB, and cost and benefit of each further process that
 * handles calls. Measured in processor time, which depends little on other work of the machine.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openCreator } from '../../test/support/creator.ts';
import { median } from '../measuring/alternate.ts';
import { type CountedFlows, countFlows, nonceAccountsAreThere, stepTimes } from '../measuring/flow-load.ts';
import { type Comparison, type LeftOut, type Line, written } from '../measuring/line.ts';
import { OWN_BUILD, type RunningService, startService } from '../measuring/service.ts';
import { openSeveralProcesses, type SeveralOptions } from '../measuring/several-processes.ts';
import { inTemporaryFolder } from '../measuring/temporary-folder.ts';

const ROUNDS = 2;
/** Flows per creator and round. The same number runs before the first round, until the code is compiled. */
const FLOWS = 6;
const CREATORS = 12;
const SOL = 1_000;
/** A draft holds its nonce account until the chain has finalized it, about 13 seconds. */
const NONCE_ACCOUNTS = 300;
const MAX_APIS = 3;
const ENVIRONMENT = {
  RATE_LIMITS: 'off',
  NONCE_ACCOUNTS_MIN: String(NONCE_ACCOUNTS),
  NONCE_ACCOUNTS_MAX: '10000',
};
/** Another build of the service, which is measured first in the same run. */
const { BENCH_BEFORE: before } = process.env;
const LISTS = ['sqlite', 'mongodb'] as const;
const IN = { sqlite: 'lists in SQLite', mongodb: 'lists in MongoDB' };

type Deployment = Omit<SeveralOptions, 'environment'>;

export const processes: Line = () =>
  inTemporaryFolder(async (folder) => {
    const builds = [
      ...(before === undefined ? [] : [{ name: 'before: ', build: pathToFileURL(before) }]),
      { name: '', build: OWN_BUILD },
    ];
    const comparisons: Comparison[] = [];
    for (const [index, { name, build }] of builds.entries()) {
      const own = join(folder, String(index));
      const embedded = await measureEmbedded(join(own, 'embedded'), build);
      comparisons.push({ what: `${name}one embedded process`, figures: figuresOf(embedded) });
      for (const lists of LISTS) {
        const several = await measureSeveral(join(own, lists), { lists, build });
        if ('leftOut' in several) comparisons.push({ what: `${name}${IN[lists]}`, figures: several.leftOut });
        else comparisons.push(...comparisonsOf(`${name}${IN[lists]}`, embedded, several));
      }
    }
    return comparisons;
  });

/** Medians of a deployment's rounds. */
interface Measured {
  readonly played: readonly CountedFlows[];
  /** Milliseconds of processor time per flow, for each process of the service. */
  readonly service: Readonly<Record<string, number>>;
  readonly sum: number;
  readonly counts: Readonly<Record<string, number>>;
}

async function measureEmbedded(folder: string, build: URL): Promise<Measured> {
  const service = await startService(folder, ENVIRONMENT, [], build);
  try {
    return await measure([service], service.processorSeconds, ['service'], () => ({}));
  } finally {
    await service.stop();
  }
}

/** Measures with one process that handles calls, then adds one at a time, so that none is idle. */
async function measureSeveral(
  folder: string,
  deployment: Deployment,
): Promise<(readonly Measured[] & { readonly servers: string }) | LeftOut> {
  const several = await openSeveralProcesses(folder, { ...deployment, environment: ENVIRONMENT });
  if ('leftOut' in several) return several;
  try {
    const found: Measured[] = [];
    while (several.apis.length < MAX_APIS) {
      await several.addApi();
      const seconds = () => ({ ...several.serviceSeconds(), ...several.serverSeconds() });
      const measured = await measure(
        several.apis,
        seconds,
        Object.keys(several.serviceSeconds()),
        several.storeCalls,
      );
      // A measurement takes minutes. Print each result, so that an interruption does not lose it.
      process.stderr.write(`${several.apis.length} API, ${IN[deployment.lists]}: ${figuresOf(measured)}\n`);
      found.push(measured);
    }
    return Object.assign(found, { servers: several.servers });
  } finally {
    await several.stop();
  }
}

/** Distributes the creators evenly over the processes that handle calls. */
async function measure(
  apis: readonly RunningService[],
  processorSeconds: () => Readonly<Record<string, number>>,
  ofTheService: readonly string[],
  counted: () => Readonly<Record<string, number>>,
): Promise<Measured> {
  await Promise.all(apis.map(({ url }) => nonceAccountsAreThere(url, NONCE_ACCOUNTS)));
  const creators = await Promise.all(
    Array.from({ length: CREATORS }, (_, number) => apis[number % apis.length]).flatMap((service) =>
      service === undefined ? [] : openCreator(service, { sol: SOL }),
    ),
  );
  const play = () => countFlows(creators, FLOWS, processorSeconds, counted);
  await play();
  const played: CountedFlows[] = [];
  for (let round = 0; round < ROUNDS; round++) played.push(await play());
  const service = middleOf(played, ({ spent }) => spent, ofTheService);
  return {
    played,
    service,
    sum: Object.values(service).reduce((total, one) => total + one, 0),
    counts: middleOf(played, ({ counts }) => counts),
  };
}

/** Median of each figure over the rounds. */
function middleOf(
  played: readonly CountedFlows[],
  figures: (one: CountedFlows) => Readonly<Record<string, number>>,
  names: Iterable<string> = new Set(played.flatMap((one) => Object.keys(figures(one)))),
): Readonly<Record<string, number>> {
  return Object.fromEntries(
    [...names].map((name) => [name, median(played.map((one) => figures(one)[name] ?? 0))]),
  );
}

function comparisonsOf(
  what: string,
  embedded: Measured,
  several: readonly Measured[] & { readonly servers: string },
): readonly Comparison[] {
  return several.flatMap((measured, index) => {
    const former = several[index - 1] ?? embedded;
    const of = (count: number) => `${count} API ${count === 1 ? 'process' : 'processes'} and a worker`;
    return [
      {
        what: `${what}: processor time of a flow, ${of(index + 1)} / ${index === 0 ? 'one embedded process' : of(index)}`,
        ratio: measured.sum / former.sum,
        target: { atMost: index === 0 ? 1.6 : 1.1 },
        figures: `${written(measured.sum)} ms (${inWords(measured.service)}), ${written(former.sum)} ms`,
      },
      ...(index === 0 ? [] : [prediction(what, several[0] ?? measured, measured, of(index + 1))]),
      { what: `in these ${of(index + 1)} (${several.servers})`, figures: figuresOf(measured) },
    ];
  });
}

/**
 * If each process had a core, the process with the highest cost per flow would limit the number of flows per second.
 */
function prediction(what: string, one: Measured, measured: Measured, name: string): Comparison {
  const flows = ({ service }: Measured) => 1_000 / Math.max(...Object.values(service));
  return {
    what: `${what}: predicted flows/s on a core for each process, ${name} / 1`,
    ratio: flows(measured) / flows(one),
    figures: `at most ${written(flows(measured))} flows/s, ${written(flows(one))} flows/s, if servers and chain keep up`,
  };
}

function figuresOf({ played, counts }: Measured): string {
  const each = Object.entries(counts)
    .filter(([, count]) => count >= 0.05)
    .toSorted(([, count], [, other]) => other - count);
  const isAppend = ([name]: readonly [string, number]) => name.endsWith('(append)');
  const sum = (some: readonly (readonly [string, number])[]) =>
    some.reduce((all, [, count]) => all + count, 0);
  const reads = each.filter((one) => !isAppend(one));
  return [
    `${written(median(played.map(({ rate }) => rate)))} flows/s`,
    ...stepTimes(played),
    `of processor time for a flow ${inWords(middleOf(played, ({ spent }) => spent))}`,
    ...(each.length === 0
      ? []
      : [
          `for a flow ${written(sum(each.filter(isAppend)))} appends and ${written(sum(reads))} reads: ${inWords(Object.fromEntries(reads), '')}`,
        ]),
  ].join('; ');
}

function inWords(figures: Readonly<Record<string, number>>, unit = ' ms'): string {
  return Object.entries(figures)
    .map(([name, figure]) => `${name} ${written(figure)}${unit}`)
    .join(', ');
}
