/** What a run of a million holders leaves in the log, and what its holders take in memory. The chain is left out. */
import { fork } from 'node:child_process';
import { openFileBlobStore } from '../../src/adapters/file/blob-store.ts';
import { answerOf, ended } from '../measuring/child.ts';
import type { HoldersMemory, HoldersMemoryOptions } from '../measuring/holders-memory-process.ts';
import { type Comparison, type Line, written } from '../measuring/line.ts';
import { type PaidRun, writePaidRun } from '../measuring/paid-run.ts';
import { simulateRun } from '../measuring/simulated-run.ts';
import { inTemporaryFolder } from '../measuring/temporary-folder.ts';

const HOLDERS = 1_000_000;
/** The most that can be configured, and the default. */
const POTS = [200, 50];
const START_TIMEOUT = 60_000;
const RUN_TIMEOUT = 600_000;

export const largeRuns: Line = () =>
  inTemporaryFolder(async (folder) => {
    const blobs = await openFileBlobStore(folder);
    try {
      const run = await writePaidRun(blobs, HOLDERS);
      const comparisons: Comparison[] = [];
      for (const pots of POTS) {
        const { events, bytes, longest, rounds, batches } = await simulateRun(blobs, run, pots);
        comparisons.push({
          what: `events of a run of ${HOLDERS.toLocaleString('en-US')} holders from ${pots} pots`,
          figures: [
            `${events} events, ${written(bytes / 1e6)} MB, ${written(bytes / HOLDERS)} bytes a holder`,
            `${batches} transactions in ${rounds} rounds`,
            `the longest is ${longest.type} with ${written(longest.bytes / 1e3)} kB`,
          ].join('; '),
        });
      }
      return [...comparisons, memoryComparison(await memoryOf(folder, run))];
    } finally {
      await blobs.close();
    }
  });

async function memoryOf(folder: string, { files }: PaidRun): Promise<HoldersMemory> {
  const options: HoldersMemoryOptions = { folder, files, mostPots: POTS[0] ?? 1 };
  const child = fork(
    new URL('../measuring/holders-memory-process.ts', import.meta.url),
    [JSON.stringify(options)],
    { execArgv: [...process.execArgv, '--expose-gc'] },
  );
  try {
    await answerOf(child, START_TIMEOUT);
    const answer = answerOf(child, RUN_TIMEOUT);
    child.send('measure');
    return (await answer) as HoldersMemory;
  } finally {
    await ended(child);
  }
}

function memoryComparison({ scan, sorting, allotment, payments }: HoldersMemory): Comparison {
  const each = (bytes: number) => bytes / HOLDERS;
  return {
    what: `bytes a holder that scan and allotment of ${HOLDERS.toLocaleString('en-US')} hold at most, tax withheld at each of them, all paid before and once more`,
    ratio: each(Math.max(scan, sorting, allotment, payments)),
    target: { atMost: 100 },
    figures: `${written(each(scan))} while the scan goes on, ${written(each(sorting))} while it is sorted, ${written(each(allotment))} while shares are allotted, ${written(each(payments))} when payments begin`,
  };
}
