/**
 * Reads the files that events name, for a projection whose documents come from files. A file that cannot be read delays
 * its own subject only, and is read again later.
 */
import type { Position } from '../ports/event-store.ts';
import type { FiledDocument, ReadFiles } from './define-projection.ts';
import type { Recorded } from './event-codec.ts';
import { messageOf } from './message-of.ts';
import { backoff } from './retry.ts';
import { sleep } from './sleep.ts';

/** Before unreadable files are read again. Milliseconds. */
const PAUSES = [250, 1_000, 5_000, 15_000];

interface Unread {
  readonly event: Recorded;
  /** Everything about the subject up to here was read. */
  readonly after: Position;
  error: string | undefined;
}

export interface FileReads {
  /** Adds the file of an event that follows what was read of the log. It replaces an earlier one of the same subject. */
  add(event: Recorded): void;
  /** Reads the added files. Never rejects. */
  read(): Promise<void>;
  /** Records that the log was read up to a position. Returns the position up to which every file was read. */
  upTo(position: Position): Position;
  /** Why files cannot be read at the moment. */
  error(): string | undefined;
}

export function createFileReads(options: {
  /** Everything up to here was read before. */
  readonly after: Position;
  readonly filesOf: ReadFiles;
  readonly subjectOf: (event: Recorded) => string;
  readonly write: (documents: readonly FiledDocument[], position: Position) => Promise<void>;
  /** Called with an error that was not reported for the file before. */
  readonly failed: (message: string, position: Position) => void;
  /** Called after unreadable files were read again. */
  readonly retried: () => void;
  /** True once nothing more is to be written, or can be after an error. */
  readonly isOver: (error?: unknown) => boolean;
  readonly signal: AbortSignal;
  /** Registers work that the end of the process waits for. */
  readonly begin: (work: Promise<void>) => void;
}): FileReads {
  const { filesOf, subjectOf, write, failed, retried, isOver, signal, begin } = options;
  /** Keyed by subject, in the order of their events. */
  const unread = new Map<string, Unread>();
  let logRead = options.after;
  let isRetrying = false;

  async function readOne(subject: string, entry: Unread): Promise<void> {
    const { event } = entry;
    try {
      for await (const documents of filesOf(event)) {
        if (isOver()) return;
        await write(documents, event.position);
      }
      // A later event may have replaced it meanwhile.
      if (unread.get(subject) === entry) unread.delete(subject);
    } catch (error) {
      if (isOver(error)) return;
      const message = messageOf(error);
      if (entry.error !== message) failed(message, event.position);
      entry.error = message;
    }
  }

  async function readThose(isWanted: (entry: Unread) => boolean): Promise<void> {
    for (const [subject, entry] of [...unread]) {
      if (isOver()) return;
      if (isWanted(entry)) await readOne(subject, entry);
    }
  }

  async function retry(): Promise<void> {
    for (let rounds = 0; unread.size > 0 && !isOver(); rounds += 1) {
      await sleep(backoff(PAUSES, rounds), signal);
      await readThose(({ error }) => error !== undefined);
      retried();
    }
    isRetrying = false;
  }

  return {
    add(event) {
      if (event.position <= logRead) return;
      const subject = subjectOf(event);
      const after = unread.get(subject)?.after ?? logRead;
      unread.delete(subject);
      unread.set(subject, { event, after, error: undefined });
    },
    async read() {
      await readThose(({ error }) => error === undefined);
      if (unread.size === 0 || isRetrying || isOver()) return;
      isRetrying = true;
      begin(retry());
    },
    upTo(position) {
      if (position > logRead) logRead = position;
      return [...unread.values()].reduce((least, { after }) => (after < least ? after : least), logRead);
    },
    error() {
      const [first, ...others] = [...unread.values()].flatMap(({ error }) => error ?? []);
      return others.length === 0 ? first : `${first} (and ${others.length} more)`;
    },
  };
}
