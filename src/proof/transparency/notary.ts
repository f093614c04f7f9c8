/**
 * Appends the events of the log to its transparency log, in the order in which it first sees them, and signs checkpoints.
 *
 * It compares the whole log with its record before it signs anything, and stops for good when they differ. After any failure it
 * continues with `advance`: what was claimed and not signed is made again from the log, which gives the same tree.
 */
import { isConsistent, isEqual, type LogSigner, signCheckpoint } from 'levy-transparency-log';
import type { EventStore } from '../../kernel/ports/event-store.ts';
import type { LeaseTerm } from '../../kernel/ports/lease.ts';
import type { Logger } from '../../kernel/ports/logger.ts';
import type { Clock } from '../../kernel/runtime/clock.ts';
import { messageOf } from '../../kernel/runtime/message-of.ts';
import { sleep } from '../../kernel/runtime/sleep.ts';
import type { CheckpointClaims } from './checkpoint-claims.ts';
import { createCosigners } from './cosigners.ts';
import { followLog, requireWhole, writeFullFiles } from './follow-log.ts';
import { type LogFiles, storedTree } from './log-files.ts';
import {
  finalProblem,
  type NotaryStatus,
  NotaryStopped,
  type NotaryTrouble,
  troubleOf,
} from './notary-status.ts';
import { type NotaryWork, newWork } from './notary-work.ts';
import { readRecord } from './read-record.ts';
import type { Witness } from './witness.ts';

export interface NotaryOptions {
  readonly store: EventStore;
  readonly files: LogFiles;
  readonly claims: CheckpointClaims;
  readonly signer: LogSigner;
  readonly witnesses: readonly Witness[];
  readonly clock: Clock;
  readonly logger: Logger;
  /** Whether another process may continue after trouble with another notary. */
  readonly isShared: boolean;
}

export interface Notary {
  status(): NotaryStatus;
  stop(): Promise<void>;
  /** Resolves when another notary has come first: another term begins with a fresh look. */
  readonly ended: Promise<void>;
}

/** Milliseconds between two checkpoints. */
const PAUSE = 400;
const PAUSE_AFTER_FAILURE = 1_000;
/** Milliseconds between two looks whether another process has replaced the files while nothing happens. */
const LOOK_AGAIN = 5_000;

export function startNotary(options: NotaryOptions, term: Pick<LeaseTerm, 'isHeld'>): Notary {
  const { store, files, claims, signer, clock, logger, isShared } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const now = () => clock.now().toISOString();
  const work = newWork();
  const cosigners = createCosigners(options.witnesses, logger);
  let following = Promise.resolve();
  /** When the files were last seen to be its own; of `performance.now()`. */
  let lookedAt = performance.now();
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

  /** From a first start to a published checkpoint; what is done already is left out. */
  async function advance(): Promise<void> {
    if (work.log === 'unread') {
      await readRecord(work, { store, files, claims, publicKey: signer.publicKey });
      work.log = 'comparing';
      following = follow();
    }
    await sleep(PAUSE, signal);
    if (work.log === 'ended') {
      await requireWhole(work);
      work.log = 'compared';
      logger.info({ entries: work.tree.size() }, 'log compared with what was signed');
    }
    if (signal.aborted || work.log !== 'compared') return;
    const size = work.tree.size();
    if (size > 0 && (size !== work.published?.size || work.isMoved)) await signRound();
    else if (performance.now() - lookedAt > LOOK_AGAIN) {
      await requireOwnFiles(work, files);
      lookedAt = performance.now();
      recovered();
    }
  }

  /** Compares the log with the record, and then adds what is new to the tree. */
  async function follow(): Promise<void> {
    await followLog(work, { store, files, now, signal, failed: problemFound });
    await sleep(PAUSE_AFTER_FAILURE, signal);
    if (!signal.aborted) work.log = 'unread';
  }

  /** A round ends with its term, and where the log has to be read again. */
  function mayContinue(): boolean {
    if (!term.isHeld()) stopping.abort();
    return !signal.aborted && work.log === 'compared';
  }

  /**
   * Signs and publishes a tree. A kill may cut off each step or leave it without an answer: full files never change, from the claim
   * in the event log on another notary is refused, and the head is stored before anything is signed.
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
      throw new NotaryStopped(
        'notary',
        `Another notary has signed the log ${files.origin} at the same time.`,
      );

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
        `The stored tiles of the log ${files.origin} do not give the tree that is to be signed.`,
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
    lookedAt = performance.now();
    recovered();
  }

  function problemFound(problem: unknown): void {
    const final = finalProblem(problem);
    if (final !== undefined) {
      stopFor(final);
      return;
    }
    const message = messageOf(problem);
    if (error === undefined) logger.warn({ error: message }, 'notary cannot go on, trying again');
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
    logger.error({ kind, error: message, ...trouble.event }, 'notary stopped: nothing more is signed');
    stopping.abort();
    // Its files and claims are read again: the other one may have been right.
    if (kind === 'notary' && isShared) endTerm();
  }

  const running = run();
  return {
    ended,
    status: () => ({
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
    async stop() {
      stopping.abort();
      await running;
      await following;
    },
  };
}

/** Two processes with one folder: neither may continue as if it were alone. */
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
    `Another process writes the log ${files.origin}: its files were replaced since this one wrote them.`,
  );
}
