/** Locations of a log's hashes in tiles of 256, and the names of tiles (C2SP `tlog-tiles`). */
import { concatBytes } from './bytes.ts';
import { HASH_SIZE } from './merkle-tree.ts';

/** Hashes of a full tile; their root is one hash of the level above. */
export const TILE_WIDTH = 256;

/** `entries` contains the entries themselves, next to the tiles of level 0. */
export type TileLevel = number | 'entries';

export interface TilePlace {
  readonly level: TileLevel;
  /** Index among the tiles of the level, from 0. */
  readonly index: number;
  /** Number of hashes: 256, or fewer in the last tile of a level. */
  readonly width: number;
}

const HIGHEST_LEVEL = 63;

/** Path of a tile: `0/x001/x234/067`, or `0/x001/x234/067.p/12` for a partial tile. */
export function tilePath({ level, index, width }: TilePlace): string {
  return `${level}/${numberPath(index)}${width === TILE_WIDTH ? '' : `.p/${width}`}`;
}

/** C2SP path form of a number: `x001/x234/067`. */
export function numberPath(index: number): string {
  const groups = [String(index % 1_000).padStart(3, '0')];
  for (let rest = Math.floor(index / 1_000); rest > 0; rest = Math.floor(rest / 1_000))
    groups.unshift(`x${String(rest % 1_000).padStart(3, '0')}`);
  return groups.join('/');
}

/** Undefined for an invalid path. */
export function parseTilePath(path: string): TilePlace | undefined {
  const found = /^(entries|0|[1-9]\d?)\/((?:x\d{3}\/)*)(\d{3})(?:\.p\/([1-9]\d{0,2}))?$/.exec(path);
  if (found === null) return undefined;
  const [, levelText = '', before = '', last = '', widthText] = found;
  const level = levelText === 'entries' ? levelText : Number(levelText);
  const index = Number(before.replaceAll(/[x/]/g, '') + last);
  const width = widthText === undefined ? TILE_WIDTH : Number(widthText);
  if (typeof level === 'number' && level > HIGHEST_LEVEL) return undefined;
  if (widthText !== undefined && width >= TILE_WIDTH) return undefined;
  if (!Number.isSafeInteger(index) || numberPath(index) !== `${before}${last}`) return undefined;
  return { level, index, width };
}

/** Number of hashes in tile `index` of a level for a log of `size` entries; 0 if the tile does not exist. */
export function tileWidth(level: number, index: number, size: number): number {
  const hashes = Math.floor(size / TILE_WIDTH ** level);
  return Math.max(0, Math.min(TILE_WIDTH, hashes - index * TILE_WIDTH));
}

/** Number of tile levels of a log of this size. */
export function levelsOf(size: number): number {
  let levels = 0;
  for (let hashes = size; hashes > 0; hashes = Math.floor(hashes / TILE_WIDTH)) levels += 1;
  return levels;
}

/** Encodes entries as a bundle, each after its length in two bytes. */
export function entryBundle(entries: readonly Uint8Array[]): Uint8Array {
  return concatBytes(
    ...entries.flatMap((entry) => [Uint8Array.of(entry.length >> 8, entry.length & 0xff), entry]),
  );
}

/** Undefined unless the bytes are a bundle of 32-byte entries. */
export function parseEntryBundle(bytes: Uint8Array): readonly Uint8Array[] | undefined {
  if (bytes.length % (2 + HASH_SIZE) !== 0) return undefined;
  const entries: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += 2 + HASH_SIZE) {
    if (bytes[at] !== 0 || bytes[at + 1] !== HASH_SIZE) return undefined;
    entries.push(bytes.subarray(at + 2, at + 2 + HASH_SIZE));
  }
  return entries;
}

export function hashesOf(tile: Uint8Array): readonly Uint8Array[] {
  return Array.from({ length: Math.floor(tile.length / HASH_SIZE) }, (_, at) =>
    tile.subarray(at * HASH_SIZE, (at + 1) * HASH_SIZE),
  );
}
