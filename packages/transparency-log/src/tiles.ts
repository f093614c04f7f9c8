/** Location of a log's hashes in tiles of 256, and the names of tiles (C2SP `tlog-tiles`). */
import { concatBytes } from './bytes.ts';
import { HASH_SIZE } from './merkle-tree.ts';

/** Hashes of a full tile; each is a hash of the level above. */
export const TILE_WIDTH = 256;

/** `entries` holds the entries themselves, beside the tiles of level 0. */
export type TileLevel = number | 'entries';

export interface TilePlace {
  readonly level: TileLevel;
  /** Among the tiles of its level, from 0. */
  readonly index: number;
  /** Hashes in it: 256, or fewer in the last of a level. */
  readonly width: number;
}

const HIGHEST_LEVEL = 63;

/** `0/x001/x234/067`, or `0/x001/x234/067.p/12` for a partial one. */
export function tilePath({ level, index, width }: TilePlace): string {
  return `${level}/${numberPath(index)}${width === TILE_WIDTH ? '' : `.p/${width}`}`;
}

/** Path form of a number by C2SP: `x001/x234/067`. */
export function numberPath(index: number): string {
  const groups = [String(index % 1_000).padStart(3, '0')];
  for (let rest = Math.floor(index / 1_000); rest > 0; rest = Math.floor(rest / 1_000))
    groups.unshift(`x${String(rest % 1_000).padStart(3, '0')}`);
  return groups.join('/');
}

/** Undefined for what names no tile. */
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

/** Number of hashes in tile `index` of a level for a log of `size` entries; 0 if there is no such tile. */
export function tileWidth(level: number, index: number, size: number): number {
  const hashes = Math.floor(size / TILE_WIDTH ** level);
  return Math.max(0, Math.min(TILE_WIDTH, hashes - index * TILE_WIDTH));
}

/** Levels that a log of this size has tiles at. */
export function levelsOf(size: number): number {
  let levels = 0;
  for (let hashes = size; hashes > 0; hashes = Math.floor(hashes / TILE_WIDTH)) levels += 1;
  return levels;
}

/** The entries of a bundle, each behind its length in two bytes. */
export function entryBundle(entries: readonly Uint8Array[]): Uint8Array {
  return concatBytes(
    ...entries.flatMap((entry) => [Uint8Array.of(entry.length >> 8, entry.length & 0xff), entry]),
  );
}

/** Undefined for bytes that are no bundle of entries of 32 bytes. */
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
