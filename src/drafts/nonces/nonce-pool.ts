/**
 * The service's durable-nonce accounts: each draft leases one, more are opened on demand, and dead drafts' leases are
 * taken back.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cause } from '../../kernel/runtime/execute.ts';
import { nonceAccounts } from '../../projections/nonce-accounts.ts';
import { rejection } from '../../streams/rejections.ts';
import { createFairLeases } from './fair-leases.ts';
import { OPENING_PAUSE, whenNoneIsFree } from './next-opening.ts';
import { requireFunds } from './nonce-creation.ts';
import type { LeaseOf, NonceLease, NoncePoolOptions } from './nonce-lease.ts';
import { createNonceLeases } from './nonce-leases.ts';
import { createNonceOpening } from './nonce-opening.ts';

/** A lease as it was read; a lease renewed since then belongs to a new attempt at the draft. */
export interface HeldLease extends LeaseOf {
  /** ISO 8601. */
  readonly since: string;
}

export interface NoncePool {
  /**
   * Leases an account to the draft, the one that was used longest ago as far as this process knows; the same draft gets the same account again, under a new lease. Rejects with
   * `DRAFTS_EXHAUSTED` when all are leased and no more are allowed, or few are free and the network holds the most; with
   * `SERVICE_UNFUNDED` when the fee payer cannot open another.
   *
   * @param network the widest network that the caller is counted under; undefined for partners
   */
  lease(transactionId: string, cause: Cause, network?: string): Promise<NonceLease>;
  /**
   * Rejects with `SERVICE_UNFUNDED` while the fee payer holds less than the floor: a draft issued then might not be
   * completed, because the advance of an overdue submission costs a fee.
   */
  requireFunded(): Promise<void>;
  /** Opens accounts until there are this many. */
  fill(count: number, cause: Cause): Promise<void>;
  /**
   * Gives the account back with its value unspent, if the draft still holds it: under this very lease, or under any if
   * `since` is left out, for a draft that was recorded.
   */
  giveBack(lease: LeaseOf & { readonly since?: string }, cause: Cause): Promise<void>;
  /**
   * Gives the account a new value, if the draft still holds it under this very lease. A value that the account had
   * before comes from a node that is behind: then nothing is recorded, and the call resolves with false.
   */
  renew(lease: HeldLease, value: string, cause: Cause): Promise<boolean>;
}

export function createNoncePool(
  given: Omit<NoncePoolOptions, 'pause'> & Partial<NoncePoolOptions>,
): NoncePool {
  const options: NoncePoolOptions = { pause: sleep, ...given };
  const leases = createNonceLeases(options);
  const { open } = createNonceOpening(options);
  const fair = createFairLeases(options);

  /** Any other account than one that the draft has already. */
  async function leaseAny(transactionId: string, cause: Cause): Promise<NonceLease> {
    const outdated: string[] = [];
    const tried = new Set<string>();
    for (let rounds = 0; ; ) {
      const lease = await leases.takeFree(transactionId, cause);
      if (lease !== undefined) {
        if (await leases.isUsable(lease, transactionId, cause)) return lease;
        outdated.push(lease.account);
        continue;
      }
      const opened = await open(cause, tried);
      switch (whenNoneIsFree({ opened, outdated: outdated.length, rounds })) {
        case 'take-opened': {
          tried.add(opened ?? '');
          const fresh = opened && (await leases.take(opened, transactionId, cause));
          if (fresh) return fresh;
          break;
        }
        case 'wait-for-outdated':
          rounds += 1;
          await options.pause(OPENING_PAUSE);
          await leases.refresh(outdated, transactionId, cause);
          break;
        case 'exhausted':
          throw rejection(
            'DRAFTS_EXHAUSTED',
            'Every draft that the service can keep open is in use; try again soon.',
            { retryAfterSeconds: 10 },
          );
      }
    }
  }

  return {
    async lease(transactionId, cause, network) {
      const again = await leases.leaseAnew(transactionId, cause);
      if (again !== undefined) return again;
      const take = () => leaseAny(transactionId, cause);
      return options.sharesFairly && network !== undefined
        ? fair.lease(transactionId, network, take)
        : take();
    },

    requireFunded: () => requireFunds(options, 0n),

    async fill(count, cause) {
      const wanted = Math.min(count, options.maximum);
      const recorded = await options.readModel.count(nonceAccounts, 'state', 'known');
      await Promise.all(Array.from({ length: Math.max(0, wanted - recorded) }, () => open(cause)));
    },

    giveBack: leases.giveBack,
    renew: leases.renew,
  };
}
