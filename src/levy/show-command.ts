/** `levy show`: prints the state of a stream after one of its events, and the changes by that event. */
import type { Command } from 'commander';
import type { JsonValue } from '../kernel/ports/event-store.ts';
import { wholeNumber } from '../operations/config/value-kinds.ts';
import { type StateChange, type StreamStateView, stateOf } from '../streams/stream-state.ts';
import { argumentOf, LevyCommand } from './levy-command.ts';
import { type LogLocation, withLocationOptions, withLog } from './log-location.ts';
import type { Terminal } from './terminal.ts';

const REVISION = argumentOf(wholeNumber(0, 9_999_999_999));

export function showCommand(terminal: Terminal): Command {
  return withLocationOptions(new LevyCommand('show'))
    .summary('show the state of a stream, and the changes by its last event')
    .description(
      'Shows the state of a stream after its last event, or after the event at --at, as the service computes it. ' +
        'Then shows the changes by that event: + added, - removed, ~ changed.',
    )
    .argument('<stream>', 'name of the stream: <category>-<id>, as `levy events` prints it before the @')
    .option('--at <revision>', 'show the state after this event; 0 is the first of the stream', REVISION)
    .examples(`
  $ levy show token-3f2b9a54-54a7-5b0c-9d62-0d6c7f6f2a01
      the current state of a token
  $ levy show token-3f2b9a54-54a7-5b0c-9d62-0d6c7f6f2a01 --at 0 --json
      the state after its first event, as JSON
  $ levy events --types DistributionSettingsUpdated
      finds streams and revisions`)
    .action(async (stream: string, { at, ...place }: LogLocation & { readonly at?: number }) => {
      const shown = await withLog(terminal, place, (log) => stateOf(log, stream, { at }));
      await terminal.result(shown, linesOf(shown));
    });
}

function linesOf({
  stream,
  revision,
  event,
  isQuarantined,
  firstRevision,
  state,
  changes,
}: StreamStateView): readonly string[] {
  const { actor, occurredAt } = event.metadata;
  return [
    `${stream}@${revision}`,
    `  ${event.type}, ${textOf(occurredAt)}, by ${textOf(actor)}, position ${event.position}`,
    ...(isQuarantined ? ['  The event is quarantined and not part of the state.'] : []),
    ...(firstRevision === 0 ? [] : [`  Events before revision ${firstRevision} have been deleted.`]),
    '',
    ...(state === null ? ['no state'] : JSON.stringify(state, undefined, 2).split('\n')),
    '',
    ...(changes.length === 0 ? ['The event changed nothing.'] : changes.map(changeLine)),
  ];
}

function changeLine({ path, before, after }: StateChange): string {
  const place = path === '' ? '(the state)' : path;
  if (before === undefined) return `+ ${place}: ${JSON.stringify(after)}`;
  if (after === undefined) return `- ${place}: ${JSON.stringify(before)}`;
  return `~ ${place}: ${JSON.stringify(before)} -> ${JSON.stringify(after)}`;
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : 'unknown';
}
