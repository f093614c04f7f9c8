/** Follows the end of the log for all live subscribers together: one subscription to the store, however many they are. */
import { outcomes } from '../../outcomes/index.ts';
import { sourceOfLog } from '../../outcomes/source-of-log.ts';
import type { EventStore } from '../../ports/event-store.ts';
import type { ReadModel } from '../../ports/read-model.ts';
import { hiddenTokens } from '../../projections/hidden-tokens.ts';
import type { EventCodec } from '../../runtime/event-codec.ts';
import { runSubscription } from '../../runtime/subscription-runner.ts';
import { createFrameReader, type Frame } from './frames.ts';
import { type HiddenTokens, loadHiddenTokens } from './hidden-tokens.ts';
import { createLogLook, type LookAfter } from './log-look.ts';
import { createRecentFrames, type RecentFrames } from './recent-frames.ts';

export interface LiveLogOptions {
  readonly store: EventStore;
  readonly readModel: ReadModel;
  readonly codec: EventCodec;
  /** The category of the streams in which an event type occurs. */
  readonly categoryOfType: ReadonlyMap<string, string>;
  /** Frames kept in memory. */
  readonly recent: number;
  readonly signal: AbortSignal;
  /**
   * Called, synchronously, after the frames have become recent ones and what they say of hidden tokens counts: whoever
   * reads the recent ones later must not be told these again.
   */
  readonly arrived: (frames: readonly Frame[], liveLog: LiveLog) => void;
  readonly failed: (error: unknown, final: boolean) => void;
}

export interface LiveLog {
  /** Names the log. */
  readonly source: string;
  readonly hidden: HiddenTokens;
  readonly recent: RecentFrames;
  /** For what is no longer recent. */
  readonly lookAfter: LookAfter;
  /** Resolves when it has ended: aborted, or failed for good. */
  readonly ended: Promise<void>;
}

/** Events that arrive together, at most. */
const BATCH = 100;

/** Undefined when aborted. Rejects with `CollectionNotLive` while the read model of hidden tokens is being built. */
export async function openLiveLog(options: LiveLogOptions): Promise<LiveLog | undefined> {
  const { store, readModel, codec, signal } = options;
  const categoriesOf = (types: readonly string[]) => [
    ...new Set(types.flatMap((type) => options.categoryOfType.get(type) ?? [])),
  ];
  const categories = categoriesOf(outcomes.map(({ of }) => of));
  const source = await sourceOfLog(store, signal);
  const loaded = await loadHiddenTokens({
    store,
    readModel,
    codec,
    categories: categoriesOf(Object.keys(hiddenTokens.on)),
    signal,
  });
  if (loaded === undefined || source === undefined) return undefined;
  const { hidden, position } = loaded;
  const recent = createRecentFrames(position, options.recent);
  const readFrame = createFrameReader(codec, source);
  const lookAfter = createLogLook({ store, categories, readFrame, signal });

  const ended = runSubscription({
    store,
    after: position,
    categories,
    signal,
    batchSize: BATCH,
    async handle(events) {
      // First all that can fail: a batch that comes again must not find half of itself.
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

  const liveLog: LiveLog = { source, hidden, recent, lookAfter, ended };
  return liveLog;
}
