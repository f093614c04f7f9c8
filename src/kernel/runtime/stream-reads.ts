/** Reads a stream from the store: on from what is known of it, else from its last snapshot, if it is long enough to have one. */
import type { DomainEvent, StreamDefinition } from './define-stream.ts';
import type { KnownStream, KnownStreams } from './known-streams.ts';
import type { ReadStream, Snapshots } from './snapshots.ts';

/** All events from a revision on are among what it gives. */
type StreamReads = <State, Event extends DomainEvent>(
  stream: StreamDefinition<State, Event>,
  name: string,
  eventsFrom: number,
) => Promise<KnownStream>;

export function createStreamReads({
  read,
  streams,
  snapshots,
  snapshotAt,
}: {
  readonly read: ReadStream;
  readonly streams: Pick<KnownStreams, 'latest' | 'reading' | 'forgetAll'>;
  readonly snapshots: Pick<Snapshots, 'latest'>;
  /** Up to which revision a stream has a snapshot. */
  readonly snapshotAt: { set(name: string, revision: number): unknown; delete(name: string): unknown };
}): StreamReads {
  /** Undefined where the store has another history. */
  async function readOn(name: string, known: KnownStream): Promise<KnownStream | undefined> {
    const last = known.stored.at(-1);
    if (last === undefined) return undefined;
    const keep = streams.reading(name);
    const stored = await read(name, last.revision);
    const [first] = stored;
    if (first?.revision === last.revision && first.id === last.id)
      return keep({ ...known, stored: [...known.stored, ...stored.slice(1)] });
    // A stream that is shorter, or another, is of a store that was put back; older events of one may have been cut.
    if (first === undefined || first.revision <= last.revision) streams.forgetAll();
    return undefined;
  }

  /** Undefined without a snapshot that is old enough, and for one of another history. */
  const readFromSnapshot = async (
    ...[stream, name, eventsFrom]: Parameters<StreamReads>
  ): Promise<KnownStream | undefined> => {
    const begun = await snapshots.latest(stream, name);
    snapshotAt.set(name, begun?.revision ?? -1);
    if (begun === undefined || begun.revision > eventsFrom) return undefined;
    const keep = streams.reading(name);
    const stored = await read(name, begun.revision);
    if (stored[0]?.revision === begun.revision && stored[0].id === begun.eventId)
      return keep({ begun, stored });
    snapshotAt.delete(name);
    return undefined;
  };

  const readUnknown: StreamReads = async (stream, name, eventsFrom) => {
    const keep = streams.reading(name);
    const { snapshots: rules } = stream;
    if (rules === undefined || eventsFrom === 0) return keep({ begun: undefined, stored: await read(name) });
    const begin = await read(name, 0, rules.every);
    if (begin.length < rules.every) return keep({ begun: undefined, stored: begin });
    const found = await readFromSnapshot(stream as never, name, eventsFrom);
    return found ?? keep({ begun: undefined, stored: [...begin, ...(await read(name, rules.every))] });
  };

  return async (stream, name, eventsFrom) => {
    const known = streams.latest(name);
    const isEnough = known !== undefined && (known.begun?.revision ?? 0) <= eventsFrom;
    return (isEnough ? await readOn(name, known) : undefined) ?? readUnknown(stream, name, eventsFrom);
  };
}
