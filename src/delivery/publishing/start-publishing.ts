/**
 * Keeps the bus up to date with the log for as long as it runs: finds out where the bus stands, publishes from there, and
 * begins anew when the bus is lost. The bus gets all outcomes, the operators' and those of hidden tokens too: it is theirs.
 *
 * Two that run at once do no harm. The bus takes each message from whoever is first, so nothing else fences them.
 */
import { outcomes } from '../../outcomes/index.ts';
import { sourceOfLog } from '../../outcomes/source-of-log.ts';
import type { EventStore, Position } from '../../ports/event-store.ts';
import { type Publisher, PublisherOvertaken } from '../../ports/publisher.ts';
import type { EventCodec } from '../../runtime/event-codec.ts';
import { pauseFor } from '../../runtime/pause-for.ts';
import { publishLog } from './publish-log.ts';
import { createMessageReader } from './read-message.ts';
import { findUnpublished } from './unpublished.ts';

export interface PublishingOptions {
  readonly store: EventStore;
  readonly codec: EventCodec;
  readonly publisher: Publisher;
  /** The category of the streams in which an event type occurs. */
  readonly categoryOfType: ReadonlyMap<string, string>;
  /** Called when the bus is lost, when it is there again, and when publishing has failed for good. */
  readonly report: (message: string, details: object) => void;
  /** Milliseconds before each new attempt while the bus cannot be used; the last one again and again. */
  readonly retryPauses?: readonly number[];
}

/**
 * `connecting` until the bus has said where it stands, `publishing`, `waiting` before the next attempt, `failed` for good
 * with an event that cannot be read, `stopped`.
 */
export type PublishingState = 'connecting' | 'publishing' | 'waiting' | 'failed' | 'stopped';

export interface PublishingStatus {
  readonly state: PublishingState;
  /** Everything up to here is on the bus; undefined while that is not known. */
  readonly position: Position | undefined;
  /** Why nothing is published at present, in words for the operator. */
  readonly error: string | undefined;
}

export interface Publishing {
  status(): PublishingStatus;
  /**
   * When the oldest event was recorded whose outcome is not known to be on the bus (ISO 8601). Undefined if there is
   * none, and while it is not known how far the bus is. Reads the log.
   */
  unpublishedSince(): Promise<string | undefined>;
  /** Resolves when nothing is under way any more and the bus is let go of. What was sent may still be stored. */
  stop(): Promise<void>;
}

const RETRY_PAUSES = [50, 200, 1_000, 2_000, 5_000];

export function startPublishing(options: PublishingOptions): Publishing {
  const { store, codec, publisher, categoryOfType, report, retryPauses = RETRY_PAUSES } = options;
  const categories = [...new Set(outcomes.flatMap(({ of }) => categoryOfType.get(of) ?? []))];
  const stopping = new AbortController();
  const { signal } = stopping;
  let state: PublishingState = 'connecting';
  let position: Position | undefined;
  let error: string | undefined;
  let failures = 0;

  /** Resolves when it is over for good. */
  async function publish(): Promise<void> {
    const source = await sourceOfLog(store, signal);
    if (source === undefined) throw new Error('the log is empty');
    const standing = await publisher.resume(source, signal);
    if (error !== undefined) report('publishing goes on', { after: error });
    let unreadable: string | undefined;
    state = 'publishing';
    error = undefined;
    const ended = await publishLog(standing, {
      store,
      publisher,
      categories,
      readMessage: createMessageReader(codec, source),
      signal,
      reached(end) {
        if (position !== end) failures = 0;
        position = end;
        error = undefined;
      },
      failed(problem, final) {
        unreadable = messageOf(problem);
        error = unreadable;
        report('the log cannot be read on', { error, final });
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
        // That others publish too is no failure, and the next attempt goes on behind them.
        if (!(problem instanceof PublisherOvertaken)) {
          error = messageOf(problem);
          if (isFirst) report('nothing can be published, and it is tried again', { error });
          state = 'waiting';
        }
        failures += 1;
        await pauseFor(pauseAfter(failures), signal);
      }
    }
  }

  /** Not the same for two who get in each other's way. */
  function pauseAfter(count: number): number {
    const pause = retryPauses[Math.min(count, retryPauses.length) - 1] ?? 0;
    return pause * (0.5 + Math.random() / 2);
  }

  let looking: Promise<string | undefined> | undefined;

  /** Who asks while the log does not answer joins those who wait already, rather than asking it once more. */
  function lookForUnpublished(after: Position): Promise<string | undefined> {
    looking ??= findUnpublished({ store, after, categories, signal }).finally(() => {
      looking = undefined;
    });
    return looking;
  }

  const running = run();
  return {
    status: () => ({ state, position, error }),
    unpublishedSince: async () => (position === undefined ? undefined : lookForUnpublished(position)),
    async stop() {
      stopping.abort();
      await publisher.release();
      await running;
      state = 'stopped';
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
