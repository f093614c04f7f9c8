/** Checks that every event store makes before it writes, so that no store accepts events that another cannot store. */
import type { EventToAppend, ExpectedRevision, JsonObject } from './event-store.ts';

/**
 * Maximum bytes of one append: the JSON text of data and metadata, plus the type twice. This is EventStoreDB's limit and
 * method of counting.
 */
const MAX_APPEND_BYTES = 1_048_576;

/** Event with its data and metadata as JSON text, so that adapters need not serialize again. */
export interface CheckedEvent {
  readonly event: EventToAppend;
  readonly data: string;
  readonly metadata: string;
}

const STREAM_NAME = /^[^-$\s\p{Cc}\p{Cs}]+-[^$\s\p{Cc}\p{Cs}]+$/u;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const EVENT_TYPE = /^[^$\s\p{Cc}\p{Cs}]+$/u;

/** @throws TypeError with the violated rule. */
export function checkAppend(
  stream: string,
  expected: ExpectedRevision,
  events: readonly EventToAppend[],
): readonly CheckedEvent[] {
  requireStreamName(stream);
  if (expected !== 'none' && !(Number.isSafeInteger(expected) && expected >= 0)) {
    throw new TypeError(`the expected revision must be "none" or an integer from 0, not ${String(expected)}`);
  }
  if (events.length === 0) throw new TypeError('an append needs at least one event');

  const ids = new Set<string>();
  let bytes = 0;
  const checked = events.map((event) => {
    if (!UUID.test(event.id))
      throw new TypeError(`an event id must be a UUID in lower case, not "${event.id}"`);
    if (ids.has(event.id)) throw new TypeError(`the event id ${event.id} occurs twice in one append`);
    ids.add(event.id);
    if (!EVENT_TYPE.test(event.type)) {
      throw new TypeError(
        `an event type must not be empty or contain "$" or blanks, unlike ${JSON.stringify(event.type)}`,
      );
    }
    const data = jsonText(event.data, `${event.type}.data`);
    const metadata = jsonText(event.metadata, `${event.type}.metadata`);
    bytes += Buffer.byteLength(data) + Buffer.byteLength(metadata) + 2 * Buffer.byteLength(event.type);
    return { event, data, metadata };
  });
  if (bytes > MAX_APPEND_BYTES) {
    throw new TypeError(`an append can have at most ${MAX_APPEND_BYTES} bytes, this one has ${bytes}`);
  }
  return checked;
}

function requireStreamName(stream: string): void {
  if (STREAM_NAME.test(stream)) return;
  throw new TypeError(
    `a stream name must be "category-id" without "$" or blanks, not ${JSON.stringify(stream)}`,
  );
}

/** Part of a stream's name before the first `-`. */
export function categoryOf(stream: string): string {
  return stream.slice(0, stream.indexOf('-'));
}

/** Nested values are JSON by their type, and the codec has checked the data against a schema. */
function jsonText(value: JsonObject, path: string): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError(`${path} is not an object`);
  }
  return JSON.stringify(value);
}
