/** Subscribes once to the end of the log, however many subscribers are live. */
import { type EventStore, type Position, START } from '../../../kernel/ports/event-store.ts';
import { CollectionNotLive, type ReadModel } from '../../../kernel/ports/read-model.ts';
import type { EventUndecodable, Recorded } from '../../../kernel/runtime/event-codec.ts';
import { type EventReader, readInOrder } from '../../../kernel/runtime/event-reader.ts';
import { keysOf } from '../../../kernel/runtime/fold-events.ts';
import { firstEventOf } from '../../../kernel/runtime/log-source.ts';
import { runSubscription } from '../../../kernel/runtime/subscription-runner.ts';
import { sourceOfLog } from '../../../outcomes/cloud-event.ts';
import { hiddenTokens } from '../../../projections/hidden-tokens.ts';
import { createAboutEvent, mayHaveOutcome, outcomeCategories } from '../outcome-events.ts';
import { createBacklogReader, type ReadBacklog } from './backlog.ts';
import { createFrameMaker, type Frame, markOf, type ReadFrames } from './frames.ts';

export interface LiveLogOptions {
  readonly store: EventStore;
  readonly readModel: ReadModel;
  readonly reader: Pick<EventReader, 'read' | 'pause'>;
  /** The stream category of each event type. */
  readonly categoryOfType: ReadonlyMap<string, string>;
  /** Frames kept in memory. */
  readonly recent: number;
  readonly signal: AbortSignal;
  /**
   * Called synchronously once `recent` contains the frames and `hidden` reflects them. A subscriber that reads `recent`
   * later must not be sent these frames again.
   */
  readonly arrived: (frames: readonly Frame[], liveLog: LiveLog) => void;
  readonly failed: (error: unknown, final: boolean) => void;
  /** Called at an undecodable event: later events wait until it is quarantined. */
  readonly blocked: (error: EventUndecodable) => void;
}

export interface LiveLog {
  /** CloudEvents source that names the log. */
  readonly source: string;
  /** Mark in the ids of this numbering. */
  readonly mark: string;
  /** Ids of the tokens that are hidden at the head of `recent`. */
  readonly hidden: ReadonlySet<string>;
  readonly recent: ReturnType<typeof createRecentFrames>;
  /** Reads events that are no longer in `recent`. */
  readonly readBacklog: ReadBacklog;
  /** Resolves when the subscription has ended: aborted, or failed permanently. */
  readonly ended: Promise<void>;
}

/** Maximum number of events in a batch. */
const BATCH = 100;

/**
 * Resolves at the end of the log, or at an undecodable event. Undefined when aborted. Rejects with `CollectionNotLive`
 * while the read model of hidden tokens is being built.
 */
export async function openLiveLog(options: LiveLogOptions): Promise<LiveLog | undefined> {
  const { store, readModel, reader, signal } = options;
  const categories = outcomeCategories(options.categoryOfType);
  const source = await sourceOfLog(store, signal);
  const first = await firstEventOf(store);
  if (source === undefined || first === undefined) return undefined;
  const { hidden, position } = await loadHiddenTokens(readModel);
  const mark = markOf(first);
  const recent = createRecentFrames(position, options.recent);
  const makeFrame = createFrameMaker(source, mark, createAboutEvent({ store, reader }));
  const readFrames: ReadFrames = async (events) => {
    const read = await readInOrder(reader, events, isSelected);
    const made = await Promise.all(read.recorded.map(makeFrame));
    return { ...read, frames: made.filter((frame) => frame !== undefined) };
  };
  const readBacklog = createBacklogReader({ store, categories, readFrames, signal });
  let opened = () => {};
  const opening = new Promise<void>((resolve) => {
    opened = resolve;
  });

  const ended = runSubscription({
    store,
    after: position,
    categories,
    signal,
    batchSize: BATCH,
    async handle(events) {
      // Everything that can fail comes first: a repeated batch must not find itself half applied.
      const news = events.filter((event) => event.position > recent.head);
      const { frames, recorded, passed, undecodable } = await readFrames(news);
      for (const event of recorded) follow(hidden, event);
      recent.add(frames, passed.at(-1)?.position ?? recent.head);
      options.arrived(frames, liveLog);
      if (undecodable !== undefined) throw undecodable;
    },
    caughtUp(reached) {
      recent.add([], reached);
      opened();
      return 'stay';
    },
    failed: options.failed,
    blocked(error) {
      options.blocked(error);
      opened();
    },
    pauseWhileBlocked: reader.pause,
  }).then(() => undefined);

  const liveLog: LiveLog = { source, mark, hidden, recent, readBacklog, ended };
  // No subscriber is accepted before: events of a token that was hidden after the read model's checkpoint must not be
  // sent.
  await Promise.race([opening, ended]);
  return signal.aborted ? undefined : liveLog;
}

function isSelected(type: string): boolean {
  return mayHaveOutcome(type) || hiddenTokens.on[type] !== undefined;
}

/**
 * Loads the tokens that are hidden at `position` or later: the read model may be newer than its checkpoint, but never
 * older.
 */
async function loadHiddenTokens(
  readModel: ReadModel,
): Promise<{ readonly hidden: Set<string>; readonly position: Position }> {
  const served = await readModel.served(hiddenTokens);
  if (served === undefined) throw new CollectionNotLive(hiddenTokens.name);
  const documents = await readModel.find(hiddenTokens, 'all', '');
  return {
    hidden: new Set(documents.map(({ tokenId }) => tokenId)),
    position: served.checkpoint ?? START,
  };
}

/** Applies events in order; ignores events that neither hide nor show a token. */
function follow(hidden: Set<string>, event: Recorded): void {
  const handler = hiddenTokens.on[event.type];
  if (handler === undefined) return;
  for (const tokenId of keysOf(hiddenTokens, [event])) {
    if (handler.apply(undefined, event) === undefined) hidden.delete(tokenId);
    else hidden.add(tokenId);
  }
}

/** Newest frames in memory, so that subscribers near the end of the log do not need the store. */
function createRecentFrames(start: Position, capacity: number) {
  let floor = start;
  let head = start;
  let held: Frame[] = [];
  return {
    /** All frames after this position, up to the head, are in memory. */
    get floor() {
      return floor;
    },
    /** Every event up to this position has been read. */
    get head() {
      return head;
    },
    /** Adds frames in order, all after the current head, and moves the head. */
    add(frames: readonly Frame[], reached: Position) {
      held.push(...frames);
      if (reached > head) head = reached;
      // The array grows to twice the capacity, so that it is copied once per `capacity` frames and not for each frame.
      if (held.length <= 2 * capacity) return;
      const dropped = held.length - capacity;
      floor = held[dropped - 1]?.position ?? floor;
      held = held.slice(dropped);
    },
    /** Frames after the position, in order. */
    after(position: Position): readonly Frame[] {
      // Searched from the end, because most subscribers are near it.
      return held.slice(held.findLastIndex((frame) => frame.position <= position) + 1);
    },
  };
}
