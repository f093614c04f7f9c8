/** `levy events`: the events of a log, one a line. */
import { Command } from 'commander';
import type { RecordedEvent } from '../../ports/event-store.ts';
import { type LogOptions, withLog, withLogOptions } from './log-options.ts';
import type { Terminal } from './terminal.ts';

export function eventsCommand(terminal: Terminal): Command {
  return withLogOptions(new Command('events'))
    .description('Print the events of the log, one a line, in the order in which they were recorded.')
    .option('--after <position>', 'only events after this position')
    .addHelpText(
      'after',
      `
Examples:
  levy events                                       the log of this folder's stopped service
  levy events --store sqlite:./backup/levy.db       the log of a copy
  levy events --json | grep TokenCreated            each event as a line of JSON`,
    )
    .action(async ({ after, ...place }: LogOptions & { readonly after?: string }) => {
      await withLog(terminal, place, async (log) => {
        const end = log.extentOf(await log.head()).amount;
        const progress = terminal.progress('reading', 'events');
        for await (const event of log.events(after === undefined ? {} : { after })) {
          await terminal.out(terminal.json ? JSON.stringify(event) : eventLine(event));
          progress.at(log.extentOf(event.position).amount, end);
        }
        progress.clear();
      });
    });
}

/** Position, time, stream, revision, type and data. */
function eventLine({ position, stream, revision, type, data, metadata, unreadable }: RecordedEvent): string {
  const time = typeof metadata.occurredAt === 'string' ? metadata.occurredAt : '-';
  const content = unreadable === undefined ? JSON.stringify(data) : `(${unreadable})`;
  return [position, time, `${stream}@${revision}`, type, content].join('  ');
}
