/**
 * Follows accepted submissions on recent blockhashes. The service signs one version of a draft at a time: another one
 * only after this has shown, by final blocks alone, that the one before has not landed and never can.
 */

import type { Keyring } from '../../chain/keys.ts';
import type { Chain, ChainAccount, ChainTip, SignatureStatus } from '../../kernel/ports/chain.ts';
import type { Clock } from '../../kernel/runtime/clock.ts';
import { isRefreshable, SubmissionLapsed } from '../../streams/draft-events.ts';
import { isPending, knownSignature, type PendingSubmission } from '../../streams/draft-state.ts';
import { behaviourOf } from '../purposes/index.ts';
import type { FollowedDraft } from './followed-draft.ts';
import { isOver, judgeEnd, judgeVersion, type Landing } from './judge-version.ts';
import type { FollowedLifetime } from './settler.ts';
import type { Conclusion, Step } from './step.ts';
import { failedStep, landedStep, refusalOf, refusedStep } from './steps.ts';
import { isMade, landingOf, versionSearch } from './version-search.ts';

export interface ObservedVersion {
  readonly status: SignatureStatus | undefined;
  /** Not later than the status. */
  readonly tip: ChainTip;
  /** The draft's own key, and what is at its address in a later final block; only of bytes that are over. */
  readonly key: { readonly address: string; readonly account: ChainAccount | undefined } | undefined;
}

/** A submission of a draft that can be refreshed. */
export interface VersionSubmission extends Pick<FollowedDraft, 'transactionId'> {
  readonly state: PendingSubmission;
}

export function versionLifetime(parts: {
  readonly chain: Chain;
  readonly keyring: Keyring;
  readonly clock: Clock;
}): FollowedLifetime<FollowedDraft & VersionSubmission, ObservedVersion> {
  const { chain, keyring, clock } = parts;

  function keyOf({ transactionId, state: { issued } }: VersionSubmission, tip: ChainTip): string | undefined {
    if (!isOver(issued, tip.blockHeight)) return undefined;
    const { kind } = issued.lifetime;
    const [signer] = behaviourOf(issued.subject.kind).signers(keyring, transactionId, kind);
    if (signer === undefined) throw new Error('a key of its own signs every draft on a recent blockhash');
    return signer.address;
  }

  return {
    part: 'settler',
    work: 'follow',

    select(followed) {
      const { state } = followed;
      return isPending(state) && isRefreshable(state.issued) ? { ...followed, state } : undefined;
    },

    async observe(submissions) {
      // Read the height first: what the statuses do not show later was in no block up to that height.
      const tip = await chain.tip('finalized');
      const keys = submissions.map((submission) => keyOf(submission, tip));
      const asked = [...new Set(keys.flatMap((key) => key ?? []))];
      const [statuses, accounts] = await Promise.all([
        chain.statuses(submissions.map(({ state }) => knownSignature(state))),
        asked.length === 0 ? [] : chain.accounts(asked, 'finalized', { atLeastSlot: tip.slot }),
      ]);
      const accountAt = new Map(asked.map((key, index) => [key, accounts[index]]));
      return keys.map((address, index) => ({
        tip,
        status: statuses[index],
        key: address === undefined ? undefined : { address, account: accountAt.get(address) },
      }));
    },

    nextStep: (followed, observed) => nextVersionStep(followed, observed, clock.now().toISOString()),
  };
}

/** Pure. `now`: ISO 8601. */
export function nextVersionStep(followed: VersionSubmission, observed: ObservedVersion, now: string): Step {
  const { transactionId, state } = followed;
  const verdict = judgeVersion(state, { status: observed.status, finalizedHeight: observed.tip.blockHeight });
  switch (verdict.kind) {
    case 'wait':
    case 'gone':
      return verdict;
    case 'send':
      return { kind: 'send', transaction: state.accepted.signedTransaction };
    case 'confirmed':
    case 'finalized':
      return landedStep(transactionId, verdict.kind, verdict);
    case 'failed':
      return refusedStep(transactionId, verdict.signature, verdict.error);
    case 'search':
      return searchLanding(followed, observed, now);
  }
}

function searchLanding(followed: VersionSubmission, { key, tip }: ObservedVersion, now: string): Step {
  const { state } = followed;
  if (key === undefined) return { kind: 'wait' };
  // A missing account shows it at once, whatever the history of its address holds.
  if (behaviourOf(state.issued.subject.kind).makesAccountOfKey && !isMade(key.account))
    return endedStep(followed, { kind: 'absent' }, tip, now);
  return {
    kind: 'search',
    search: versionSearch(state, { key: key.address, tip }),
    conclude: (outcome) => endedStep(followed, landingOf(outcome, key.account), tip, now),
  };
}

function endedStep(
  { transactionId, state }: VersionSubmission,
  landing: Landing,
  tip: ChainTip,
  now: string,
): Conclusion {
  const verdict = judgeEnd(state, landing, now);
  switch (verdict.kind) {
    case 'wait':
      return verdict;
    case 'finalized':
      return landedStep(transactionId, 'finalized', verdict);
    case 'refused':
      return failedStep(transactionId, 'CHAIN_REJECTED', refusalOf(verdict.error), verdict.logs);
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
