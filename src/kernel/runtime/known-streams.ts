/**
 * Remembers streams as this process has last seen them: as it has read them, appended to them, or been told of them by its
 * subscription. The store may hold more by now, never anything else: so a decision on what is known counts only together
 * with an append that states its revision. It keeps what is stored; what was folded of it is kept beside it.
 */
import { LRUCache } from 'lru-cache';
import type { RecordedEvent } from '../ports/event-store.ts';
import type { DomainEvent } from './define-stream.ts';
import type { Known } from './loaded-stream.ts';
import type { Milestone } from './snapshots.ts';

/** As much of a stream as is remembered. Without events it is known not to exist. */
export interface KnownStream {
  /** The state right after the first event of `stored`; undefined where that is the stream's first event. */
  readonly begun: Milestone<unknown> | undefined;
  /** Without a gap, quarantined ones included. */
  readonly stored: readonly RecordedEvent[];
  /** What was made of the first `count` of them. */
  folded?: { readonly known: Known<unknown, DomainEvent>; readonly count: number } | undefined;
  /** Bytes of JSON. */
  readonly bytes: number;
}

export interface KnownStreams {
  /** Undefined for a stream that is not known, and while this process cannot hear what others record. */
  current(name: string): KnownStream | undefined;
  /** Whatever may have been recorded since. */
  latest(name: string): KnownStream | undefined;
  /**
   * Call before a read; give what was read to the function that it returns, which answers with what is known then: that
   * read, or more.
   */
  reading(name: string): (read: Omit<KnownStream, 'bytes'>) => KnownStream;
  /** Events that were recorded, in the order of their streams; may come again, and late. */
  learn(events: readonly RecordedEvent[]): void;
  /** Nobody can have recorded anything in the stream. */
  assumeNew(name: string): void;
  /** An append to it may or may not have been written. */
  forget(name: string): void;
  /** The store has another history than the one that is known. */
  forgetAll(): void;
}

export interface KnownStreamsOptions {
  /** Bytes of JSON, as it is stored; in memory it takes twice as much (`known-streams` in the bench). */
  readonly mostBytes?: number;
  /** Whether everything that others record reaches `learn` soon. */
  readonly isFollowed: () => boolean;
}

/** Events of a long stream that are remembered behind its milestone, and those that are heard of a stream before it is asked for. */
export const LONGEST_TAIL = 100;
const MOST_BYTES = 32 * 1024 * 1024;
/** One stream must not take the place of all others. */
const SHARE_OF_ONE = 1 / 16;
/** What an entry takes by itself. */
const ENTRY_BYTES = 300;

export function createKnownStreams({
  mostBytes = MOST_BYTES,
  isFollowed,
}: KnownStreamsOptions): KnownStreams {
  const streams = new LRUCache<string, KnownStream>({
    maxSize: mostBytes,
    maxEntrySize: Math.ceil(mostBytes * SHARE_OF_ONE),
    sizeCalculation: ({ bytes }) => bytes,
  });
  /** How often all was forgotten: what was asked before that is of another history. */
  let history = 0;

  function forgetAll(): void {
    history += 1;
    streams.clear();
  }

  function keep(name: string, known: Omit<KnownStream, 'bytes'>, bytes: number): KnownStream {
    const kept: KnownStream = { ...known, bytes };
    streams.set(name, kept);
    return kept;
  }

  function learnOne(event: RecordedEvent): void {
    const { stream: name, revision } = event;
    const known = streams.peek(name);
    const next = known === undefined ? 0 : nextRevision(known);
    // Others use it, and this process does not: nonce accounts would take the place of all that is decided on here.
    if (revision === next && unasked(known) >= LONGEST_TAIL) streams.delete(name);
    else if (revision === next)
      keep(
        name,
        { begun: known?.begun, stored: [...(known?.stored ?? []), event], folded: known?.folded },
        (known?.bytes ?? ENTRY_BYTES + name.length) + bytesOf(event),
      );
    else if (known !== undefined && revision > next) streams.delete(name);
    else if (known !== undefined && isAnother(known, event)) forgetAll();
  }

  return {
    current: (name) => (isFollowed() ? streams.get(name) : undefined),
    latest: (name) => streams.get(name),

    reading(name) {
      const begunIn = history;
      return ({ begun, stored, folded }) => {
        const known = streams.peek(name);
        const read = { begun, stored, folded };
        const bytes = ENTRY_BYTES + name.length + sum(stored.map(bytesOf)) + stateBytes(begun);
        if (begunIn !== history) return { ...read, bytes };
        if (known === undefined || nextRevision(known) <= nextRevision(read)) return keep(name, read, bytes);
        const last = stored.at(-1);
        if (last !== undefined && isAnother(known, last)) forgetAll();
        // A read that took longer must not bring back an older state; what is known may begin later than what was asked for.
        else if (firstRevision(known) <= firstRevision(read)) return known;
        return { ...read, bytes };
      };
    },

    learn(events) {
      for (const event of events) learnOne(event);
    },
    assumeNew(name) {
      if (!streams.has(name)) keep(name, { begun: undefined, stored: [] }, ENTRY_BYTES + name.length);
    },
    forget: (name) => void streams.delete(name),
    forgetAll,
  };
}

function firstRevision({ begun }: Pick<KnownStream, 'begun'>): number {
  return begun?.revision ?? 0;
}

function nextRevision({ stored }: Pick<KnownStream, 'stored'>): number {
  return (stored.at(-1)?.revision ?? -1) + 1;
}

/** Events that were heard since anybody here wanted to know the stream. */
function unasked(known: KnownStream | undefined): number {
  return known === undefined ? 0 : known.stored.length - (known.folded?.count ?? 0);
}

/** Whether another event is known in its place. */
function isAnother({ stored }: Pick<KnownStream, 'stored'>, { revision, id }: RecordedEvent): boolean {
  const first = stored[0]?.revision ?? 0;
  const own = stored[revision - first];
  return own !== undefined && own.id !== id;
}

const sizes = new WeakMap<RecordedEvent, number>();

function bytesOf(event: RecordedEvent): number {
  const known = sizes.get(event);
  if (known !== undefined) return known;
  const bytes = JSON.stringify(event.data).length + JSON.stringify(event.metadata).length;
  sizes.set(event, bytes);
  return bytes;
}

function stateBytes(begun: Milestone<unknown> | undefined): number {
  return begun === undefined ? 0 : (JSON.stringify(begun.state)?.length ?? 0);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
