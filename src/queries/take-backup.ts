/** A backup of the log and its files, taken while the service works. */
import { Type } from '@sinclair/typebox';
import { PiecewiseAnswer, queriesFor } from '../kernel/runtime/define-query.ts';

const BACKUP = 'application/x-tar';

interface BackupServices {
  /** Rejects while another backup is being taken, and where the disk has too little space. */
  readonly takeBackup: () => Promise<AsyncIterable<Uint8Array>>;
}

export const takeBackup = queriesFor<BackupServices>()({
  name: 'TakeBackup',
  summary: 'Take a backup',
  description:
    'The log, the ledgers and the images as the files of a data folder, in a tar stream, for `levy backup`, which writes and checks it. ' +
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
  rejections: ['BACKUP_UNDER_WAY', 'BACKUP_LACKS_SPACE'],
  answer: async (_input, { services }) => new PiecewiseAnswer(BACKUP, await services.takeBackup()),
});
