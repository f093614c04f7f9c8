/** Compares the log with the record from its first event on, and adds what is new to the tree. */
import { type EventStore, type Position, type RecordedEvent, START } from '../../kernel/ports/event-store.ts';
import { sleep } from '../../kernel/runtime/sleep.ts';
import { runSubscription } from '../../kernel/runtime/subscription-runner.ts';
import { entryOf } from './canonical-record.ts';
import { isLeftOut } from './left-out.ts';
import type { LogFiles } from './log-files.ts';
import { finalProblem, NotaryStopped } from './notary-status.ts';
import type { NotaryWork } from './notary-work.ts';
import { requireExtends } from './read-record.ts';

const BATCH = 256;
/** Full files that may wait to be written: one for each 256 events and a few more. */
const WAITING_FILES = 48;

interface FollowedParts {
  readonly store: EventStore;
  readonly files: Pick<LogFiles, 'putFull'>;
  readonly now: () => string;
  readonly signal: AbortSignal;
  readonly failed: (problem: unknown) => void;
}

/** Resolves when it is aborted or fails for good. */
export async function followLog(work: NotaryWork, parts: FollowedParts): Promise<void> {
  const { store, files, now, signal, failed } = parts;
  let isNew = work.order === undefined;
  let reached: Position = START;

  async function take(event: RecordedEvent): Promise<void> {
    const { position } = event;
    // A batch comes again when its files could not be written.
    if (position <= reached) return;
    const found = work.order === undefined || isNew ? 'new' : await work.order.next(event);
    reached = position;
    if (found === 'recorded') return;
    if (found !== 'new') throw new NotaryStopped('log', found.message, found);
    isNew = true;
    addEntry(work, event);
    work.unpublishedSince ??= now();
  }

  await runSubscription({
    store,
    after: START,
    batchSize: BATCH,
    signal,
    async handle(events) {
      const begun = performance.now();
      for (const event of events) if (!isLeftOut(event.stream)) await take(event);
      if (work.waiting.length >= WAITING_FILES) await writeFullFiles(work, files);
      // Commands come first: comparing takes half of the time at most.
      if (work.log === 'comparing') await sleep(performance.now() - begun, signal);
    },
    caughtUp() {
      if (work.log === 'comparing') work.log = 'ended';
      return 'stay';
    },
    failed,
    isFinal: (problem) => finalProblem(problem) !== undefined,
  });
}

function addEntry(work: NotaryWork, event: RecordedEvent): void {
  const { id, stream, revision, position } = event;
  const { tree } = work;
  work.waiting = [...work.waiting, ...tree.add({ id, stream, revision, position, entry: entryOf(event) })];
  const due = work.awaited.filter(({ size }) => size === tree.size());
  if (due.length === 0) return;
  for (const each of due) requireExtends(each, tree.root(), 'the one that was signed before');
  work.awaited = work.awaited.filter(({ size }) => size !== tree.size());
}

export async function writeFullFiles(work: NotaryWork, files: Pick<LogFiles, 'putFull'>): Promise<void> {
  for (const file of work.waiting) {
    await files.putFull(file);
    work.waiting = work.waiting.filter((each) => each !== file);
  }
}

/** Throws `NotaryStopped` unless the log, read to its end, holds all that was recorded and signed. */
export async function requireWhole({ order, awaited, tree }: NotaryWork): Promise<void> {
  const missing = await order?.missing();
  if (missing !== undefined) throw new NotaryStopped('log', missing.message, missing);
  const [behind] = awaited;
  if (behind !== undefined)
    throw new NotaryStopped(
      'log',
      `The log is shorter than what was signed: a tree of ${behind.size} entries was signed, and the log has ${tree.size()}.`,
    );
}
