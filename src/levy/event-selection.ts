/** Which events of a log were asked for, by place, time, type and stream. Pure. */
import { categoryOf } from '../kernel/ports/append-rules.ts';
import { OperatorError } from '../kernel/ports/errors.ts';
import type { Position, RecordedEvent } from '../kernel/ports/event-store.ts';

export interface SelectionTexts {
  readonly after?: string | undefined;
  readonly until?: string | undefined;
  readonly types?: string | undefined;
  readonly stream?: string | undefined;
}

export interface EventSelection {
  /** Where to begin; undefined for the beginning. */
  readonly after: Position | undefined;
  /** The last position that may match; undefined for the end. */
  readonly until: Position | undefined;
  /** The one stream, where one was named with its id. */
  readonly stream: string | undefined;
  /** The one category, where a category was named. */
  readonly category: string | undefined;
  readonly matches: (event: RecordedEvent) => boolean;
}

const POSITION = /^\d{20}$/;
const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;

/** Throws `OperatorError` for a text that says nothing. */
export function selectionOf({ after, until, types, stream }: SelectionTexts): EventSelection {
  const from = boundOf('--after', after);
  const to = boundOf('--until', until);
  const isOfType = typesOf(types);
  const isStream = stream?.includes('-') ?? false;
  return {
    after: from?.position,
    until: to?.position,
    stream: isStream ? stream : undefined,
    category: isStream ? undefined : stream,
    matches(event) {
      if (!isOfType(event.type)) return false;
      if (stream !== undefined && (isStream ? event.stream : categoryOf(event.stream)) !== stream)
        return false;
      if (from?.position !== undefined && event.position <= from.position) return false;
      if (to?.position !== undefined && event.position > to.position) return false;
      const time = timeOf(event);
      if (from?.time !== undefined && !(time > from.time)) return false;
      return to?.time === undefined || time <= to.time;
    },
  };
}

interface Bound {
  readonly position?: Position;
  /** Milliseconds. */
  readonly time?: number;
}

function boundOf(option: string, text: string | undefined): Bound | undefined {
  if (text === undefined) return undefined;
  if (POSITION.test(text)) return { position: text };
  const time = TIME.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return { time };
  throw new OperatorError(
    `${option} is ${JSON.stringify(text)}: write a position (20 digits, as \`levy events\` prints them) or a time (2026-11-22, 2026-11-22T10:00:00Z)`,
  );
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
  const whole = new Set(wanted.filter((each) => !each.endsWith('*')));
  const beginnings = wanted.filter((each) => each.endsWith('*')).map((each) => each.slice(0, -1));
  return (type) => whole.has(type) || beginnings.some((each) => type.startsWith(each));
}

/** When it was recorded; no time at all where its metadata do not say. */
function timeOf({ metadata: { occurredAt } }: RecordedEvent): number {
  return typeof occurredAt === 'string' ? Date.parse(occurredAt) : Number.NaN;
}
