/**
 * State of every stream while the log is read from beginning to end. An LRU cache holds recently used states; other states are
 * folded again from their first event on demand.
 */
import { LRUCache } from 'lru-cache';
import { categoryOf } from '../../../kernel/ports/append-rules.ts';
import type { RecordedEvent } from '../../../kernel/ports/event-store.ts';
import type { LogReader } from '../../../kernel/ports/log-reader.ts';
import { type DomainEvent, evolved, type FoldableStream } from '../../../kernel/runtime/define-stream.ts';
import type { EventCodec, Recorded } from '../../../kernel/runtime/event-codec.ts';

/** State of a stream after one of its events. */
interface StreamState {
  readonly state: unknown;
  /** Revision of the stream's last event; -1 before the first. */
  readonly revision: number;
}

export type StreamStates = ReturnType<typeof createStreamStates>;

/** Events whose folded states are cached; the size of a state grows with the number of its events. */
const CACHED_EVENTS = 200_000;

export function createStreamStates(options: {
  readonly log: Pick<LogReader, 'stream'>;
  readonly codec: EventCodec;
  readonly streams: readonly FoldableStream[];
  readonly cachedEvents?: number;
}) {
  const { log, codec, streams, cachedEvents = CACHED_EVENTS } = options;
  const byCategory = new Map(streams.map((stream) => [stream.category, stream]));
  const cache = new LRUCache<string, StreamState>({
    maxSize: cachedEvents,
    // The size is capped so that a longer stream is cached as well: folding it again at each of its events would take quadratic
    // time.
    sizeCalculation: ({ revision }) => Math.min(revision + 2, Math.ceil(cachedEvents / 100)),
  });
  const beginning = (stream: string): StreamState => ({
    state: byCategory.get(categoryOf(stream))?.initial,
    revision: -1,
  });
  const evolve = (stream: string, state: unknown, event: DomainEvent): unknown => {
    const rules = byCategory.get(categoryOf(stream));
    return rules === undefined ? state : evolved(rules, state, event as Recorded);
  };

  /** Skips events that cannot be decoded or folded, which were reported when they were read. */
  async function foldUpTo(stream: string, isBefore: (event: RecordedEvent) => boolean): Promise<StreamState> {
    let now = beginning(stream);
    for await (const event of log.stream(stream)) {
      if (!isBefore(event)) break;
      now = { state: foldedOrAsBefore(now.state, event), revision: event.revision };
    }
    return now;
  }

  function foldedOrAsBefore(state: unknown, stored: RecordedEvent): unknown {
    try {
      return evolve(stored.stream, state, codec.decode(stored));
    } catch {
      return state;
    }
  }

  return {
    /** State of the stream before this event, even if the audit began in the middle of the stream. */
    async before({
      stream,
      revision,
      position,
    }: Pick<RecordedEvent, 'stream' | 'revision' | 'position'>): Promise<StreamState> {
      const known = cache.get(stream);
      if (known !== undefined) return known;
      if (revision === 0) return beginning(stream);
      return foldUpTo(stream, (event) => event.revision < revision && event.position < position);
    },
    /** Folds the event into the result of `before`. Rethrows errors of `evolve`, leaving the stream unchanged. */
    apply(before: StreamState, event: Recorded): StreamState {
      const now = { state: evolve(event.stream, before.state, event), revision: event.revision };
      cache.set(event.stream, now);
      return now;
    },
    /** Skips an event that cannot be decoded or folded. */
    pass({ state }: StreamState, { stream, revision }: Pick<RecordedEvent, 'stream' | 'revision'>): void {
      cache.set(stream, { state, revision });
    },
    /** Every state that a stream had from a time (ISO 8601) on and before a position, the oldest first. */
    async since(stream: string, time: string, position: string): Promise<readonly unknown[]> {
      let { state } = beginning(stream);
      const states: unknown[] = [];
      for await (const event of log.stream(stream)) {
        if (event.position >= position) break;
        if (Date.parse(String(event.metadata.occurredAt)) >= Date.parse(time)) states.push(state);
        state = foldedOrAsBefore(state, event);
      }
      return [...states, state];
    },
    /** State of a stream right before a position. */
    async at(stream: string, position: string): Promise<StreamState> {
      return cache.get(stream) ?? foldUpTo(stream, (event) => event.position < position);
    },
  };
}
