/**
 * Follows accepted submissions on recent blockhashes. The service signs one version of a draft at a time: another one
 * only after this has shown, by final blocks alone, that the one before has not landed and never can.
 */

import type { Keyring } from '../../chain/keys.ts';
import type { Chain, ChainTip, SignatureStatus } from '../../ports/chain.ts';
import type { Clock } from '../../runtime/clock.ts';
import { isRefreshable, SubmissionLapsed } from '../../streams/draft.ts';
import { behaviourOf } from '../purposes/index.ts';
import { findVersion } from './find-version.ts';
import type { FollowedDraft } from './followed-draft.ts';
import { judgeEnd, judgeVersion } from './judge-version.ts';
import type { FollowedLifetime, Step } from './settler.ts';
import { failedStep, landedStep } from './steps.ts';

interface Observed {
  readonly status: SignatureStatus | undefined;
  readonly tip: ChainTip;
}

export function versionLifetime(parts: {
  readonly chain: Chain;
  readonly keyring: Keyring;
  readonly clock: Clock;
}): FollowedLifetime<FollowedDraft, Observed> {
  const { chain, keyring, clock } = parts;

  async function end({ transactionId, state }: FollowedDraft, tip: ChainTip): Promise<Step> {
    const { issued, accepted } = state;
    if (issued === undefined || accepted === undefined) return { kind: 'wait' };
    const { kind: lifetime } = issued.lifetime;
    const [signer] = behaviourOf(issued.subject.kind).signers(keyring, transactionId, lifetime);
    if (signer === undefined) throw new Error('a key of its own signs every draft on a recent blockhash');
    const landing = await findVersion(chain, {
      message: messageOf(accepted.signedTransaction),
      signature: accepted.signature,
      signer: signer.address,
      atLeastSlot: tip.slot,
    });
    const verdict = judgeEnd(state, landing, clock.now().toISOString());
    switch (verdict.kind) {
      case 'wait':
        return verdict;
      case 'finalized':
        return landedStep(transactionId, 'finalized', verdict);
      case 'refused':
        return refused(transactionId, verdict.error, verdict.logs);
      case 'expired':
        return failedStep(
          transactionId,
          'TRANSACTION_EXPIRED',
          'The transaction did not land in time and can no longer land.',
        );
      case 'lapsed':
        return {
          kind: 'record',
          event: SubmissionLapsed({
            transactionId,
            signature: verdict.signature,
            finalizedHeight: tip.blockHeight.toString(),
          }),
        };
    }
  }

  return {
    part: 'settler',
    work: 'follow',

    select(followed) {
      const { issued, accepted } = followed.state;
      return issued !== undefined && accepted !== undefined && isRefreshable(issued) ? followed : undefined;
    },

    async observe(submissions) {
      // Read the height first: what the statuses do not show later was in no block up to that height.
      const tip = await chain.tip('finalized');
      const statuses = await chain.statuses(
        submissions.map(({ state }) => state.landed?.signature ?? state.accepted?.signature ?? ''),
      );
      return submissions.map((_, index) => ({ tip, status: statuses[index] }));
    },

    async next(followed, { status, tip }) {
      const { transactionId, state } = followed;
      if (state.status !== 'submitted' && state.status !== 'confirmed') return { kind: 'wait' };
      const verdict = judgeVersion(state, { status, finalizedHeight: tip.blockHeight });
      switch (verdict.kind) {
        case 'wait':
        case 'gone':
          return verdict;
        case 'send':
          return state.accepted === undefined
            ? { kind: 'wait' }
            : { kind: 'send', transaction: state.accepted.signedTransaction };
        case 'confirmed':
        case 'finalized':
          return landedStep(transactionId, verdict.kind, verdict);
        case 'failed': {
          const landed = await chain.transaction(verdict.signature, 'finalized');
          return refused(transactionId, verdict.error, landed?.logs ?? []);
        }
        case 'search':
          return end(followed, tip);
      }
    },
  };
}

function refused(transactionId: string, error: string, logs: readonly string[]): Step {
  return failedStep(transactionId, 'CHAIN_REJECTED', `The chain refused the transaction: ${error}.`, logs);
}

function messageOf(wireBase64: string): Uint8Array {
  const wire = Buffer.from(wireBase64, 'base64');
  return wire.subarray(1 + (wire[0] ?? 0) * 64);
}
