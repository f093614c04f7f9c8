/** The verifier key of the transparency log's checkpoints, in the form of C2SP `signed-note`. */
import { Type } from '@sinclair/typebox';
import { type FileAnswer, queriesFor } from '../kernel/runtime/define-query.ts';
import type { LogServices } from '../proof/transparency/published-log.ts';
import { rejection } from '../streams/rejections.ts';
import { textFile } from './text-file.ts';

/** Seconds. */
const KEPT_FOR = 60;

export const getLogKey = queriesFor<LogServices>()({
  name: 'GetLogKey',
  summary: 'Get the verifier key of the transparency log',
  description:
    'As C2SP `signed-note` writes it: name, id and key. Compare it with one that you were given by another way: whoever could ' +
    'replace the log could replace this answer.',
  route: { method: 'GET', url: '/log/key', auth: 'none', limit: 'none', anyOrigin: true },
  input: {},
  output: Type.String({
    examples: ['levy.example/log+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k'],
  }),
  mediaType: 'text/plain',
  file: true,
  rejections: ['FILE_NOT_FOUND', 'RANGE_NOT_SATISFIABLE'],
  async answer(_input, { services: { publishedLog } }): Promise<FileAnswer> {
    const key = await publishedLog.verifierKey();
    if (key === undefined) throw rejection('FILE_NOT_FOUND', 'The log has not begun yet.');
    return textFile(`${key}\n`, KEPT_FOR);
  },
});
