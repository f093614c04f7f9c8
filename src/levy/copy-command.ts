/** `levy copy`: moves a log to another store, and checks that it is the same there. */
import { Command, InvalidArgumentError } from 'commander';
import { loggerTo } from '../kernel/ports/logger.ts';
import { OPERATOR_KEY_FILE } from './place.ts';
import type { Terminal } from './terminal.ts';

interface CopyOptions {
  readonly from?: string;
  readonly service?: string;
  readonly operatorKeyFile?: string;
  readonly to: string;
  readonly inFlight: number;
}

const IN_FLIGHT = 128;

export function copyCommand(terminal: Terminal): Command {
  return new Command('copy')
    .summary('move a log to another store')
    .description(
      `Copies every event with its id into another store, in the order of the log, and compares both logs afterwards. The target is
empty or holds an unfinished copy: run the same command again to continue after an interruption, or to add new
events. Leases and snapshots are left out.`,
    )
    .option('--from <url>', 'sqlite:<file> of a stopped service, or esdb://<host>')
    .option('--service <url>', 'instead of --from: a running service, for a first copy before it is stopped')
    .option(...OPERATOR_KEY_FILE)
    .requiredOption(
      '--to <url>',
      'sqlite:<file>, or esdb://<host>; EVENT_STORE_PREFIX counts as for the service',
    )
    .option(
      '--in-flight <count>',
      'appends that EventStoreDB is sent before it answers',
      wholeNumber,
      IN_FLIGHT,
    )
    .addHelpText(
      'after',
      `
Examples:
  $ levy copy --from sqlite:./data/levy.db --to 'esdb://127.0.0.1:2113?tls=false'
      from one machine to a cluster
  $ levy copy --from 'esdb://127.0.0.1:2113?tls=false' --to sqlite:./data/levy.db
      and back`,
    )
    .action(async (options: CopyOptions) => {
      if ((options.from === undefined) === (options.service === undefined))
        throw new InvalidArgumentError('name the source: --from or --service, one of them');
      const { copy } = await import('./copy.ts');
      const line = terminal.progress('copying', 'events');
      const copied = await copy({
        ...options,
        from: options.from,
        env: process.env,
        logger: loggerTo((message) => terminal.note(message)),
        progress: (events, of) => line.at(events, of),
      });
      line.clear();
      const { events, added, skipped, sha256 } = copied;
      await terminal.out(
        terminal.json
          ? JSON.stringify(copied)
          : `copied and compared: ${events} events (${added} new, ${skipped} of leases and snapshots left out), sha256 ${sha256}`,
      );
      if (!terminal.json)
        terminal.note(
          'Point EVENT_STORE_URL at the copy and start the service: it makes its read models anew. Never start one on the old log again.',
        );
    });
}

function wholeNumber(text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number >= 1 && number <= 10_000) return number;
  throw new InvalidArgumentError('it is a whole number from 1 to 10000');
}
