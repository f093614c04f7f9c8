/**
 * Backs up a log and its files while all of them may change: yields the files of a data folder, and the log as JSON
 * lines, from which the receiver builds a log file.
 *
 * The order ensures consistency. The notary's signatures are read before the end of the log is fixed, so that the log
 * contains every signed event. Ledgers and images are read after it, because they are stored before an event names
 * them. An embedded chain pauses while the end of the log is fixed, so the copy of the chain contains everything that
 * the log records of it. Every transaction is recorded before it is sent, so the log contains everything on the chain.
 */
import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import type { BlobStore } from '../../kernel/ports/blob-store.ts';
import { ContentDamaged, OperatorError } from '../../kernel/ports/errors.ts';
import type { JsonObject, LogExtent, Position, RecordedEvent } from '../../kernel/ports/event-store.ts';
import { parsedJson } from '../../kernel/runtime/bounded-input.ts';
import { logFolder, restorationText, servedOrigin } from '../../proof/transparency/log-files.ts';
import { isRestored } from './append-log.ts';
import type { Pace } from './background-pace.ts';

export const BACKUP_INFO = 'backup.json';
const BACKUP_FORMAT = 1;

export const BackupInfo = Type.Object({
  format: Type.Literal(BACKUP_FORMAT),
  /** Release that took the backup. */
  version: Type.String(),
  takenAt: Type.String(),
  /** Last position of the log, in the source's own numbering. `events` is the number of events in the backup. */
  head: Type.String({ minLength: 1 }),
  events: Type.Integer({ minimum: 1 }),
  /** Number of unparseable events, which are copied unchanged. */
  unreadable: Type.Integer({ minimum: 0 }),
  /** Last checkpoint of the transparency log. */
  checkpoint: Type.Union([Type.String(), Type.Null()]),
  /** Ledger files and images whose stored bytes did not match their names; they are not in the backup. */
  damaged: Type.Array(Type.Object({ what: Type.String(), name: Type.String() })),
});
export type BackupInfo = Static<typeof BackupInfo>;

/** File of a data folder. */
export interface BackupEntry {
  /** Path relative to the folder. */
  readonly path: string;
  readonly size: number;
  readonly chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** File with the numbering of positions; precedes the events. */
export const LOG_POSITIONS = 'log.json';
/** Prefix of the paths of events, in their order. */
export const LOG_EVENTS = 'log/';

export const LogPositions = Type.Object({
  /** True if the events retain their positions, because the source counts positions by events. */
  areKept: Type.Boolean(),
  /**
   * Positions of the copy are greater than this. If positions are not retained, it is the end of the source, so that
   * the two ranges do not overlap.
   */
  beginsAfter: Type.Number({ minimum: 0 }),
});

const LogLine = TypeCompiler.Compile(
  Type.Object({
    position: Type.String({ minLength: 1 }),
    stream: Type.String({ minLength: 1 }),
    revision: Type.Integer({ minimum: 0 }),
    id: Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' }),
    type: Type.String({ minLength: 1 }),
    data: Type.Unsafe<JsonObject>(Type.Object({}, { additionalProperties: true })),
    metadata: Type.Unsafe<JsonObject>(Type.Object({}, { additionalProperties: true })),
    unreadable: Type.Optional(Type.String()),
    raw: Type.Optional(Type.Object({ data: Type.String(), metadata: Type.String() })),
  }),
);

/** Parses a line; undefined if it contains no event. */
export function eventIn(line: string): RecordedEvent | undefined {
  const found = parsedJson(line);
  return LogLine.Check(found) ? (found as RecordedEvent) : undefined;
}

/** Paths within a data folder. */
export interface DataLayout {
  readonly chain: string;
  blob(sha256: string): string;
  named(name: string): string;
  image(sha256: string): string;
}

type Blobs = Pick<BlobStore, 'leftAlone' | 'size' | 'read'>;

export interface BackupSource {
  /** Position of the last event. */
  readonly head: () => Promise<Position>;
  /** Every event up to the end of the log at the start of the iteration, or beyond. */
  readonly events: () => AsyncIterable<RecordedEvent>;
  readonly extentOf: (position: Position) => LogExtent;
  readonly blobs: Blobs & Pick<BlobStore, 'listFiles' | 'getFile'>;
  readonly images: Blobs;
  /** Copies the data of an embedded chain at one point in time, and pauses the chain while `atThatMoment` runs. */
  readonly copyChain?: ((target: string, atThatMoment: () => Promise<void>) => Promise<void>) | undefined;
  /** Prevents truncation of the log until the returned function is called. */
  readonly holdCuts?: (() => () => void) | undefined;
}

export interface TakeBackupOptions {
  readonly layout: DataLayout;
  /** Folder for the copy of the chain. */
  readonly scratch: string;
  readonly version: string;
  readonly now: () => Date;
  readonly pace: Pace;
}

/** Bytes per piece. */
const CHUNK = 256 * 1024;
/** Bytes per read of a blob; larger than any image of 512x512 pixels. */
const BLOB_CHUNK = 512 * 1024;
/** Events per piece: a millisecond or two of work, and fewer than a store reads per call. */
const EVENTS_PER_READ = 128;
/** Concurrent reads: files of the transparency log have a few kilobytes, and a million events have thousands of them. */
const CONCURRENT_FILES = 32;
/** Maximum date, so that every blob counts as older. */
const EVER = new Date(8_640_000_000_000_000);

/** Throws `OperatorError` if the log is empty. */
export async function* takeBackup(
  source: BackupSource,
  options: TakeBackupOptions,
): AsyncGenerator<BackupEntry, void> {
  const { layout, scratch, version, now, pace } = options;
  const letCut = source.holdCuts?.() ?? (() => undefined);
  const chainCopy = join(scratch, 'chain.db');
  const takenAt = now().toISOString();
  const damaged: { what: string; name: string }[] = [];
  try {
    const checkpoint = yield* takeNamedFiles(source.blobs, { layout, takenAt, pace });
    let head: Position = '';
    const fixEnd = async () => {
      head = await source.head();
    };
    await (source.copyChain?.(chainCopy, fixEnd) ?? fixEnd());
    const log = yield* takeLog(source, head, pace);
    letCut();
    yield* takeBlobs(source.blobs, layout.blob, { damaged, pace });
    yield* takeBlobs(source.images, layout.image, { damaged, pace });
    if (source.copyChain !== undefined) yield* takeFile(layout.chain, chainCopy, pace);
    const info: BackupInfo = {
      format: BACKUP_FORMAT,
      version,
      takenAt,
      head,
      ...log,
      checkpoint: checkpoint ?? null,
      damaged,
    };
    yield entryOf(BACKUP_INFO, Buffer.from(`${JSON.stringify(info, null, 2)}\n`));
  } finally {
    letCut();
  }
}

/**
 * Reads the files of the transparency log. Files that a checkpoint signs were written before it, so files that are read
 * after it are at least as new. Replaced files are read serially, with `checkpoint` first because it is written last;
 * the others are read concurrently, because each read waits several event loop turns under load. Returns the
 * checkpoint.
 */
async function* takeNamedFiles(
  blobs: BackupSource['blobs'],
  { layout, takenAt, pace }: Pick<TakeBackupOptions, 'layout' | 'pace'> & { readonly takenAt: string },
): AsyncGenerator<BackupEntry, string | undefined> {
  const origin = await servedOrigin(blobs);
  const folder = origin === undefined ? undefined : logFolder(origin);
  const replaced: string[] = [];
  const written: string[] = [];
  for await (const name of blobs.listFiles(''))
    if (name !== `${folder}restored`) (/\/(tile|index)\//.test(name) ? written : replaced).push(name);
  let checkpoint: string | undefined;
  for (const names of [...replaced.sort().map((name) => [name]), ...inGroups(written.sort())]) {
    const read = await Promise.all(names.map((name) => blobs.getFile(name)));
    for (const [index, name] of names.entries()) {
      const bytes = read[index];
      if (bytes === undefined) continue;
      if (name === `${folder}checkpoint`) checkpoint = Buffer.from(bytes).toString();
      yield entryOf(layout.named(name), bytes);
    }
    await pace.next();
  }
  // If the copy becomes the folder of a service, its notary must not sign a second tree under this name.
  if (folder !== undefined)
    yield entryOf(
      layout.named(`${folder}restored`),
      Buffer.from(restorationText({ takenAt, lastCheckpoint: null })),
    );
  return checkpoint;
}

function* inGroups(names: readonly string[]): Generator<readonly string[]> {
  for (let from = 0; from < names.length; from += CONCURRENT_FILES)
    yield names.slice(from, from + CONCURRENT_FILES);
}

/** SQLite positions are retained; leases and snapshots of other stores are skipped. */
async function* takeLog(
  { events, extentOf }: BackupSource,
  head: Position,
  pace: Pace,
): AsyncGenerator<BackupEntry, Pick<BackupInfo, 'events' | 'unreadable'>> {
  const { unit, amount } = extentOf(head);
  const isWhole = unit === 'events';
  const positions: Static<typeof LogPositions> = {
    areKept: isWhole,
    beginsAfter: isWhole ? Number(head) - amount : Number(head),
  };
  yield entryOf(LOG_POSITIONS, Buffer.from(JSON.stringify(positions)));
  const taken = { events: 0, unreadable: 0 };
  let lines: string[] = [];
  let waiting = 0;
  const piece = () => {
    const bytes = Buffer.from(lines.join(''));
    lines = [];
    waiting = 0;
    return entryOf(`${LOG_EVENTS}${taken.events}.ndjson`, bytes);
  };
  for await (const event of events()) {
    if (event.position > head) break;
    if (!isWhole && !isRestored(event)) continue;
    taken.events += 1;
    if (event.unreadable !== undefined) taken.unreadable += 1;
    const line = `${JSON.stringify(event)}\n`;
    lines.push(line);
    waiting += line.length;
    if (taken.events % EVENTS_PER_READ === 0) await pace.next();
    if (waiting >= CHUNK) yield piece();
  }
  if (taken.events === 0)
    throw new OperatorError('the event log is empty; back it up after the first start of the service');
  if (lines.length > 0) yield piece();
  return taken;
}

/** Records a blob whose stored bytes do not match its name, and copies all other blobs. */
async function* takeBlobs(
  blobs: Blobs,
  pathOf: (sha256: string) => string,
  { damaged, pace }: { readonly damaged: { what: string; name: string }[] } & Pick<TakeBackupOptions, 'pace'>,
): AsyncGenerator<BackupEntry, void> {
  for await (const sha256 of blobs.leftAlone(EVER)) {
    try {
      // An unused image may be removed at any time, so it is read completely before its entry is announced.
      const size = await blobs.size(sha256);
      const first = await blobs.read(sha256, 0, BLOB_CHUNK);
      if (size === undefined || first === undefined) continue;
      yield { path: pathOf(sha256), size, chunks: chunksOfBlob(blobs, { sha256, size, first, pace }) };
      await pace.next();
    } catch (error) {
      if (!(error instanceof ContentDamaged)) throw error;
      damaged.push({ what: error.what, name: error.file });
    }
  }
}

async function* chunksOfBlob(
  blobs: Pick<BlobStore, 'read'>,
  {
    sha256,
    size,
    first,
    pace,
  }: {
    readonly sha256: string;
    readonly size: number;
    readonly first: Uint8Array;
    readonly pace: Pace;
  },
): AsyncGenerator<Uint8Array, void> {
  yield first;
  for (let offset = first.length; offset < size; offset += BLOB_CHUNK) {
    await pace.next();
    const piece = await blobs.read(sha256, offset, BLOB_CHUNK).catch((error: unknown) => {
      if (error instanceof ContentDamaged) return undefined;
      throw error;
    });
    if (piece === undefined)
      throw new OperatorError(`the ledger file ${sha256} changed while it was copied; run the backup again`);
    yield piece;
  }
}

async function* takeFile(path: string, file: string, pace: Pace): AsyncGenerator<BackupEntry, void> {
  const { size } = await stat(file);
  async function* pieces() {
    for await (const piece of createReadStream(file, { highWaterMark: CHUNK })) {
      yield piece as Buffer;
      await pace.next();
    }
  }
  yield { path, size, chunks: pieces() };
  await rm(file, { force: true });
}

function entryOf(path: string, bytes: Uint8Array): BackupEntry {
  return { path, size: bytes.length, chunks: [bytes] };
}
