/**
 * Takes a backup of a log and its files while all of them may change.
 *
 * The order keeps it whole. What the notary has signed is read before the end of the log is fixed, so that the log has
 * every event that was signed. Ledgers and images come after it: they are stored before an event names them.
 */
import type { BlobStore } from '../ports/blob-store.ts';
import type { LogExtent, RecordedEvent } from '../ports/event-store.ts';
import type { ImageStore } from '../ports/image-store.ts';
import { OperatorError } from '../ports/operator-error.ts';
import { type BackupPart, FORMAT, pathOf } from './backup-parts.ts';
import { lineOf } from './log-lines.ts';
import type { Pace } from './pace.ts';

export interface BackupSource {
  /** Every event up to the end that the log has when the iteration begins. */
  readonly events: () => AsyncIterable<RecordedEvent>;
  readonly unit: LogExtent['unit'];
  readonly blobs: Pick<BlobStore, 'leftAlone' | 'read' | 'listFiles' | 'getFile'>;
  readonly images: Pick<ImageStore, 'leftAlone' | 'get'>;
  /** Until the returned function is called, no event is taken out of the log. */
  readonly holdCuts?: (() => () => void) | undefined;
}

/** Bytes of one piece. */
const PIECE = 256 * 1024;
/** Bytes after which the log goes on in another file. */
const LOG_FILE = 16 * 1024 * 1024;

/** Throws `OperatorError` if the log is empty. */
export async function* takeBackup(
  source: BackupSource,
  { version, now, pace }: { readonly version: string; readonly now: () => Date; readonly pace: Pace },
): AsyncGenerator<BackupPart, void> {
  const letCut = source.holdCuts?.() ?? (() => undefined);
  const counts = { blobs: 0, named: 0, images: 0 };
  try {
    yield {
      kind: 'begin',
      begin: { format: FORMAT, version, takenAt: now().toISOString(), positions: source.unit },
    };
    for (const name of await checkpointsFirst(source.blobs.listFiles(''))) {
      const bytes = await source.blobs.getFile(name);
      if (bytes === undefined) continue;
      yield* piecesOf(pathOf.named(name), bytes);
      counts.named += 1;
      await pace.next();
    }
    const log = yield* takeLog(source.events(), pace);
    letCut();
    for await (const sha256 of source.blobs.leftAlone(EVER)) {
      if (yield* takeBlob(source.blobs, sha256, pace)) counts.blobs += 1;
    }
    for await (const cid of source.images.leftAlone(EVER)) {
      const bytes = await source.images.get(cid);
      // Removed meanwhile, because nothing uses it.
      if (bytes === undefined) continue;
      yield* piecesOf(pathOf.image(cid), bytes);
      counts.images += 1;
      await pace.next();
    }
    yield { kind: 'end', end: { ...log, ...counts } };
  } finally {
    letCut();
  }
}

/** Whatever was put or kept by then: everything. */
const EVER = new Date(8_640_000_000_000_000);

/**
 * What a checkpoint signs was written before it, so the files that are read after it are at least as new. Of the two that
 * are replaced, `checkpoint` is written last and so read first.
 */
async function checkpointsFirst(names: AsyncIterable<string>): Promise<readonly string[]> {
  const all: string[] = [];
  for await (const name of names) all.push(name);
  const rank = (name: string) => (/\/(tile|index)\//.test(name) ? 1 : 0);
  return all.sort((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1));
}

async function* takeLog(events: AsyncIterable<RecordedEvent>, pace: Pace) {
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

/** Less than a millisecond's work. */
const EVENTS_AT_ONCE = 64;

/** False if it was removed meanwhile. */
async function* takeBlob(blobs: Pick<BlobStore, 'read'>, sha256: string, pace: Pace) {
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

function* piecesOf(path: string, bytes: Uint8Array): Generator<BackupPart> {
  for (let offset = 0; offset === 0 || offset < bytes.length; offset += PIECE)
    yield { kind: 'piece', path, bytes: bytes.subarray(offset, offset + PIECE) };
}
