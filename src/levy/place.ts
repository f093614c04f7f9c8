/** Opens the log that the options of a command name: a store, a running service, or what the environment names. */
import { type Command, Option } from 'commander';
import { OperatorError } from '../kernel/ports/errors.ts';
import type { LogReader } from '../kernel/ports/log-reader.ts';
import { type Logger, loggerTo } from '../kernel/ports/logger.ts';
import type { ServicePlace } from './running-service.ts';
import type { Terminal } from './terminal.ts';

export interface Place extends ServicePlace {
  /** In the form of EVENT_STORE_URL. */
  readonly store?: string | undefined;
}

/** For each command that can ask a running service. */
export const OPERATOR_KEY_FILE = [
  '--operator-key-file <file>',
  "with --service: a file (mode 0600) with an operator's key",
] as const;

export function withPlaceOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--store <url>',
        'the log itself: sqlite:<file> of a stopped service, or esdb://<host> (default: what EVENT_STORE_URL and DATA_DIR name)',
      ).conflicts('service'),
    )
    .option('--service <url>', 'the running service that has the log')
    .option(...OPERATOR_KEY_FILE);
}

/** Changes nothing. Rejects with `OperatorError`, also for a log in another format. */
export async function openPlace(
  place: Place,
  options: { readonly env: NodeJS.ProcessEnv; readonly logger?: Logger },
): Promise<LogReader> {
  // Not loaded for help.
  const { runningServiceAt } = await import('./running-service.ts');
  const { openLog, requireOwnFormat } = await import('../app/stores.ts');
  const service = await runningServiceAt(place);
  if (service === undefined) return openLog(place, options);
  if (place.store !== undefined) throw new OperatorError('give --store or --service, not both');
  const { openServiceLog } = await import('./service-log.ts');
  return requireOwnFormat(await openServiceLog(service));
}

/** Runs `work` on the log and closes it. */
export async function withLog<Result>(
  terminal: Terminal,
  place: Place,
  work: (log: LogReader) => Promise<Result>,
): Promise<Result> {
  const log = await openPlace(place, {
    env: process.env,
    logger: loggerTo((message) => terminal.note(message)),
  });
  try {
    return await work(log);
  } finally {
    await log.close();
  }
}
