/**
 * Reclaims nonce accounts from drafts that have ended: abandoned before they were recorded, expired, superseded, cancelled or
 * settled. Works on the current state instead of events, so that an interruption leaks no account.
 */

import type { Chain } from '../../kernel/ports/chain.ts';
import type { ReadModel } from '../../kernel/ports/read-model.ts';
import type { Clock } from '../../kernel/runtime/clock.ts';
import { unlessUndecodable } from '../../kernel/runtime/event-reader.ts';
import { type Cause, causeOf, type Executor } from '../../kernel/runtime/execute.ts';
import { type NonceAccountDocument, nonceAccounts } from '../../projections/nonce-accounts.ts';
import { draft } from '../../streams/draft.ts';
import { nonceOf } from '../../streams/draft-events.ts';
import { type DraftState, isOnRecord } from '../../streams/draft-state.ts';
import { decideEndOfLease } from '../decide-ending.ts';
import type { ForeignAdvances } from './foreign-advances.ts';
import { valuesAt } from './nonce-leases.ts';
import type { NoncePool } from './nonce-pool.ts';

interface NonceReclaimerOptions {
  readonly executor: Executor;
  readonly readModel: ReadModel;
  readonly chain: Chain;
  readonly nonces: NoncePool;
  readonly foreignAdvances: Pick<ForeignAdvances, 'record'>;
  readonly clock: Clock;
  /** Milliseconds after which the lease of a draft that was never recorded lapses. */
  readonly claimLapse: number;
}

type LeaseJudgement = 'keep' | 'give-back' | 'renew';

type Lease = NonceAccountDocument & { readonly lease: NonNullable<NonceAccountDocument['lease']> };

const IN_ROUNDS = { trust: 'cached' } as const;

export function createNonceReclaimer(options: NonceReclaimerOptions) {
  const { executor, readModel, chain, nonces, foreignAdvances, clock, claimLapse } = options;

  /** Judges a lease after ending its draft if that is due. */
  async function judge(held: Lease): Promise<LeaseJudgement> {
    const { account, lease } = held;
    const { transactionId } = lease;
    const now = clock.now();
    const hasLapsed = now.getTime() - Date.parse(lease.since) >= claimLapse;
    const ending = { transactionId, now: now.toISOString(), hasLapsed };
    const decide = (current: DraftState) => decideEndOfLease(current, ending);
    const { state } = await executor.execute(draft, transactionId, causeOfReclaim(held), decide, IN_ROUNDS);
    return judgeLease(state, { account, hasLapsed });
  }

  /**
   * Returns accounts with an unspent value to the pool, and resolves with the remaining accounts. `confirmed` is sufficient:
   * these drafts have not landed and cannot land, and every lease checks the latest value again.
   */
  async function giveBackUnspent(leases: readonly Lease[]): Promise<readonly Lease[]> {
    const values = await valuesAt(chain, accountsOf(leases), 'confirmed');
    const isUnspent = (held: Lease, index: number) => values[index] === held.value;
    await Promise.all(
      leases
        .filter(isUnspent)
        .map((held) =>
          unlessUndecodable(nonces.giveBack({ account: held.account, ...held.lease }, causeOfReclaim(held))),
        ),
    );
    return leases.filter((held, index) => !isUnspent(held, index));
  }

  /** Renews accounts whose final value differs from the recorded one: it was spent, or belonged to another fork. */
  async function renewSpent(leases: readonly Lease[]): Promise<readonly Lease[]> {
    const values = await valuesAt(chain, accountsOf(leases), 'finalized');
    const renewed = await Promise.all(
      leases.map(async (held, index) => {
        const value = values[index];
        // The node does not show the account, or still shows the spent value. The next round tries again.
        if (value === undefined || value === held.value) return false;
        return unlessUndecodable(
          nonces.renew({ account: held.account, ...held.lease }, value, causeOfReclaim(held)),
        );
      }),
    );
    return leases.filter((_held, index) => renewed[index] === true);
  }

  return {
    /** Runs one round over all leased nonce accounts. Rejects if the chain or the store does not respond. */
    async tidy() {
      const leased = (await readModel.find(nonceAccounts, 'state', 'leased')).filter(isLease);
      const judged = await Promise.all(
        // An undecodable draft retains its account, since it may be alive.
        leased.map(async (held) => ({ held, verdict: (await unlessUndecodable(judge(held))) ?? 'keep' })),
      );
      const judgedAs = (wanted: LeaseJudgement) =>
        judged.filter(({ verdict }) => verdict === wanted).map(({ held }) => held);
      const changed = await giveBackUnspent(judgedAs('give-back'));
      const renewed = await renewSpent([...judgedAs('renew'), ...changed]);
      // Drafts of these accounts were never sent, so a transaction that this log does not have has spent the value.
      for (const held of renewed) if (changed.includes(held)) foreignAdvances.record(held.account);
    },
  };
}

/** `hasLapsed`: the lease is too old for a draft that is not recorded. Pure. */
export function judgeLease(
  state: DraftState,
  { account, hasLapsed }: { readonly account: string; readonly hasLapsed: boolean },
): LeaseJudgement {
  // A repeated call that missed its first lease may lease a second account; only the lease in the recorded draft counts.
  if (isOnRecord(state) && nonceOf(state.issued)?.nonceAccount !== account) return 'give-back';
  switch (state.status) {
    case 'absent':
      // A lease younger than the abandonment belongs to a new attempt at the same draft.
      return state.abandonments > 0 && hasLapsed ? 'give-back' : 'keep';
    case 'superseded':
    case 'expired':
    case 'cancelled':
      return 'give-back';
    case 'finalized':
    case 'failed':
      return 'renew';
    case 'open':
    case 'submitted':
    case 'confirmed':
    case 'unreadable':
      return 'keep';
  }
}

function accountsOf(leases: readonly Lease[]): readonly string[] {
  return leases.map(({ account }) => account);
}

function isLease(document: NonceAccountDocument): document is Lease {
  return document.lease !== null;
}

function causeOfReclaim({ lease }: Lease): Cause {
  return causeOf('nonce-reclaimer', { correlationId: lease.transactionId, causationId: lease.transactionId });
}
