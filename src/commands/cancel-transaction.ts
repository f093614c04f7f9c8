/**
 * Cancels an unsigned draft of its creator. The order of the draft's stream decides between a cancellation and a
 * submission. The service signs nothing before a submission is recorded, so a cancelled draft on a nonce can never
 * land, and its nonce is free immediately. A launch can land, because its creator can send it without the service: it
 * is watched until its blockhash has expired.
 */
import { Type } from '@sinclair/typebox';
import { requireOpen, requireOwn } from '../drafts/require-draft.ts';
import type { DraftServices } from '../drafts/services.ts';
import { commandsFor } from '../kernel/runtime/define-command.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import { Rejection } from '../kernel/runtime/rejection.ts';
import { draft } from '../streams/draft.ts';
import { DraftCancelled, nonceOf } from '../streams/draft-events.ts';
import { isCancelled, issuedOf, isUnderWay } from '../streams/draft-state.ts';
import { rejection } from '../streams/rejections.ts';

export const cancelTransaction = commandsFor<DraftServices>()({
  name: 'CancelTransaction',
  summary: 'Cancel an unsigned transaction',
  description:
    'A cancelled draft does not count as open and cannot be submitted. A launch that its creator has signed ' +
    'can still be sent to the chain without the service, and then takes effect.',
  route: {
    method: 'POST',
    url: '/transactions/:transactionId/cancel',
    auth: 'wallet',
    limit: 'transactions',
  },
  input: { params: Type.Object({ transactionId: Uuid }) },
  output: Type.Object({
    transactionId: Uuid,
    status: Type.Literal('cancelled'),
  }),
  rejections: [
    'TRANSACTION_NOT_FOUND',
    'NOT_TRANSACTION_OWNER',
    'TRANSACTION_SUBMITTED',
    'TRANSACTION_EXPIRED',
    'TRANSACTION_SUPERSEDED',
  ],
  stream: draft,
  streamId: ({ params }) => params.transactionId,
  prepare: async (_input, { services: { clock } }) => ({ now: clock.now().toISOString() }),

  decide(state, { params: { transactionId } }, { now }, caller) {
    const own = requireOwn(state, caller);
    if (isUnderWay(own)) {
      throw rejection(
        'TRANSACTION_SUBMITTED',
        'The transaction was submitted and can no longer be cancelled; follow it at GET /transactions/:transactionId.',
      );
    }
    if (isCancelled(own)) return [];
    requireOpen(own, now);
    return [DraftCancelled({ transactionId })];
  },

  async respond(state, { params: { transactionId } }, { services: { nonces }, cause }) {
    const issued = issuedOf(state);
    const nonce = issued && nonceOf(issued);
    if (nonce !== undefined) {
      await nonces.giveBack({ account: nonce.nonceAccount, transactionId }, cause).catch(unlessUnavailable);
    }
    return { transactionId, status: 'cancelled' as const };
  },
});

/** Ignores an unavailable chain: the nonce reclaimer releases the nonce later. */
function unlessUnavailable(error: unknown): void {
  if (error instanceof Rejection && error.kind === 'unavailable') return;
  throw error;
}
