/** Follows the end of the log with one subscription to the store, however many subscribers are live. */

import type { EventStore } from '../../../kernel/ports/event-store.ts';
import type { ReadModel } from '../../../kernel/ports/read-model.ts';
import type { EventUndecodable } from '../../../kernel/runtime/event-codec.ts';
import { type EventReader, readInOrder } from '../../../kernel/runtime/event-reader.ts';
import { firstEventOf } from '../../../kernel/runtime/log-source.ts';
import { runSubscription } from '../../../kernel/runtime/subscription-runner.ts';
import { sourceOfLog } from '../../../outcomes/cloud-event.ts';
import { hiddenTokens } from '../../../projections/hidden-tokens.ts';
import { createAboutEvent } from '../about-event.ts';
import { mayHaveOutcome, outcomeCategories } from '../outcome-event.ts';
import { createBacklogReader, type ReadBacklog } from './backlog.ts';
import { createFrameMaker, type Frame } from './frames.ts';
import { changesHiddenTokens, type HiddenTokens, loadHiddenTokens } from './hidden-tokens.ts';
import { markOf } from './marked-position.ts';
import { createRecentFrames, type RecentFrames } from './recent-frames.ts';

export interface LiveLogOptions {
  readonly store: EventStore;
  readonly readModel: ReadModel;
  readonly reader: Pick<EventReader, 'read' | 'mayBecome' | 'pause'>;
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
  /** An event cannot be decoded: nothing behind it arrives until it is quarantined. */
  readonly blocked: (error: EventUndecodable) => void;
}

export interface LiveLog {
  /** Names the log. */
  readonly source: string;
  /** Marks the ids of this numbering. */
  readonly mark: string;
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
  const { store, readModel, reader, signal } = options;
  const categories = outcomeCategories(options.categoryOfType);
  const source = await sourceOfLog(store, signal);
  const first = await firstEventOf(store);
  const loaded = await loadHiddenTokens({
    store,
    readModel,
    reader,
    categories: [
      ...new Set(Object.keys(hiddenTokens.on).flatMap((type) => options.categoryOfType.get(type) ?? [])),
    ],
    signal,
  });
  if (loaded === undefined || source === undefined || first === undefined) return undefined;
  const mark = markOf(first);
  const { hidden, position } = loaded;
  const recent = createRecentFrames(position, options.recent);
  const makeFrame = createFrameMaker(source, mark, createAboutEvent({ store, reader }));
  const readBacklog = createBacklogReader({ store, categories, reader, makeFrame, signal });
  const isWanted = (type: string) => mayHaveOutcome(type) || changesHiddenTokens(type);

  const ended = runSubscription({
    store,
    after: position,
    categories,
    signal,
    batchSize: BATCH,
    async handle(events) {
      // Everything that can fail comes first: a repeated batch must not find half of itself.
      const news = events.filter((event) => event.position > recent.head);
      const { recorded, passed, undecodable } = await readInOrder(reader, news, isWanted);
      const frames = (await Promise.all(recorded.map(makeFrame))).filter((frame) => frame !== undefined);
      for (const event of recorded) hidden.follow(event);
      recent.add(frames, passed.at(-1)?.position ?? recent.head);
      options.arrived(frames, liveLog);
      if (undecodable !== undefined) throw undecodable;
    },
    caughtUp(reached) {
      recent.add([], reached);
      return 'stay';
    },
    failed: options.failed,
    blocked: options.blocked,
    pauseWhileBlocked: reader.pause,
  }).then(() => undefined);

  const liveLog: LiveLog = { source, mark, hidden, recent, readBacklog, ended };
  return liveLog;
}
