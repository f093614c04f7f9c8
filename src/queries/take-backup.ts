/** A backup of the log and its files, taken while the service works. */
import { Type } from '@sinclair/typebox';
import { PiecewiseAnswer, queriesFor } from '../kernel/runtime/define-query.ts';
import { rejection } from '../streams/rejections.ts';

const BACKUP = 'application/x-tar';

interface BackupServices {
  /** Undefined while another backup is being taken. */
  readonly takeBackup: () => AsyncIterable<Uint8Array> | undefined;
}

export const takeBackup = queriesFor<BackupServices>()({
  name: 'TakeBackup',
  summary: 'Take a backup',
  description:
    'The files of a data folder as a tar stream, with the log as lines of JSON, for `levy backup`, which writes and checks it. ' +
    'A stream without its last file, `backup.json`, was cut off. Secrets are never in it. One backup at a time.',
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
      throw rejection('BACKUP_UNDER_WAY', 'Another backup is running; try again when it has ended.', {
        retryAfterSeconds: 30,
      });
    }
    return new PiecewiseAnswer(BACKUP, pieces);
  },
});
