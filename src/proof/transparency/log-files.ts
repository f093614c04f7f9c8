/**
 * The files of a transparency log in the store of ledgers, under `transparency/`:
 *
 *     origin                 the name of the log that is served
 *     <log>/head             what does not fill a tile yet: replaced as a whole with each checkpoint
 *     <log>/checkpoint       the published checkpoint with its cosignatures
 *     <log>/restored         there since the log was restored from a backup, and what was published before that
 *     <log>/tile/<level>/…   full tiles and bundles of entries, as C2SP `tlog-tiles` names them
 *     <log>/index/…          which event each entry is of: 256 lines of JSON a file
 *
 * `<log>` are the first 16 hex digits of the SHA-256 of its name. A full file never changes, so two notaries that write the
 * same log write the same bytes.
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
import { orNull } from '../../streams/values.ts';
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
  /** The level 0 tile that is not full yet, once it was asked for. */
  leaves: Uint8Array | undefined;
}

/** A log that was restored from a backup may have been signed further before that. */
export interface Restoration {
  /** When the backup was taken; ISO 8601. */
  readonly takenAt: string;
  /** The note that the operator gave as the last one published; null if none was given. */
  readonly lastCheckpoint: string | null;
}

export type LogFiles = ReturnType<typeof logFiles>;

/** The name of the log that is served; undefined before the first. */
export async function servedOrigin(files: Pick<BlobStore, 'getFile'>): Promise<string | undefined> {
  const bytes = await files.getFile(ORIGIN_FILE);
  return bytes && Buffer.from(bytes).toString().trim();
}

export async function serveOrigin(files: Pick<BlobStore, 'putFile'>, origin: string): Promise<void> {
  await files.putFile(ORIGIN_FILE, Buffer.from(`${origin}\n`));
}

/** Notes that the log was restored, so that its notary signs no second tree under the same name. */
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

/** Full tiles of a few proofs; larger logs read their upper levels again and again. */
const REMEMBERED_FILES = 256;
/** Milliseconds: the process that keeps the log may replace a page of the index. */
const INDEX_REMEMBERED = 10_000;

/** Folder of a log's files, with a trailing slash. */
export function logFolder(origin: string): string {
  return `${LOG_FILES}${hash('sha256', origin, 'hex').slice(0, 16)}/`;
}

export function logFiles(files: Files, origin: string) {
  const folder = logFolder(origin);
  const remembered = new LRUCache<string, Uint8Array>({ max: REMEMBERED_FILES });
  let lastHead: DecodedHead | undefined;

  async function full(name: string, ttl = 0): Promise<Uint8Array | undefined> {
    const known = remembered.get(name);
    if (known !== undefined) return known;
    const bytes = await files.getFile(`${folder}${name}`);
    if (bytes !== undefined) remembered.set(name, bytes, { ttl });
    return bytes;
  }

  /** The same bytes are decoded once: each tile that is not full is read through the head. */
  async function decodedHead(): Promise<DecodedHead | undefined> {
    const bytes = await files.getFile(`${folder}head`);
    if (bytes === undefined) return undefined;
    if (lastHead === undefined || Buffer.compare(lastHead.bytes, bytes) !== 0)
      lastHead = { bytes: Uint8Array.from(bytes), head: decodeHead(bytes, origin), leaves: undefined };
    return lastHead;
  }

  return {
    origin,
    /** Undefined if the log has not begun. Rejects with `LogFilesDamaged`. */
    head: async () => (await decodedHead())?.head,
    /** The stored bytes, to detect a replacement by another process. */
    headBytes: () => files.getFile(`${folder}head`),
    /** The bytes that `putHead` stores. */
    bytesOf: (next: LogHead) => encodeHead(next, origin),
    putHead: (bytes: Uint8Array) => files.putFile(`${folder}head`, bytes),
    putFull: ({ name, bytes }: FullTile) => files.putFile(`${folder}${name}`, bytes),
    /** Replaces a full page of the index whose events have other positions since the log was moved to another store. */
    async putIndex(index: number, lines: readonly IndexLine[]): Promise<void> {
      const name = indexName(index);
      remembered.delete(name);
      await files.putFile(`${folder}${name}`, Buffer.from(indexText(lines, index * TILE_WIDTH)));
    },
    /** The published note. */
    async checkpoint(): Promise<string | undefined> {
      const bytes = await files.getFile(`${folder}checkpoint`);
      return bytes && Buffer.from(bytes).toString();
    },
    putCheckpoint: (note: string) => files.putFile(`${folder}checkpoint`, Buffer.from(note)),
    /** Undefined unless these files come from a backup. Rejects with `LogFilesDamaged`. */
    async restoration(): Promise<Restoration | undefined> {
      const bytes = await files.getFile(`${folder}restored`);
      if (bytes === undefined) return undefined;
      const found = parsedJson(Buffer.from(bytes).toString());
      if (!isRestoration.Check(found))
        throw new LogFilesDamaged(`The note that the log ${origin} was restored is damaged.`);
      return found;
    },
    /** The first hashes of a tile, or entries of a bundle; undefined if there are fewer. */
    async tile(place: TilePlace): Promise<Uint8Array | undefined> {
      const bytes =
        (await full(tileName(tilePath({ ...place, width: TILE_WIDTH })))) ??
        lastTile(await decodedHead(), place);
      const length = place.width * (place.level === 'entries' ? 2 + HASH_SIZE : HASH_SIZE);
      return bytes === undefined || bytes.length < length ? undefined : bytes.subarray(0, length);
    },
    /** The entries of a page of 256, or of the last one. Rejects with `LogFilesDamaged`. */
    async page(index: number, { size, entries }: LogHead): Promise<readonly IndexedEntry[]> {
      if (index === Math.floor(size / TILE_WIDTH)) return entries;
      const lines = await full(indexName(index), INDEX_REMEMBERED);
      const bundle = await full(tileName(tilePath({ level: 'entries', index, width: TILE_WIDTH })));
      const found = bundle && parseEntryBundle(bundle);
      const page = lines && parseIndexPage(Buffer.from(lines).toString());
      if (found?.length !== TILE_WIDTH || page?.length !== TILE_WIDTH)
        throw new LogFilesDamaged(
          `The record of entries ${index * TILE_WIDTH} to ${(index + 1) * TILE_WIDTH - 1} is missing or damaged.`,
        );
      return page.map((line, at) => ({ ...line, entry: found[at] ?? new Uint8Array() }));
    },
  };
}

/** The tree as readers see it: full files and the head's tiles. */
export function storedTree(files: Pick<LogFiles, 'tile'>, size: number): TiledTree {
  const readTile = async (level: number, index: number, width: number) => {
    const bytes = await files.tile({ level, index, width });
    if (bytes !== undefined) return bytes;
    throw new LogFilesDamaged(`Tile ${index} of level ${level} is missing.`);
  };
  return tiledTree(readTile, size);
}

/** The head contains the last, incomplete tile. */
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
    throw new LogFilesDamaged(`The head of the log ${origin} is damaged.`);
  return {
    size: found.size,
    root: Buffer.from(found.root, 'hex'),
    entries: found.entries.map((line) => ({ ...line, entry: Buffer.from(line.entry, 'hex') })),
    upper: found.upper.map((hashes) => hashesOf(Buffer.from(hashes, 'base64'))),
  };
}

/** Undefined for a text that is no page of the index. */
export function parseIndexPage(text: string): readonly IndexLine[] | undefined {
  const lines = text
    .split('\n')
    .slice(0, -1)
    .map((line) => parsedJson(line));
  return lines.every((line) => isLine.Check(line)) ? lines : undefined;
}
