/**
 * Takes a backup of a log and its files while all of them may change.
 *
 * The order keeps it whole. What the notary has signed is read before the end of the log is fixed, so that the log has
 * every event that was signed. Ledgers and images come after it: they are stored before an event names them. The chain,
 * where it is the service's own, pauses while the end of the log is fixed. So all that the log knows of the chain is
 * on it; and since every transaction is recorded before it is sent, the log knows all that is on the chain.
 */
import type { BlobStore } from '../../kernel/ports/blob-store.ts';
import { ContentDamaged } from '../../kernel/ports/content-damaged.ts';
import { type LogExtent, type Position, type RecordedEvent, START } from '../../kernel/ports/event-store.ts';
import type { ImageStore } from '../../kernel/ports/image-store.ts';
import { OperatorError } from '../../kernel/ports/operator-error.ts';
import { type BackupPart, FORMAT, pathOf } from './backup-parts.ts';
import { lineOf } from './log-lines.ts';
import type { Pace } from './pace.ts';

export interface BackupSource {
  /** The position of the last event. */
  readonly head: () => Promise<Position>;
  /** Every event up to the end that the log has when the iteration begins, or beyond. */
  readonly events: () => AsyncIterable<RecordedEvent>;
  readonly unit: LogExtent['unit'];
  readonly blobs: Pick<BlobStore, 'leftAlone' | 'read' | 'listFiles' | 'getFile'>;
  readonly images: Pick<ImageStore, 'leftAlone' | 'get'>;
  /** Where the chain is the service's own. */
  readonly copyChain?: CopyChain | undefined;
  /** Until the returned function is called, no event is taken out of the log. */
  readonly holdCuts?: (() => () => void) | undefined;
}

/** Copies all data of a chain, as they are at one moment. The chain pauses while `atThatMoment` runs. */
export type CopyChain = (atThatMoment: () => Promise<void>) => Promise<ChainCopy>;

export interface ChainCopy {
  readonly pieces: AsyncIterable<Uint8Array>;
  remove(): Promise<void>;
}

/** Bytes of one piece. */
export const PIECE = 256 * 1024;
/** Bytes after which the log goes on in another file. */
const LOG_FILE = 16 * 1024 * 1024;

/** Throws `OperatorError` if the log is empty. */
export async function* takeBackup(
  source: BackupSource,
  { version, now, pace }: { readonly version: string; readonly now: () => Date; readonly pace: Pace },
): AsyncGenerator<BackupPart, void> {
  const letCut = source.holdCuts?.() ?? (() => undefined);
  const counts = { blobs: 0, named: 0, images: 0, chain: 0 };
  let chain: ChainCopy | undefined;
  try {
    yield {
      kind: 'begin',
      begin: { format: FORMAT, version, takenAt: now().toISOString(), positions: source.unit },
    };
    counts.named = yield* takeNamedFiles(source.blobs, pace);
    let end: Position | undefined;
    const fixEnd = async () => {
      end = await source.head();
    };
    if (source.copyChain === undefined) await fixEnd();
    else chain = await source.copyChain(fixEnd);
    const log = yield* takeLog(source.events(), end ?? START, pace);
    letCut();
    for await (const sha256 of source.blobs.leftAlone(EVER)) {
      if (yield* unlessDamaged(pathOf.blob(sha256), takeBlob(source.blobs, sha256, pace))) counts.blobs += 1;
    }
    for await (const cid of source.images.leftAlone(EVER)) {
      if (yield* unlessDamaged(pathOf.image(cid), takeImage(source.images, cid))) counts.images += 1;
      await pace.next();
    }
    if (chain !== undefined) {
      yield* piecesOfChain(chain, pace);
      counts.chain = 1;
    }
    yield { kind: 'end', end: { ...log, ...counts } };
  } finally {
    letCut();
    await chain?.remove();
  }
}

/** Whatever was put or kept by then: everything. */
const EVER = new Date(8_640_000_000_000_000);

/**
 * What a checkpoint signs was written before it, so the files that are read after it are at least as new. Of those that
 * are replaced, `checkpoint` is written last and so read first, one after the other; the others are read together, since
 * under load each would wait for several turns of the event loop.
 */
async function* takeNamedFiles(blobs: BackupSource['blobs'], pace: Pace): AsyncGenerator<BackupPart, number> {
  const replaced: string[] = [];
  const written: string[] = [];
  for await (const name of blobs.listFiles('')) {
    (/\/(tile|index)\//.test(name) ? written : replaced).push(name);
  }
  const groups = [...replaced.sort().map((name) => [name]), ...inGroups(written.sort(), FILES_AT_ONCE)];
  let taken = 0;
  for (const names of groups) {
    const read = await Promise.all(names.map((name) => blobs.getFile(name)));
    for (const [index, name] of names.entries()) {
      const bytes = read[index];
      if (bytes === undefined) continue;
      yield* piecesOf(pathOf.named(name), bytes);
      taken += 1;
    }
    await pace.next();
  }
  return taken;
}

function* inGroups(names: readonly string[], size: number): Generator<readonly string[]> {
  for (let from = 0; from < names.length; from += size) yield names.slice(from, from + size);
}

async function* takeLog(events: AsyncIterable<RecordedEvent>, end: Position, pace: Pace) {
  const found = { events: 0, head: '', firstEvent: '' };
  let number = 0;
  let fileBytes = 0;
  let lines: string[] = [];
  let waiting = 0;
  const piece = (): BackupPart => {
    const bytes = Buffer.from(lines.join(''));
    lines = [];
    waiting = 0;
    fileBytes += bytes.length;
    return { kind: 'piece', path: pathOf.log(number), bytes };
  };
  for await (const event of events) {
    if (event.position > end) break;
    if (found.events === 0) found.firstEvent = event.id;
    found.events += 1;
    found.head = event.position;
    const line = lineOf(event);
    lines.push(line);
    waiting += line.length;
    if (found.events % EVENTS_AT_ONCE === 0) await pace.next();
    if (waiting < PIECE) continue;
    yield piece();
    if (fileBytes < LOG_FILE) continue;
    number += 1;
    fileBytes = 0;
  }
  if (found.events === 0) throw new OperatorError('the event log is empty: there is nothing to back up');
  if (lines.length > 0) yield piece();
  return found;
}

/** A millisecond's work or two, and fewer than a store reads at once: some pieces are without a turn of the event loop. */
const EVENTS_AT_ONCE = 128;
/** Those of the transparency log have a few kilobytes, and a million events have thousands of them. */
const FILES_AT_ONCE = 32;

/** Tells instead of a file whose stored bytes are not those of its name; everything else is taken. */
async function* unlessDamaged(
  path: string,
  pieces: AsyncGenerator<BackupPart, boolean>,
): AsyncGenerator<BackupPart, boolean> {
  let isBegun = false;
  try {
    for (;;) {
      const { done, value } = await pieces.next();
      if (done === true) return value;
      isBegun = true;
      yield value;
    }
  } catch (error) {
    if (!(error instanceof ContentDamaged)) throw error;
    if (isBegun)
      throw new OperatorError(`the ${error.what} ${error.file} was changed while it was copied: try again`);
    yield { kind: 'damaged', path };
    return false;
  } finally {
    await pieces.return(false);
  }
}

/** False if it was removed meanwhile, because nothing uses it. */
async function* takeImage(images: Pick<ImageStore, 'get'>, cid: string): AsyncGenerator<BackupPart, boolean> {
  const bytes = await images.get(cid);
  if (bytes === undefined) return false;
  yield* piecesOf(pathOf.image(cid), bytes);
  return true;
}

/** False if it was removed meanwhile. */
async function* takeBlob(
  blobs: Pick<BlobStore, 'read'>,
  sha256: string,
  pace: Pace,
): AsyncGenerator<BackupPart, boolean> {
  for (let offset = 0; ; offset += PIECE) {
    const bytes = await blobs.read(sha256, offset, PIECE);
    if (bytes === undefined) {
      if (offset === 0) return false;
      throw new OperatorError(`the ledger file ${sha256} was removed while it was copied: try again`);
    }
    if (bytes.length > 0 || offset === 0) yield { kind: 'piece', path: pathOf.blob(sha256), bytes } as const;
    await pace.next();
    if (bytes.length < PIECE) return true;
  }
}

async function* piecesOfChain({ pieces }: ChainCopy, pace: Pace): AsyncGenerator<BackupPart, void> {
  for await (const bytes of pieces) {
    yield { kind: 'piece', path: pathOf.chain(), bytes };
    await pace.next();
  }
}

function* piecesOf(path: string, bytes: Uint8Array): Generator<BackupPart> {
  for (let offset = 0; offset === 0 || offset < bytes.length; offset += PIECE)
    yield { kind: 'piece', path, bytes: bytes.subarray(offset, offset + PIECE) };
}
