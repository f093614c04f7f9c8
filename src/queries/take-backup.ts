/** A backup of the log and its files, taken while the service works. Nothing is written on the service's machine. */
import { Type } from '@sinclair/typebox';
import { PiecewiseAnswer, queriesFor } from '../kernel/runtime/define-query.ts';
import { rejection } from '../streams/rejections.ts';

const BACKUP = 'application/vnd.levy.backup';

interface BackupServices {
  /** Undefined while another backup is being taken. */
  readonly takeBackup: () => AsyncIterable<Uint8Array> | undefined;
}

export const takeBackup = queriesFor<BackupServices>()({
  name: 'TakeBackup',
  summary: 'Take a backup',
  description:
    'The log, the ledgers and the images as one stream of bytes, for `levy backup`, which writes and checks it: lines of JSON, each of a ' +
    "file's piece followed by its bytes. A stream without its last line (`end`) was cut off. Secrets are never in it. One backup at a time.",
  route: {
    method: 'POST',
    url: '/operator/backups',
    auth: 'operator',
    limit: 'operator',
    ignoresIdempotencyKey: true,
  },
  input: {},
  output: Type.String({ format: 'binary' }),
  mediaType: BACKUP,
  rejections: ['BACKUP_UNDER_WAY'],
  async answer(_input, { services }) {
    const pieces = services.takeBackup();
    if (pieces === undefined) {
      throw rejection('BACKUP_UNDER_WAY', 'Another backup is being taken; try again when it has ended.', {
        retryAfterSeconds: 30,
      });
    }
    return new PiecewiseAnswer(BACKUP, pieces);
  },
});
