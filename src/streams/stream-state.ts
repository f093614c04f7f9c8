/** Folds a stream of a log with its own `evolve`, up to one of its events. */
import { categoryOf } from '../kernel/ports/append-rules.ts';
import { OperatorError } from '../kernel/ports/errors.ts';
import type { JsonObject, JsonValue, RecordedEvent } from '../kernel/ports/event-store.ts';
import type { LogReader } from '../kernel/ports/log-reader.ts';
import { silentLogger } from '../kernel/ports/logger.ts';
import { evolved } from '../kernel/runtime/define-stream.ts';
import { createEventCodec } from '../kernel/runtime/event-codec.ts';
import { createEventReader } from '../kernel/runtime/event-reader.ts';
import { streams } from './index.ts';

export interface StreamStateView {
  readonly stream: string;
  readonly revision: number;
  /** The event as it was recorded. */
  readonly event: RecordedEvent;
  /** True if operators have quarantined the event, so that it has no effect on the state. */
  readonly isQuarantined: boolean;
  /** Revision of the first event that still exists; earlier ones have no effect on the state. 0 for nearly every stream. */
  readonly firstRevision: number;
  /** State after the event; null if undefined. */
  readonly state: JsonValue;
  /** Changes since the state before the event, or since the given revision. */
  readonly changes: readonly StateChange[];
}

interface Wanted {
  /** Revision of the event; the last one by default. */
  readonly at?: number | undefined;
  /** Revision to compare the state with; the previous one by default. */
  readonly since?: number | undefined;
  /** Maximum number of events to fold. */
  readonly most?: number;
}

/** Rejects with `OperatorError` or `EventUndecodable`. */
export async function stateOf(
  log: Pick<LogReader, 'stream'>,
  name: string,
  { at, since, most = Number.POSITIVE_INFINITY }: Wanted = {},
): Promise<StreamStateView> {
  const category = categoryOf(name);
  const stream = streams.find((each) => each.category === category);
  if (stream === undefined) {
    const known = streams.map((each) => each.category).sort();
    throw new OperatorError(
      `${JSON.stringify(name)} is not a stream of this service; use <category>-<id> with one of the categories ${known.join(', ')}`,
    );
  }
  const reader = createEventReader({
    store: { read: log.stream },
    codec: createEventCodec(streams),
    logger: silentLogger,
  });
  await reader.refresh();
  let before: unknown = stream.initial;
  let state: unknown = stream.initial;
  let folded = 0;
  let firstRevision: number | undefined;
  let latest: { readonly event: RecordedEvent; readonly isQuarantined: boolean } | undefined;
  for await (const event of log.stream(name)) {
    if (at !== undefined && event.revision > at) break;
    folded += 1;
    if (folded > most)
      throw new OperatorError(
        `${name} has more than ${most} events up to this revision, the limit of this call; use \`levy show\` instead`,
      );
    firstRevision ??= event.revision;
    const decoded = await reader.read(event);
    if (since === undefined || event.revision <= since + 1) before = state;
    if (decoded !== undefined) state = evolved(stream, state, decoded);
    latest = { event, isQuarantined: decoded === undefined };
  }
  if (latest === undefined || firstRevision === undefined) {
    throw new OperatorError(
      `the log has no stream ${JSON.stringify(name)}${at === undefined ? '' : ` with events up to revision ${at}`}`,
    );
  }
  const { event, isQuarantined } = latest;
  if (at !== undefined && event.revision !== at) {
    throw new OperatorError(`${name} has no revision ${at}: its last event is revision ${event.revision}`);
  }
  if (since !== undefined && since > event.revision) {
    throw new OperatorError(`${name} has no revision ${since} before revision ${event.revision}`);
  }
  const plain = plainState(state);
  return {
    stream: name,
    revision: event.revision,
    event,
    isQuarantined,
    firstRevision,
    state: plain ?? null,
    changes: changesBetween(plainState(since === event.revision ? state : before), plain),
  };
}

export interface StateChange {
  /** Names of the members that lead to the change, joined by dots; empty for the whole state. */
  readonly path: string;
  /** Absent if the value was added. */
  readonly before?: JsonValue;
  /** Absent if the value was removed. */
  readonly after?: JsonValue;
}

/** Converts a state to JSON: maps to objects, sets to arrays, bigints to text. Undefined for an undefined state. */
export function plainState(state: unknown): JsonValue | undefined {
  if (state === undefined || typeof state === 'function') return undefined;
  if (typeof state === 'bigint') return state.toString();
  if (state === null || typeof state === 'string' || typeof state === 'boolean') return state;
  if (typeof state === 'number') return Number.isFinite(state) ? state : String(state);
  if (state instanceof Map) {
    return plainObject([...state].map(([key, value]) => [String(key), value]));
  }
  if (Array.isArray(state) || state instanceof Set) {
    return [...state].map((each) => plainState(each) ?? null);
  }
  return plainObject(Object.entries(Object(state)));
}

function plainObject(entries: readonly (readonly [string, unknown])[]): JsonObject {
  return Object.fromEntries(
    entries.flatMap(([key, value]) => {
      const plain = plainState(value);
      return plain === undefined ? [] : [[key, plain]];
    }),
  );
}

/** Objects are compared member by member, everything else as a whole. */
export function changesBetween(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  path = '',
): readonly StateChange[] {
  if (isObject(before) && isObject(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...keys].flatMap((key) =>
      changesBetween(before[key], after[key], path === '' ? key : `${path}.${key}`),
    );
  }
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  return [{ path, ...(before !== undefined && { before }), ...(after !== undefined && { after }) }];
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
