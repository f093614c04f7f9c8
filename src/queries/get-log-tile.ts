/** The hashes and entries of the transparency log, in tiles. */
import { type TObject, Type } from '@sinclair/typebox';
import { type AnyQuery, type FileAnswer, queriesFor } from '../kernel/runtime/define-query.ts';
import type { LogServices } from '../proof/transparency/published-log.ts';
import { rejection } from '../streams/rejections.ts';
import { bytesFile } from './text-file.ts';

/** Seconds: a partial tile is right for ever, but a wider one takes its place. */
const PARTIAL_KEPT_FOR = 60;

/** The parts of a tile's path behind its level; enough for a hundred thousand million entries. */
const PARTS = ['first', 'second', 'third', 'fourth'] as const;

/** A path has one part more for each thousand times as many tiles, and one more where the tile is partial. */
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
      'As C2SP `tlog-tiles` describes it: 256 hashes of 32 bytes, or fewer in a partial tile (`.p/`). Of the level `entries`: ' +
      'the entries, each the SHA-256 of an event, behind its length. A full tile never changes.',
    route: {
      method: 'GET',
      url: `/log/tile/:level/${parts.map((part) => `:${part}`).join('/')}`,
      auth: 'none',
      limit: 'none',
      anyOrigin: true,
    },
    input: { params },
    output: Type.String({ format: 'binary' }),
    mediaType: 'application/octet-stream',
    file: true,
    rejections: ['FILE_NOT_FOUND', 'RANGE_NOT_SATISFIABLE'],
    async answer({ params: found }, { services: { publishedLog } }): Promise<FileAnswer> {
      const path = ['level', ...parts].map((part) => String(found[part])).join('/');
      const tile = await publishedLog.tile(path);
      if (tile === undefined) throw rejection('FILE_NOT_FOUND', 'The published tree has no such tile.');
      return bytesFile(tile.bytes, 'application/octet-stream', tile.isFull ? undefined : PARTIAL_KEPT_FOR);
    },
  });
}

export const getLogTile = tileQuery('GetLogTile', 1, ['000']);
export const getLogTileOfTwoParts = tileQuery('GetLogTileOfTwoParts', 2, ['000.p', '12']);
export const getLogTileOfThreeParts = tileQuery('GetLogTileOfThreeParts', 3, ['x001', '067.p', '12']);
export const getLogTileOfFourParts = tileQuery('GetLogTileOfFourParts', 4, ['x001', 'x234', '067.p', '12']);
