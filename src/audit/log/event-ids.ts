/**
 * Whether every event's id is its own, and whether what led to an event is in the log: of a log of any size, with little
 * memory. Ids are collected in files by their first bits, and each file is then looked at by itself.
 */
import { createHash } from 'node:crypto';
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface EventIds {
  add(ids: {
    readonly eventId: string;
    readonly commandId: string;
    /** Undefined where nothing else led to the event. */
    readonly cause: string | undefined;
  }): Promise<void>;
  judge(): Promise<JudgedIds>;
  /** Removes its files. */
  close(): Promise<void>;
}

export interface JudgedIds {
  /** The ids of events that occur more than once. */
  isDoubled(eventId: string): boolean;
  /** Causes that are neither an event of the log nor a command that recorded one. */
  isMissing(cause: string): boolean;
  readonly doubled: number;
  readonly missing: number;
}

/** Hundreds of millions of ids are then some hundred thousand a file. */
const BUCKETS = 1_024;
const KEY_SIZE = 16;
const ENTRY_SIZE = KEY_SIZE + 1;
/** Bytes that are kept of a bucket before they are written. */
const BUFFER_SIZE = ENTRY_SIZE * 1_024;
const [EVENT, COMMAND, CAUSE] = [0, 1, 2] as const;
/** Wrong ids that are remembered: more say nothing more. */
const MOST_REMEMBERED = 100_000;

interface Bucket {
  readonly buffer: Buffer;
  length: number;
  isOnDisk: boolean;
}

export function openEventIds(parent = tmpdir()): EventIds {
  const buckets: (Bucket | undefined)[] = [];
  let folder: string | undefined;
  let lastCommand = '';

  async function write(index: number, bucket: Bucket): Promise<void> {
    folder ??= await mkdtemp(join(parent, 'levy-audit-'));
    await appendFile(join(folder, String(index)), bucket.buffer.subarray(0, bucket.length), { mode: 0o600 });
    bucket.length = 0;
    bucket.isOnDisk = true;
  }

  async function put(kind: number, id: string): Promise<void> {
    const key = keyOf(id);
    const index = (key.readUInt16BE() >> 6) % BUCKETS;
    buckets[index] ??= { buffer: Buffer.allocUnsafe(BUFFER_SIZE), length: 0, isOnDisk: false };
    const bucket = buckets[index];
    key.copy(bucket.buffer, bucket.length);
    bucket.buffer[bucket.length + KEY_SIZE] = kind;
    bucket.length += ENTRY_SIZE;
    if (bucket.length === BUFFER_SIZE) await write(index, bucket);
  }

  async function entriesOf(index: number, { buffer, length, isOnDisk }: Bucket): Promise<Buffer> {
    const kept = buffer.subarray(0, length);
    if (!isOnDisk || folder === undefined) return kept;
    return Buffer.concat([await readFile(join(folder, String(index))), kept]);
  }

  return {
    async add({ eventId, commandId, cause }) {
      await put(EVENT, eventId);
      // A command's events come one after another.
      if (commandId !== lastCommand) await put(COMMAND, commandId);
      lastCommand = commandId;
      if (cause !== undefined) await put(CAUSE, cause);
    },
    async judge() {
      const doubled = new Set<string>();
      const missing = new Set<string>();
      for (const [index, bucket] of buckets.entries()) {
        if (bucket === undefined) continue;
        judgeBucket(await entriesOf(index, bucket), doubled, missing);
      }
      return {
        doubled: doubled.size,
        missing: missing.size,
        isDoubled: (eventId) => doubled.size > 0 && doubled.has(textOf(keyOf(eventId))),
        isMissing: (cause) => missing.size > 0 && missing.has(textOf(keyOf(cause))),
      };
    },
    async close() {
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

function judgeBucket(entries: Buffer, doubled: Set<string>, missing: Set<string>): void {
  const events = new Set<string>();
  const commands = new Set<string>();
  const causes = new Set<string>();
  for (let at = 0; at < entries.length; at += ENTRY_SIZE) {
    const key = textOf(entries.subarray(at, at + KEY_SIZE));
    const kind = entries[at + KEY_SIZE];
    if (kind === COMMAND) commands.add(key);
    else if (kind === CAUSE) causes.add(key);
    else if (!events.has(key)) events.add(key);
    else if (doubled.size < MOST_REMEMBERED) doubled.add(key);
  }
  for (const cause of causes)
    if (!events.has(cause) && !commands.has(cause) && missing.size < MOST_REMEMBERED) missing.add(cause);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Other programs write ids of other forms. */
function keyOf(id: string): Buffer {
  if (UUID.test(id)) return Buffer.from(id.replaceAll('-', ''), 'hex');
  return createHash('sha256').update(id).digest().subarray(0, KEY_SIZE);
}

function textOf(key: Buffer): string {
  return key.toString('latin1');
}
