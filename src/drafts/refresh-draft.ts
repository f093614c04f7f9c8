/**
 * Makes the message of a draft anew on a later blockhash: the same instructions at the same price. The service has
 * signed none of the earlier versions that could still land, so that only one of all versions ever can.
 */

import { withBlockhash } from '../chain/issued-message.ts';
import type { Chain } from '../kernel/ports/chain.ts';
import { type DraftEvent, DraftRefreshed, isRefreshable } from '../streams/draft-events.ts';
import type { DraftState, OpenDraft } from '../streams/draft-state.ts';
import { rejection } from '../streams/rejections.ts';
import { requireOpen } from './own-draft.ts';
import type { SlotTime } from './slot-time.ts';

/** The blockhash of a version, before it is known whether the draft takes one. */
export interface FreshBlockhash {
  /** ISO 8601. */
  readonly now: string;
  readonly blockhash: string;
  readonly lastValidBlockHeight: bigint;
  /**
   * ISO 8601: its last block, if no slot is skipped from now on; it may live longer. Undefined while the chain is too young
   * to show how long its slots are.
   */
  readonly bytesExpireAt: string | undefined;
}

export async function freshBlockhash(
  chain: Pick<Chain, 'recentBlockhash' | 'tip'>,
  slotTime: SlotTime,
  now: Date,
): Promise<FreshBlockhash> {
  const [{ blockhash, lastValidBlockHeight }, { blockHeight }, slot] = await Promise.all([
    chain.recentBlockhash(),
    chain.tip('confirmed'),
    slotTime.measured(),
  ]);
  const blocks = Number(lastValidBlockHeight - blockHeight);
  return {
    now: now.toISOString(),
    blockhash,
    lastValidBlockHeight,
    bytesExpireAt:
      slot === undefined ? undefined : new Date(now.getTime() + Math.floor(blocks * slot)).toISOString(),
  };
}

/** The draft, if it takes another blockhash now. Throws the rejection of any other. */
export function requireRefreshable(state: DraftState, now: string): OpenDraft {
  switch (state.status) {
    case 'confirmed':
    case 'finalized':
      throw rejection(
        'TRANSACTION_LANDED',
        'The transaction is on the chain already; GET /transactions/:transactionId has its signature.',
      );
    case 'failed':
      throw rejection(
        'TRANSACTION_FAILED',
        'The transaction failed on the chain and cannot land any more; create a new one.',
      );
    case 'submitted':
      throw rejection(
        'TRANSACTION_SUBMITTED',
        'The transaction was submitted and may still land; follow it at GET /transactions/:transactionId.',
        { retryAfterSeconds: 2 },
      );
  }
  // Before its lifetime: bytes of a draft that is over are good for nothing, on whatever they are.
  const open = requireOpen(state, now);
  const { issued } = open;
  if (!isRefreshable(issued)) {
    throw rejection(
      'TRANSACTION_NOT_REFRESHABLE',
      issued.subject.kind === 'launch'
        ? 'A launch is signed by the service before its creator sends it, so it cannot be refreshed; create a new one.'
        : 'This transaction is on a durable nonce: its bytes stay valid until expiresAt, so sign those.',
    );
  }
  return open;
}

/** Pure. Nothing if the draft is on this blockhash already. Throws as `requireRefreshable`. */
export function decideRefresh(state: DraftState, fresh: FreshBlockhash): readonly DraftEvent[] {
  const { issued, version } = requireRefreshable(state, fresh.now);
  if (issued.lifetime.kind !== 'recent-blockhash') return [];
  const { blockhash, lastValidBlockHeight, bytesExpireAt } = fresh;
  // A node that is behind may show an earlier one.
  if (lastValidBlockHeight <= BigInt(issued.lifetime.lastValidBlockHeight)) return [];
  return [
    DraftRefreshed({
      transactionId: issued.transactionId,
      version: version + 1,
      message: Buffer.from(withBlockhash(Buffer.from(issued.message, 'base64'), blockhash)).toString(
        'base64',
      ),
      lifetime: {
        kind: 'recent-blockhash',
        blockhash,
        lastValidBlockHeight: lastValidBlockHeight.toString(),
      },
      ...(bytesExpireAt !== undefined && { bytesExpireAt }),
    }),
  ];
}
