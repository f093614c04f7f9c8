/** Opens the log of a command's options: a store, a running service, or the log of the environment. */
import { type Command, Option } from 'commander';
import { openLog, requireOwnFormat } from '../app/stores.ts';
import type { LogReader } from '../kernel/ports/log-reader.ts';
import { loggerTo } from '../kernel/ports/logger.ts';
import { openServiceLog, runningServiceAt, type ServicePlace } from './service-client.ts';
import type { Terminal } from './terminal.ts';

export interface LogLocation extends ServicePlace {
  /** Format of EVENT_STORE_URL. */
  readonly store?: string | undefined;
}

export function withService<Of extends Command>(command: Of, meaning: string, isRequired = false): Of {
  return command
    .addOption(new Option('--service <url>', meaning).makeOptionMandatory(isRequired))
    .option('--operator-key-file <file>', "with --service: file (mode 0600) with an operator's key");
}

export function withLocationOptions<Of extends Command>(command: Of): Of {
  const store = new Option(
    '--store <url>',
    'address of the log: sqlite:<file> of a stopped service, or esdb://<host> (default: the log of EVENT_STORE_URL and DATA_DIR)',
  ).conflicts('service');
  return withService(command.addOption(store), 'the running service that has the log');
}

/** Runs `work` on the log and closes it. Changes nothing. Rejects with `OperatorError`, also for a log in another format. */
export async function withLog<Result>(
  terminal: Terminal,
  place: LogLocation,
  work: (log: LogReader) => Promise<Result>,
): Promise<Result> {
  const { service, operatorKeyFile } = place;
  const log =
    service === undefined
      ? await openLog(
          process.env,
          place.store,
          loggerTo((message) => terminal.note(message)),
        )
      : await requireOwnFormat(await openServiceLog(await runningServiceAt(service, operatorKeyFile)));
  try {
    return await work(log);
  } finally {
    await log.close();
  }
}
