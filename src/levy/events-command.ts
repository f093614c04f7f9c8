/** `levy events`: the events of a log, one a line. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { OperatorError } from '../kernel/ports/errors.ts';
import { type Position, type RecordedEvent, START } from '../kernel/ports/event-store.ts';
import type { LogReader } from '../kernel/ports/log-reader.ts';
import { type EventSelection, type SelectionTexts, selectionOf } from './event-selection.ts';
import { type Place, withLog, withPlaceOptions } from './place.ts';
import type { Terminal } from './terminal.ts';

/** Milliseconds between two looks at the end of the log. */
const FOLLOW_PAUSE = 500;

interface EventsOptions extends Place, SelectionTexts {
  readonly follow?: true;
}

export function eventsCommand(terminal: Terminal): Command {
  return withPlaceOptions(new Command('events'))
    .summary('print the events of the log')
    .description(
      'Prints the events of the log, one a line, in the order in which they were recorded: position, time, ' +
        'stream@revision, type, data. With --json each line is the recorded event.',
    )
    .option('--after <place>', 'only events after this position or time')
    .option('--until <place>', 'only events up to this position or time')
    .option('--types <types>', 'only these types, separated by commas; Run* means all that begin with Run')
    .option('--stream <name>', 'only this stream (token-<id>), or all of this category (token)')
    .option('--follow', 'continue with new events until it is interrupted; for a running service, or esdb://')
    .addHelpText(
      'after',
      `
Examples:
  $ levy events
      the whole log of this folder's stopped service
  $ levy events --store sqlite:backup/levy.db --types TokenCreated,Run* --after 2026-11-01
      creations and runs since November, from a copy
  $ levy events --service https://levy.example --operator-key-file key --follow --json | jq .type
      all events of a running service, from the first on
  $ levy events --stream token-3f2b9a54-54a7-5b0c-9d62-0d6c7f6f2a01
      the history of one token`,
    )
    .action(({ after, until, types, stream, follow, ...place }: EventsOptions) => {
      const selection = selectionOf({ after, until, types, stream });
      return withLog(terminal, place, (log) => printEvents(terminal, log, selection, follow === true));
    });
}

async function printEvents(
  terminal: Terminal,
  log: LogReader,
  selection: EventSelection,
  follow: boolean,
): Promise<void> {
  if (follow && log.standsStill) {
    throw new OperatorError(
      'nothing is recorded in a log of SQLite while it is open here, so there is nothing to follow: start the service and ask it (--service <url> --operator-key-file <file> --follow), or leave --follow out',
    );
  }
  const stopping = follow ? terminal.stopSignal() : undefined;
  const reached = await printStretch(terminal, log, selection, selection.after ?? START);
  let position = reached;
  while (stopping !== undefined && !stopping.aborted && !isPast(position, selection)) {
    await sleep(FOLLOW_PAUSE, undefined, { signal: stopping }).catch(() => undefined);
    if (!stopping.aborted)
      position = await printStretch(terminal, log, { ...selection, stream: undefined }, position);
  }
}

/** Up to the end of the log as it is now; resolves with the position that was reached. */
async function printStretch(
  terminal: Terminal,
  log: LogReader,
  selection: EventSelection,
  after: Position,
): Promise<Position> {
  const end = await log.head();
  const { unit, amount: whole } = log.extentOf(end);
  const begun = log.extentOf(after).amount;
  const progress = terminal.progress('reading', unit);
  const { stream, category } = selection;
  const events =
    stream === undefined
      ? log.events({ after, ...(category === undefined ? {} : { categories: [category] }) })
      : log.stream(stream);
  let position = after > end ? after : end;
  for await (const event of events) {
    if (isPast(event.position, selection)) break;
    if (event.position > position) position = event.position;
    if (selection.matches(event))
      await terminal.out(terminal.json ? JSON.stringify(event) : eventLine(event));
    progress.at(log.extentOf(event.position).amount - begun, whole - begun);
  }
  progress.clear();
  return position;
}

function isPast(position: Position, { until }: EventSelection): boolean {
  return until !== undefined && position > until;
}

/** Position, time, stream, revision, type and data. */
function eventLine({ position, stream, revision, type, data, metadata, unreadable }: RecordedEvent): string {
  const time = typeof metadata.occurredAt === 'string' ? metadata.occurredAt : '-';
  const content = unreadable === undefined ? JSON.stringify(data) : `(${unreadable})`;
  return [position, time, `${stream}@${revision}`, type, content].join('  ');
}
