/**
 * Remembers which position stands at which sequence of the stream, for when the stream's last message is not there any more.
 *
 * It is needed then only: as long as the stream keeps its last message, that message tells the position itself. A stream
 * forgets its messages when they expire, are consumed (work queues), have no consumer (interest) or are purged; it keeps the sequence. Kept
 * in a key-value bucket beside the stream, because what happens to the stream's messages must not happen to it,
 * because a bus that is moved or restored takes both along, and because servers before 2.10 keep no metadata with a stream. It
 * need not be up to date: each message is one sequence, so those behind it can be counted.
 */
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { JetStreamClient } from 'nats';
import type { Position } from '../../ports/event-store.ts';

const Checkpoint = Type.Object({
  /** When the stream was created: sequences of an earlier one of its name mean nothing. */
  created: Type.String(),
  /** The log's. */
  source: Type.String(),
  sequence: Type.Integer({ minimum: 0 }),
  position: Type.String(),
});

export interface Checkpoint {
  readonly created: string;
  readonly source: string;
  readonly sequence: number;
  readonly position: Position;
}

export interface CheckpointStore {
  /** Undefined if there is none, or none that can be read. */
  load(): Promise<Checkpoint | undefined>;
  save(checkpoint: Checkpoint): Promise<void>;
  /** Saves the latest one noted, in the background and not more often than the bus takes it. */
  note(checkpoint: Checkpoint): void;
  /** Resolves when nothing is being saved any more, however that ends. */
  settled(): Promise<void>;
}

const KEY = 'checkpoint';

/** The bucket is made if it is not there. Rejects as the library does. */
export async function openCheckpoints(
  jetstream: JetStreamClient,
  { stream, replicas }: { readonly stream: string; readonly replicas: number },
): Promise<CheckpointStore> {
  const bucket = await jetstream.views.kv(`${stream}_publisher`, {
    description: `Which position of Levy's log stands at which sequence of ${stream}.`,
    history: 1,
    replicas,
    allow_direct: false,
  });
  let noted: Checkpoint | undefined;
  let saving: Promise<void> | undefined;

  async function save(checkpoint: Checkpoint): Promise<void> {
    await bucket.put(KEY, JSON.stringify(checkpoint));
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
      // One that is not saved is older for it, which costs some counting.
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
