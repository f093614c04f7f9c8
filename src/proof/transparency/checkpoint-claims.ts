/**
 * Claims a tree in the event log before it is signed. If two notaries claim at the same revision, one append conflicts, so a
 * notary that was paused cannot sign a tree that conflicts with one signed in the meantime.
 */
import type { TreeHead } from 'levy-transparency-log';
import type { EventStore, ExpectedRevision } from '../../kernel/ports/event-store.ts';
import type { Clock } from '../../kernel/runtime/clock.ts';
import type { EventCodec } from '../../kernel/runtime/event-codec.ts';
import type { EventReader } from '../../kernel/runtime/event-reader.ts';
import { causeOf } from '../../kernel/runtime/execute.ts';
import { deriveId, randomId } from '../../kernel/runtime/ids.ts';
import { sleep } from '../../kernel/runtime/sleep.ts';
import { CheckpointClaimed, type CheckpointEvent, checkpoint } from '../../streams/checkpoint.ts';

/** Claims retained in the stream. Only the last one is needed; earlier ones help operators who inspect the stream. */
const MAX_CLAIMS = 20;
const SHORTEN_AFTER = 50;
const PAUSE = 250;

export type CheckpointClaims = ReturnType<typeof checkpointClaims>;

export function checkpointClaims(options: {
  readonly origin: string;
  readonly store: Pick<EventStore, 'append' | 'read' | 'setMaxCount'>;
  readonly codec: Pick<EventCodec, 'encode'>;
  readonly reader: Pick<EventReader, 'read'>;
  readonly clock: Clock;
  readonly failed: (error: unknown) => void;
}) {
  const { origin, store, codec, reader, clock, failed } = options;
  const stream = `${checkpoint.category}-${deriveId('transparency', origin)}`;
  let revision: ExpectedRevision = 'none';
  let sinceShortened = SHORTEN_AFTER;

  async function shorten(): Promise<void> {
    sinceShortened += 1;
    if (sinceShortened < SHORTEN_AFTER) return;
    sinceShortened = 0;
    // A failure to delete older claims does not affect this one.
    await store.setMaxCount(stream, MAX_CLAIMS).catch(failed);
  }

  return {
    /** Last claimed tree; undefined without one. */
    async last(): Promise<TreeHead | undefined> {
      let found: TreeHead | undefined;
      revision = 'none';
      for await (const stored of store.read(stream)) {
        revision = stored.revision;
        // The codec has checked the event against this stream's schemas.
        const event = (await reader.read(stored)) as unknown as CheckpointEvent | undefined;
        if (event?.data.origin === origin)
          found = { size: event.data.size, root: Buffer.from(event.data.root, 'hex') };
      }
      return found;
    },
    /** False if another notary has claimed first. Retries the append until its outcome is known; rejects when aborted. */
    async claim({ size, root }: TreeHead, signal: AbortSignal): Promise<boolean> {
      const event = CheckpointClaimed({ origin, size, root: Buffer.from(root).toString('hex') });
      const occurredAt = clock.now().toISOString();
      const encoded = codec.encode(checkpoint.category, randomId(), event, {
        ...causeOf('notary'),
        occurredAt,
      });
      for (;;) {
        signal.throwIfAborted();
        try {
          const result = await store.append(stream, revision, [encoded]);
          if (result.outcome === 'conflict') return false;
          revision = result.revision;
          await shorten();
          return true;
        } catch (error) {
          if (error instanceof TypeError) throw error;
          failed(error);
          await sleep(PAUSE, signal);
        }
      }
    },
  };
}
