/** What the notary does for each action that `nextAction` names. */
import type { LogSigner } from 'levy-transparency-log';
import type { EventStore } from '../../kernel/ports/event-store.ts';
import type { Logger } from '../../kernel/ports/logger.ts';
import { sleep } from '../../kernel/runtime/sleep.ts';
import type { CheckpointClaims } from './checkpoint-claims.ts';
import type { Cosigners } from './cosigners.ts';
import { followLog, requireWhole } from './follow-log.ts';
import type { LogFiles } from './log-files.ts';
import type { NotaryAction } from './notary-action.ts';
import type { NotaryOutcome } from './notary-outcome.ts';
import type { NotaryWork } from './notary-work.ts';
import { compareStored, knownTrees, readStored } from './read-record.ts';
import { recordedOrder } from './recorded-order.ts';
import { beginRound, type RoundEffects, requireOwnFiles, roundEffects } from './sign-round.ts';

interface EffectParts {
  readonly store: EventStore;
  readonly files: LogFiles;
  readonly claims: CheckpointClaims;
  readonly signer: LogSigner;
  readonly cosigners: Cosigners;
  readonly outcome: Pick<NotaryOutcome, 'problemFound' | 'recovered'>;
  readonly logger: Logger;
  readonly now: () => string;
  readonly stopping: AbortController;
}

interface NotaryEffects {
  readonly effects: { readonly [action in NotaryAction]: () => Promise<void> };
  /** Resolves when the log is not followed any more. */
  followed(): Promise<void>;
}

/** Milliseconds between two checkpoints. */
const PAUSE = 400;
export const PAUSE_AFTER_FAILURE = 1_000;

export function createEffects(work: NotaryWork, parts: EffectParts): NotaryEffects {
  const { store, files, claims, signer, cosigners, outcome, logger, now, stopping } = parts;
  const { signal } = stopping;
  const roundParts = { files, claims, signer, cosigners, now, signal };
  let following = Promise.resolve();

  async function follow(): Promise<void> {
    await followLog(work, { store, files, now, signal, failed: outcome.problemFound });
    await sleep(PAUSE_AFTER_FAILURE, signal);
    // Begins anew: the files or the log could not be read.
    if (!signal.aborted) work.log = 'unread';
  }

  const inRound =
    (effect: RoundEffects[keyof RoundEffects]): (() => Promise<void>) =>
    async () => {
      if (work.round !== undefined) await effect(work.round, work, roundParts);
    };

  const effects: NotaryEffects['effects'] = {
    async 'read record'() {
      await readRecord(work, parts);
      work.log = 'comparing';
      following = follow();
    },
    async 'end comparison'() {
      await requireWhole(work);
      work.log = 'compared';
      logger.info({ entries: work.tree.size() }, 'log compared with what was signed');
    },
    async rest() {
      await sleep(PAUSE, signal);
      work.isRested = true;
    },
    async 'begin round'() {
      beginRound(work, now());
    },
    'write full files': inRound(roundEffects['write full files']),
    async 'check owner'() {
      await requireOwnFiles(work, files);
      if (work.round !== undefined) {
        work.round.progress = 'owner checked';
        return;
      }
      work.lookedAt = performance.now();
      // While the log is quiet, no round would show it.
      outcome.recovered();
      work.isRested = false;
    },
    claim: inRound(roundEffects.claim),
    'store head': inRound(roundEffects['store head']),
    'check tiles': inRound(roundEffects['check tiles']),
    sign: inRound(roundEffects.sign),
    async publish() {
      await inRound(roundEffects.publish)();
      outcome.recovered();
    },
    async 'end term'() {
      stopping.abort();
    },
  };

  return { effects, followed: () => following };
}

/** Begins anew, by what is stored and claimed. */
async function readRecord(
  work: NotaryWork,
  { files, claims, signer, store }: Pick<EffectParts, 'files' | 'claims' | 'signer' | 'store'>,
): Promise<void> {
  work.round = undefined;
  work.waiting = [];
  work.awaited = [];
  work.signed = undefined;
  const stored = await readStored(files);
  const { head, headBytes, note, tree } = stored;
  work.tree = tree;
  work.head = { ...work.head, own: headBytes };
  work.note = { ...work.note, own: note };
  const { known, published } = await knownTrees(stored, { files, claims, publicKey: signer.publicKey });
  if (published !== undefined) work.published = { size: published, at: undefined };
  const { signed, awaited } = await compareStored(known, tree.size(), files);
  work.signed = signed;
  work.awaited = awaited;
  const relocate = (index: number, position: string) => {
    work.isMoved = true;
    tree.relocate(index, position);
  };
  work.order = head && recordedOrder(files, head, store, relocate);
}
