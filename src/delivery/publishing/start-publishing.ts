/**
 * Publishes the log to the bus: asks for the bus's position, publishes from there, and starts again when the connection is lost. The bus
 * gets all outcomes, including the operators' and those of hidden tokens, because it belongs to the operator.
 *
 * Two publishers at once do no harm: the bus accepts each message once, from whichever is first, so no other fence is needed.
 */
import { sourceOfLog } from '../../outcomes/source-of-log.ts';
import type { EventStore, Position } from '../../ports/event-store.ts';
import { type Publisher, PublisherOvertaken } from '../../ports/publisher.ts';
import { detailsOf, type UndecodableEvent } from '../../runtime/event-codec.ts';
import type { EventReader } from '../../runtime/event-reader.ts';
import { messageOf } from '../../runtime/message-of.ts';
import { pauseFor } from '../../runtime/pause-for.ts';
import { outcomeCategories } from '../outcome-event.ts';
import { inThisLog } from './cursor-in-log.ts';
import { createMessageMaker } from './make-message.ts';
import { publishLog } from './publish-log.ts';
import { findUnpublished } from './unpublished.ts';

export interface PublishingOptions {
  readonly store: EventStore;
  readonly reader: Pick<EventReader, 'read' | 'mayBecome' | 'pause'>;
  readonly publisher: Publisher;
  /** The stream category of each event type. */
  readonly categoryOfType: ReadonlyMap<string, string>;
  /** Called when publishing fails, recovers, or fails for good. */
  readonly report: (message: string, details: object) => void;
  /** Pauses between attempts while the bus is unavailable; the last one repeats. Milliseconds. */
  readonly retryPauses?: readonly number[];
}

/**
 * `connecting` until the bus has told its position, `publishing`, `waiting` for the next attempt, `blocked` at an event that cannot be
 * decoded until that is quarantined, `failed` for good because the log cannot be published, `stopped`.
 */
export type PublishingState = 'connecting' | 'publishing' | 'waiting' | 'blocked' | 'failed' | 'stopped';

export interface PublishingStatus {
  readonly state: PublishingState;
  /** Everything up to here is on the bus; undefined while unknown. */
  readonly position: Position | undefined;
  /** Why nothing is being published, for the operator. */
  readonly error: string | undefined;
  readonly blockedBy?: UndecodableEvent | undefined;
}

export interface Publishing {
  status(): PublishingStatus;
  /**
   * When the oldest event was recorded whose outcome is not known to be on the bus (ISO 8601). Undefined if there is none,
   * and while the bus's position is unknown. Reads the log.
   */
  unpublishedSince(): Promise<string | undefined>;
  /** Resolves when nothing is in progress and the bus is released. The bus may still store what was sent. */
  stop(): Promise<void>;
}

const RETRY_PAUSES = [50, 200, 1_000, 2_000, 5_000];

export function startPublishing(options: PublishingOptions): Publishing {
  const { store, reader, publisher, categoryOfType, report, retryPauses = RETRY_PAUSES } = options;
  const categories = outcomeCategories(categoryOfType);
  const stopping = new AbortController();
  const { signal } = stopping;
  let state: PublishingState = 'connecting';
  let position: Position | undefined;
  let error: string | undefined;
  let failures = 0;
  let blockedBy: UndecodableEvent | undefined;

  /** Resolves when publishing has ended for good. */
  async function publish(): Promise<void> {
    const source = await sourceOfLog(store, signal);
    if (source === undefined) throw new Error('the log is empty');
    const standing = await inThisLog(await publisher.resume(source, signal), { store, categories, signal });
    if (error !== undefined) report('publishing recovered', { after: error });
    let unreadable: string | undefined;
    state = 'publishing';
    error = undefined;
    blockedBy = undefined;
    const ended = await publishLog(standing, {
      store,
      publisher,
      categories,
      reader,
      makeMessage: createMessageMaker(source),
      signal,
      reached(end) {
        if (position !== end) failures = 0;
        position = end;
        if (blockedBy !== undefined && end < blockedBy.position) return;
        if (blockedBy !== undefined) state = 'publishing';
        blockedBy = undefined;
        error = undefined;
      },
      blocked({ event, message }) {
        blockedBy = event;
        state = 'blocked';
        error = message;
        report('publisher waits at an event that cannot be decoded', detailsOf(event));
      },
      failed(problem, final) {
        unreadable = messageOf(problem);
        error = unreadable;
        report('publisher cannot read the log', { error, final });
      },
    });
    if (ended === 'failed') {
      state = 'failed';
      error = unreadable;
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted && state !== 'failed') {
      try {
        await publish();
      } catch (problem) {
        if (signal.aborted) break;
        const isFirst = error === undefined;
        // Another publisher is not a failure; the next attempt continues after its messages.
        if (!(problem instanceof PublisherOvertaken)) {
          error = messageOf(problem);
          if (isFirst) report('publishing failed, retrying', { error });
          state = 'waiting';
        }
        failures += 1;
        await pauseFor(pauseAfter(failures), signal);
      }
    }
  }

  /** Random, so that two publishers do not keep colliding. */
  function pauseAfter(count: number): number {
    const pause = retryPauses[Math.min(count, retryPauses.length) - 1] ?? 0;
    return pause * (0.5 + Math.random() / 2);
  }

  let looking: Promise<string | undefined> | undefined;

  /** Calls share one look at the log, so that none pile up while it does not answer. */
  function lookForUnpublished(after: Position): Promise<string | undefined> {
    looking ??= findUnpublished({ store, after, categories, signal }).finally(() => {
      looking = undefined;
    });
    return looking;
  }

  const running = run();
  return {
    status: () => ({ state, position, error, blockedBy }),
    unpublishedSince: async () => (position === undefined ? undefined : lookForUnpublished(position)),
    async stop() {
      stopping.abort();
      await publisher.release();
      await running;
      state = 'stopped';
    },
  };
}
