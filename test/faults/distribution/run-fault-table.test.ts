// Each write of a run fails before or after it takes effect. The next process continues from the stored state alone, and the
// whole run is recomputed from the log, the ledgers and the chain.
import { beforeAll, describe, expect, test } from 'vitest';
import { SIGNATURE_FEE } from '../../../src/distribution/sending/sender.ts';
import { type Dying, type EngineRun, runEngine } from '../../support/faulty-chain/engine-run.ts';
import { CALM } from '../../support/faulty-chain/weather.ts';

const SEED = 3;
const MOMENTS: readonly Dying[] = ['not done', 'done, not answered'];

/** Event types of a run, each once, in the order of their first occurrence. */
const RECORDS = {
  sol: [
    'RunOpened',
    'LinksRecorded begin',
    'LinksLanded begin',
    'HoldersScanned',
    'TaxCollected',
    'LinksRecorded split',
    'LinksLanded split',
    'TaxSplit',
    'RunAllotted',
    'LinksRecorded open',
    'LinksLanded open',
    'RoundRecorded',
    'BatchesSettled',
    'LinksRecorded close',
    'LinksLanded close',
    'RunClosed',
  ],
  // Nothing is sold or burned, and the pot is the wallet's own account.
  token: [
    'RunOpened',
    'LinksRecorded begin',
    'LinksLanded begin',
    'HoldersScanned',
    'TaxCollected',
    'TaxSplit',
    'RunAllotted',
    'LinksRecorded open',
    'LinksLanded open',
    'RoundRecorded',
    'BatchesSettled',
    'RunClosed',
  ],
} as const;
/** The ledger and the settlement. */
const FILES = 2;

/** Ends a process when it comes to the write for that time, counted from 0; the next ones live. */
function run(asset: 'sol' | 'token', dies?: { write: string; dying: Dying; time?: number }) {
  let seen = 0;
  return runEngine(SEED, {
    weather: CALM,
    assets: [asset],
    diesAt: (name) => (name === dies?.write && seen++ === (dies.time ?? 0) ? dies.dying : undefined),
  });
}

/** All that the run has decided and paid, without when and in how many looks. */
function outcomeOf({ distribution, runs, allotments, findings, halted, paidTwice, closed }: EngineRun) {
  const settled = runs.flat().flatMap((event) => (event.type === 'BatchesSettled' ? event.data.batches : []));
  const batches = settled
    .map(({ pot, from, to, without, value, left }) => ({ pot, from, to, without, value, left }))
    .sort((one, other) => one.pot - other.pot || one.from - other.from);
  const books = distribution.flatMap((event) => (event.type === 'RunClosed' ? [event.data.amounts] : []));
  // A scan after the sale finds the desk among the holders; it is paid nothing.
  const paid = allotments
    .flat()
    .flatMap(({ owner, kind, planned }) => (planned === 0n ? [] : [`${owner} ${kind} ${planned}`]));
  return { findings, halted, paidTwice, closed, batches, books, paid };
}

/** What does not follow from the costs that a run takes back. */
function formOf(run: EngineRun) {
  const { batches, books, paid, ...rest } = outcomeOf(run);
  const fixed = books.map(({ kept, collected, burned, sold, keptAfter, proceeds }) => ({
    kept,
    collected,
    burned,
    sold,
    keptAfter,
    proceeds,
  }));
  return {
    ...rest,
    fixed,
    batches: batches.map(({ pot, from, to, without }) => ({ pot, from, to, without })),
    paid: paid.map((each) => each.split(' ').slice(0, 2)),
  };
}

/** A process that ends before it records what it collected takes the fees of its harvest along: they are not taken back. */
function expectSameOutcome(disturbed: EngineRun, undisturbed: EngineRun): void {
  const [found, expected] = [outcomeOf(disturbed), outcomeOf(undisturbed)];
  const forgotten = BigInt(expected.books[0]?.costs ?? 0) - BigInt(found.books[0]?.costs ?? 0);
  if (forgotten === 0n) expect(found).toEqual(expected);
  else {
    expect([forgotten > 0n, forgotten % SIGNATURE_FEE]).toEqual([true, 0n]);
    expect(formOf(disturbed)).toEqual(formOf(undisturbed));
  }
}

const ofRun = (names: readonly string[]) => names.filter((name) => !/^(Token|RunRequested)/.test(name));

describe.each(['sol', 'token'] as const)('a run that pays %s', (asset) => {
  let undisturbed: EngineRun;
  let [sent, stored] = [0, 0];
  beforeAll(async () => {
    undisturbed = await runEngine(SEED, {
      weather: CALM,
      assets: [asset],
      diesAt(name) {
        if (name === 'send') sent += 1;
        if (name === 'put') stored += 1;
        return undefined;
      },
    });
  });

  test('is closed and audited where nothing dies', () => {
    const { found, recorded } = undisturbed;
    expect(outcomeOf(undisturbed)).toMatchObject({
      findings: [],
      halted: undefined,
      paidTwice: [],
      closed: 1,
    });
    expect([found, stored]).toEqual([[], FILES]);
    expect([...new Set(ofRun(recorded))]).toEqual(RECORDS[asset]);
  });

  const rows = RECORDS[asset].flatMap((write) => MOMENTS.map((dying) => ({ write, dying })));
  test.each(rows)('goes on where $write was $dying', async ({ write, dying }) => {
    const disturbed = await run(asset, { write, dying });
    const course = ofRun(undisturbed.recorded);
    const done = course.slice(0, course.indexOf(write) + (dying === 'not done' ? 0 : 1));
    // Nothing of a write that was not done is found, and all of one that was.
    expect(disturbed.found.map(ofRun)).toEqual([done]);
    expectSameOutcome(disturbed, undisturbed);
    expect([...new Set(ofRun(disturbed.recorded))]).toEqual(RECORDS[asset]);
  });

  test.each(
    Array.from({ length: FILES }, (_, time) => MOMENTS.map((dying) => ({ time, dying }))).flat(),
  )('goes on where file $time was $dying', async ({ time, dying }) => {
    const disturbed = await run(asset, { write: 'put', dying, time });
    expect(disturbed.found).toHaveLength(1);
    expectSameOutcome(disturbed, undisturbed);
  });

  test.each(MOMENTS)('goes on where any of its transactions was sent and %s', async (dying) => {
    expect(sent).toBeGreaterThan(5);
    for (let time = 0; time < sent; time += 1) {
      const disturbed = await run(asset, { write: 'send', dying, time });
      expect(disturbed.found).toHaveLength(1);
      expectSameOutcome(disturbed, undisturbed);
    }
  });
});
