// One's own drafts: listed, cancelled, and free for others from that moment on.
import { beforeAll, describe, expect, test } from 'vitest';
import { type Creator, openCreator } from '../support/creator.ts';
import { OPERATOR_KEY } from '../support/operator.ts';
import { openTestService, type TestService } from '../support/service.ts';

interface Listed {
  readonly transactions: readonly { readonly transactionId: string; readonly status: string }[];
  readonly next: string | null;
}

let service: TestService;

beforeAll(async () => {
  service = await openTestService({ NONCE_ACCOUNTS_MIN: '4', NONCE_ACCOUNTS_MAX: '8' });
});

const cancel = (creator: Creator, transactionId: string) =>
  creator.call<{ status: string; code?: string }>('POST', `/transactions/${transactionId}/cancel`);

async function listed(creator: Creator, query = ''): Promise<readonly string[]> {
  const { body } = await creator.call<Listed>('GET', `/transactions${query}`);
  return body.transactions.map(({ transactionId }) => transactionId);
}

describe('a draft that its creator cancels', () => {
  test('makes room for another at once, and gives back its nonce account and the wallet', async () => {
    const creator = await openCreator(service);
    const { walletId } = await creator.generateWallet();
    const drafts = [await creator.draft({ walletId }), await creator.draft(), await creator.draft()];
    const input = await creator.tokenInput();
    await creator.client.refusal('TOO_MANY_DRAFTS', 'POST', '/tokens/create-unsigned', {
      token: creator.token,
      json: input,
    });
    const ids = drafts.map(({ transactionId }) => transactionId).reverse();
    expect(await listed(creator, '?status=awaiting_signature')).toEqual(ids);

    const [first] = drafts;
    const transactionId = first?.transactionId ?? '';
    expect(await cancel(creator, transactionId)).toMatchObject({
      status: 200,
      body: { transactionId, status: 'cancelled' },
    });
    expect((await cancel(creator, transactionId)).status).toBe(200);
    expect(await listed(creator, '?status=awaiting_signature')).toEqual(ids.slice(0, 2));
    expect(await listed(creator, '?status=cancelled')).toEqual([transactionId]);
    expect((await creator.call('POST', '/tokens/create-unsigned', { json: input })).status).toBe(200);

    const { nonceAccounts } = await creator.client.ask<{
      nonceAccounts: { lease: { transactionId: string } | null }[];
    }>('GET', '/operator/nonce-accounts?state=leased', { operatorKey: OPERATOR_KEY });
    expect(nonceAccounts.map(({ lease }) => lease?.transactionId)).not.toContain(transactionId);
    const refused = await creator.client.refusal('TRANSACTION_CANCELLED', 'POST', '/tokens/submit', {
      token: creator.token,
      json: { transactionId, signedTransaction: creator.sign(first ?? { transaction: '' }) },
    });
    expect(refused.status).toBe(410);
    await cancel(creator, drafts[1]?.transactionId ?? '');
    expect((await creator.createToken({ walletId })).success).toBe(true);
  });

  test('at the moment of its submission, is either: cancelled or a token, and never both', async () => {
    const creator = await openCreator(service);
    for (const pause of [0, 8, 32, 128]) {
      const draft = await creator.draft();
      const json = { transactionId: draft.transactionId, signedTransaction: creator.sign(draft) };
      const submitting = creator.call<{ code?: string }>('POST', '/tokens/submit', { json });
      // From a cancel that comes first to one that comes last: the submission asks the chain in between.
      for (let turns = 0; turns < pause; turns += 1) await new Promise(setImmediate);
      const cancelling = cancel(creator, draft.transactionId);
      const [submitted, cancelled] = [await submitting, await cancelling];
      const outcome = `${submitted.body.code ?? submitted.status}, ${cancelled.body.code ?? cancelled.status}`;
      expect(['200, TRANSACTION_SUBMITTED', 'TRANSACTION_CANCELLED, 200']).toContain(outcome);
      const types = service.recorded
        .filter(({ data }) => data.transactionId === draft.transactionId)
        .map(({ type }) => type);
      expect(types.includes('DraftCancelled')).toBe(!types.includes('SubmissionAccepted'));
      const token = `/tokens/${draft.mintKeypair.publicKey}`;
      expect((await creator.client.call('GET', token)).status).toBe(submitted.status === 200 ? 200 : 404);
    }
  });
});
