/**
 * The service's durable-nonce accounts: each draft leases one, more are opened on demand, and dead drafts' leases are
 * taken back.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Cause } from '../../kernel/runtime/execute.ts';
import { countByNetwork, holdsMost, isScarce } from '../../kernel/runtime/places.ts';
import { nonceAccounts } from '../../projections/nonce-accounts.ts';
import { rejection } from '../../streams/rejections.ts';
import type { NonceLease, NoncePoolOptions } from './nonce-lease.ts';
import { createNonceLeases } from './nonce-leases.ts';
import { createNonceOpening, OPENING_PAUSE, requireFunds } from './nonce-opening.ts';

/** Number of pauses, somewhat more than finality takes. */
const FINALITY_ROUNDS = 80;

export type NoncePool = ReturnType<typeof createNoncePool>;

export function createNoncePool(given: Omit<NoncePoolOptions, 'pause'> & Partial<NoncePoolOptions>) {
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
      if (opened !== undefined) {
        tried.add(opened);
        const fresh = await leases.take(opened, transactionId, cause);
        if (fresh !== undefined) return fresh;
        continue;
      }
      if (outdated.length === 0 || rounds >= FINALITY_ROUNDS)
        throw rejection('DRAFTS_EXHAUSTED', 'The limit of open drafts is reached; try again soon.', {
          retryAfterSeconds: 10,
        });
      // A fork a moment ago: their new values become final shortly.
      rounds += 1;
      await options.pause(OPENING_PAUSE);
      await leases.refresh(outdated, transactionId, cause);
    }
  }

  return {
    /**
     * Leases an account to the draft, the one that was used longest ago as far as this process knows; the same draft gets the same account again, under a new lease. Rejects with
     * `DRAFTS_EXHAUSTED` when all are leased and no more are allowed, or few are free and the network holds the most; with
     * `SERVICE_UNFUNDED` when the fee payer cannot open another.
     *
     * @param network the widest network that the caller is counted under; undefined for partners
     */
    async lease(transactionId: string, cause: Cause, network?: string) {
      const again = await leases.leaseAnew(transactionId, cause);
      if (again !== undefined) return again;
      const take = () => leaseAny(transactionId, cause);
      return options.sharesFairly && network !== undefined
        ? fair.lease(transactionId, network, take)
        : take();
    },

    /**
     * Rejects with `SERVICE_UNFUNDED` while the fee payer holds less than the floor: a draft issued then might not be
     * completed, because the advance of an overdue submission costs a fee.
     */
    requireFunded: () => requireFunds(options, 0n),

    /** Opens accounts until there are this many. */
    async fill(count: number, cause: Cause) {
      const wanted = Math.min(count, options.maximum);
      const recorded = await options.readModel.count(nonceAccounts, 'state', 'known');
      await Promise.all(Array.from({ length: Math.max(0, wanted - recorded) }, () => open(cause)));
    },

    /**
     * Gives the account back with its value unspent, if the draft still holds it: under this very lease, or under any if
     * `since` is left out, for a draft that was recorded.
     */
    giveBack: leases.giveBack,
    /**
     * Gives the account a new value, if the draft still holds it under this very lease. A value that the account had
     * before comes from a node that is behind: then nothing is recorded, and the call resolves with false.
     */
    renew: leases.renew,
  };
}

const DRAFTS_REMEMBERED = 10_000;

/** Divides the nonce accounts among the networks that ask for drafts, once few accounts are free. */
function createFairLeases({ readModel, maximum }: Pick<NoncePoolOptions, 'readModel' | 'maximum'>) {
  /** The networks of the drafts that this process has leased accounts for. */
  const networks = new LRUCache<string, string>({ max: DRAFTS_REMEMBERED });
  /** Drafts whose leases the list may not show yet, with their networks. */
  const underWay = new Map<string, string>();

  async function requireShare(network: string, before: readonly string[]): Promise<void> {
    const shown = await readModel.count(nonceAccounts, 'state', 'leased');
    if (!isScarce({ used: shown + before.length, maximum })) return;
    const leased = await readModel.find(nonceAccounts, 'state', 'leased');
    const ofLeased = leased.flatMap(({ lease }) => (lease && networks.get(lease.transactionId)) ?? []);
    if (!holdsMost(network, countByNetwork([...ofLeased, ...before]))) return;
    throw rejection(
      'DRAFTS_EXHAUSTED',
      'Drafts are scarce and your network has the most open ones; sign them or try again soon.',
      { retryAfterSeconds: 10 },
    );
  }

  return {
    /** Leases for a draft that a network asks for. Rejects with `DRAFTS_EXHAUSTED` where the network has to wait. */
    async lease<Lease>(transactionId: string, network: string, take: () => Promise<Lease>) {
      // Among concurrent calls, each counts the earlier ones.
      const before = [...underWay.values()];
      underWay.set(transactionId, network);
      try {
        await requireShare(network, before);
        const lease = await take();
        networks.set(transactionId, network);
        return lease;
      } finally {
        underWay.delete(transactionId);
      }
    },
  };
}
