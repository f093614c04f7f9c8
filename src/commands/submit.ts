/** Takes the signed creation transaction, stands for it from then on, and answers with what became of it on the chain. */
import { Type } from '@sinclair/typebox';
import { checkSubmission, countersign, rehearsalBytes } from '../chain/countersign.ts';
import { simulationRefused } from '../chain/simulation-refused.ts';
import type { Rejection } from '../runtime/rejection.ts';
import { defineCommand } from '../services.ts';
import { type DraftState, draft, SubmissionAccepted } from '../streams/draft.ts';
import { rejection } from '../streams/rejections.ts';
import { Address, Signature, Timestamp, Uuid } from '../streams/values.ts';

export const submit = defineCommand({
  name: 'SubmitToken',
  summary: 'Submit the signed transaction',
  route: { method: 'POST', url: '/tokens/submit', auth: 'wallet', limit: 'submit' },
  input: {
    body: Type.Object(
      {
        transactionId: Uuid,
        signedTransaction: Type.String({ minLength: 1, maxLength: 8_192, description: 'Base64.' }),
      },
      { additionalProperties: false },
    ),
  },
  output: Type.Object({
    success: Type.Boolean(),
    signature: Signature,
    mintAddress: Address,
    token: Type.Object({
      id: Uuid,
      mintAddress: Address,
      name: Type.String(),
      symbol: Type.String(),
      imageUri: Type.String(),
      createdAt: Timestamp,
    }),
  }),
  rejections: [
    'TRANSACTION_NOT_FOUND',
    'NOT_TRANSACTION_OWNER',
    'TRANSACTION_EXPIRED',
    'TRANSACTION_SUPERSEDED',
    'TRANSACTION_MISMATCH',
    'SIGNATURE_MISSING',
    'SIGNATURE_INVALID',
    'CHAIN_REJECTED',
    'CHAIN_UNAVAILABLE',
    'CONFIRMATION_PENDING',
  ],
  stream: draft,
  streamId: ({ body }) => body.transactionId,

  async prepare({ body }, { services, call }) {
    const { clock, chain, keyring, policy } = services;
    const { state } = await services.executor.load(draft, body.transactionId);
    const issued = requireOwn(state, call.actor);
    const now = clock.now();
    if (isAccepted(state)) return { now: now.toISOString(), accepted: undefined };
    requireOpen(state, now.toISOString());

    const checked = checkSubmission(issued, body.signedTransaction);
    const { error, logs } = await chain.simulate(rehearsalBytes(checked));
    if (error !== undefined) {
      // The same call, made twice at once: the other one's transaction may have landed, and used up the nonce.
      const { state: since } = await services.executor.load(draft, body.transactionId);
      if (isAccepted(since)) return { now: now.toISOString(), accepted: undefined };
      throw simulationRefused(error, logs);
    }
    const keys = [keyring.mint(issued.transactionId), keyring.nonceAuthority];
    const { wire, signature } = countersign(checked, issued.creator, keys);
    return {
      now: now.toISOString(),
      accepted: {
        transactionId: issued.transactionId,
        signature,
        signedTransaction: Buffer.from(wire).toString('base64'),
        deadline: new Date(now.getTime() + policy.settleDeadline).toISOString(),
      },
    };
  },

  decide(state, _input, facts) {
    if (isAccepted(state) || facts.accepted === undefined) return [];
    requireOpen(state, facts.now);
    return [SubmissionAccepted(facts.accepted)];
  },

  async respond(_state, { body: { transactionId } }, { services, observed }) {
    services.outcomes.expect(transactionId);
    const outcome = await services.outcomes.wait(transactionId, services.policy.submitWait);
    switch (outcome.kind) {
      case 'created': {
        const { issued, landed } = outcome.draft;
        if (issued === undefined || landed === undefined)
          throw new Error('a created token has no landed transaction');
        const { tokenId, mintAddress, name, symbol, imageUri } = issued.subject;
        const { createdAt } = outcome.token;
        observed(outcome.token.position);
        return {
          success: true,
          signature: landed.signature,
          mintAddress,
          token: { id: tokenId, mintAddress, name, symbol, imageUri, createdAt },
        };
      }
      case 'failed':
        throw failure(outcome.draft);
      case 'pending':
        throw rejection(
          'CONFIRMATION_PENDING',
          'The outcome is not known yet; the same call again is safe and tells it.',
          {
            retryAfterSeconds: 2,
          },
        );
    }
  },
});

function requireOwn(state: DraftState, caller: string) {
  if (state.issued === undefined) {
    throw rejection('TRANSACTION_NOT_FOUND', 'There is no transaction with this transactionId.');
  }
  if (state.issued.creator !== caller) {
    throw rejection('NOT_TRANSACTION_OWNER', 'This transaction was issued to another wallet.');
  }
  return state.issued;
}

function isAccepted({ accepted }: DraftState): boolean {
  return accepted !== undefined;
}

function requireOpen(state: DraftState, now: string): void {
  if (state.status === 'superseded') {
    throw rejection(
      'TRANSACTION_SUPERSEDED',
      'A newer draft for the same wallet took the place of this transaction.',
    );
  }
  if (state.status !== 'open' || state.issued === undefined || state.issued.expiresAt <= now) {
    throw rejection('TRANSACTION_EXPIRED', 'The transaction has expired; create a new one.');
  }
}

function failure({ failed }: DraftState): Rejection {
  if (failed?.code === 'TRANSACTION_EXPIRED') return rejection('TRANSACTION_EXPIRED', failed.message);
  return rejection('CHAIN_REJECTED', failed?.message ?? 'The chain refused the transaction.', {
    details: (failed?.logs ?? []).map((message, line) => ({ path: ['logs', line], message })),
  });
}
