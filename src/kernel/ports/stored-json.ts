/** Reads the JSON text of a stored event. Other programs can write to a log, and their text may not be JSON. */
import type { JsonObject, RecordedEvent } from './event-store.ts';

const NOTHING: JsonObject = {};

/**
 * Never throws: for unreadable text, both objects are empty, `unreadable` contains the reason and `raw` the bytes. Accepts
 * bytes for text that may not be valid UTF-8.
 */
export function readStoredJson(
  data: string | Uint8Array,
  metadata: string | Uint8Array,
): Pick<RecordedEvent, 'data' | 'metadata' | 'unreadable' | 'raw'> {
  try {
    return { data: objectIn(data, 'data'), metadata: objectIn(metadata, 'metadata') };
  } catch (error) {
    const unreadable = error instanceof Error ? error.message : String(error);
    const raw = { data: base64Of(data), metadata: base64Of(metadata) };
    return { data: NOTHING, metadata: NOTHING, unreadable, raw };
  }
}

function base64Of(stored: string | Uint8Array): string {
  return Buffer.from(stored).toString('base64');
}

function objectIn(stored: string | Uint8Array, name: string): JsonObject {
  const text = typeof stored === 'string' ? stored : Buffer.from(stored).toString();
  if (isTooDeep(text)) throw new Error(`its ${name} are nested too deeply`);
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

const MAX_DEPTH = 100;

/** Checks the nesting depth of external JSON text: recursive functions would overflow the stack. */
export function isTooDeep(text: string): boolean {
  if (text.length <= MAX_DEPTH) return false;
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (isInString) {
      if (character === '\\') at += 1;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === '{' || character === '[') {
      depth += 1;
      if (depth > MAX_DEPTH) return true;
    } else if (character === '}' || character === ']') depth -= 1;
  }
  return false;
}
