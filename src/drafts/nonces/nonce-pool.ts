/**
 * Pool of the service's durable-nonce accounts: leases one to each draft, opens more on demand, and reclaims the leases of
 * ended drafts.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { countByNetwork, holdsMost, isScarce } from '../../kernel/runtime/concurrency-limit.ts';
import type { Cause } from '../../kernel/runtime/execute.ts';
import { nonceAccounts } from '../../projections/nonce-accounts.ts';
import { rejection } from '../../streams/rejections.ts';
import type { NonceLease, NoncePoolOptions } from './nonce-lease.ts';
import { createNonceLeases } from './nonce-leases.ts';
import { createNonceOpening, OPENING_PAUSE, requireFunds } from './nonce-opening.ts';

/** Maximum number of polls for final values; somewhat longer than finality takes. */
const FINALITY_ROUNDS = 80;

export type NoncePool = ReturnType<typeof createNoncePool>;

export function createNoncePool(given: Omit<NoncePoolOptions, 'pause'> & Partial<NoncePoolOptions>) {
  const options: NoncePoolOptions = { pause: sleep, ...given };
  const leases = createNonceLeases(options);
  const { open } = createNonceOpening(options);
  const fair = createFairLeases(options);

  /** Leases any account, without considering the draft's existing lease. */
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
        throw rejection('DRAFTS_EXHAUSTED', 'The limit of open drafts is reached; try again later.', {
          retryAfterSeconds: 10,
        });
      // After a recent fork, the new values become final shortly.
      rounds += 1;
      await options.pause(OPENING_PAUSE);
      await leases.refresh(outdated, transactionId, cause);
    }
  }

  return {
    /**
     * Leases an account to the draft, preferably the one that has been unused for longest. A draft that already has an account
     * gets it again under a new lease. Rejects with `DRAFTS_EXHAUSTED` if all accounts are leased and the maximum is reached, or
     * if few are free and the network holds the most. Rejects with `SERVICE_UNFUNDED` if the fee payer cannot open another.
     *
     * @param network widest network that the caller is counted under; undefined for partners
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
     * Rejects with `SERVICE_UNFUNDED` while the fee payer's balance is below the floor. Advancing the nonce of an overdue
     * submission costs a fee, so without this balance the service might be unable to complete a draft.
     */
    requireFunded: () => requireFunds(options, 0n),

    /** Opens accounts until there are `count`. */
    async fill(count: number, cause: Cause) {
      const wanted = Math.min(count, options.maximum);
      const recorded = await options.readModel.count(nonceAccounts, 'state', 'known');
      await Promise.all(Array.from({ length: Math.max(0, wanted - recorded) }, () => open(cause)));
    },

    /**
     * Returns the account with its value unspent if the draft still holds it: under the lease of `since`, or under any lease of
     * a recorded draft if `since` is absent.
     */
    giveBack: leases.giveBack,
    /**
     * Records a new value of the account if the draft still holds it under this lease. Resolves with false, recording nothing,
     * for a value that the account had before, which comes from a lagging node.
     */
    renew: leases.renew,
  };
}

const DRAFTS_REMEMBERED = 10_000;

/** Divides nonce accounts among networks while few accounts are free. */
function createFairLeases({ readModel, maximum }: Pick<NoncePoolOptions, 'readModel' | 'maximum'>) {
  /** Networks of the drafts that this process has leased accounts for. */
  const networks = new LRUCache<string, string>({ max: DRAFTS_REMEMBERED });
  /** Networks of the drafts whose leases the read model may not include yet. */
  const underWay = new Map<string, string>();

  async function requireShare(network: string, before: readonly string[]): Promise<void> {
    const shown = await readModel.count(nonceAccounts, 'state', 'leased');
    if (!isScarce({ used: shown + before.length, maximum })) return;
    const leased = await readModel.find(nonceAccounts, 'state', 'leased');
    const ofLeased = leased.flatMap(({ lease }) => (lease && networks.get(lease.transactionId)) ?? []);
    if (!holdsMost(network, countByNetwork([...ofLeased, ...before]))) return;
    throw rejection(
      'DRAFTS_EXHAUSTED',
      'Few drafts are available, and your IP network has the most open ones. Sign or cancel them, or try again later.',
      { retryAfterSeconds: 10 },
    );
  }

  return {
    /** Leases for a draft of a network. Rejects with `DRAFTS_EXHAUSTED` if the network has to wait. */
    async lease<Lease>(transactionId: string, network: string, take: () => Promise<Lease>) {
      // Each concurrent call counts the earlier ones.
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
