/** Follows the end of the log with one subscription to the store, however many subscribers are live. */
import { sourceOfLog } from '../../outcomes/source-of-log.ts';
import type { EventStore } from '../../ports/event-store.ts';
import type { ReadModel } from '../../ports/read-model.ts';
import { hiddenTokens } from '../../projections/hidden-tokens.ts';
import type { EventCodec } from '../../runtime/event-codec.ts';
import { runSubscription } from '../../runtime/subscription-runner.ts';
import { outcomeCategories } from '../outcome-event.ts';
import { createBacklogReader, type ReadBacklog } from './backlog.ts';
import { createFrameReader, type Frame } from './frames.ts';
import { type HiddenTokens, loadHiddenTokens } from './hidden-tokens.ts';
import { createRecentFrames, type RecentFrames } from './recent-frames.ts';

export interface LiveLogOptions {
  readonly store: EventStore;
  readonly readModel: ReadModel;
  readonly codec: EventCodec;
  /** The stream category of each event type. */
  readonly categoryOfType: ReadonlyMap<string, string>;
  /** Frames kept in memory. */
  readonly recent: number;
  readonly signal: AbortSignal;
  /**
   * Called synchronously once `recent` holds the frames and `hidden` reflects them. A subscriber that reads `recent`
   * later must not be sent these frames again.
   */
  readonly arrived: (frames: readonly Frame[], liveLog: LiveLog) => void;
  readonly failed: (error: unknown, final: boolean) => void;
}

export interface LiveLog {
  /** Names the log. */
  readonly source: string;
  readonly hidden: HiddenTokens;
  readonly recent: RecentFrames;
  /** Reads what `recent` no longer holds. */
  readonly readBacklog: ReadBacklog;
  /** Resolves when following has ended: aborted, or failed for good. */
  readonly ended: Promise<void>;
}

/** The most events in one batch. */
const BATCH = 100;

/** Undefined when aborted. Rejects with `CollectionNotLive` while the read model of hidden tokens is being built. */
export async function openLiveLog(options: LiveLogOptions): Promise<LiveLog | undefined> {
  const { store, readModel, codec, signal } = options;
  const categories = outcomeCategories(options.categoryOfType);
  const source = await sourceOfLog(store, signal);
  const loaded = await loadHiddenTokens({
    store,
    readModel,
    codec,
    categories: [
      ...new Set(Object.keys(hiddenTokens.on).flatMap((type) => options.categoryOfType.get(type) ?? [])),
    ],
    signal,
  });
  if (loaded === undefined || source === undefined) return undefined;
  const { hidden, position } = loaded;
  const recent = createRecentFrames(position, options.recent);
  const readFrame = createFrameReader(codec, source);
  const readBacklog = createBacklogReader({ store, categories, readFrame, signal });

  const ended = runSubscription({
    store,
    after: position,
    categories,
    signal,
    batchSize: BATCH,
    async handle(events) {
      // Everything that can fail comes first: a repeated batch must not find half of itself.
      const frames = events.flatMap((event) => readFrame(event) ?? []);
      const changes = events.filter(({ type }) => hiddenTokens.on[type]).map((event) => codec.decode(event));
      for (const change of changes) hidden.follow(change);
      recent.add(frames, events.at(-1)?.position ?? position);
      options.arrived(frames, liveLog);
    },
    caughtUp(reached) {
      recent.add([], reached);
      return 'stay';
    },
    failed: options.failed,
  }).then(() => undefined);

  const liveLog: LiveLog = { source, hidden, recent, readBacklog, ended };
  return liveLog;
}
