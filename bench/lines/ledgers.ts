/**
 * Lookup of a wallet in the ledger of a run, at a million holders and at a thousand, and reading the ledger for the
 * next run.
 */
import { addressOf } from 'levy-solana-wire';
import { openFileBlobStore } from '../../src/adapters/file/blob-store.ts';
import { createLedgers } from '../../src/distribution/ledger/open-ledgers.ts';
import type { RunLedger } from '../../src/distribution/ledger/run-ledger.ts';
import { type Line, written } from '../measuring/line.ts';
import { writePaidRun } from '../measuring/paid-run.ts';
import { inTemporaryFolder } from '../measuring/temporary-folder.ts';

const MANY = 1_000_000;
const FEW = 1_000;
const LOOK_UPS = 400;
const ROUNDS = 7;
const TARGET = { atMost: 1.5 };

export const ledgers: Line = () =>
  inTemporaryFolder(async (folder) => {
    const blobs = await openFileBlobStore(folder);
    try {
      const [many, few] = [await writePaidRun(blobs, MANY), await writePaidRun(blobs, FEW)];
      const opened = createLedgers(blobs);
      const medians: { readonly many: number; readonly few: number }[] = [];
      for (let round = 0; round < ROUNDS; round++)
        medians.push({
          many: await medianLookUp(() => opened.open(many.files), many.owners),
          few: await medianLookUp(() => opened.open(few.files), few.owners),
        });
      const [ofMany, ofFew] = [
        median(medians.map((each) => each.many)),
        median(medians.map((each) => each.few)),
      ];
      const carried = await carryOver(await opened.open(many.files));
      return [
        {
          what: `holders/:wallet from a run's files, p50 at ${MANY.toLocaleString('en-US')} holders / at ${FEW.toLocaleString('en-US')}`,
          ratio: median(medians.map((each) => each.many / each.few)),
          target: TARGET,
          figures: `${written(ofMany)} us, ${written(ofFew)} us`,
        },
        {
          what: `reading the ledger of ${MANY.toLocaleString('en-US')} holders for the next run`,
          figures: `${written(carried)} us a holder`,
        },
      ];
    } finally {
      await blobs.close();
    }
  });

/** Microseconds. */
async function medianLookUp(open: () => Promise<RunLedger>, owners: Uint8Array): Promise<number> {
  const times: number[] = [];
  for (let number = 0; number < LOOK_UPS; number++) {
    const index = Math.floor(Math.random() * (owners.length / 32));
    const wallet = addressOf(owners.subarray(index * 32, index * 32 + 32));
    const start = performance.now();
    const [payment] = await (await open()).paymentsOf(wallet);
    times.push((performance.now() - start) * 1_000);
    if (payment?.outcome.status !== 'paid') throw new Error(`${wallet} was paid`);
  }
  return median(times);
}

/** Microseconds per holder. */
async function carryOver(ledger: RunLedger): Promise<number> {
  let holders = 0;
  const start = performance.now();
  for await (const { count } of ledger.carriedOwners()) holders += count;
  return ((performance.now() - start) * 1_000) / holders;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}
