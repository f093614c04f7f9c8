/** `levy copy-files`: moves images, or what is in the store of ledgers, to another store. */
import { Argument, Command } from 'commander';
import type { Terminal } from './terminal.ts';

interface CopyFilesOptions {
  readonly from?: string;
  readonly to: string;
}

export function copyFilesCommand(terminal: Terminal): Command {
  return new Command('copy-files')
    .summary('move images or ledgers to another store')
    .description(
      `Copies every file of a store into another one, and reads it there again: an image and a ledger
file must match their SHA-256, a file of the transparency log its source. Nothing is removed. At the target only
a shorter transparency log is replaced, if the one at the source extends it. Run the same command again to continue after
an interruption, or to add new files. Exit code 0: both stores are the same; 1: files are damaged, or differ at the target; each is listed.

MONGODB_CREDENTIALS_FILE and CA_FILE count for MongoDB as for the service.`,
    )
    .addArgument(
      new Argument('<what>', 'images; or ledgers, with the files of the transparency log').choices([
        'images',
        'ledgers',
      ]),
    )
    .option(
      '--from <url>',
      'file:<folder>, or mongodb://<host>/<database> (default: what IMAGE_STORE_URL or LEDGER_STORE_URL and DATA_DIR name)',
    )
    .requiredOption('--to <url>', 'file:<folder>, or mongodb://<host>/<database>')
    .addHelpText(
      'after',
      `
Examples:
  $ levy copy-files images --from file:./data/images --to 'mongodb://db1,db2,db3/levy?replicaSet=rs0'
      while the service runs; again when it has been stopped, for the last ones
  $ levy copy-files ledgers --from file:./data/ledgers --to 'mongodb://db1,db2,db3/levy?replicaSet=rs0'
      and what distributions and the transparency log need
  $ levy copy-files ledgers --from 'mongodb://db1,db2,db3/levy?replicaSet=rs0' --to file:./data/ledgers
      and back`,
    )
    .action(async (what: 'images' | 'ledgers', options: CopyFilesOptions) => {
      const { copyFiles } = await import('./copy-files.ts');
      const line = terminal.progress('copying', 'files');
      const copied = await copyFiles({
        what,
        from: options.from,
        to: options.to,
        env: process.env,
        found: async (fault) => terminal.note(fault),
        progress: (files) => line.at(files),
      });
      line.clear();
      const { files, added, bytes, faults } = copied;
      if (faults > 0) terminal.foundSomething();
      await terminal.out(
        terminal.json
          ? JSON.stringify(copied)
          : `copied and compared: ${files} files of ${what} (${added} new), ${bytes} bytes${faults === 0 ? '' : `; ${faults} could not be copied`}`,
      );
      if (terminal.json || faults > 0) return;
      const variable = what === 'images' ? 'IMAGE_STORE_URL' : 'LEDGER_STORE_URL';
      terminal.note(`Point ${variable} of every process at the target.`);
    });
}
