/** The transparency log's signed size and root. */
import { Type } from '@sinclair/typebox';
import { type FileAnswer, queriesFor } from '../kernel/runtime/define-query.ts';
import type { LogServices } from '../proof/transparency/published-log.ts';
import { rejection } from '../streams/rejections.ts';
import { textFile } from './text-file.ts';

/** Seconds: readers see a new one as soon as it is there. */
const KEPT_FOR = 1;

export const getLogCheckpoint = queriesFor<LogServices>()({
  name: 'GetLogCheckpoint',
  summary: 'Get the checkpoint of the transparency log',
  description:
    'A signed note as C2SP `tlog-checkpoint` describes it: the name of the log, its size, its root, the signature of the log and ' +
    'those of witnesses. `docs/explanation/transparency-log.md` says what it proves.',
  route: { method: 'GET', url: '/log/checkpoint', auth: 'none', limit: 'none', anyOrigin: true },
  input: {},
  output: Type.String({
    examples: [
      'levy.example/log\n2\nAfXRZnPK66Hl5nPBbGC3bQ7+2Eg1ch7T8j0a5Y9oYz8=\n\n— levy.example/log 2Yx…\n',
    ],
  }),
  mediaType: 'text/plain',
  file: true,
  rejections: ['FILE_NOT_FOUND', 'RANGE_NOT_SATISFIABLE'],
  async answer(_input, { services: { publishedLog } }): Promise<FileAnswer> {
    const note = await publishedLog.checkpoint();
    if (note === undefined) throw rejection('FILE_NOT_FOUND', 'The log has no checkpoint yet.');
    return textFile(note, KEPT_FOR);
  },
});
