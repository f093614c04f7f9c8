/**
 * Reads the trees that a notary may have signed before: from its files, the claim in the event log, and the checkpoint given to
 * a restore.
 */
import {
  type Checkpoint,
  ED25519,
  isEqual,
  isSignedBy,
  noteKey,
  parseCheckpoint,
  type TreeHead,
} from 'levy-transparency-log';
import type { EventStore } from '../../kernel/ports/event-store.ts';
import type { CheckpointClaims } from './checkpoint-claims.ts';
import { type LogFiles, type LogHead, type Restoration, storedTree } from './log-files.ts';
import { createLogTree, EMPTY_END, type LogTree } from './log-tree.ts';
import { NotaryStopped } from './notary-status.ts';
import type { NotaryWork } from './notary-work.ts';
import { recordedOrder } from './recorded-order.ts';

interface RecordedTree extends TreeHead {
  /** Name of the tree for error messages. */
  readonly what: string;
}

interface StoredRecord {
  readonly head: LogHead | undefined;
  readonly headBytes: Uint8Array | undefined;
  readonly note: string | undefined;
  /** Tree that the head describes. */
  readonly tree: LogTree;
}

interface RecordedTrees {
  readonly known: readonly RecordedTree[];
  /** Size of the published checkpoint. */
  readonly published: number | undefined;
}

/** Initializes the work from the stored files and claims. */
export async function readRecord(
  work: NotaryWork,
  parts: {
    readonly store: EventStore;
    readonly files: LogFiles;
    readonly claims: Pick<CheckpointClaims, 'last'>;
    readonly publicKey: Uint8Array;
  },
): Promise<void> {
  const { files } = parts;
  work.waiting = [];
  work.awaited = [];
  work.signed = undefined;
  const stored = await readStored(files);
  const { head, headBytes, note, tree } = stored;
  work.tree = tree;
  work.head = { ...work.head, own: headBytes };
  work.note = { ...work.note, own: note };
  const { known, published } = await recordedTrees(stored, parts);
  if (published !== undefined) work.published = { size: published, at: undefined };
  const { signed, awaited } = await compareStored(known, tree.size(), files);
  work.signed = signed;
  work.awaited = awaited;
  work.order =
    head &&
    recordedOrder(files, head, (index, position) => {
      work.isMoved = true;
      tree.relocate(index, position);
    });
}

export async function readStored(files: LogFiles): Promise<StoredRecord> {
  const head = await files.head();
  const headBytes = await files.headBytes();
  const note = await files.checkpoint();
  return { head, headBytes, note, tree: createLogTree(head ?? EMPTY_END) };
}

/** Rejects with `NotaryStopped` if the record contradicts itself. */
export async function recordedTrees(
  { head, note, tree }: StoredRecord,
  {
    files,
    claims,
    publicKey,
  }: {
    readonly files: Pick<LogFiles, 'origin' | 'restoration'>;
    readonly claims: Pick<CheckpointClaims, 'last'>;
    readonly publicKey: Uint8Array;
  },
): Promise<RecordedTrees> {
  const { origin } = files;
  if (head !== undefined && !isEqual(head.root, tree.root()))
    throw new NotaryStopped('record', `The head of the log ${origin} does not match its own root.`);
  const own = (text: string, what: string) => ownCheckpoint(text, what, origin, publicKey);
  const before = publishedBeforeRestore(await files.restoration(), origin, own);
  const claimed = await claims.last();
  const published = note === undefined ? undefined : own(note, 'published checkpoint');
  const known = [
    ...(before ? [{ ...before, what: 'the last checkpoint published before the restore' }] : []),
    ...(claimed ? [{ ...claimed, what: 'the tree claimed in the event log' }] : []),
    ...(published ? [{ ...published, what: 'the published checkpoint' }] : []),
  ];
  return { known, published: published?.size };
}

/**
 * Compares the stored tiles with the trees that may have been signed. Returns the largest of them, and those beyond the stored
 * size.
 */
export async function compareStored(
  known: readonly RecordedTree[],
  size: number,
  files: Pick<LogFiles, 'tile'>,
): Promise<{ readonly signed: TreeHead | undefined; readonly awaited: readonly TreeHead[] }> {
  for (const each of known.filter((tree) => tree.size <= size))
    requireExtends(each, await storedTree(files, size).root(each.size), each.what);
  return { signed: largestOf(known), awaited: known.filter((tree) => tree.size > size) };
}

function largestOf(trees: readonly TreeHead[]): TreeHead | undefined {
  return trees.reduce<TreeHead | undefined>(
    (largest, each) => (each.size >= (largest?.size ?? 0) ? each : largest),
    undefined,
  );
}

/** Throws `NotaryStopped` unless the tree of the first entries has the signed root. */
export function requireExtends(known: TreeHead, root: Uint8Array, what: string): void {
  if (isEqual(known.root, root)) return;
  throw new NotaryStopped(
    'log',
    `The first ${known.size} entries do not match ${what}: the log or the notary's record was changed.`,
  );
}

/** Undefined unless the log was restored. The files do not show what was signed between the backup and the restore. */
function publishedBeforeRestore(
  restoration: Restoration | undefined,
  origin: string,
  own: (note: string, what: string) => Checkpoint,
): Checkpoint | undefined {
  if (restoration === undefined) return undefined;
  const { takenAt, lastCheckpoint } = restoration;
  if (lastCheckpoint !== null) return own(lastCheckpoint, 'checkpoint that was given to the restore');
  throw new NotaryStopped(
    'restored',
    `The log ${origin} was restored from a backup of ${takenAt}. Events recorded later may be published under this name, so a second tree must not be signed. Set LOG_ORIGIN to a new name and inform the readers of the log; or, if nothing was published since the backup, restore again with --last-checkpoint.`,
  );
}

function ownCheckpoint(note: string, what: string, origin: string, publicKey: Uint8Array): Checkpoint {
  const parsed = parseCheckpoint(note);
  if (parsed.checkpoint.origin === origin && isSignedBy(parsed.note, noteKey(origin, ED25519, publicKey)))
    return parsed.checkpoint;
  throw new NotaryStopped(
    'record',
    `The ${what} is not signed by this service's key for ${origin}: the master seed or the log's name has changed.`,
  );
}
