/** Divides the nonce accounts among the networks that ask for drafts, once few accounts are free. */
import { LRUCache } from 'lru-cache';
import { countByNetwork, holdsMost, isScarce } from '../../kernel/runtime/fair-supply.ts';
import { nonceAccounts } from '../../projections/nonce-accounts.ts';
import { rejection } from '../../streams/rejections.ts';
import type { NoncePoolOptions } from './nonce-lease.ts';

const DRAFTS_REMEMBERED = 10_000;

export interface FairLeases {
  /** Leases for a draft that a network asks for. Rejects with `DRAFTS_EXHAUSTED` where the network has to wait. */
  lease<Lease>(transactionId: string, network: string, take: () => Promise<Lease>): Promise<Lease>;
}

export function createFairLeases({
  readModel,
  maximum,
}: Pick<NoncePoolOptions, 'readModel' | 'maximum'>): FairLeases {
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
      'Few drafts can be opened now, and your network has the most open ones; sign them, or try again soon.',
      { retryAfterSeconds: 10 },
    );
  }

  return {
    async lease(transactionId, network, take) {
      // Of calls at the same moment, each counts those that came before it.
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
