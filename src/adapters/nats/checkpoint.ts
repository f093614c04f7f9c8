/**
 * Remembers a position of the log and its sequence in the stream, for when the stream's last message is gone.
 *
 * It is needed only then: as long as the stream keeps its last message, that message holds the position. A stream loses
 * messages when they expire, are consumed (work queues), have no consumer (interest) or are purged; it keeps the
 * sequence. The checkpoint is in a key-value bucket beside the stream, because it must outlive the stream's messages,
 * because a moved or restored bus takes both along, and because servers before 2.10 keep no metadata with a stream. It
 * may lag: each message is one sequence, so later ones can be counted.
 */
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { ErrorCode, type JetStreamClient, NatsError } from 'nats';
import type { Position } from '../../kernel/ports/event-store.ts';
import { tryAgain } from '../../kernel/runtime/try-again.ts';

const Checkpoint = Type.Object({
  /** When the stream was created: sequences of an earlier stream with its name mean nothing. */
  created: Type.String(),
  /** The log's public name. */
  source: Type.String(),
  sequence: Type.Integer({ minimum: 0 }),
  position: Type.String(),
  /** The event there; null at the log's start. */
  eventId: Type.Union([Type.String(), Type.Null()]),
});

export interface Checkpoint {
  readonly created: string;
  readonly source: string;
  readonly sequence: number;
  readonly position: Position;
  readonly eventId: string | null;
}

export interface CheckpointStore {
  /** Undefined if the checkpoint is missing or unreadable. */
  load(): Promise<Checkpoint | undefined>;
  save(checkpoint: Checkpoint): Promise<void>;
  /** Saves the latest noted checkpoint in the background, one write at a time. */
  note(checkpoint: Checkpoint): void;
  /** Resolves when no save is under way, whether it succeeded or not. */
  settled(): Promise<void>;
}

const KEY = 'checkpoint';
/** Milliseconds. */
const PAUSE = 20;

export interface CheckpointOptions {
  readonly stream: string;
  readonly replicas: number;
  /** Milliseconds for a save. */
  readonly timeout: number;
}

/** Creates the bucket if missing. Rejects with the library's errors. */
export async function openCheckpoints(
  jetstream: JetStreamClient,
  { stream, replicas, timeout }: CheckpointOptions,
): Promise<CheckpointStore> {
  const bucket = await jetstream.views.kv(`${stream}_publisher`, {
    description: `Which position of Levy's log stands at which sequence of ${stream}.`,
    history: 1,
    replicas,
    allow_direct: false,
  });
  let noted: Checkpoint | undefined;
  let saving: Promise<void> | undefined;

  /** A server shows a bucket that another process is making before it takes anything for it. */
  async function save(checkpoint: Checkpoint): Promise<void> {
    const last = performance.now() + timeout;
    await tryAgain(() => bucket.put(KEY, JSON.stringify(checkpoint)), {
      pauses: [PAUSE],
      failed(error) {
        const isUnheard = error instanceof NatsError && error.code === ErrorCode.NoResponders;
        if (!isUnheard || performance.now() > last) throw error;
      },
    });
  }

  async function saveNoted(): Promise<void> {
    while (noted !== undefined) {
      const latest = noted;
      noted = undefined;
      await save(latest);
    }
  }

  return {
    save,

    async load() {
      const entry = await bucket.get(KEY);
      if (entry === null || entry.operation !== 'PUT') return undefined;
      try {
        const found: unknown = entry.json();
        return Value.Check(Checkpoint, found) ? found : undefined;
      } catch {
        return undefined;
      }
    },

    note(checkpoint) {
      noted = checkpoint;
      // After a failed save the checkpoint is only older, which costs some counting.
      saving ??= saveNoted()
        .catch(() => undefined)
        .finally(() => {
          saving = undefined;
        });
    },

    async settled() {
      await saving;
    },
  };
}
