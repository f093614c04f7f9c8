/** Folds what is known of a stream, and what was added since it was folded last. */
import type { RecordedEvent } from '../ports/event-store.ts';
import type { DomainEvent, StreamDefinition } from './define-stream.ts';
import type { Recorded } from './event-codec.ts';
import type { EventReader } from './event-reader.ts';
import { type KnownStream, type KnownStreams, LONGEST_TAIL } from './known-streams.ts';
import { grownBy, type Known, loadedFrom, type StreamEnd } from './loaded-stream.ts';
import type { Milestone } from './snapshots.ts';

export interface KnownFold {
  /** Rejects with `EventUndecodable`, and forgets the stream then. */
  fold<State, Event extends DomainEvent>(
    stream: StreamDefinition<State, Event>,
    name: string,
    known: KnownStream,
  ): Promise<Known<State, Event>>;
  decoded(stored: readonly RecordedEvent[]): Promise<StreamEnd>;
}

export function createKnownFold({
  decode,
  streams,
}: {
  readonly decode: EventReader['read'];
  readonly streams: Pick<KnownStreams, 'reading' | 'forget'>;
}): KnownFold {
  async function decoded(stored: readonly RecordedEvent[]): Promise<StreamEnd> {
    const events: Recorded[] = [];
    for (const one of stored) {
      const found = decode(one);
      const event = found instanceof Promise ? await found : found;
      if (event !== undefined) events.push(event);
    }
    return { events, first: stored[0], last: stored.at(-1) };
  }

  /** A long stream is remembered from its end on. */
  function shorten<State, Event extends DomainEvent>(
    { snapshots: rules }: StreamDefinition<State, Event>,
    name: string,
    { stored }: KnownStream,
    { state }: Known<State, Event>,
  ): void {
    const last = stored.at(-1);
    if (rules === undefined || last === undefined || stored.length <= LONGEST_TAIL) return;
    const { revision, id: eventId } = last;
    streams.reading(name)({ begun: { state, revision, eventId }, stored: [last] });
  }

  return {
    decoded,
    async fold<State, Event extends DomainEvent>(
      stream: StreamDefinition<State, Event>,
      name: string,
      known: KnownStream,
    ) {
      // Only loads of this very stream remember anything under its name.
      const begun = known.begun as Milestone<State> | undefined;
      const before = known.folded as
        | { readonly known: Known<State, Event>; readonly count: number }
        | undefined;
      if (before?.count === known.stored.length) return before.known;
      try {
        const end = await decoded(known.stored.slice(before?.count ?? 0));
        const folded =
          before === undefined ? loadedFrom(stream, end, begun) : grownBy(stream, before.known, end, begun);
        if (folded === undefined) throw new Error('a stream is remembered from its milestone on');
        known.folded = {
          known: folded as unknown as Known<unknown, DomainEvent>,
          count: known.stored.length,
        };
        shorten(stream, name, known, folded);
        return folded;
      } catch (error) {
        // Its events may be deleted meanwhile: the next load asks for them again.
        streams.forget(name);
        throw error;
      }
    },
  };
}
