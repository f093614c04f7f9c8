/**
 * The effects by which a tree is signed and published. Each does one thing that a kill may cut off or leave without an
 * answer: full files (they never change), the claim in the event log (another notary is refused from here on), the head, the
 * signature with the witnesses, the published checkpoint. Their order is in `nextAction`.
 */
import { isConsistent, isEqual, type LogSigner, signCheckpoint } from 'levy-transparency-log';
import type { CheckpointClaims } from './checkpoint-claims.ts';
import type { Cosigners } from './cosigners.ts';
import { writeFullFiles } from './follow-log.ts';
import { type LogFiles, storedTree } from './log-files.ts';
import type { NotaryAction } from './notary-action.ts';
import { NotaryStopped } from './notary-status.ts';
import type { NotaryWork, Round } from './notary-work.ts';

interface RoundParts {
  readonly files: LogFiles;
  readonly claims: Pick<CheckpointClaims, 'claim'>;
  readonly signer: LogSigner;
  readonly cosigners: Pick<Cosigners, 'cosign'>;
  readonly now: () => string;
  readonly signal: AbortSignal;
}

type RoundAction = Extract<
  NotaryAction,
  'write full files' | 'claim' | 'store head' | 'check tiles' | 'sign' | 'publish'
>;

export type RoundEffects = {
  readonly [action in RoundAction]: (round: Round, work: NotaryWork, parts: RoundParts) => Promise<void>;
};

export function beginRound(work: NotaryWork, since: string): void {
  const end = work.tree.end();
  work.round = { end, next: { size: end.size, root: work.tree.root() }, since, progress: 'begun' };
}

export const roundEffects: RoundEffects = {
  async 'write full files'(round, work, { files }) {
    await writeFullFiles(work, files);
    round.progress = 'full files written';
  },

  async claim(round, _work, { claims, files, signal }) {
    if (!(await claims.claim(round.next, signal)))
      throw new NotaryStopped(
        'notary',
        `Another notary has signed the log ${files.origin} at the same time.`,
      );
    round.progress = 'claimed';
  },

  async 'store head'(round, work, { files }) {
    const bytes = files.bytesOf({ ...round.end, root: round.next.root });
    work.head = { ...work.head, next: bytes };
    await files.putHead(bytes);
    work.head = { own: bytes, next: bytes };
    work.isMoved = false;
    round.progress = 'head stored';
  },

  async 'check tiles'(round, work, { files }) {
    const { next } = round;
    const { signed } = work;
    const stored = storedTree(files, next.size);
    const proof = signed && (await stored.consistency(signed.size, next.size));
    const root = await stored.root(next.size);
    if (!isEqual(root, next.root) || (signed && !isConsistent(signed, next, proof ?? [])))
      throw new NotaryStopped(
        'record',
        `The stored tiles of the log ${files.origin} do not give the tree that is to be signed.`,
      );
    work.signed = next;
    round.stored = stored;
    round.progress = 'tiles checked';
  },

  async sign(round, _work, { files, signer, cosigners }) {
    const { next, stored = storedTree(files, next.size) } = round;
    const note = signCheckpoint({ origin: files.origin, ...next }, signer);
    const { lines, dispute } = await cosigners.cosign(note, { size: next.size, stored });
    if (dispute?.outcome === 'lost') throw new NotaryStopped('witness', dispute.message);
    if (dispute !== undefined) throw new Error(dispute.message);
    round.note = `${note}${lines}`;
    round.progress = 'signed';
  },

  async publish(round, work, { files, now }) {
    const { note, next, since } = round;
    if (note === undefined) throw new Error('a checkpoint is published before it is signed');
    work.note = { ...work.note, next: note };
    await files.putCheckpoint(note);
    work.note = { own: note, next: note };
    work.published = { size: next.size, at: now() };
    work.unpublishedSince = work.tree.size() > next.size ? since : undefined;
    work.round = undefined;
    work.lookedAt = performance.now();
    work.isRested = false;
  },
};

/** Two processes with one folder: neither may go on as if it were alone. */
export async function requireOwnFiles(
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
