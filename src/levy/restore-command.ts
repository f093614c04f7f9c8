/** `levy restore`: puts a backup into the empty data folder of a service. */
import { Command } from 'commander';
import type { Terminal } from './terminal.ts';

export function restoreCommand(terminal: Terminal): Command {
  return new Command('restore')
    .summary('put a backup into an empty data folder')
    .description(
      `Copies a backup into DATA_DIR, which must be empty, and compares every file with its SHA-256. No service starts there before it
is complete; after an interruption, run it again.`,
    )
    .argument('<folder>', 'the backup')
    .option(
      '--last-checkpoint <file>',
      'the last checkpoint that the transparency log published (GET /log/checkpoint of the old service): its notary then continues under the same name, if the backup has all of it',
    )
    .addHelpText(
      'after',
      `
Examples:
  $ DATA_DIR=./data levy restore /backup/2026-05-04
      then put the master seed back, unless the backup has it, and start the service
  $ curl -s http://127.0.0.1:3000/log/checkpoint > last-checkpoint
  $ DATA_DIR=./data levy restore /backup/2026-05-04 --last-checkpoint last-checkpoint
      the old service still answers, or has not published anything since`,
    )
    .action(async (folder: string, { lastCheckpoint }: { readonly lastCheckpoint?: string }) => {
      const { restore } = await import('./restore.ts');
      const { leftOut } = await import('./backup-folder.ts');
      const line = terminal.progress('restoring', 'bytes');
      const { info, ...restored } = await restore(folder, {
        env: process.env,
        lastCheckpoint,
        progress: (bytes) => line.at(bytes),
      });
      line.clear();
      const { missingLedgers, dataDirectory, hasSecrets, lacksChain, stoppedLog } = restored;
      if (missingLedgers.length + info.damaged.length > 0) terminal.foundSomething();
      if (terminal.json) {
        await terminal.out(JSON.stringify({ ...restored, ...info }));
        return;
      }
      await terminal.out(
        `restored into ${dataDirectory}: ${info.events} events, as of ${info.takenAt} (position ${info.head})`,
      );
      for (const file of info.damaged) terminal.note(leftOut(file));
      for (const sha256 of missingLedgers)
        terminal.note(
          `the ledger file ${sha256}, which the log names, was not in the backup: distributions that need it stop`,
        );
      if (lacksChain)
        terminal.note(
          'The backup is of a service whose chain is elsewhere: start this one with the same CHAIN_URL. Without it, it would begin an empty chain of its own, and refuse the log.',
        );
      if (!hasSecrets)
        terminal.note(
          'The backup has no secrets: put the master seed (MASTER_SEED_FILE) and the key of access tokens (JWT_KEY_FILE) back before the service starts.',
        );
      if (stoppedLog !== undefined)
        terminal.note(
          `The notary of the log ${stoppedLog} will sign nothing: events that were recorded after the backup may be published under this name. Set LOG_ORIGIN to a new name and tell those who check, or restore again with --last-checkpoint.`,
        );
      terminal.note(
        'Start the service: it makes the read models anew, and learns from the chain what was sent after the backup was taken. Subscribers that are ahead of the backup are refused, and begin anew.',
      );
    });
}
