/**
 * Appends the events of the log to its transparency log, in the order in which it first sees them, and signs checkpoints.
 *
 * It compares the whole log with its record before it signs anything, and stops for good when they differ. A tree is signed
 * in this order, so that a kill at any point leaves one tree: full files (they never change), the claim in the event log
 * (another notary is refused from here on), the head, the signature, the witnesses, the published checkpoint. What was
 * claimed and not signed is made again from the log, which gives the same tree.
 */
import type { LeaseTerm } from '../leases/lease-term.ts';
import { type EventStore, type Position, type RecordedEvent, START } from '../ports/event-store.ts';
import type { Clock } from '../runtime/clock.ts';
import { pauseFor } from '../runtime/pause-for.ts';
import { runSubscription } from '../runtime/subscription-runner.ts';
import { entryOf } from './canonical-record.ts';
import {
  type Checkpoint,
  type LogSigner,
  parseCheckpoint,
  signCheckpoint,
  type TreeHead,
} from './checkpoint.ts';
import type { CheckpointClaims } from './checkpoint-claims.ts';
import { createCosigners, type WitnessStatus } from './cosigners.ts';
import { isLeftOut } from './left-out.ts';
import { type LogFiles, LogFilesDamaged, type LogHead } from './log-files.ts';
import { createLogTree, EMPTY_END, type FullFile } from './log-tree.ts';
import { type LogChange, type RecordedOrder, recordedOrder } from './recorded-order.ts';
import { ED25519, isSignedBy, NoteInvalid, noteKey } from './signed-note.ts';
import { isConsistent, isEqual, type TiledTree, tiledTree } from './tiled-tree.ts';
import type { Witness } from './witness.ts';

/** Nothing more is signed until an operator has looked. */
class NotaryStopped extends Error {
  override readonly name = 'NotaryStopped';
  readonly kind: NotaryTrouble['kind'];
  readonly change: LogChange | undefined;
  constructor(kind: NotaryTrouble['kind'], message: string, change?: LogChange) {
    super(message);
    this.kind = kind;
    this.change = change;
  }
}

export const NOTARY_TROUBLES = ['log', 'record', 'restored', 'notary', 'witness'] as const;

export interface NotaryTrouble {
  /** `log`: the log is not what was signed; `record`: the notary's own files are not; `restored`: both come from a backup, and more may have been signed since; `notary`: another one writes; `witness`: at least half of them have signed another tree. */
  readonly kind: (typeof NOTARY_TROUBLES)[number];
  readonly message: string;
  readonly since: string;
  readonly event?: Pick<LogChange, 'eventId' | 'stream' | 'revision'>;
}

export interface NotaryStatus {
  /** `comparing` the log with the record after a start, `signing` afterwards, `stopped` for good. */
  readonly state: 'comparing' | 'signing' | 'stopped';
  readonly origin: string;
  /** Entries in the tree, and how many of those that were recorded before were found in the log since the start. */
  readonly size: number;
  readonly compared: number;
  /** The published checkpoint. */
  readonly published:
    | {
        readonly size: number /** ISO 8601; undefined if that was before the start. */;
        readonly at: string | undefined;
      }
    | undefined;
  /** Since when there are entries that no published checkpoint has (ISO 8601). */
  readonly unpublishedSince: string | undefined;
  /** Why nothing can be signed at the moment; it is tried again. */
  readonly error: string | undefined;
  readonly trouble: NotaryTrouble | undefined;
  readonly witnesses: readonly WitnessStatus[];
}

export interface NotaryOptions {
  readonly store: Pick<EventStore, 'subscribe' | 'read'> & EventStore;
  readonly files: LogFiles;
  readonly claims: CheckpointClaims;
  readonly signer: LogSigner;
  readonly witnesses: readonly Witness[];
  readonly clock: Clock;
  readonly report: (message: string, details: object) => void;
  /** Whether another process may go on after trouble with another notary. */
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
/** Milliseconds between two looks whether another process has replaced the files while nothing happens. */
const LOOK_AGAIN = 5_000;
const PAUSE_AFTER_FAILURE = 1_000;
const BATCH = 256;
/** Full files that may wait to be written: one for each 256 events and a few more. */
const WAITING_FILES = 48;

export function startNotary(options: NotaryOptions, term: Pick<LeaseTerm, 'isHeld'>): Notary {
  const { store, files, claims, signer, witnesses, clock, report } = options;
  const { origin } = files;
  const key = noteKey(origin, ED25519, signer.publicKey);
  const stopping = new AbortController();
  const { signal } = stopping;
  const now = () => clock.now().toISOString();

  let tree = createLogTree();
  /** Entries of the head stand elsewhere in the store than it says. */
  let isMoved = false;
  let state: NotaryStatus['state'] = 'comparing';
  let compared = () => 0;
  let published: NotaryStatus['published'];
  let unpublishedSince: string | undefined;
  let error: string | undefined;
  let trouble: NotaryTrouble | undefined;
  /** Trees that this one must extend, and has not reached yet. */
  let awaited: TreeHead[] = [];
  let signed: TreeHead | undefined;
  let waiting: FullFile[] = [];
  let lastHead: Uint8Array | undefined;
  let lastNote: string | undefined;
  /** What it was about to store: after a failure that may be there or not. */
  let nextHead: Uint8Array | undefined;
  let nextNote: string | undefined;
  const cosigners = createCosigners(witnesses, report);
  let endTerm = () => {};
  const ended = new Promise<void>((resolve) => {
    endTerm = resolve;
  });

  function stopFor(problem: NotaryStopped): void {
    if (trouble !== undefined || signal.aborted) return;
    const { kind, message, change } = problem;
    trouble = {
      kind,
      message,
      since: now(),
      ...(change && { event: { eventId: change.eventId, stream: change.stream, revision: change.revision } }),
    };
    state = 'stopped';
    report('notary stopped: nothing more is signed', {
      isFailure: true,
      kind,
      error: message,
      ...trouble.event,
    });
    stopping.abort();
    // Its files and claims are looked at anew: the other one may have been right.
    if (kind === 'notary' && options.isShared) endTerm();
  }

  function failed(problem: unknown): void {
    const message = messageOf(problem);
    if (error === undefined) report('notary cannot go on, trying again', { error: message });
    error = message;
  }

  function requireExtends(known: TreeHead, root: Uint8Array, what: string): void {
    if (isEqual(known.root, root)) return;
    throw new NotaryStopped(
      'log',
      `The first ${known.size} entries give another tree than ${what}: the log or the notary's record was changed.`,
    );
  }

  /** Reads what was signed before. */
  async function begin(): Promise<LogHead | undefined> {
    const head = await files.head();
    lastHead = await files.headBytes();
    lastNote = await files.checkpoint();
    tree = createLogTree(head ?? EMPTY_END);
    if (head !== undefined && !isEqual(head.root, tree.root()))
      throw new NotaryStopped('record', `The head of the log ${origin} does not lead to its own root.`);
    const known: (TreeHead & { readonly what: string })[] = [];
    const before = await publishedBeforeRestore();
    if (before !== undefined) known.push({ ...before, what: 'the last one published before the restore' });
    const claimed = await claims.last();
    if (claimed !== undefined) known.push({ ...claimed, what: 'the one that was claimed in the event log' });
    const note = lastNote === undefined ? undefined : readOwn(lastNote, 'published checkpoint');
    if (note !== undefined) {
      known.push({ ...note, what: 'the published checkpoint' });
      published = { size: note.size, at: undefined };
    }
    for (const each of known) {
      if (each.size > tree.size()) awaited.push(each);
      else requireExtends(each, await storedTree(tree.size()).root(each.size), each.what);
      if (each.size >= (signed?.size ?? 0)) signed = each;
    }
    return head;
  }

  /** Undefined unless the log was restored. Nothing here shows what was signed between the backup and the restore. */
  async function publishedBeforeRestore(): Promise<Checkpoint | undefined> {
    const restoration = await files.restoration();
    if (restoration === undefined) return undefined;
    const { takenAt, lastCheckpoint } = restoration;
    if (lastCheckpoint !== null) return readOwn(lastCheckpoint, 'checkpoint that was given to the restore');
    throw new NotaryStopped(
      'restored',
      `The log ${origin} was restored from a backup of ${takenAt}. Events that were recorded after it may be published under this name, and a second tree must not be signed. Set LOG_ORIGIN to a new name and tell those who check; or, if nothing was published since the backup, restore again with --last-checkpoint.`,
    );
  }

  function readOwn(note: string, what: string): Checkpoint {
    const parsed = parseCheckpoint(note);
    if (parsed.checkpoint.origin !== origin || !isSignedBy(parsed.note, key))
      throw new NotaryStopped(
        'record',
        `The ${what} is not signed by this service's key for ${origin}: the master seed or the log's name is another.`,
      );
    return parsed.checkpoint;
  }

  /** What others would read: full files and the head's tiles. */
  function storedTree(size: number): TiledTree {
    const readTile = async (level: number, index: number, width: number) => {
      const bytes = await files.tile({ level, index, width });
      if (bytes !== undefined) return bytes;
      throw new LogFilesDamaged(`Tile ${index} of level ${level} is missing.`);
    };
    return tiledTree(readTile, size);
  }

  async function walk(): Promise<void> {
    const head = await begin();
    const order =
      head &&
      recordedOrder(files, head, store, (index, position) => {
        isMoved = true;
        tree.relocate(index, position);
      });
    compared = () => order?.compared() ?? 0;
    let isNew = order === undefined;
    let isCompared = false;
    let reached: Position = START;

    async function take(event: RecordedEvent): Promise<void> {
      const { id, stream, revision, position } = event;
      // A batch comes again when its files could not be written.
      if (position <= reached) return;
      const found = order === undefined || isNew ? 'new' : await order.next(event);
      reached = position;
      if (found === 'recorded') return;
      if (found !== 'new') throw new NotaryStopped('log', found.message, found);
      isNew = true;
      waiting.push(...tree.add({ id, stream, revision, position, entry: entryOf(event) }));
      unpublishedSince ??= now();
      const due = awaited.filter(({ size }) => size === tree.size());
      for (const each of due) requireExtends(each, tree.root(), 'the one that was signed before');
      if (due.length > 0) awaited = awaited.filter(({ size }) => size !== tree.size());
    }

    await runSubscription({
      store,
      after: START,
      batchSize: BATCH,
      signal,
      async handle(events) {
        const begun = performance.now();
        for (const event of events) if (!isLeftOut(event.stream)) await take(event);
        if (waiting.length >= WAITING_FILES) await writeFull();
        // Commands come first: comparing takes half of the time at most.
        if (state === 'comparing') await pauseFor(performance.now() - begun, signal);
      },
      caughtUp() {
        if (!isCompared) void finish(order).catch(problemFound);
        isCompared = true;
        return 'stay';
      },
      failed: problemFound,
      isFinal: (problem) => problem instanceof NotaryStopped || problem instanceof LogFilesDamaged,
    });
  }

  async function finish(order: RecordedOrder | undefined): Promise<void> {
    const missing = await order?.missing();
    if (missing !== undefined) throw new NotaryStopped('log', missing.message, missing);
    const [behind] = awaited;
    if (behind !== undefined)
      throw new NotaryStopped(
        'log',
        `The log was put back to an older state: a tree of ${behind.size} entries was signed, and the log has ${tree.size()}.`,
      );
    state = 'signing';
    report('log compared with what was signed', { entries: tree.size(), isUsual: true });
  }

  function problemFound(problem: unknown): void {
    if (problem instanceof NotaryStopped) stopFor(problem);
    else if (problem instanceof LogFilesDamaged || problem instanceof NoteInvalid)
      stopFor(new NotaryStopped('record', problem.message));
    else failed(problem);
  }

  async function writeFull(): Promise<void> {
    for (const file of [...waiting]) {
      await files.putFull(file);
      waiting = waiting.filter((each) => each !== file);
    }
  }

  /** Two processes with one folder: neither may go on as if it were alone. */
  async function requireOwnFiles(): Promise<void> {
    const bytes = await files.headBytes();
    const note = await files.checkpoint();
    const isHead = (own: Uint8Array | undefined) =>
      bytes === undefined ? own === undefined : own !== undefined && isEqual(bytes, own);
    const isOwnHead = isHead(lastHead) || (nextHead !== undefined && isHead(nextHead));
    if (isOwnHead && (note === lastNote || (nextNote !== undefined && note === nextNote))) return;
    throw new NotaryStopped(
      'notary',
      `Another process writes the log ${origin}: its files were replaced since this one wrote them.`,
    );
  }

  function requireTerm(): void {
    if (term.isHeld()) return;
    stopping.abort();
    signal.throwIfAborted();
  }

  async function signNext(): Promise<void> {
    const end = tree.end();
    const next: TreeHead = { size: end.size, root: tree.root() };
    const since = now();
    await writeFull();
    await requireOwnFiles();
    requireTerm();
    if (signed === undefined || signed.size < next.size) {
      if (!(await claims.claim(next, signal)))
        throw new NotaryStopped('notary', `Another notary has signed the log ${origin} at the same time.`);
    }
    requireTerm();
    nextHead = files.bytesOf({ ...end, root: next.root });
    await files.putHead(nextHead);
    lastHead = nextHead;
    isMoved = false;
    const stored = storedTree(next.size);
    const proof = signed && (await stored.consistency(signed.size, next.size));
    const root = await stored.root(next.size);
    if (!isEqual(root, next.root) || (signed && !isConsistent(signed, next, proof ?? [])))
      throw new NotaryStopped(
        'record',
        `The stored tiles of the log ${origin} do not give the tree that is to be signed.`,
      );
    signed = next;
    requireTerm();
    const note = signCheckpoint({ origin, ...next }, signer);
    const cosigned = `${note}${await cosignatures(note, next, stored)}`;
    requireTerm();
    nextNote = cosigned;
    await files.putCheckpoint(cosigned);
    lastNote = cosigned;
    published = { size: next.size, at: now() };
    unpublishedSince = tree.size() > next.size ? since : undefined;
    if (error !== undefined) report('notary recovered', { after: error });
    error = undefined;
  }

  async function cosignatures(note: string, { size }: TreeHead, stored: TiledTree): Promise<string> {
    const { lines, dispute } = await cosigners.cosign(note, { size, stored });
    if (dispute?.outcome === 'lost') throw new NotaryStopped('witness', dispute.message);
    if (dispute !== undefined) throw new Error(dispute.message);
    return lines;
  }

  let lookedAt = performance.now();
  let step: Promise<void> = Promise.resolve();

  async function signWhatIsNew(): Promise<void> {
    try {
      if (tree.size() > 0 && (tree.size() !== published?.size || isMoved)) await signNext();
      else if (performance.now() - lookedAt > LOOK_AGAIN) await requireOwnFiles();
      else return;
      lookedAt = performance.now();
    } catch (problem) {
      if (signal.aborted) return;
      problemFound(problem);
      await pauseFor(PAUSE_AFTER_FAILURE, signal);
    }
  }

  async function sign(): Promise<void> {
    while (!signal.aborted) {
      await pauseFor(PAUSE, signal);
      if (signal.aborted || state !== 'signing') continue;
      step = signWhatIsNew();
      await step;
    }
  }

  const walking = walkUntilStopped();
  const signing = sign();

  /** Begins anew when the files or the log cannot be read. */
  async function walkUntilStopped(): Promise<void> {
    while (!signal.aborted) {
      state = 'comparing';
      await step;
      awaited = [];
      waiting = [];
      signed = undefined;
      try {
        await walk();
      } catch (problem) {
        problemFound(problem);
      }
      await pauseFor(PAUSE_AFTER_FAILURE, signal);
    }
  }

  return {
    ended,
    status: () => ({
      state,
      origin,
      size: tree.size(),
      compared: compared(),
      published,
      unpublishedSince,
      error,
      trouble,
      witnesses: cosigners.status(),
    }),
    async stop() {
      stopping.abort();
      await Promise.all([walking, signing]);
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
