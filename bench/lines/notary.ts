/** Cost of the transparency log per event, and of a proof in a log with a million entries. */
import { join } from 'node:path';
import { checkProofFile, EVENT_PROOF, signCheckpoint } from 'levy-transparency-log';
import { openFileBlobStore } from '../../src/adapters/file/blob-store.ts';
import { openSqliteDatabase } from '../../src/adapters/sqlite/database.ts';
import { createSqliteEventStore } from '../../src/adapters/sqlite/event-store.ts';
import { createKeyring } from '../../src/chain/keys.ts';
import type { EventStore } from '../../src/kernel/ports/event-store.ts';
import { silentLogger } from '../../src/kernel/ports/logger.ts';
import { createEventCodec } from '../../src/kernel/runtime/event-codec.ts';
import { strictReader } from '../../src/kernel/runtime/event-reader.ts';
import { deriveId, randomId } from '../../src/kernel/runtime/ids.ts';
import { entryOf } from '../../src/proof/transparency/canonical-record.ts';
import { checkpointClaims } from '../../src/proof/transparency/checkpoint-claims.ts';
import { type LogFiles, logFiles, serveOrigin } from '../../src/proof/transparency/log-files.ts';
import { createLogTree } from '../../src/proof/transparency/log-tree.ts';
import { startNotary } from '../../src/proof/transparency/notary.ts';
import { publishedLog } from '../../src/proof/transparency/published-log.ts';
import { streams } from '../../src/streams/index.ts';
import { alternate, asyncRatePerSecond } from '../measuring/alternate.ts';
import { type Comparison, type Line, written } from '../measuring/line.ts';
import { inTemporaryFolder } from '../measuring/temporary-folder.ts';

const ORIGIN = 'levy.example/log';
const ROUNDS = 9;
const MILLISECONDS = 500;
const WRITERS = 32;
const ENTRIES = 1_000_000;
const PROOFS = 200;

const { logKey } = createKeyring(new Uint8Array(32).fill(9));
const clock = { now: () => new Date() };
const data = { walletId: randomId(), address: 'a'.repeat(44), note: 'n'.repeat(60) };
const metadata = { commandId: randomId(), occurredAt: '2026-11-22T10:00:00.000Z' };

export const notary: Line = () =>
  inTemporaryFolder(async (folder) => [
    await beside(folder),
    ...(await inTemporaryFolder((other) => proofsOfAMillion(other))),
  ]);

/** The notary runs in the appending process, as in a service of one process. */
async function beside(folder: string): Promise<Comparison> {
  const store = createSqliteEventStore(openSqliteDatabase(join(folder, 'levy.db')));
  const blobs = await openFileBlobStore(folder);
  const codec = createEventCodec(streams);
  const failed = (error: unknown) => {
    throw error;
  };
  const claims = checkpointClaims({
    origin: ORIGIN,
    store,
    codec,
    reader: strictReader(codec),
    clock,
    failed,
  });
  const append = () =>
    Promise.all(
      Array.from({ length: WRITERS }, () =>
        store.append(`note-${randomId()}`, 'none', [{ id: randomId(), type: 'Noted', data, metadata }]),
      ),
    );
  const kept = async (work: () => Promise<number>) => {
    const running = startNotary(
      {
        store,
        files: logFiles(blobs, ORIGIN),
        claims,
        signer: logKey,
        witnesses: [],
        clock,
        logger: silentLogger,
        isShared: false,
      },
      { isHeld: () => true },
    );
    while (running.status().state === 'comparing') await new Promise((resolve) => setTimeout(resolve, 20));
    const result = await work();
    await running.stop();
    return result;
  };
  const { medians, ratio } = await alternate(ROUNDS, {
    alone: () => asyncRatePerSecond(MILLISECONDS, append),
    kept: () => kept(() => asyncRatePerSecond(MILLISECONDS, append)),
  });
  await store.close();
  return {
    what: `appends of ${WRITERS} concurrent writers with the notary in the same process / without it`,
    ratio: ratio('kept', 'alone'),
    figures: `${written(medians.kept * WRITERS)}/s, ${written(medians.alone * WRITERS)}/s; ${written(microsecondsAnEvent())} us of processor time an event`,
  };
}

function microsecondsAnEvent(): number {
  const count = 50_000;
  const tree = createLogTree();
  const begun = process.cpuUsage();
  for (let index = 0; index < count; index += 1) tree.add(lineOf(index));
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / count;
}

const eventOf = (index: number) => ({
  id: deriveId('bench', String(index)),
  type: 'Noted',
  stream: `note-${index}`,
  revision: 0,
  data: { ...data, index },
  metadata,
});

const positionOf = (index: number) => String(index + 1).padStart(20, '0');

function lineOf(index: number) {
  const event = eventOf(index);
  const { id, stream, revision } = event;
  return { id, stream, revision, position: positionOf(index), entry: entryOf(event) };
}

async function writeLog(files: LogFiles): Promise<void> {
  const tree = createLogTree();
  for (let index = 0; index < ENTRIES; index += 1)
    for (const file of tree.add(lineOf(index))) await files.putFull(file);
  const root = tree.root();
  await files.putHead(files.bytesOf({ ...tree.end(), root }));
  await files.putCheckpoint(signCheckpoint({ origin: ORIGIN, size: ENTRIES, root }, logKey));
}

async function proofsOfAMillion(folder: string): Promise<readonly Comparison[]> {
  const blobs = await openFileBlobStore(folder);
  await serveOrigin(blobs, ORIGIN);
  await writeLog(logFiles(blobs, ORIGIN));
  const store = {
    async *read() {
      // `prove` receives the events themselves.
    },
  } satisfies Pick<EventStore, 'read'>;
  const log = publishedLog({ blobs, store, publicKey: logKey.publicKey });
  const [made, checked]: [number[], number[]] = [[], []];
  let bytes = 0;
  for (let count = 0; count < PROOFS; count += 1) {
    const index = Math.floor((count * ENTRIES) / PROOFS);
    const event = { ...eventOf(index), position: positionOf(index) };
    const begun = performance.now();
    const found = await log.prove(event);
    made.push(performance.now() - begun);
    if (found.outcome !== 'proved') throw new Error(found.outcome);
    const file = { format: EVENT_PROOF, event, log: { key: found.key, proof: found.proof } };
    bytes = Math.max(bytes, Buffer.byteLength(found.proof));
    const before = performance.now();
    checkProofFile(file, undefined);
    checked.push(performance.now() - before);
  }
  const middle = (times: number[]) => written(times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0);
  return [
    {
      what: `a proof of one of ${ENTRIES} events, each of another part of the log`,
      figures: `at most ${bytes} bytes; made in ${middle(made)} ms, checked in ${middle(checked)} ms (medians)`,
    },
  ];
}
