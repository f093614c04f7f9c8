/**
 * Reads a stream that grows for ever from its last milestone on: the state that this process remembers, or else the last
 * snapshot. What was read first must be the milestone's own event; otherwise the stream is read from its first event.
 */
import type { DomainEvent, StreamDefinition } from './define-stream.ts';
import { type Loaded, loadedFrom, type StreamEnd } from './loaded-stream.ts';
import type { RememberedMilestones } from './remembered-milestones.ts';
import type { Milestone, Snapshots } from './snapshots.ts';

export interface StreamLoadParts {
  readonly remembered: RememberedMilestones;
  readonly snapshots: Pick<Snapshots, 'latest'>;
  readonly readEnd: (name: string, from: number) => Promise<StreamEnd>;
}

type LoadStream = <State, Event extends DomainEvent>(
  stream: StreamDefinition<State, Event>,
  name: string,
  eventsFrom?: number,
) => Promise<Loaded<State, Event>>;

/** Undefined when there is no milestone at `eventsFrom` or before, or when its event is not there. */
type LoadFromMilestone = <State, Event extends DomainEvent>(
  stream: StreamDefinition<State, Event>,
  name: string,
  eventsFrom: number,
) => Promise<Loaded<State, Event> | undefined>;

/** Gives what loads a stream with all its events from a revision on. Without that, one event is enough. */
export function createStreamLoad({ remembered, snapshots, readEnd }: StreamLoadParts): LoadStream {
  async function loadFrom<State, Event extends DomainEvent>(
    stream: StreamDefinition<State, Event>,
    name: string,
    milestone: Milestone<State> | undefined,
  ): Promise<Loaded<State, Event> | undefined> {
    const read = await readEnd(name, milestone?.revision ?? 0);
    const loaded = loadedFrom(stream, read, milestone);
    const { last } = read;
    if (loaded !== undefined && last !== undefined && stream.snapshots !== undefined)
      remembered.remember(name, { state: loaded.state, revision: last.revision, eventId: last.id });
    return loaded;
  }

  const loadRemembered: LoadFromMilestone = async (stream, name, eventsFrom) => {
    // Only loads of this very stream remember anything under its name.
    const own = remembered.latest(name) as Milestone<(typeof stream)['initial']> | undefined;
    if (own === undefined || own.revision > eventsFrom) return undefined;
    const loaded = await loadFrom(stream, name, own);
    if (loaded === undefined) remembered.forget(name);
    return loaded;
  };

  const loadSnapshot: LoadFromMilestone = async (stream, name, eventsFrom) => {
    const latest = await snapshots.latest(stream, name);
    remembered.noteSnapshot(name, latest?.revision);
    if (latest === undefined || latest.revision > eventsFrom) return undefined;
    const loaded = await loadFrom(stream, name, latest);
    if (loaded === undefined) remembered.noteSnapshot(name, undefined);
    return loaded;
  };

  return async (stream, name, eventsFrom = Number.MAX_SAFE_INTEGER) => {
    if (stream.snapshots !== undefined && eventsFrom > 0) {
      const loaded =
        (await loadRemembered(stream, name, eventsFrom)) ?? (await loadSnapshot(stream, name, eventsFrom));
      if (loaded !== undefined) return loaded;
    }
    const loaded = await loadFrom(stream, name, undefined);
    if (loaded === undefined) throw new Error('a load without a milestone is complete');
    return loaded;
  };
}
