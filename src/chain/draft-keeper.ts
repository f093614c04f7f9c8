/**
 * Takes nonce accounts back from drafts that are over: abandoned before they were recorded, expired, superseded, settled.
 * Looks at what is, not at what happened, so that nothing leaks whatever was interrupted.
 */
import type { Chain } from '../ports/chain.ts';
import type { ReadModel } from '../ports/read-model.ts';
import { type NonceAccountDocument, nonceAccounts } from '../projections/nonce-accounts.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Cause, Executor } from '../runtime/execute.ts';
import { randomId } from '../runtime/ids.ts';
import { DraftAbandoned, DraftExpired, type DraftState, draft } from '../streams/draft.ts';
import { decodeNonceAccount } from './durable-nonce.ts';
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
  /** Milliseconds after which a lease lapses whose draft was never recorded. */
  readonly claimLapse: number;
}

type Lease = NonceAccountDocument & { readonly lease: NonNullable<NonceAccountDocument['lease']> };

export function createDraftKeeper(options: DraftKeeperOptions): DraftKeeper {
  const { executor, readModel, chain, nonces, clock, claimLapse } = options;

  async function closeIfOver({ lease }: Lease, cause: Cause): Promise<DraftState> {
    const now = clock.now();
    const lapsed = now.getTime() - Date.parse(lease.since) >= claimLapse;
    const { state } = await executor.execute(draft, lease.transactionId, cause, (current) => {
      // Whoever is still recording this draft finds another revision than the one that it prepared for.
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

  async function tidyOne(held: Lease): Promise<Lease | undefined> {
    const cause = causeOf(held);
    const { lease } = held;
    const { status, abandonments, issued } = await closeIfOver(held, cause);
    if (issued !== undefined && issued.nonceAccount !== held.account) {
      // Leased twice by a repeated call that did not see its first lease; only the recorded one counts.
      await nonces.giveBack(held.account, lease.transactionId, lease.since, cause);
      return undefined;
    }
    switch (status) {
      case 'absent':
        // A lease younger than the abandonment belongs to a new attempt at the same draft.
        if (abandonments > 0 && clock.now().getTime() - Date.parse(lease.since) >= claimLapse) {
          await nonces.giveBack(held.account, lease.transactionId, lease.since, cause);
        }
        return undefined;
      case 'superseded':
      case 'expired':
        await nonces.giveBack(held.account, lease.transactionId, lease.since, cause);
        return undefined;
      case 'finalized':
      case 'failed':
        return held;
      case 'open':
      case 'submitted':
      case 'confirmed':
        return undefined;
    }
  }

  async function renew(spent: readonly Lease[]): Promise<void> {
    if (spent.length === 0) return;
    const accounts = await chain.accounts(
      spent.map(({ account }) => account),
      'finalized',
    );
    await Promise.all(
      spent.map(async (held, index) => {
        const data = accounts[index]?.data;
        const value = data && decodeNonceAccount(data)?.value;
        // A node that is behind still shows the spent value: ask again next round.
        if (value === undefined || value === held.value) return;
        await nonces.renew(held.account, held.lease.transactionId, value, causeOf(held));
      }),
    );
  }

  return {
    async tidy() {
      const leased = await readModel.find(nonceAccounts, 'state', 'leased');
      const spent = await Promise.all(leased.filter(isLease).map(tidyOne));
      await renew(spent.filter((lease) => lease !== undefined));
    },
  };
}

function isLease(document: NonceAccountDocument): document is Lease {
  return document.lease !== null;
}

function causeOf({ lease }: Lease): Cause {
  return {
    commandId: randomId(),
    inputHash: '',
    correlationId: lease.transactionId,
    causationId: lease.transactionId,
    actor: 'service:draft-keeper',
  };
}
