/**
 * Processor time of a whole run for each holder, at many holders and at few: scan, harvest, split, allotment, pots,
 * payments, close. Waiting for slots takes none of it.
 */
import {
  type DistributedExample,
  type DistributingEngine,
  exampleToken,
  withDistributingEngine,
} from '../measuring/distributing-engine.ts';
import { type Line, written } from '../measuring/line.ts';

const MANY = 100_000;
const FEW = 1_000;
/** Number of consecutive runs with few holders. Each includes the cost that does not depend on the holders. */
const RUNS_OF_FEW = 5;
/** One in a hundred holders has been taxed since the last run. */
const TAXED = 100;
const POTS = 200;
/** Slots are long enough that polling for finality does not affect the result. */
const SLOT_MILLISECONDS = 100;

interface Cost {
  readonly microseconds: number;
  readonly seconds: number;
}

export const wholeRuns: Line = () => {
  const of = (number: number, holders: number) =>
    exampleToken(number, { holders, taxed: holders / TAXED, asset: 'sol' });
  // The first run is not counted, because code is compiled during it.
  const warm = of(1, FEW);
  const few = Array.from({ length: RUNS_OF_FEW }, (_, number) => of(2 + number, FEW));
  const many = of(2 + RUNS_OF_FEW, MANY);
  const examples = [warm, ...few, many];
  return withDistributingEngine({ examples, slotMilliseconds: SLOT_MILLISECONDS }, async (engine) => {
    await runOf(engine, warm);
    const ofFew: Cost[] = [];
    for (const example of few) ofFew.push(await runOf(engine, example));
    const ofMany = await runOf(engine, many);
    const each = ofFew.reduce((sum, { microseconds }) => sum + microseconds, 0) / RUNS_OF_FEW;
    const seconds = ofFew.reduce((sum, one) => sum + one.seconds, 0) / RUNS_OF_FEW;
    return [
      {
        what: `processor time of the engine per holder, a whole run in SOL: at ${MANY.toLocaleString('en-US')} holders / at ${FEW.toLocaleString('en-US')}`,
        ratio: ofMany.microseconds / each,
        target: { atMost: 1.2 },
        figures: `${written(ofMany.microseconds)} us, ${written(each)} us; the runs took ${written(ofMany.seconds)} s and ${written(seconds)} s`,
      },
    ];
  });
};

/** Cost from the request until the run is closed, without the chain's own process. */
async function runOf(engine: DistributingEngine, example: DistributedExample): Promise<Cost> {
  let isBegun = false;
  const at = performance.now();
  const before = process.cpuUsage();
  await engine.distribute(example, POTS, (now) => {
    isBegun ||= now !== undefined;
    return isBegun && now === undefined;
  });
  const { user, system } = process.cpuUsage(before);
  return { microseconds: (user + system) / example.holders, seconds: (performance.now() - at) / 1_000 };
}
