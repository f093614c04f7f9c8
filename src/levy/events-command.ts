/** `levy events`: prints the events of a log, one per line. */
import type { Command } from 'commander';
import { categoryOf } from '../kernel/ports/append-rules.ts';
import { OperatorError } from '../kernel/ports/errors.ts';
import { type Position, type RecordedEvent, START } from '../kernel/ports/event-store.ts';
import type { LogReader } from '../kernel/ports/log-reader.ts';
import { sleep } from '../kernel/runtime/sleep.ts';
import { LevyCommand } from './levy-command.ts';
import { type LogLocation, withLocationOptions, withLog } from './log-location.ts';
import { isPosition, laterThan } from './position-option.ts';
import type { Terminal } from './terminal.ts';

/** Milliseconds between two reads of the end of the log. */
const FOLLOW_PAUSE = 500;

export function eventsCommand(terminal: Terminal): Command {
  return withLocationOptions(new LevyCommand('events'))
    .summary('print the events of the log')
    .description(
      'Prints the events of the log, one per line, in the order in which they were recorded: position, time, ' +
        'stream@revision, type, data. With --json each line is the recorded event.',
    )
    .option('--after <place>', 'only events after this position or time')
    .option('--until <place>', 'only events up to this position or time')
    .option(
      '--types <types>',
      'only these types, separated by commas; Run* matches all types that start with Run',
    )
    .option('--stream <name>', 'only this stream (token-<id>), or all streams of this category (token)')
    .option('--follow', 'print new events until interrupted; for a running service, or esdb://')
    .examples(`
  $ levy events
      the whole log of this folder's stopped service
  $ levy events --store sqlite:backup/levy.db --types TokenCreated,Run* --after 2026-11-01
      creations and runs since November, from a copy
  $ levy events --service https://levy.example --operator-key-file key --follow --json | jq .type
      all events of a running service, then new ones
  $ levy events --stream token-3f2b9a54-54a7-5b0c-9d62-0d6c7f6f2a01
      the history of one token`)
    .action(
      ({
        after,
        until,
        types,
        stream,
        follow,
        ...place
      }: LogLocation & SelectionTexts & { readonly follow?: true }) => {
        const selection = selectionOf({ after, until, types, stream });
        return withLog(terminal, place, (log) => printEvents(terminal, log, selection, follow === true));
      },
    );
}

async function printEvents(
  terminal: Terminal,
  log: LogReader,
  selection: EventSelection,
  follow: boolean,
): Promise<void> {
  if (follow && log.isImmutable) {
    throw new OperatorError(
      '--follow does not work on a SQLite log, which is locked while it is open here; use it with a running service (--service <url> --operator-key-file <file> --follow), or omit it',
    );
  }
  const stopping = follow ? terminal.stopSignal() : undefined;
  let position = await printRange(terminal, log, selection, selection.after);
  while (position !== undefined && stopping !== undefined && !stopping.aborted) {
    await sleep(FOLLOW_PAUSE, stopping);
    if (!stopping.aborted)
      position = await printRange(terminal, log, { ...selection, stream: undefined }, position);
  }
}

/** Prints up to the current end of the log. Resolves with the position reached; undefined if no later event is wanted. */
async function printRange(
  terminal: Terminal,
  log: LogReader,
  { stream, category, isBeyond, matches }: EventSelection,
  after: Position,
): Promise<Position | undefined> {
  const end = await log.head();
  const { unit, amount: whole } = log.extentOf(end);
  const begun = log.extentOf(after).amount;
  const progress = terminal.progress('reading', unit);
  const events =
    stream === undefined
      ? log.events({ after, ...(category === undefined ? {} : { categories: [category] }) })
      : log.stream(stream);
  let position = after > end ? after : end;
  for await (const event of events) {
    if (isBeyond(event)) return undefined;
    if (event.position > position) position = event.position;
    if (matches(event)) await terminal.out(terminal.json ? JSON.stringify(event) : eventLine(event));
    progress(log.extentOf(event.position).amount - begun, whole - begun);
  }
  return position;
}

/** Position, time, stream, revision, type and data. */
function eventLine({ position, stream, revision, type, data, metadata, unreadable }: RecordedEvent): string {
  const time = typeof metadata.occurredAt === 'string' ? metadata.occurredAt : '-';
  const content = unreadable === undefined ? JSON.stringify(data) : `(${unreadable})`;
  return [position, time, `${stream}@${revision}`, type, content].join('  ');
}

export interface SelectionTexts {
  readonly after?: string | undefined;
  readonly until?: string | undefined;
  readonly types?: string | undefined;
  readonly stream?: string | undefined;
}

type EventSelection = ReturnType<typeof selectionOf>;

/** Throws `OperatorError` for an invalid text. */
export function selectionOf({ after, until, types, stream }: SelectionTexts) {
  const isLater = after === undefined ? () => true : laterThan('--after', after);
  const isOfType = typesOf(types);
  const isStream = stream?.includes('-') ?? false;
  const [name, category] = isStream ? [stream, undefined] : [undefined, stream];
  return {
    /** Position to start after. */
    after: after !== undefined && isPosition(after) ? after : START,
    /** Name of the requested stream, if given with its id. */
    stream: name,
    /** Name of the requested category, if given. */
    category,
    /** True for the first event after the selection. */
    isBeyond: until === undefined ? () => false : laterThan('--until', until),
    matches: (event: RecordedEvent) =>
      isOfType(event.type) &&
      isLater(event) &&
      (name === undefined || event.stream === name) &&
      (category === undefined || categoryOf(event.stream) === category),
  };
}

function typesOf(text: string | undefined): (type: string) => boolean {
  if (text === undefined) return () => true;
  const wanted = text.split(',').map((each) => each.trim());
  const odd = wanted.find((each) => !/^\w+\*?$/.test(each));
  if (odd !== undefined) {
    throw new OperatorError(
      `--types has ${JSON.stringify(odd)}: write event types, separated by commas, as in TokenCreated,Run*`,
    );
  }
  return (type) =>
    wanted.some((each) => (each.endsWith('*') ? type.startsWith(each.slice(0, -1)) : type === each));
}
