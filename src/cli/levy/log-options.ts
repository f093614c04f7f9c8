/** The options that name the log, common to all commands that read one. */
import { type Command, Option } from 'commander';
import type { LogPlace } from '../../app/open-log.ts';
import type { LogReader } from '../../kernel/ports/log-reader.ts';
import { loggerTo } from '../../kernel/ports/logger.ts';
import type { Terminal } from './terminal.ts';

export type LogOptions = LogPlace;

export function withLogOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--store <url>',
        'the log itself: sqlite:<file> of a stopped service, or esdb://<host> (default: what EVENT_STORE_URL and DATA_DIR name)',
      ).conflicts('service'),
    )
    .option('--service <url>', 'the running service that has the log')
    .option('--operator-key-file <file>', "with --service: a file (mode 0600) with an operator's key");
}

/** Runs `work` on the log and closes it. */
export async function withLog<Result>(
  terminal: Terminal,
  place: LogOptions,
  work: (log: LogReader) => Promise<Result>,
): Promise<Result> {
  // Not loaded for help.
  const { openLog } = await import('../../app/open-log.ts');
  const logger = loggerTo((message) => terminal.note(message));
  const log = await openLog(place, { env: process.env, logger });
  try {
    return await work(log);
  } finally {
    await log.close();
  }
}
