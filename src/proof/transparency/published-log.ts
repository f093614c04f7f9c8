/** Public view of the transparency log: the published checkpoint, its tiles, and proofs of single events. */
import {
  type Checkpoint,
  ED25519,
  isEqual,
  noteKey,
  parseCheckpoint,
  parseTilePath,
  TILE_WIDTH,
  tlogProofText,
  verifierKey,
} from 'levy-transparency-log';
import type { BlobStore } from '../../kernel/ports/blob-store.ts';
import type { EventStore, RecordedEvent } from '../../kernel/ports/event-store.ts';
import { entryOf } from './canonical-record.ts';
import { type LogFiles, type LogHead, logFiles, servedOrigin, storedTree } from './log-files.ts';

interface PublishedTile {
  readonly bytes: Uint8Array;
  /** True for a full tile, which never changes; a partial one is replaced by wider ones. */
  readonly isFull: boolean;
}

/** `unpublished`: no checkpoint includes the event yet. `changed`: the event differs from its entry. */
export type EventProof =
  | {
      readonly outcome: 'proved';
      readonly event: RecordedEvent;
      readonly key: string;
      readonly proof: string;
    }
  | { readonly outcome: 'absent' | 'unpublished' | 'changed' };

interface PublishedLog {
  /** Signed note; undefined before the first checkpoint. */
  checkpoint(): Promise<string | undefined>;
  /** Public key as a note verifier key; undefined before the log is created. */
  verifierKey(): Promise<string | undefined>;
  /** Reads a tile by its path after `tile/`; undefined if the published tree has no such tile. */
  tile(path: string): Promise<PublishedTile | undefined>;
  prove(event: RecordedEvent): Promise<EventProof>;
  /** Proves the first event of a type in a stream. */
  proveFirst(stream: string, type: string): Promise<EventProof>;
}

export interface LogServices {
  readonly publishedLog: PublishedLog;
}

/** Published state at one time. */
interface Published {
  readonly files: LogFiles;
  readonly note: string;
  readonly checkpoint: Checkpoint;
}

/** Lifetime in milliseconds of the cached name of the served log. */
const ORIGIN_TTL = 1_000;

export function publishedLog(options: {
  readonly blobs: Pick<BlobStore, 'getFile' | 'putFile'>;
  readonly store: Pick<EventStore, 'read'>;
  /** Public key of the log. */
  readonly publicKey: Uint8Array;
}): PublishedLog {
  const { blobs, store, publicKey } = options;
  let known: { readonly files: LogFiles; readonly until: number } | undefined;

  async function served(): Promise<LogFiles | undefined> {
    if (known !== undefined && performance.now() < known.until) return known.files;
    const origin = await servedOrigin(blobs);
    if (origin === undefined) return undefined;
    const files = known?.files.origin === origin ? known.files : logFiles(blobs, origin);
    known = { files, until: performance.now() + ORIGIN_TTL };
    return files;
  }

  async function published(): Promise<Published | undefined> {
    const files = await served();
    const note = await files?.checkpoint();
    if (files === undefined || note === undefined) return undefined;
    return { files, note, checkpoint: parseCheckpoint(note).checkpoint };
  }

  const keyOf = (origin: string) => verifierKey(noteKey(origin, ED25519, publicKey));

  async function prove(event: RecordedEvent): Promise<EventProof> {
    const log = await published();
    if (log === undefined) return { outcome: 'unpublished' };
    return proofOf(event, log, keyOf(log.checkpoint.origin));
  }

  return {
    checkpoint: async () => (await published())?.note,
    async verifierKey() {
      const files = await served();
      return files && keyOf(files.origin);
    },
    async tile(path) {
      const place = parseTilePath(path);
      const log = place && (await published());
      if (log === undefined || place === undefined) return undefined;
      const height = place.level === 'entries' ? 0 : place.level;
      const hashes = Math.floor(log.checkpoint.size / TILE_WIDTH ** height);
      if (place.index * TILE_WIDTH + place.width > hashes) return undefined;
      const bytes = await log.files.tile(place);
      return bytes && { bytes, isFull: place.width === TILE_WIDTH };
    },
    prove,
    async proveFirst(stream, type) {
      for await (const event of store.read(stream)) if (event.type === type) return prove(event);
      return { outcome: 'absent' };
    },
  };
}

/** `key`: the log's verifier key. */
async function proofOf(
  event: RecordedEvent,
  { files, note, checkpoint: { size } }: Published,
  key: string,
): Promise<EventProof> {
  const head = await files.head();
  if (head === undefined) return { outcome: 'unpublished' };
  const index = await placeOf(files, head, event);
  if (index === undefined || index >= size) return { outcome: 'unpublished' };
  const line = (await files.page(Math.floor(index / TILE_WIDTH), head))[index % TILE_WIDTH];
  if (line === undefined || !isEqual(line.entry, entryOf(event))) return { outcome: 'changed' };
  const path = await storedTree(files, size).inclusion(index, size);
  return { outcome: 'proved', event, key, proof: tlogProofText({ index, path, checkpoint: note }) };
}

/** Index of an event's entry, by binary search: positions grow with the index. */
async function placeOf(
  files: Pick<LogFiles, 'page'>,
  head: LogHead,
  { id, position }: RecordedEvent,
): Promise<number | undefined> {
  if (head.size === 0) return undefined;
  let [low, high] = [0, Math.ceil(head.size / TILE_WIDTH) - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const [first] = await files.page(middle, head);
    if (first !== undefined && first.position <= position) low = middle;
    else high = middle - 1;
  }
  const at = (await files.page(low, head)).findIndex((line) => line.id === id);
  return at < 0 ? undefined : low * TILE_WIDTH + at;
}
