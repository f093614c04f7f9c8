/** Size in the log of a run of a million holders, and memory for its holders. No chain is used. */
import { fork } from 'node:child_process';
import { openFileBlobStore } from '../../src/adapters/file/blob-store.ts';
import { createEventCodec } from '../../src/kernel/runtime/event-codec.ts';
import { streams } from '../../src/streams/index.ts';
import { answerOf, ended } from '../measuring/child.ts';
import type { HoldersMemory, HoldersMemoryOptions } from '../measuring/holders-memory-process.ts';
import { type Comparison, type Line, written } from '../measuring/line.ts';
import { type PaidRun, writePaidRun } from '../measuring/paid-run.ts';
import { type SimulatedRun, simulateRun } from '../measuring/simulated-run.ts';
import { inTemporaryFolder } from '../measuring/temporary-folder.ts';

const HOLDERS = 1_000_000;
/** Two sizes: the difference gives the memory per holder, without the memory that does not depend on them. */
const HOLDERS_IN_MEMORY = [150_000, 450_000] as const;
/** The configurable maximum, and the default. */
const POTS = [200, 50];
const CAUSE = '00000000-0000-4000-8000-000000000003';
const START_TIMEOUT = 300_000;
const RUN_TIMEOUT = 1_800_000;

export const largeRuns: Line = () =>
  inTemporaryFolder(async (folder) => {
    const blobs = await openFileBlobStore(folder);
    try {
      const run = await writePaidRun(blobs, HOLDERS);
      const comparisons: Comparison[] = [];
      for (const pots of POTS) {
        const { events, rounds, batches } = await simulateRun(blobs, run, pots);
        const { bytes, longest } = sizeOf(events);
        comparisons.push({
          what: `events of a run of ${HOLDERS.toLocaleString('en-US')} holders from ${pots} pots`,
          figures: [
            `${events.length} events, ${written(bytes / 1e6)} MB, ${written(bytes / HOLDERS)} bytes a holder`,
            `${batches} transactions in ${rounds} rounds`,
            `the longest is ${longest.type} with ${written(longest.bytes / 1e3)} kB`,
          ].join('; '),
        });
      }
      const [fewer, more] = HOLDERS_IN_MEMORY;
      const ofFewer = await memoryOf(folder, await writePaidRun(blobs, fewer));
      const ofMore = await memoryOf(folder, await writePaidRun(blobs, more));
      return [...comparisons, memoryComparison(ofFewer, ofMore)];
    } finally {
      await blobs.close();
    }
  });

/** Bytes of data and metadata as JSON, as stored. */
function sizeOf(events: SimulatedRun['events']) {
  const codec = createEventCodec(streams);
  let bytes = 0;
  let longest = { type: '', bytes: 0 };
  for (const { stream, event } of events) {
    const { data, metadata } = codec.encode(stream, CAUSE, event, {
      commandId: CAUSE,
      inputHash: '0'.repeat(64),
      correlationId: CAUSE,
      causationId: CAUSE,
      actor: 'service:distributor',
      occurredAt: '2026-05-04T10:00:00.000Z',
    });
    const size = Buffer.byteLength(JSON.stringify(data)) + Buffer.byteLength(JSON.stringify(metadata));
    bytes += size;
    if (size > longest.bytes) longest = { type: event.type, bytes: size };
  }
  return { bytes, longest };
}

async function memoryOf(folder: string, { files }: PaidRun): Promise<HoldersMemory> {
  const options: HoldersMemoryOptions = { folder, files, maxPots: POTS[0] ?? 1 };
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

function memoryComparison(ofFewer: HoldersMemory, ofMore: HoldersMemory): Comparison {
  const [fewer, more] = HOLDERS_IN_MEMORY;
  const each = (step: keyof HoldersMemory) => (ofMore[step] - ofFewer[step]) / (more - fewer);
  const steps = ['scan', 'sorting', 'allotment', 'payments'] as const;
  const most = Math.max(...steps.map((step) => ofMore[step]));
  const count = (holders: number) => holders.toLocaleString('en-US');
  return {
    what: `maximum bytes per holder while a run is scanned and allotted (${count(more)} less ${count(fewer)} holders), tax withheld from each of them, all paid before and again`,
    ratio: Math.max(...steps.map(each)),
    target: { atMost: 130 },
    figures: `${written(each('scan'))} while the scan goes on, ${written(each('sorting'))} while it is sorted, ${written(each('allotment'))} while shares are allotted, ${written(each('payments'))} when payments begin; ${written(most / 1e6)} MB of ${count(more)}`,
  };
}
