/** Takes a backup of the log and its files while the service runs. */
import { Type } from '@sinclair/typebox';
import { ChunkedAnswer, queriesFor } from '../kernel/runtime/define-query.ts';
import { rejection } from '../streams/rejections.ts';

const BACKUP = 'application/x-tar';

interface BackupServices {
  /** Undefined while another backup is running. */
  readonly takeBackup: () => AsyncIterable<Uint8Array> | undefined;
}

export const takeBackup = queriesFor<BackupServices>()({
  name: 'TakeBackup',
  summary: 'Take a backup',
  description:
    'A tar stream of a data folder with the log as lines of JSON. `levy backup` writes and checks it. ' +
    'A stream without its last file, `backup.json`, is truncated. Excludes secrets. One backup runs at a time.',
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
      throw rejection('BACKUP_UNDER_WAY', 'Another backup is running; try again after it has ended.', {
        retryAfterSeconds: 30,
      });
    }
    return new ChunkedAnswer(BACKUP, pieces);
  },
});
