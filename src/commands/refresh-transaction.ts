/**
 * Gives a draft fresh bytes: the same transaction on a later blockhash. While a submitted version may still land there
 * are none, because the service signs one version at a time.
 */
import { Type } from '@sinclair/typebox';
import { requireOwn } from '../drafts/own-draft.ts';
import { decideRefresh, freshBlockhash, requireRefreshable } from '../drafts/refresh-draft.ts';
import type { DraftServices } from '../drafts/services.ts';
import { commandsFor } from '../kernel/runtime/define-command.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import { draft } from '../streams/draft.ts';
import { isOnRecord } from '../streams/draft-state.ts';
import { UnsignedDraft, unsignedDraft } from '../views/unsigned-draft.ts';

export const refreshTransaction = commandsFor<DraftServices>()({
  name: 'RefreshTransaction',
  summary: 'Get fresh bytes of a transaction that is not signed yet',
  description:
    'Where drafts are on recent blockhashes (`DRAFT_LIFETIME_KIND=recent-blockhash`), the bytes of a transaction are over long before ' +
    '`expiresAt`. This gives the same transaction on a later blockhash; bytes given earlier can then no longer be submitted. ' +
    'A transaction on a durable nonce needs no fresh bytes (409), and one that was submitted gets them only once it can no longer land (409 until then).',
  route: {
    method: 'POST',
    url: '/transactions/:transactionId/refresh',
    auth: 'wallet',
    limit: 'transactions',
  },
  input: { params: Type.Object({ transactionId: Uuid }) },
  output: UnsignedDraft,
  rejections: [
    'TRANSACTION_NOT_FOUND',
    'NOT_TRANSACTION_OWNER',
    'TRANSACTION_NOT_REFRESHABLE',
    'TRANSACTION_SUBMITTED',
    'TRANSACTION_LANDED',
    'TRANSACTION_FAILED',
    'TRANSACTION_EXPIRED',
    'TRANSACTION_SUPERSEDED',
    'TRANSACTION_CANCELLED',
    'CHAIN_UNAVAILABLE',
  ],
  stream: draft,
  streamId: ({ params }) => params.transactionId,

  async prepare({ params: { transactionId } }, { services, call }) {
    const { executor, chain, slotTime, clock } = services;
    const { state } = await executor.load(draft, transactionId);
    const now = clock.now();
    // A refusal needs no blockhash.
    requireRefreshable(requireOwn(state, call.actor), now.toISOString());
    return freshBlockhash(chain, slotTime, now);
  },

  decide(state, _input, fresh, caller) {
    return decideRefresh(requireOwn(state, caller), fresh);
  },

  respond(state) {
    if (!isOnRecord(state)) throw new Error('a draft that was just refreshed is not there');
    return unsignedDraft(state.issued);
  },
});
