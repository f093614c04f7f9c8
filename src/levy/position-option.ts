/** Parses options of commands that name a point of the log by its position or by a time. */
import { OperatorError } from '../kernel/ports/errors.ts';
import type { Position, RecordedEvent } from '../kernel/ports/event-store.ts';
import type { LogReader } from '../kernel/ports/log-reader.ts';

const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;

type IsLater = (event: RecordedEvent) => boolean;

export function isPosition(text: string): boolean {
  return /^\d{20}$/.test(text);
}

/**
 * Returns a test that is true for events after the position or time, and false for events without a time. Throws
 * `OperatorError`, which names the option, if the text is neither.
 */
export function laterThan(option: string, text: string): IsLater {
  if (isPosition(text)) return ({ position }) => position > text;
  const time = TIME.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time))
    throw new OperatorError(
      `${option} is ${JSON.stringify(text)}: write a position (20 digits, as \`levy events\` prints them) or a time (2026-11-22, 2026-11-22T10:00:00Z)`,
    );
  return ({ metadata }) => Date.parse(String(metadata.occurredAt)) > time;
}

/** Last event at or before the position or time; undefined if the log has none. */
export async function lastBefore(
  log: Pick<LogReader, 'events'>,
  isLater: IsLater,
  progress: (position: Position) => void = () => undefined,
): Promise<RecordedEvent | undefined> {
  let last: RecordedEvent | undefined;
  for await (const event of log.events()) {
    if (isLater(event)) break;
    last = event;
    progress(event.position);
  }
  return last;
}
