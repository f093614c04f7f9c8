/**
 * A backup as one stream of bytes: each part is a line of JSON, and a piece's line is followed by its bytes. A stream that
 * lacks its last line was cut off.
 */
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { OperatorError } from '../../kernel/ports/operator-error.ts';
import { BackupBegin, BackupEnd, type BackupPart } from './backup-parts.ts';

export const BACKUP_MEDIA_TYPE = 'application/vnd.levy.backup';

const LONGEST_LINE = 4_096;
/** More than any piece has. */
const LARGEST_PIECE = 16 * 1024 * 1024;

const Line = Type.Union([
  Type.Object({ begin: BackupBegin }),
  Type.Object({
    path: Type.String({ maxLength: 1_000 }),
    bytes: Type.Integer({ minimum: 0, maximum: LARGEST_PIECE }),
  }),
  Type.Object({ damaged: Type.String({ maxLength: 1_000 }) }),
  Type.Object({ end: BackupEnd }),
]);

export async function* framesOf(parts: AsyncIterable<BackupPart>): AsyncGenerator<Uint8Array, void> {
  for await (const part of parts) {
    if (part.kind === 'piece') {
      const line = JSON.stringify({ path: part.path, bytes: part.bytes.length });
      yield Buffer.concat([Buffer.from(`${line}\n`), part.bytes]);
    } else {
      yield Buffer.from(`${JSON.stringify(lineOf(part))}\n`);
    }
  }
}

function lineOf(part: Exclude<BackupPart, { readonly kind: 'piece' }>) {
  switch (part.kind) {
    case 'begin':
      return { begin: part.begin };
    case 'damaged':
      return { damaged: part.path };
    case 'end':
      return { end: part.end };
  }
}

/** Throws `OperatorError` where the bytes end early or are none of a backup. */
export async function* partsOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<BackupPart, void> {
  const reading = createReading(chunks);
  try {
    for (;;) {
      const line = await reading.line();
      if (line === undefined) throw cutOff();
      const found = parsed(line);
      if ('begin' in found) yield { kind: 'begin', begin: found.begin };
      else if ('damaged' in found) yield { kind: 'damaged', path: found.damaged };
      else if ('end' in found) {
        yield { kind: 'end', end: found.end };
        if ((await reading.take(1)).length > 0) throw notABackup();
        return;
      } else {
        const bytes = await reading.take(found.bytes);
        if (bytes.length < found.bytes) throw cutOff();
        yield { kind: 'piece', path: found.path, bytes };
      }
    }
  } finally {
    await reading.leave();
  }
}

function createReading(chunks: AsyncIterable<Uint8Array>) {
  const iterator = chunks[Symbol.asyncIterator]();
  let held: Buffer = Buffer.alloc(0);

  async function more(): Promise<boolean> {
    const { done, value } = await iterator.next().catch((error: unknown) => {
      throw cutOff(error);
    });
    if (done === true) return false;
    held = held.length === 0 ? Buffer.from(value) : Buffer.concat([held, value]);
    return true;
  }

  return {
    /** Without its line end; undefined at the end of the stream. */
    async line(): Promise<string | undefined> {
      for (;;) {
        const end = held.indexOf(0x0a);
        if (end >= 0 && end <= LONGEST_LINE) {
          const text = held.subarray(0, end).toString();
          held = held.subarray(end + 1);
          return text;
        }
        if (held.length > LONGEST_LINE) throw notABackup();
        if (!(await more())) return undefined;
      }
    },
    /** Fewer at the end of the stream. */
    async take(count: number): Promise<Buffer> {
      const pieces: Buffer[] = [];
      let missing = count;
      for (;;) {
        const piece = held.subarray(0, missing);
        held = held.subarray(piece.length);
        pieces.push(piece);
        missing -= piece.length;
        if (missing === 0 || !(await more())) return Buffer.concat(pieces);
      }
    },
    async leave() {
      await iterator.return?.();
    },
  };
}

function parsed(line: string) {
  try {
    const found: unknown = JSON.parse(line);
    if (Value.Check(Line, found)) return found;
  } catch {
    // Said below.
  }
  throw notABackup();
}

function cutOff(cause?: unknown): OperatorError {
  const reason = cause instanceof Error ? ` (${cause.message})` : '';
  return new OperatorError(
    `the backup was cut off before its end${reason}: nothing of it is kept; try again`,
    {
      cause,
    },
  );
}

function notABackup(): OperatorError {
  return new OperatorError('the service answered something that is no backup: it may be of another release');
}
