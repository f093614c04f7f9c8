/** Looks for an event from the end of a stream, in windows that grow: the cost is that of the events after it. */
import { type ExpectedRevision, type Position, START } from '../ports/event-store.ts';
import type { DomainEvent } from './define-stream.ts';
import type { Recorded } from './event-codec.ts';
import type { Known, StreamEnd } from './loaded-stream.ts';

/** Events read at first, and by how much more each time. */
const FIRST_WINDOW = 100;
const WINDOW_GROWTH = 10;

export interface EventSearch<Event extends DomainEvent, Type extends Event['type']> {
  readonly type: Type | readonly Type[];
  readonly matches?: (event: Recorded<Extract<Event, { readonly type: Type }>>) => boolean;
  /** Exclusive. The search costs as much as there are events after it. */
  readonly after?: Position | undefined;
}

export interface EventFound<Event extends DomainEvent> {
  readonly event: Recorded<Event> | undefined;
  /** The stream's last revision when it was searched. */
  readonly revision: ExpectedRevision;
}

/** `loaded` is the stream's end, which is looked through first; `readFrom` reads it from an earlier revision on. */
export async function findLast<State, Event extends DomainEvent, Type extends Event['type']>(
  loaded: Known<State, Event>,
  { type, matches = () => true, after = START }: EventSearch<Event, Type>,
  readFrom: (revision: number) => Promise<StreamEnd>,
): Promise<EventFound<Extract<Event, { readonly type: Type }>>> {
  type Wanted = Recorded<Extract<Event, { readonly type: Type }>>;
  const types: readonly string[] = [type].flat();
  const isWanted = (event: Recorded): event is Wanted =>
    types.includes(event.type) && event.position > after && matches(event as Wanted);
  if (loaded.revision === 'none') return { event: undefined, revision: 'none' };
  let { revision, events }: { revision: ExpectedRevision; events: readonly Recorded[] } = loaded;
  let from = events[0]?.revision ?? loaded.revision;
  for (let window = FIRST_WINDOW; ; window *= WINDOW_GROWTH) {
    const event = events.findLast(isWanted);
    const [first] = events;
    const isComplete = from === 0 || (first !== undefined && first.position <= after);
    if (event !== undefined || isComplete) return { event, revision };
    from = Math.max(0, loaded.revision + 1 - window);
    const page = await readFrom(from);
    events = page.events;
    revision = page.last?.revision ?? revision;
  }
}
