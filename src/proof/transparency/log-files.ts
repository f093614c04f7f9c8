/**
 * Files of a transparency log in the store of ledgers, under `transparency/`:
 *
 *     origin                 name of the served log
 *     <log>/head             entries and hashes after the last full tiles; replaced with each checkpoint
 *     <log>/checkpoint       published checkpoint with its cosignatures
 *     <log>/restored         exists once the log was restored from a backup; names what was published before
 *     <log>/tile/<level>/…   full tiles and bundles of entries, named as in C2SP `tlog-tiles`
 *     <log>/index/…          event of each entry: 256 lines of JSON per file
 *
 * `<log>` is the first 16 hex digits of the SHA-256 of the log's name. Full files never change, so two notaries of the same log
 * write the same bytes.
 */

import { hash } from 'node:crypto';
import { type Static, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import {
  entryBundle,
  type FullTile,
  HASH_SIZE,
  hashesOf,
  leafHash,
  parseEntryBundle,
  TILE_WIDTH,
  type TiledTree,
  type TilePlace,
  tiledTree,
  tileName,
  tilePath,
} from 'levy-transparency-log';
import { LRUCache } from 'lru-cache';
import type { BlobStore } from '../../kernel/ports/blob-store.ts';
import { parsedJson } from '../../kernel/runtime/bounded-input.ts';
import { orNull } from '../../streams/value-types.ts';
import { type IndexedEntry, type IndexLine, indexName, indexText, type TreeEnd } from './log-tree.ts';

const LOG_FILES = 'transparency/';
const ORIGIN_FILE = `${LOG_FILES}origin`;
const FORMAT = 'levy-log-1';

type Files = Pick<BlobStore, 'getFile' | 'putFile'>;

/** A file of the log is missing or damaged. */
export class LogFilesDamaged extends Error {
  override readonly name = 'LogFilesDamaged';
}

export interface LogHead extends TreeEnd {
  readonly root: Uint8Array;
}

interface DecodedHead {
  readonly bytes: Uint8Array;
  readonly head: LogHead;
  /** Incomplete tile of level 0; computed on first use. */
  leaves: Uint8Array | undefined;
}

/** Restore of the log from a backup. The log may have been signed further before the restore. */
export interface Restoration {
  /** Time of the backup; ISO 8601. */
  readonly takenAt: string;
  /** Last published note, as given by the operator; null if none was given. */
  readonly lastCheckpoint: string | null;
}

export type LogFiles = ReturnType<typeof logFiles>;

/** Name of the served log; undefined before the first. */
export async function servedOrigin(files: Pick<BlobStore, 'getFile'>): Promise<string | undefined> {
  const bytes = await files.getFile(ORIGIN_FILE);
  return bytes && Buffer.from(bytes).toString().trim();
}

export async function serveOrigin(files: Pick<BlobStore, 'putFile'>, origin: string): Promise<void> {
  await files.putFile(ORIGIN_FILE, Buffer.from(`${origin}\n`));
}

/** Marks the log as restored, so that its notary does not sign a second tree under the same name. */
export async function markRestored(
  files: Pick<BlobStore, 'putFile'>,
  origin: string,
  restoration: Restoration,
): Promise<void> {
  await files.putFile(`${logFolder(origin)}restored`, Buffer.from(restorationText(restoration)));
}

export function restorationText(restoration: Restoration): string {
  return `${JSON.stringify(restoration)}\n`;
}

/** Cached full tiles: enough for a few proofs; larger logs read their upper levels repeatedly. */
const CACHED_FILES = 256;
/** Lifetime in milliseconds of a cached index page: the notary may replace it. */
const INDEX_REMEMBERED = 10_000;

/** Folder of a log's files, with a trailing slash. */
export function logFolder(origin: string): string {
  return `${LOG_FILES}${hash('sha256', origin, 'hex').slice(0, 16)}/`;
}

export function logFiles(files: Files, origin: string) {
  const folder = logFolder(origin);
  const cache = new LRUCache<string, Uint8Array>({ max: CACHED_FILES });
  let lastHead: DecodedHead | undefined;

  async function full(name: string, ttl = 0): Promise<Uint8Array | undefined> {
    const known = cache.get(name);
    if (known !== undefined) return known;
    const bytes = await files.getFile(`${folder}${name}`);
    if (bytes !== undefined) cache.set(name, bytes, { ttl });
    return bytes;
  }

  /** Decodes equal bytes once: every read of an incomplete tile goes through the head. */
  async function decodedHead(): Promise<DecodedHead | undefined> {
    const bytes = await files.getFile(`${folder}head`);
    if (bytes === undefined) return undefined;
    if (lastHead === undefined || Buffer.compare(lastHead.bytes, bytes) !== 0)
      lastHead = { bytes: Uint8Array.from(bytes), head: decodeHead(bytes, origin), leaves: undefined };
    return lastHead;
  }

  return {
    origin,
    /** Undefined before the first checkpoint. Rejects with `LogFilesDamaged`. */
    head: async () => (await decodedHead())?.head,
    /** Stored bytes of the head, for detecting a replacement by another process. */
    headBytes: () => files.getFile(`${folder}head`),
    /** Encoded head for `putHead`. */
    bytesOf: (next: LogHead) => encodeHead(next, origin),
    putHead: (bytes: Uint8Array) => files.putFile(`${folder}head`, bytes),
    putFull: ({ name, bytes }: FullTile) => files.putFile(`${folder}${name}`, bytes),
    /** Replaces a full page of the index after a move to another store changed the positions of its events. */
    async putIndex(index: number, lines: readonly IndexLine[]): Promise<void> {
      const name = indexName(index);
      cache.delete(name);
      await files.putFile(`${folder}${name}`, Buffer.from(indexText(lines, index * TILE_WIDTH)));
    },
    async checkpoint(): Promise<string | undefined> {
      const bytes = await files.getFile(`${folder}checkpoint`);
      return bytes && Buffer.from(bytes).toString();
    },
    putCheckpoint: (note: string) => files.putFile(`${folder}checkpoint`, Buffer.from(note)),
    /** Undefined unless the files were restored from a backup. Rejects with `LogFilesDamaged`. */
    async restoration(): Promise<Restoration | undefined> {
      const bytes = await files.getFile(`${folder}restored`);
      if (bytes === undefined) return undefined;
      const found = parsedJson(Buffer.from(bytes).toString());
      if (!isRestoration.Check(found))
        throw new LogFilesDamaged(
          `The file ${folder}restored of the log ${origin} is damaged; restore it from a backup.`,
        );
      return found;
    },
    /** The first `width` hashes of a tile, or entries of a bundle; undefined if the tile has fewer. */
    async tile(place: TilePlace): Promise<Uint8Array | undefined> {
      const bytes =
        (await full(tileName(tilePath({ ...place, width: TILE_WIDTH })))) ??
        lastTile(await decodedHead(), place);
      const length = place.width * (place.level === 'entries' ? 2 + HASH_SIZE : HASH_SIZE);
      return bytes === undefined || bytes.length < length ? undefined : bytes.subarray(0, length);
    },
    /** Entries of a full page of 256, or of the incomplete last page. Rejects with `LogFilesDamaged`. */
    async page(index: number, { size, entries }: LogHead): Promise<readonly IndexedEntry[]> {
      if (index === Math.floor(size / TILE_WIDTH)) return entries;
      const lines = await full(indexName(index), INDEX_REMEMBERED);
      const bundle = await full(tileName(tilePath({ level: 'entries', index, width: TILE_WIDTH })));
      const found = bundle && parseEntryBundle(bundle);
      const page = lines && parseIndexPage(Buffer.from(lines).toString());
      if (found?.length !== TILE_WIDTH || page?.length !== TILE_WIDTH)
        throw new LogFilesDamaged(
          `The files of entries ${index * TILE_WIDTH} to ${(index + 1) * TILE_WIDTH - 1} are missing or damaged; restore them from a backup.`,
        );
      return page.map((line, at) => ({ ...line, entry: found[at] ?? new Uint8Array() }));
    },
  };
}

/** The published tree: full files, and the head's incomplete tiles. */
export function storedTree(files: Pick<LogFiles, 'tile'>, size: number): TiledTree {
  const readTile = async (level: number, index: number, width: number) => {
    const bytes = await files.tile({ level, index, width });
    if (bytes !== undefined) return bytes;
    throw new LogFilesDamaged(`Tile ${index} of level ${level} is missing.`);
  };
  return tiledTree(readTile, size);
}

/** Incomplete last tile of a level, from the head; undefined for other tiles. */
function lastTile(decoded: DecodedHead | undefined, { level, index }: TilePlace): Uint8Array | undefined {
  if (decoded === undefined) return undefined;
  const { head } = decoded;
  const height = level === 'entries' ? 0 : level;
  if (index !== Math.floor(head.size / TILE_WIDTH ** (height + 1))) return undefined;
  const entries = head.entries.map(({ entry }) => entry);
  if (level === 'entries') return entryBundle(entries);
  if (level > 0) return Buffer.concat(head.upper[level - 1] ?? []);
  decoded.leaves ??= Buffer.concat(entries.map(leafHash));
  return decoded.leaves;
}

const Line = Type.Object({
  id: Type.String(),
  stream: Type.String(),
  revision: Type.Integer({ minimum: 0 }),
  position: Type.String(),
});
const Head = Type.Object({
  format: Type.Literal(FORMAT),
  origin: Type.String(),
  size: Type.Integer({ minimum: 0 }),
  root: Type.String(),
  entries: Type.Array(Type.Intersect([Line, Type.Object({ entry: Type.String() })])),
  upper: Type.Array(Type.String()),
});
const isRestoration = TypeCompiler.Compile(
  Type.Object({ takenAt: Type.String(), lastCheckpoint: orNull(Type.String()) }),
);
const isHead = TypeCompiler.Compile(Head);
const isLine = TypeCompiler.Compile(Line);

function encodeHead({ size, root, entries, upper }: LogHead, origin: string): Uint8Array {
  const text: Static<typeof Head> = {
    format: FORMAT,
    origin,
    size,
    root: Buffer.from(root).toString('hex'),
    entries: entries.map(({ entry, ...line }) => ({ ...line, entry: Buffer.from(entry).toString('hex') })),
    upper: upper.map((hashes) => Buffer.concat(hashes).toString('base64')),
  };
  return Buffer.from(`${JSON.stringify(text)}\n`);
}

function decodeHead(bytes: Uint8Array, origin: string): LogHead {
  const found = parsedJson(Buffer.from(bytes).toString());
  if (!isHead.Check(found) || found.origin !== origin)
    throw new LogFilesDamaged(`The head of the log ${origin} is damaged; restore it from a backup.`);
  return {
    size: found.size,
    root: Buffer.from(found.root, 'hex'),
    entries: found.entries.map((line) => ({ ...line, entry: Buffer.from(line.entry, 'hex') })),
    upper: found.upper.map((hashes) => hashesOf(Buffer.from(hashes, 'base64'))),
  };
}

/** Undefined if the text is not a page of the index. */
function parseIndexPage(text: string): readonly IndexLine[] | undefined {
  const lines = text
    .split('\n')
    .slice(0, -1)
    .map((line) => parsedJson(line));
  return lines.every((line) => isLine.Check(line)) ? lines : undefined;
}
