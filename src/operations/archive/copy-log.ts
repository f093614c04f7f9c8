/**
 * Copies a log to another store: the same events with the same ids, in the same order. What the target already has must
 * be a beginning of the source, so a copy that was interrupted goes on where it stopped. Streams that are cut as they grow
 * are left out; of the notary's claims the target gets the last in a stream of its own.
 */
import { createHash } from 'node:crypto';
import { OperatorError } from '../../kernel/ports/errors.ts';
import type { RecordedEvent } from '../../kernel/ports/event-store.ts';
import type { LogReader } from '../../kernel/ports/log-reader.ts';
import type { LogWriter } from '../../kernel/ports/log-writer.ts';
import { isClaim, isCopied } from './copied-streams.ts';

export interface CopyEnds {
  readonly source: LogReader;
  readonly target: {
    /** The events that the target has when the iteration begins. */
    readonly events: () => AsyncIterable<RecordedEvent>;
    readonly writer: LogWriter;
  };
}

export interface Copied {
  /** Events that were compared; `added` were not there before. */
  readonly events: number;
  readonly added: number;
  readonly skipped: number;
  /** A hash of all events that were compared, in order: equal for equal logs. */
  readonly sha256: string;
  /** The source's last event. */
  readonly head: string;
}

/** Receives how many events are copied or compared. */
type CopyProgress = (events: number) => void;

const AT_ONCE = 1_000;

export async function copyLog(
  { source, target }: CopyEnds,
  progress: CopyProgress = () => undefined,
): Promise<Copied> {
  let [there, added, skipped, head] = [0, 0, 0, ''];
  const claims = new Map<string, RecordedEvent>();
  const present = only(target.events(), isCopied);
  try {
    let isAtEnd = false;
    let waiting: RecordedEvent[] = [];
    for await (const event of source.events()) {
      head = event.position;
      if (!isCopied(event)) {
        if (isClaim(event)) claims.set(event.stream, event);
        skipped += 1;
        continue;
      }
      const found = isAtEnd ? undefined : (await present.next()).value;
      if (found === undefined) {
        isAtEnd = true;
        waiting.push(event);
        if (waiting.length === AT_ONCE) {
          await target.writer.add(waiting);
          added += waiting.length;
          waiting = [];
          progress(there + added);
        }
        continue;
      }
      requireSame(event, found, there);
      there += 1;
      if (there % AT_ONCE === 0) progress(there);
    }
    if (!isAtEnd && (await present.next()).value !== undefined) throw longer(there);
    if (waiting.length > 0) await target.writer.add(waiting);
    added += waiting.length;
    await target.writer.settle();
  } finally {
    await present.return(undefined);
  }
  const sha256 = await verify({ source, target }, { upTo: head, count: there + added, progress });
  await carryClaims(target, claims);
  await target.writer.finish();
  return { events: there + added, added, skipped, sha256, head };
}

async function carryClaims(
  { events, writer }: CopyEnds['target'],
  claims: ReadonlyMap<string, RecordedEvent>,
): Promise<void> {
  if (claims.size === 0) return;
  const there = new Map<string, RecordedEvent>();
  for await (const event of only(events(), isClaim)) there.set(event.stream, event);
  for (const [stream, claim] of claims) {
    const last = there.get(stream);
    if (last?.id !== claim.id) await writer.add([{ ...claim, revision: (last?.revision ?? -1) + 1 }]);
  }
  await writer.settle();
}

/** Reads both logs again, from their stores. */
async function verify(
  { source, target }: CopyEnds,
  {
    upTo,
    count,
    progress,
  }: {
    readonly upTo: string;
    readonly count: number;
    readonly progress: CopyProgress;
  },
): Promise<string> {
  const hash = createHash('sha256');
  const copied = only(target.events(), isCopied);
  let done = 0;
  try {
    for await (const event of only(source.events(), isCopied)) {
      if (event.position > upTo) break;
      const { value: found } = await copied.next();
      if (found === undefined)
        throw new OperatorError(`the copy has ${done} events, and the source ${count}: run it again`);
      if (contentOf(found) !== contentOf(event)) throw inAnotherOrder(event, found, done);
      hash.update(contentOf(event));
      done += 1;
      if (done % AT_ONCE === 0) progress(done);
    }
    if ((await copied.next()).value !== undefined) throw longer(done);
  } finally {
    await copied.return(undefined);
  }
  return hash.digest('hex');
}

function requireSame(event: RecordedEvent, found: RecordedEvent, count: number): void {
  if (contentOf(event) === contentOf(found)) return;
  if (count === 0) {
    throw new OperatorError(
      `the target holds another log: it begins with the event ${found.id}, and the source with ${event.id}. Nothing was changed; name an empty target`,
    );
  }
  throw inAnotherOrder(event, found, count);
}

function inAnotherOrder(event: RecordedEvent, found: RecordedEvent, count: number): OperatorError {
  return new OperatorError(
    `the target is no copy of the source: after ${count} equal events, it has ${placeOf(found)} where the source has ${placeOf(event)}. Copy into an empty target; with --in-flight 1 the server has no choice of order`,
  );
}

function longer(count: number): OperatorError {
  return new OperatorError(
    `the target has more events than the ${count} of the source: it has been used since it was copied, or the source is older. Nothing of it was changed`,
  );
}

const placeOf = ({ id, stream, revision }: RecordedEvent) =>
  `the event ${id} (${stream}, revision ${revision})`;

/** What a copy must keep; positions are the store's own. */
function contentOf({ id, stream, revision, type, data, metadata, raw }: RecordedEvent): string {
  return JSON.stringify([id, stream, revision, type, raw ?? [data, metadata]]);
}

async function* only(
  events: AsyncIterable<RecordedEvent>,
  isWanted: (event: RecordedEvent) => boolean,
): AsyncGenerator<RecordedEvent, undefined> {
  for await (const event of events) if (isWanted(event)) yield event;
  return undefined;
}
