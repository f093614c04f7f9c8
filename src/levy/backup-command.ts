/** `levy backup`: a checked copy of the data folder of a service that runs or is stopped. */
import { Command } from 'commander';
import { silentLogger } from '../kernel/ports/logger.ts';
import { OPERATOR_KEY_FILE } from './place.ts';
import type { Terminal } from './terminal.ts';

interface BackupOptions {
  readonly service?: string;
  readonly operatorKeyFile?: string;
  readonly withSecrets?: boolean;
}

export function backupCommand(terminal: Terminal): Command {
  return new Command('backup')
    .summary('back up the log, the ledgers and the images')
    .description(
      `Copies the log, the ledgers (with the transparency log), the images and the embedded chain into a folder, as a data folder has them, and checks
the copy by reading all of it. A running service sends the backup itself and keeps working. Until it is complete, the folder is called <folder>.partial:
after an interruption, run the same command again.`,
    )
    .argument('<folder>', 'where the backup is written; it must not exist yet, or be empty')
    .option(
      '--service <url>',
      'the running service to back up (default: the stopped one that the environment names)',
    )
    .option(...OPERATOR_KEY_FILE)
    .option(
      '--with-secrets',
      'the master seed and the key of access tokens too: the backup then gives access to all wallets',
    )
    .addHelpText(
      'after',
      `
Examples:
  $ levy backup /backup/$(date +%F) --service http://127.0.0.1:3000 --operator-key-file ~/operator.key
      of a running service
  $ levy backup /backup/$(date +%F) --with-secrets
      of a stopped one, as DATA_DIR and its environment name it, with the seed`,
    )
    .action(async (folder: string, options: BackupOptions) => {
      const { backUp } = await import('./back-up.ts');
      const { leftOut } = await import('./backup-folder.ts');
      const copying = terminal.progress('copying', 'bytes');
      const {
        info,
        faults: _none,
        ...written
      } = await backUp(folder, {
        ...options,
        withSecrets: options.withSecrets === true,
        env: process.env,
        logger: silentLogger,
        progress: (bytes) => copying.at(bytes),
      });
      copying.clear();
      const { missingLedgers, files, bytes } = written;
      const { events, unreadable, damaged } = info;
      if (missingLedgers.length + damaged.length > 0) terminal.foundSomething();
      if (terminal.json) {
        await terminal.out(JSON.stringify({ ...written, ...info }));
        return;
      }
      await terminal.out(
        `backed up and checked: ${events} events, ${files} files (${shownBytes(bytes)}) in ${written.folder}`,
      );
      if (unreadable > 0)
        terminal.note(`${unreadable} events cannot be read by any program; they are kept as they are`);
      for (const file of damaged) terminal.note(leftOut(file));
      for (const sha256 of missingLedgers)
        terminal.note(`the ledger file ${sha256}, which the log names, is not in the store of ledgers`);
      terminal.note(
        options.withSecrets
          ? 'It holds the master seed: keep it where nobody else can read it.'
          : 'Without the master seed it controls no wallet: keep a copy of the seed apart (--with-secrets, or the file itself).',
      );
    });
}

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];

/** For people. */
function shownBytes(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  return `${power === 0 ? bytes : (bytes / 1024 ** power).toFixed(1)} ${UNITS[power]}`;
}
