/** Entries of a transparency log, read from the notary's files or from the published log. */
import {
  NoteInvalid,
  parseCheckpoint,
  parseEntryBundle,
  parseTilePath,
  type ReadLogFile,
  TILE_WIDTH,
  tilePath,
} from 'levy-transparency-log';
import type { Position } from '../../../kernel/ports/event-store.ts';
import type { LogFiles, LogHead } from '../../transparency/log-files.ts';

/** The notary's record of the event of an entry. */
export interface EntryOrigin {
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
  readonly position: Position;
}

export interface PublishedEntries {
  /** Reads published paths: `checkpoint` and `tile/…`. */
  readonly read: ReadLogFile;
  /** Entries of the checkpoint's tree, in order. Rejects if entries are missing. */
  entries(): AsyncIterable<Uint8Array>;
  /** Undefined if the notary's own record is not available. */
  origin(index: number): Promise<EntryOrigin | undefined>;
}

const TILES = 'tile/';

/** Reads the notary's files, which also record the event of each entry. */
export function openFileEntries(
  files: Pick<LogFiles, 'tile' | 'page'>,
  note: string,
  head: LogHead | undefined,
): PublishedEntries {
  const read: ReadLogFile = async (path) => {
    if (path === 'checkpoint') return Buffer.from(note);
    const place = path.startsWith(TILES) ? parseTilePath(path.slice(TILES.length)) : undefined;
    return place && files.tile(place);
  };
  return {
    read,
    entries: () => entriesOf(read, note),
    async origin(index) {
      if (head === undefined) return undefined;
      return (await files.page(Math.floor(index / TILE_WIDTH), head))[index % TILE_WIDTH];
    },
  };
}

/** Entries of the checkpoint's tree. Throws `NoteInvalid` if entries are missing. */
export async function* entriesOf(read: ReadLogFile, note: string): AsyncGenerator<Uint8Array> {
  const { size } = parseCheckpoint(note).checkpoint;
  for (let index = 0; index * TILE_WIDTH < size; index++) {
    const width = Math.min(TILE_WIDTH, size - index * TILE_WIDTH);
    const path = `${TILES}${tilePath({ level: 'entries', index, width })}`;
    const bytes = await read(path);
    const entries = bytes && parseEntryBundle(bytes);
    if (entries?.length !== width)
      throw new NoteInvalid(`${path} is missing, or no bundle of ${width} entries`);
    yield* entries;
  }
}
