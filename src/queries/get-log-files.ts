/** Public files of the transparency log: its signed checkpoint, its verifier key, and its tiles of hashes and entries. */
import { hash } from 'node:crypto';
import { type TObject, Type } from '@sinclair/typebox';
import { type AnyQuery, FileAnswer, queriesFor } from '../kernel/runtime/define-query.ts';
import type { LogServices } from '../proof/transparency/published-log.ts';
import { rejection } from '../streams/rejections.ts';

/** Cache times in seconds. Short for checkpoints, so that readers see new ones promptly. */
const CHECKPOINT_MAX_AGE = 1;
const KEY_MAX_AGE = 60;
/** Cache time of a partial tile in seconds; it never changes, but a wider tile replaces it. */
const PARTIAL_TILE_MAX_AGE = 60;

const ROUTE = { method: 'GET', auth: 'none', limit: 'none', anyOrigin: true } as const;
const FILE = { file: true, rejections: ['FILE_NOT_FOUND', 'RANGE_NOT_SATISFIABLE'] } as const;
const TEXT = { ...FILE, mediaType: 'text/plain' } as const;

export const getLogCheckpoint = queriesFor<LogServices>()({
  name: 'GetLogCheckpoint',
  summary: 'Get the checkpoint of the transparency log',
  description:
    'A signed note (C2SP `tlog-checkpoint`) with the name of the log, its size, its root, the signature of the log and ' +
    'those of witnesses. `docs/explanation/transparency-log.md` explains what it proves.',
  route: { ...ROUTE, url: '/log/checkpoint' },
  input: {},
  output: Type.String({
    examples: [
      'levy.example/log\n2\nAfXRZnPK66Hl5nPBbGC3bQ7+2Eg1ch7T8j0a5Y9oYz8=\n\n— levy.example/log 2Yx…\n',
    ],
  }),
  ...TEXT,
  async answer(_input, { services: { publishedLog } }) {
    const note = await publishedLog.checkpoint();
    if (note === undefined) throw rejection('FILE_NOT_FOUND', 'The log has no checkpoint yet.');
    return textFile(note, CHECKPOINT_MAX_AGE);
  },
});

export const getLogKey = queriesFor<LogServices>()({
  name: 'GetLogKey',
  summary: 'Get the verifier key of the transparency log',
  description:
    'Name, id and key in the format of C2SP `signed-note`. Compare it with a key from another source: an ' +
    'attacker who could replace the log could replace this response.',
  route: { ...ROUTE, url: '/log/key' },
  input: {},
  output: Type.String({
    examples: ['levy.example/log+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k'],
  }),
  ...TEXT,
  async answer(_input, { services: { publishedLog } }) {
    const key = await publishedLog.verifierKey();
    if (key === undefined) throw rejection('FILE_NOT_FOUND', 'The log is empty.');
    return textFile(`${key}\n`, KEY_MAX_AGE);
  },
});

/** Path segments of a tile after its level; four suffice for 10^11 entries. */
const PARTS = ['first', 'second', 'third', 'fourth'] as const;

/** Tile paths have one more segment per factor of 1,000 in the tile index, and one more for a partial tile. */
function tileQuery(name: string, count: number, example: readonly string[]): AnyQuery<LogServices> {
  const parts = PARTS.slice(0, count);
  const level = Type.String({ maxLength: 10, description: '`0` to `63`, or `entries`.', examples: ['0'] });
  const params: TObject = Type.Object({
    level,
    ...Object.fromEntries(
      parts.map((part, at) => [part, Type.String({ maxLength: 10, examples: [example[at] ?? '000'] })]),
    ),
  });
  return queriesFor<LogServices>()({
    name,
    summary: `Get a tile of the transparency log, such as \`/log/tile/0/${example.join('/')}\``,
    description:
      'A tile of C2SP `tlog-tiles`: 256 hashes of 32 bytes, or fewer in a partial tile (`.p/`). At level `entries` ' +
      'a tile contains entries: the length and the SHA-256 of each event. A full tile never changes.',
    route: { ...ROUTE, url: `/log/tile/:level/${parts.map((part) => `:${part}`).join('/')}` },
    input: { params },
    output: Type.String({ format: 'binary' }),
    ...FILE,
    mediaType: 'application/octet-stream',
    async answer({ params: found }, { services: { publishedLog } }) {
      const path = ['level', ...parts].map((part) => String(found[part])).join('/');
      const tile = await publishedLog.tile(path);
      if (tile === undefined) throw rejection('FILE_NOT_FOUND', 'Tile not found in the published tree.');
      return bytesFile(
        tile.bytes,
        'application/octet-stream',
        tile.isFull ? undefined : PARTIAL_TILE_MAX_AGE,
      );
    },
  });
}

export const getLogTile = tileQuery('GetLogTile', 1, ['000']);
export const getLogTileOfTwoParts = tileQuery('GetLogTileOfTwoParts', 2, ['000.p', '12']);
export const getLogTileOfThreeParts = tileQuery('GetLogTileOfThreeParts', 3, ['x001', '067.p', '12']);
export const getLogTileOfFourParts = tileQuery('GetLogTileOfFourParts', 4, ['x001', 'x234', '067.p', '12']);

/** `cachedFor`: cache time in seconds. */
function textFile(text: string, cachedFor: number): FileAnswer {
  return bytesFile(Buffer.from(text), 'text/plain; charset=utf-8', cachedFor);
}

/** `cachedFor`: cache time in seconds; absent: permanently. */
function bytesFile(bytes: Uint8Array, mediaType: string, cachedFor?: number): FileAnswer {
  return new FileAnswer({
    mediaType,
    size: bytes.length,
    entityTag: `"${hash('sha256', bytes, 'hex').slice(0, 32)}"`,
    ...(cachedFor !== undefined && { cachedFor }),
    read: async (offset, length) => bytes.subarray(offset, offset + length),
  });
}
