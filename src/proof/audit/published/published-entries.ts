/** The entries of a transparency log, from the notary's own files or as they are published. */
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

/** Event of an entry, as recorded by the notary. */
export interface EntryOrigin {
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
  readonly position: Position;
}

export interface PublishedEntries {
  /** Reads published paths: `checkpoint` and `tile/…`. */
  readonly read: ReadLogFile;
  /** The entries of the checkpoint's tree, from this one on, in their order. Rejects where they are missing. */
  entries(from: number): AsyncIterable<Uint8Array>;
  /** Undefined where the notary's own record is not at hand. */
  origin(index: number): Promise<EntryOrigin | undefined>;
}

const TILES = 'tile/';

/** From the notary's files, which say as well which event each entry is of. */
export function entriesInFiles(
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
    entries: (from) => entriesOf(read, note, from),
    async origin(index) {
      if (head === undefined) return undefined;
      return (await files.page(Math.floor(index / TILE_WIDTH), head))[index % TILE_WIDTH];
    },
  };
}

/** The entries of the checkpoint's tree, from one on. Throws `NoteInvalid` where they are missing. */
export async function* entriesOf(read: ReadLogFile, note: string, from: number): AsyncGenerator<Uint8Array> {
  const { size } = parseCheckpoint(note).checkpoint;
  for (let index = Math.floor(from / TILE_WIDTH); index * TILE_WIDTH < size; index++) {
    const first = index * TILE_WIDTH;
    const width = Math.min(TILE_WIDTH, size - first);
    const path = `${TILES}${tilePath({ level: 'entries', index, width })}`;
    const bytes = await read(path);
    const entries = bytes && parseEntryBundle(bytes);
    if (entries?.length !== width)
      throw new NoteInvalid(`${path} is missing, or no bundle of ${width} entries`);
    yield* from > first ? entries.slice(from - first) : entries;
  }
}
