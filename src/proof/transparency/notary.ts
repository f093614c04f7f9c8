/**
 * Appends the events of the log to its transparency log, in the order in which it first reads them, and signs checkpoints.
 *
 * Before signing, it compares the whole log with its record, and stops permanently if they differ. After any failure it
 * continues with `advance`: a tree that was claimed but not signed is rebuilt from the log, which gives the same tree.
 */
import { isConsistent, isEqual, type LogSigner, signCheckpoint } from 'levy-transparency-log';
import { type EventStore, type Position, type RecordedEvent, START } from '../../kernel/ports/event-store.ts';
import type { Logger } from '../../kernel/ports/logger.ts';
import type { Clock } from '../../kernel/runtime/clock.ts';
import { errorMessage } from '../../kernel/runtime/error-message.ts';
import type { LeaseTerm } from '../../kernel/runtime/lease.ts';
import { sleep } from '../../kernel/runtime/sleep.ts';
import { runSubscription } from '../../kernel/runtime/subscription-runner.ts';
import { entryOf } from './canonical-record.ts';
import type { CheckpointClaims } from './checkpoint-claims.ts';
import { createCosigners } from './cosigners.ts';
import { isExcluded } from './excluded-streams.ts';
import { type LogFiles, storedTree } from './log-files.ts';
import {
  finalProblem,
  type NotaryStatus,
  NotaryStopped,
  type NotaryTrouble,
  troubleOf,
} from './notary-status.ts';
import { type NotaryWork, newWork } from './notary-work.ts';
import { readRecord, requireExtends } from './read-record.ts';
import type { Witness } from './witness.ts';

interface NotaryOptions {
  readonly store: EventStore;
  readonly files: LogFiles;
  readonly claims: CheckpointClaims;
  readonly signer: LogSigner;
  readonly witnesses: readonly Witness[];
  readonly clock: Clock;
  readonly logger: Logger;
  /** True if another process may continue after a conflict with another notary. */
  readonly isShared: boolean;
}

export type Notary = ReturnType<typeof startNotary>;

/** Milliseconds between two checkpoints. */
const PAUSE = 400;
const PAUSE_AFTER_FAILURE = 1_000;
/** Milliseconds between two checks, while idle, for files replaced by another process. */
const POLL_INTERVAL = 5_000;

export function startNotary(options: NotaryOptions, term: Pick<LeaseTerm, 'isHeld'>) {
  const { store, files, claims, signer, clock, logger, isShared } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const now = () => clock.now().toISOString();
  const work = newWork();
  const cosigners = createCosigners(options.witnesses, logger);
  let following = Promise.resolve();
  /** Time of the last check that the files are unchanged, by `performance.now()`. */
  let polledAt = performance.now();
  let error: string | undefined;
  let trouble: NotaryTrouble | undefined;
  let endTerm = () => {};
  const ended = new Promise<void>((resolve) => {
    endTerm = resolve;
  });

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        await advance();
      } catch (problem) {
        if (signal.aborted) return;
        problemFound(problem);
        await sleep(PAUSE_AFTER_FAILURE, signal);
      }
    }
  }

  /** Runs the next steps from startup to a published checkpoint; skips completed ones. */
  async function advance(): Promise<void> {
    if (work.log === 'unread') {
      await readRecord(work, { store, files, claims, publicKey: signer.publicKey });
      work.log = 'comparing';
      following = follow();
    }
    await sleep(PAUSE, signal);
    if (work.log === 'ended') {
      await requireComplete(work);
      work.log = 'compared';
      logger.info({ entries: work.tree.size() }, 'log matches the signed tree');
    }
    if (signal.aborted || work.log !== 'compared') return;
    const size = work.tree.size();
    if (size > 0 && (size !== work.published?.size || work.isMoved)) await signRound();
    else if (performance.now() - polledAt > POLL_INTERVAL) {
      await requireOwnFiles(work, files);
      polledAt = performance.now();
      recovered();
    }
  }

  /** Compares the log with the record, then adds new events to the tree. */
  async function follow(): Promise<void> {
    await followLog(work, { store, files, now, signal, failed: problemFound });
    await sleep(PAUSE_AFTER_FAILURE, signal);
    if (!signal.aborted) work.log = 'unread';
  }

  /** False if the notary's term has ended, or if the log must be read again. */
  function mayContinue(): boolean {
    if (!term.isHeld()) stopping.abort();
    return !signal.aborted && work.log === 'compared';
  }

  /**
   * Signs and publishes a tree. A crash or timeout may interrupt any step, which stays safe: full files never change, from the
   * claim on other notaries conflict, and the head is stored before anything is signed.
   */
  async function signRound(): Promise<void> {
    const end = work.tree.end();
    const next = { size: end.size, root: work.tree.root() };
    const since = now();
    if (!mayContinue()) return;
    await writeFullFiles(work, files);

    if (!mayContinue()) return;
    await requireOwnFiles(work, files);

    if (!mayContinue()) return;
    if (next.size > (work.signed?.size ?? 0) && !(await claims.claim(next, signal)))
      throw new NotaryStopped('notary', `Another notary signs the log ${files.origin} concurrently.`);

    if (!mayContinue()) return;
    const head = files.bytesOf({ ...end, root: next.root });
    work.head = { ...work.head, next: head };
    await files.putHead(head);
    work.head = { own: head, next: head };
    work.isMoved = false;

    if (!mayContinue()) return;
    const stored = storedTree(files, next.size);
    const { signed } = work;
    const proof = signed && (await stored.consistency(signed.size, next.size));
    const root = await stored.root(next.size);
    if (!isEqual(root, next.root) || (signed && !isConsistent(signed, next, proof ?? [])))
      throw new NotaryStopped(
        'record',
        `The stored tiles of the log ${files.origin} do not match the tree to be signed.`,
      );
    work.signed = next;

    if (!mayContinue()) return;
    const checkpoint = signCheckpoint({ origin: files.origin, ...next }, signer);
    const { lines, dispute } = await cosigners.cosign(checkpoint, { size: next.size, stored });
    if (dispute?.outcome === 'lost') throw new NotaryStopped('witness', dispute.message);
    if (dispute !== undefined) throw new Error(dispute.message);

    if (!mayContinue()) return;
    const note = `${checkpoint}${lines}`;
    work.note = { ...work.note, next: note };
    await files.putCheckpoint(note);
    work.note = { own: note, next: note };
    work.published = { size: next.size, at: now() };
    work.unpublishedSince = work.tree.size() > next.size ? since : undefined;
    polledAt = performance.now();
    recovered();
  }

  function problemFound(problem: unknown): void {
    const final = finalProblem(problem);
    if (final !== undefined) {
      stopFor(final);
      return;
    }
    const message = errorMessage(problem);
    if (error === undefined) logger.warn({ error: message }, 'notary failed, retrying');
    error = message;
  }

  function recovered(): void {
    if (error !== undefined) logger.warn({ after: error }, 'notary recovered');
    error = undefined;
  }

  function stopFor(problem: NotaryStopped): void {
    if (trouble !== undefined || signal.aborted) return;
    trouble = troubleOf(problem, now());
    const { kind, message } = trouble;
    logger.error(
      { kind, error: message, ...trouble.event },
      'notary stopped permanently; see docs/how-to/operate/run-the-notary.md',
    );
    stopping.abort();
    // A new term reads files and claims again, since the other notary may have been right.
    if (kind === 'notary' && isShared) endTerm();
  }

  const running = run();
  return {
    /** Resolves after another notary has claimed first; a new term then starts from the stored files. */
    ended,
    status: (): NotaryStatus => ({
      state: trouble !== undefined ? 'stopped' : work.log === 'compared' ? 'signing' : 'comparing',
      origin: files.origin,
      size: work.tree.size(),
      compared: work.order?.compared() ?? 0,
      published: work.published,
      unpublishedSince: work.unpublishedSince,
      error,
      trouble,
      witnesses: cosigners.status(),
    }),
    async stop(): Promise<void> {
      stopping.abort();
      await running;
      await following;
    },
  };
}

/** Throws if another process has replaced the files: two processes on one folder must not both continue. */
async function requireOwnFiles(
  { head, note }: Pick<NotaryWork, 'head' | 'note'>,
  files: Pick<LogFiles, 'headBytes' | 'checkpoint' | 'origin'>,
): Promise<void> {
  const bytes = await files.headBytes();
  const found = await files.checkpoint();
  const isHead = (own: Uint8Array | undefined) =>
    bytes === undefined ? own === undefined : own !== undefined && isEqual(bytes, own);
  const isOwnHead = isHead(head.own) || (head.next !== undefined && isHead(head.next));
  if (isOwnHead && (found === note.own || (note.next !== undefined && found === note.next))) return;
  throw new NotaryStopped(
    'notary',
    `Another process writes the log ${files.origin}: its files changed after this process wrote them. Stop the other process.`,
  );
}

const BATCH = 256;
/** Full files that may be queued for writing: about one per 256 events. */
const WAITING_FILES = 48;

/**
 * Compares the log with the record from its first event on, and adds new events to the tree. Resolves when it is aborted or
 * fails permanently.
 */
export async function followLog(
  work: NotaryWork,
  parts: {
    readonly store: EventStore;
    readonly files: Pick<LogFiles, 'putFull'>;
    readonly now: () => string;
    readonly signal: AbortSignal;
    readonly failed: (problem: unknown) => void;
  },
): Promise<void> {
  const { store, files, now, signal, failed } = parts;
  let isNew = work.order === undefined;
  let reached: Position = START;

  async function take(event: RecordedEvent): Promise<void> {
    const { position } = event;
    // A batch is delivered again if its files could not be written.
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
      for (const event of events) if (!isExcluded(event.stream)) await take(event);
      if (work.waiting.length >= WAITING_FILES) await writeFullFiles(work, files);
      // Pause as long as the batch took: comparing uses at most half of the time, since commands have priority.
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
  for (const each of due) requireExtends(each, tree.root(), 'the one signed before');
  work.awaited = work.awaited.filter(({ size }) => size !== tree.size());
}

export async function writeFullFiles(work: NotaryWork, files: Pick<LogFiles, 'putFull'>): Promise<void> {
  for (const file of work.waiting) {
    await files.putFull(file);
    work.waiting = work.waiting.filter((each) => each !== file);
  }
}

/** Throws `NotaryStopped` unless the log, read to its end, contains all recorded and signed entries. */
export async function requireComplete({ order, awaited, tree }: NotaryWork): Promise<void> {
  const missing = await order?.missing();
  if (missing !== undefined) throw new NotaryStopped('log', missing.message, missing);
  const [behind] = awaited;
  if (behind !== undefined)
    throw new NotaryStopped(
      'log',
      `The log is shorter than the signed tree: it has ${tree.size()} entries, and a tree of ${behind.size} was signed.`,
    );
}
