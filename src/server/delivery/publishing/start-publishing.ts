/**
 * Publishes the log to the bus: asks for the bus's position, publishes from there, and starts again when the connection is lost. The bus
 * gets all outcomes, including the operators' and those of hidden tokens, because it belongs to the operator.
 *
 * Two publishers at once do no harm: the bus accepts each message once, from whichever is first, so no other fence is needed.
 */
import type { EventStore, Position } from '../../../kernel/ports/event-store.ts';
import type { Logger } from '../../../kernel/ports/logger.ts';
import type { Publisher } from '../../../kernel/ports/publisher.ts';
import type { EventReader } from '../../../kernel/runtime/event-reader.ts';
import { sleep } from '../../../kernel/runtime/sleep.ts';
import { sourceOfLog } from '../../../outcomes/cloud-event.ts';
import { outcomeOfType } from '../../../outcomes/index.ts';
import { createAboutEvent } from '../about-event.ts';
import { outcomeCategories } from '../outcome-event.ts';
import { inThisLog } from './cursor-in-log.ts';
import { createMessageMaker } from './make-message.ts';
import { publishLog } from './publish-log.ts';
import { createPublishingProgress, type PublishingStatus } from './publishing-progress.ts';

export interface PublishingOptions {
  readonly store: EventStore;
  readonly reader: Pick<EventReader, 'read' | 'mayBecome' | 'pause'>;
  readonly publisher: Publisher;
  /** The stream category of each event type. */
  readonly categoryOfType: ReadonlyMap<string, string>;
  /** Called when publishing fails, recovers, or fails for good. */
  readonly logger: Logger;
  /** Pauses between attempts while the bus is unavailable; the last one repeats. Milliseconds. */
  readonly retryPauses?: readonly number[];
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
  const { store, reader, publisher, categoryOfType, logger, retryPauses = RETRY_PAUSES } = options;
  const categories = outcomeCategories(categoryOfType);
  const stopping = new AbortController();
  const { signal } = stopping;
  const progress = createPublishingProgress(logger);

  /** Resolves when publishing has ended for good. */
  async function publish(): Promise<void> {
    const source = await sourceOfLog(store, signal);
    if (source === undefined) throw new Error('the log is empty');
    const standing = await inThisLog(await publisher.resume(source, signal), { store, categories, signal });
    progress.connected();
    const end = await publishLog(standing, {
      store,
      publisher,
      categories,
      reader,
      makeMessage: createMessageMaker(source, createAboutEvent({ store, reader })),
      signal,
      reached: progress.reached,
      blocked: progress.blocked,
      failed: progress.failed,
    });
    if (end === 'failed') progress.ended();
  }

  async function run(): Promise<void> {
    while (!signal.aborted && progress.status().state !== 'failed') {
      try {
        await publish();
      } catch (problem) {
        if (signal.aborted) break;
        const failures = progress.interrupted(problem);
        await sleep(pauseAfter(failures, retryPauses), signal);
      }
    }
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
    status: progress.status,
    async unpublishedSince() {
      const { position } = progress.status();
      return position === undefined ? undefined : lookForUnpublished(position);
    },
    async stop() {
      stopping.abort();
      await publisher.release();
      await running;
      progress.stopped();
    },
  };
}

/** Random, so that two publishers do not keep colliding. */
function pauseAfter(failures: number, pauses: readonly number[]): number {
  const pause = pauses[Math.min(failures, pauses.length) - 1] ?? 0;
  return pause * (0.5 + Math.random() / 2);
}

/** The time it was recorded (ISO 8601); undefined if there is none. */
async function findUnpublished(options: {
  readonly store: EventStore;
  readonly after: Position;
  readonly categories: readonly string[];
  readonly signal: AbortSignal;
}): Promise<string | undefined> {
  const { store, ...wanted } = options;
  for await (const message of store.subscribe(wanted)) {
    if (message.kind === 'caught-up') return undefined;
    if (message.kind !== 'event') continue;
    const { type, metadata } = message.event;
    if (outcomeOfType(type) !== undefined && typeof metadata.occurredAt === 'string')
      return metadata.occurredAt;
  }
  return undefined;
}
