/**
 * Brings documents up to date that come from files which events name. It has a subscription of its own, so that neither
 * appends nor other projections wait for a file; and a file that cannot be read holds up nothing but its own subject.
 */
import type { Position, RecordedEvent } from '../ports/event-store.ts';
import { CHECKPOINT_EVERY } from './batch-commit.ts';
import type { Recorded } from './event-codec.ts';
import { messageOf } from './message-of.ts';
import { checkpointOf, type Target } from './projection-target.ts';
import type { ProjectionTrouble } from './projection-trouble.ts';
import type { ProjectorOptions, ProjectorWork } from './projector-work.ts';
import { commitInSlices, createSliceSize, type SliceSize } from './sliced-commits.ts';
import { runSubscription, type SubscriptionOptions } from './subscription-runner.ts';
import { growingPause } from './try-again.ts';

/** Before the files of an event are tried again. Milliseconds; the last one stands for all later ones. */
const PAUSES = [250, 1_000, 5_000, 15_000];

/** While more subjects than this wait, the log is not read on. */
const MOST_WAITING = 10_000;

interface Waiting {
  readonly event: Recorded;
  /** Up to here nothing of the subject is left to be read. */
  readonly after: Position;
  failures: number;
  error: string | undefined;
  /** A time of `performance.now`, in milliseconds. */
  notBefore: number;
}

interface Parts
  extends Pick<ProjectorOptions, 'store' | 'reader' | 'readModel' | 'shared' | 'logger' | 'filesOf'> {
  readonly work: ProjectorWork;
  readonly trouble: ProjectionTrouble;
  readonly goLive: (target: Target) => void;
}

interface Reading extends Parts {
  readonly target: Target;
  readonly sliceSize: SliceSize;
  /** By subject, in the order of their events. */
  readonly waiting: Map<string, Waiting>;
  readonly ending: AbortController;
  /** How far the log was read. */
  read: Position;
  /** Whether everything in the log was read once: until then newer files may take the place of those that wait. */
  isAtEnd: boolean;
  /** Events since the last checkpoint. */
  unsaved: number;
}

/** Begins to read the log for the target, and the files that it names. */
export function createFiledReadings(parts: Parts): (target: Target) => void {
  const sliceSize = createSliceSize();
  return (target) =>
    parts.work.begin(
      run({
        ...parts,
        target,
        sliceSize,
        waiting: new Map(),
        ending: new AbortController(),
        read: target.position,
        isAtEnd: false,
        unsaved: 0,
      }),
    );
}

async function run(reading: Reading): Promise<void> {
  const { work, target, trouble, ending } = reading;
  const filling = fill(reading);
  const end = await runSubscription(subscriptionOf(reading));
  ending.abort();
  work.waiters.lookAgain();
  await filling;
  if (end === 'failed' && !work.stopping.signal.aborted) trouble.fail(target, target.error);
}

function subscriptionOf(reading: Reading): SubscriptionOptions {
  const { store, reader, work, target, trouble } = reading;
  return {
    store,
    after: target.position,
    categories: target.categories,
    signal: work.stopping.signal,
    isFinal: trouble.isOver,
    handle: (events) => take(reading, events),
    blocked: (error) => trouble.block(target, error),
    pauseWhileBlocked: reader.pause,
    caughtUp(position) {
      reading.isAtEnd = true;
      reach(reading, position);
      return target.retired ? 'leave' : 'stay';
    },
    passed: (position) => reach(reading, position),
    failed(error) {
      target.error = messageOf(error);
    },
  };
}

/** Notes what is to be read. */
async function take(reading: Reading, events: readonly RecordedEvent[]): Promise<void> {
  const { reader, target, trouble, waiting, work } = reading;
  const { on, subjectOf } = target.projection;
  const isFolded = (type: string) => on[type] !== undefined;
  for (const event of events) {
    if (event.position <= reading.read) continue;
    const found = reader.mayBecome(event, isFolded) ? await reader.read(event) : undefined;
    if (found !== undefined && subjectOf !== undefined) {
      const subject = subjectOf(found);
      const after = waiting.get(subject)?.after ?? reading.read;
      waiting.delete(subject);
      waiting.set(subject, { event: found, after, failures: 0, error: undefined, notBefore: 0 });
      target.lastEventAt = found.metadata.occurredAt;
    }
    reading.read = event.position;
    reading.unsaved += 1;
  }
  trouble.unblock(target);
  work.waiters.lookAgain();
  while (waiting.size >= MOST_WAITING && dueOf(reading) !== undefined && !isOver(reading))
    await work.waiters.until(() => waiting.size < MOST_WAITING || isOver(reading), PAUSES[0] ?? 0);
}

function reach(reading: Reading, position: Position): void {
  if (position > reading.read) reading.read = position;
  reading.work.waiters.lookAgain();
}

function isOver({ work, target, ending }: Reading): boolean {
  return work.stopping.signal.aborted || ending.signal.aborted || target.retired;
}

/** Reads one file after another, for as long as the process runs. */
async function fill(reading: Reading): Promise<void> {
  const { work } = reading;
  while (!isOver(reading)) {
    const due = dueOf(reading);
    if (due !== undefined) {
      await readOne(reading, ...due);
      continue;
    }
    await settle(reading);
    const { read } = reading;
    const hasMore = () => isOver(reading) || reading.read !== read || dueOf(reading) !== undefined;
    // What could not be read is due by the clock, which nobody tells.
    await work.waiters.until(hasMore, PAUSES[0] ?? 0);
  }
}

/** The oldest that may be tried. */
function dueOf({ waiting, isAtEnd }: Reading): readonly [string, Waiting] | undefined {
  if (!isAtEnd && waiting.size < MOST_WAITING) return undefined;
  const now = performance.now();
  for (const entry of waiting) if (entry[1].notBefore <= now) return entry;
  return undefined;
}

async function readOne(reading: Reading, subject: string, entry: Waiting): Promise<void> {
  const { waiting, filesOf, trouble, target, logger } = reading;
  const { projection, generation } = target;
  const { event } = entry;
  try {
    for await (const slice of filesOf?.(event) ?? []) {
      if (isOver(reading)) return;
      const changes = slice.map(({ key, document }) => ({ key, position: event.position, document }));
      await commitInSlices(reading, [{ collection: projection, generation, changes }]);
    }
    // A newer one may have come meanwhile.
    if (waiting.get(subject) === entry) waiting.delete(subject);
    reading.unsaved += CHECKPOINT_EVERY;
  } catch (error) {
    if (isOver(reading) || trouble.isOver(error)) return;
    const message = messageOf(error);
    if (entry.error !== message)
      logger.warn(
        { projection: projection.name, position: event.position, error: message },
        'projection waits for a file',
      );
    entry.error = message;
    entry.notBefore = performance.now() + growingPause(PAUSES, entry.failures);
    entry.failures += 1;
  }
}

/** Says how far everything was read, and has queries read it. */
async function settle(reading: Reading): Promise<void> {
  const { store, readModel, target, trouble, waiting, goLive, work } = reading;
  const left = [...waiting.values()];
  const [failing, ...others] = left.flatMap(({ error }) => error ?? []);
  const error = failing && (others.length === 0 ? failing : `${failing} (and ${others.length} more)`);
  const position = left.reduce((least, { after }) => (after < least ? after : least), reading.read);
  const isNews = position > target.position || error !== target.error;
  target.error = error;
  if (position > target.position) target.position = position;
  if (target.state === 'building')
    target.pace.reached(store.extentOf(target.position).amount, performance.now());
  if (reading.unsaved >= CHECKPOINT_EVERY) {
    reading.unsaved = 0;
    await readModel
      .commit([checkpointOf(target, target.position)])
      .catch((cause: unknown) => trouble.notSaved(target, cause));
  }
  if (reading.isAtEnd && target.state === 'building') goLive(target);
  if (isNews) work.moved();
}
