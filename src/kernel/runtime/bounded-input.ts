/**
 * Reads external responses and files, limited in bytes and, as JSON, in depth. Rejects with `OperatorError` beyond the
 * limits.
 */
import { open } from 'node:fs/promises';
import pTimeout from 'p-timeout';
import { OperatorError } from '../ports/errors.ts';
import { isTooDeep } from '../ports/stored-json.ts';

/** Maximum bytes; many times the size of a checkpoint, key, tile or proof. */
export const SMALL = 16 * 1024 * 1024;
/** Milliseconds without data until a read fails. */
const IDLE_TIMEOUT = 30_000;
const CHUNK = 64 * 1024;

/** `from` identifies the source in errors. */
export async function readBody(response: Response, most: number, from: string): Promise<Uint8Array> {
  const reader = response.body?.getReader();
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  try {
    while (reader !== undefined) {
      const { value, done } = await pTimeout(reader.read(), {
        milliseconds: IDLE_TIMEOUT,
        message: `${from} sent nothing for ${IDLE_TIMEOUT / 1_000} s`,
      });
      if (done) break;
      bytes += value.length;
      if (bytes > most) throw tooLarge(from, most);
      pieces.push(value);
    }
  } finally {
    await reader?.cancel().catch(() => undefined);
  }
  return Buffer.concat(pieces);
}

/** Rejects like `readFile` if the file does not exist. */
export async function readBoundedFile(path: string, most: number): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const pieces: Uint8Array[] = [];
    // Devices and pipes report no size.
    for (let bytes = 0; ; ) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(CHUNK), 0, CHUNK);
      if (bytesRead === 0) return Buffer.concat(pieces);
      bytes += bytesRead;
      if (bytes > most) throw tooLarge(path, most);
      pieces.push(buffer.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}

/** Throws `OperatorError` also for text that is not JSON. */
export function parseJson(text: string, from: string): unknown {
  if (isTooDeep(text)) throw new OperatorError(`the JSON of ${from} is nested too deeply`);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new OperatorError(`the content of ${from} is not JSON`, { cause: error });
  }
}

export async function readJson(response: Response, from: string): Promise<unknown> {
  return parseJson(Buffer.from(await readBody(response, SMALL, from)).toString(), from);
}

function tooLarge(from: string, most: number): OperatorError {
  return new OperatorError(`${from} has more than ${most} bytes`);
}

/** Undefined for text that is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Undefined if the value is not an object, or lacks the member. */
export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
