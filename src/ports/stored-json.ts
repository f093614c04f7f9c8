/** Reads the JSON text of a stored event. Other programs can write to a log, and their text need not be JSON. */
import type { JsonObject, RecordedEvent } from './event-store.ts';

const NOTHING: JsonObject = {};

/** Never throws: what cannot be read leaves both objects empty and says why in `unreadable`. */
export function readStoredJson(
  data: string,
  metadata: string,
): Pick<RecordedEvent, 'data' | 'metadata' | 'unreadable' | 'text'> {
  try {
    return { data: objectIn(data, 'data'), metadata: objectIn(metadata, 'metadata') };
  } catch (error) {
    const unreadable = error instanceof Error ? error.message : String(error);
    return { data: NOTHING, metadata: NOTHING, unreadable, text: { data, metadata } };
  }
}

function objectIn(text: string, name: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's own message quotes the text, which may be long or private.
    throw new Error(`its ${name} are not JSON`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw new Error(`its ${name} are not a JSON object`);
}
