/**
 * Takes nonce accounts back from drafts that are over: abandoned before they were recorded, expired, superseded or
 * settled. Goes by the current state, not by events, so that an interruption leaks no account.
 */

import { decodeNonceAccount } from '../chain/durable-nonce.ts';
import type { Chain } from '../ports/chain.ts';
import type { ReadModel } from '../ports/read-model.ts';
import { type NonceAccountDocument, nonceAccounts } from '../projections/nonce-accounts.ts';
import type { Clock } from '../runtime/clock.ts';
import { unlessUndecodable } from '../runtime/event-reader.ts';
import { type Cause, causeOf, type Executor } from '../runtime/execute.ts';
import { DraftAbandoned, DraftExpired, type DraftState, draft, nonceOf } from '../streams/draft.ts';
import type { NoncePool } from './nonce-pool.ts';

export interface DraftKeeper {
  /** One round over every leased nonce account. Rejects when the chain or the store does not answer. */
  tidy(): Promise<void>;
}

export interface DraftKeeperOptions {
  readonly executor: Executor;
  readonly readModel: ReadModel;
  readonly chain: Chain;
  readonly nonces: NoncePool;
  readonly clock: Clock;
  /** Milliseconds after which the lease of a draft that was never recorded lapses. */
  readonly claimLapse: number;
}

type Lease = NonceAccountDocument & { readonly lease: NonNullable<NonceAccountDocument['lease']> };

export function createDraftKeeper(options: DraftKeeperOptions): DraftKeeper {
  const { executor, readModel, chain, nonces, clock, claimLapse } = options;

  async function closeIfOver({ lease }: Lease, cause: Cause): Promise<DraftState> {
    const now = clock.now();
    const lapsed = now.getTime() - Date.parse(lease.since) >= claimLapse;
    const { state } = await executor.execute(draft, lease.transactionId, cause, (current) => {
      // A process that is still recording this draft then finds another revision than it prepared for.
      if (current.status === 'absent' && lapsed)
        return [DraftAbandoned({ transactionId: lease.transactionId })];
      if (
        current.status === 'open' &&
        current.issued !== undefined &&
        current.issued.expiresAt <= now.toISOString()
      ) {
        return [DraftExpired({ transactionId: lease.transactionId })];
      }
      return [];
    });
    return state;
  }

  /** What to do about a lease: keep it while its draft is live. */
  async function judge(held: Lease): Promise<'keep' | 'give-back' | 'renew'> {
    const { lease } = held;
    const { status, abandonments, issued } = await closeIfOver(held, causeOfKeeping(held));
    // A repeated call that did not see its first lease may lease twice; only the recorded lease counts.
    if (issued !== undefined && nonceOf(issued)?.nonceAccount !== held.account) return 'give-back';
    switch (status) {
      case 'absent': {
        // A lease younger than the abandonment belongs to a new attempt at the same draft.
        const hasLapsed = clock.now().getTime() - Date.parse(lease.since) >= claimLapse;
        return abandonments > 0 && hasLapsed ? 'give-back' : 'keep';
      }
      case 'superseded':
      case 'expired':
        return 'give-back';
      case 'finalized':
      case 'failed':
        return 'renew';
      case 'open':
      case 'submitted':
      case 'confirmed':
        return 'keep';
    }
  }

  /** Takes an account back, with the value that the chain shows. */
  async function takeBack(held: Lease, isSpent: boolean, value: string | undefined): Promise<void> {
    const lease = { account: held.account, ...held.lease };
    // Not shown: not final yet, or taken back by a fork. No draft could use the account.
    if (value === undefined) return;
    if (value !== held.value) {
      // Spent, or from another fork than the recorded value.
      await nonces.renew(lease, value, causeOfKeeping(held));
    } else if (!isSpent) {
      await nonces.giveBack(lease, causeOfKeeping(held));
    }
    // A node that is behind still shows the spent value: ask again next round.
  }

  return {
    async tidy() {
      const leased = (await readModel.find(nonceAccounts, 'state', 'leased')).filter(isLease);
      const judged = await Promise.all(
        // An undecodable draft keeps its account: it may be live.
        leased.map(async (held) => ({ held, verdict: (await unlessUndecodable(judge(held))) ?? 'keep' })),
      );
      const over = judged.filter(({ verdict }) => verdict !== 'keep');
      if (over.length === 0) return;
      const accounts = await chain.accounts(
        over.map(({ held }) => held.account),
        'finalized',
      );
      await Promise.all(
        over.map(({ held, verdict }, index) => {
          const data = accounts[index]?.data;
          const value = data && decodeNonceAccount(data)?.value;
          return unlessUndecodable(takeBack(held, verdict === 'renew', value));
        }),
      );
    },
  };
}

function isLease(document: NonceAccountDocument): document is Lease {
  return document.lease !== null;
}

function causeOfKeeping({ lease }: Lease): Cause {
  return causeOf('draft-keeper', { correlationId: lease.transactionId, causationId: lease.transactionId });
}
