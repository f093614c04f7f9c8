// Every ending of an accepted submission, on the real machine, with a node in between that does as the test says.
import {
  type Connection,
  PublicKey,
  SystemProgram,
  Transaction,
  type TransactionInstruction,
} from '@solana/web3.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { hideTransactions, swallowSends } from '../support/chain-proxy.ts';
import type { Creator, Draft } from '../support/creator.ts';
import { eventually } from '../support/eventually.ts';
import { OPERATOR_KEY, OPERATOR_NAME } from '../support/operator.ts';
import type { Environment } from '../support/service.ts';
import { openCreatorBehindProxy } from '../support/service-behind-proxy.ts';
import { allAtRest, openTestChain, type ServiceOnChain } from '../support/service-on-chain.ts';
import {
  freeAsOnChain,
  lifeOf,
  mintExists,
  nodeAt,
  nonceValueOnChain,
  recordedText,
  sendRaw,
  submission,
  tokensHeldBy,
  transactionStatus,
} from '../support/settling.ts';

let chainUrl: string;
let node: Connection;

beforeAll(async () => {
  const chain = await openTestChain();
  chainUrl = chain.url;
  node = nodeAt(chainUrl);
});

/** Another service on the same chain, with one nonce account, and a creator of its own. */
const scene = (environment: Environment = {}) =>
  openCreatorBehindProxy({
    chainUrl,
    environment: { NONCE_ACCOUNTS_MIN: '1', NONCE_ACCOUNTS_MAX: '1', ...environment },
  });

const nonceAccountOf = (service: ServiceOnChain, draft: Draft): Promise<string> =>
  recordedText(service, 'DraftIssued', draft, 'nonceAccount');

async function listed(creator: Creator): Promise<number> {
  const { pagination } = await creator.client.ask<{ pagination: { total: number } }>('GET', '/tokens');
  return pagination.total;
}

test.concurrent('a creation that landed and that the node never shows waits, until an operator says where it is: what the chain contradicts is refused', async () => {
  const { proxy, service, creator } = await scene();
  const draft = await creator.draft();
  const account = await nonceAccountOf(service, draft);
  const show = proxy.treat(hideTransactions());
  const answer = submission(creator, draft);
  const signature = await recordedText(service, 'SubmissionAccepted', draft, 'signature');
  await eventually('it has landed', () => mintExists(chainUrl, draft));
  const conclude = (json: object) =>
    creator.client.call<{ code?: string }>('POST', `/operator/submissions/${draft.transactionId}/conclude`, {
      operatorKey: OPERATOR_KEY,
      json: { reason: 'Another node shows it.', ...json },
    });
  const refusal = async (json: object) => (await conclude(json)).body.code;
  await eventually(
    'its bytes are over',
    async () => (await refusal({ outcome: 'not-landed' })) !== 'OUTCOME_OPEN',
    { seconds: 120 },
  );
  expect(await refusal({ outcome: 'not-landed' })).toBe('OUTCOME_CONTRADICTED');
  expect(await refusal({ outcome: 'landed', signature })).toBe('VALIDATION_FAILED');
  expect(await lifeOf(service, draft)).not.toContain('SubmissionConfirmed');

  const found = await node.getSignatureStatus(signature, { searchTransactionHistory: true });
  const landed = { outcome: 'landed', signature, slot: String(found.value?.slot) };
  expect(await conclude(landed)).toMatchObject({
    status: 200,
    body: { outcome: 'landed', signature, checked: 'account', by: OPERATOR_NAME },
  });
  expect((await conclude(landed)).status).toBe(200);
  expect(await refusal({ outcome: 'not-landed' })).toBe('OUTCOME_KNOWN');
  expect([200, 504]).toContain((await answer).status);
  await eventually('its token is there', async () => (await listed(creator)) > 0);
  show();
  await freeAsOnChain(service, chainUrl, account);
  expect(await lifeOf(service, draft)).toEqual([
    'DraftIssued',
    'SubmissionAccepted',
    'DraftConcluded',
    'SubmissionFinalized',
  ]);
});

test.concurrent('a creator whose SOL is gone when the transaction executes: it fails with the chain’s log lines, and holds nothing any more', async () => {
  const { proxy, service, creator } = await scene();
  const draft = await creator.draft();
  const account = await nonceAccountOf(service, draft);
  const release = proxy.treat(swallowSends());
  const answer = submission(creator, draft);
  await recordedText(service, 'SubmissionAccepted', draft, 'signature');
  await leaveWith(creator, 2_000_000);
  release();
  const { status, body } = await answer;
  expect({ status, code: body.code }).toEqual({ status: 422, code: 'CHAIN_REJECTED' });
  const told = await eventually('the status shows it', async () => {
    const found = await transactionStatus(creator, draft);
    return found.status === 'failed' && found;
  });
  expect(told).toMatchObject({ error: { code: 'CHAIN_REJECTED' } });
  expect(told.error?.logs.join('\n')).toMatch(/insufficient lamports/);
  expect(await mintExists(chainUrl, draft)).toBe(false);
  await freeAsOnChain(service, chainUrl, account);
  expect(await submission(creator, draft)).toMatchObject({ status: 422, body: { code: 'CHAIN_REJECTED' } });
});

describe.concurrent('a transaction that never lands', () => {
  test('is killed by the recorded advance after its deadline: late copies of both fail, also under the next draft', async () => {
    const { proxy, service, creator } = await scene({ SETTLE_DEADLINE: '1s' });
    const draft = await creator.draft();
    const account = await nonceAccountOf(service, draft);
    let original = '';
    proxy.treat(
      swallowSends((wire) => {
        original ||= wire;
        return wire === original;
      }),
    );
    expect(await submission(creator, draft)).toMatchObject({
      status: 410,
      body: { code: 'TRANSACTION_EXPIRED' },
    });
    expect(await lifeOf(service, draft)).toEqual([
      'DraftIssued',
      'SubmissionAccepted',
      'SubmissionOverdue',
      'SubmissionFailed',
    ]);
    expect(await transactionStatus(creator, draft)).toMatchObject({ status: 'failed' });
    await freeAsOnChain(service, chainUrl, account);
    const advance = await recordedText(service, 'SubmissionOverdue', draft, 'advanceTransaction');
    expect(original).toBe(await recordedText(service, 'SubmissionAccepted', draft, 'signedTransaction'));

    await sendRaw(chainUrl, original);
    expect(await mintExists(chainUrl, draft)).toBe(false);

    const following = await creator.draft();
    expect(await nonceAccountOf(service, following)).toBe(account);
    const value = await recordedText(service, 'DraftIssued', following, 'nonceValue');
    await sendRaw(chainUrl, advance);
    await sendRaw(chainUrl, original);
    expect(await nonceValueOnChain(chainUrl, account)).toBe(value);
    expect((await submission(creator, following)).status).toBe(200);
    await sendRaw(chainUrl, advance);
    await allAtRest(service.url);
    expect(await tokensHeldBy(chainUrl, creator)).toBe(1);
    expect(await mintExists(chainUrl, draft)).toBe(false);
  });

  test('and its advance race: exactly one wins, and the log agrees with the chain', async () => {
    const { proxy, service, creator } = await scene({ SETTLE_DEADLINE: '300ms' });
    for (const first of ['original', 'advance', 'both'] as const) {
      const draft = await creator.draft();
      const stop = proxy.treat(swallowSends());
      const answer = submission(creator, draft);
      const original = await recordedText(service, 'SubmissionAccepted', draft, 'signedTransaction');
      const advance = await recordedText(service, 'SubmissionOverdue', draft, 'advanceTransaction');
      const race = first === 'advance' ? [advance, original] : [original, advance];
      if (first === 'both') await Promise.all(race.map((wire) => sendRaw(chainUrl, wire)));
      else for (const wire of race) await sendRaw(chainUrl, wire);
      stop();
      const { status } = await answer;
      const isThere = await mintExists(chainUrl, draft);
      if (first !== 'both') expect(isThere).toBe(first === 'original');
      expect(status).toBe(isThere ? 200 : 410);
      await allAtRest(service.url);
      expect((await lifeOf(service, draft)).at(-1)).toBe(
        isThere ? 'SubmissionFinalized' : 'SubmissionFailed',
      );
      expect((await transactionStatus(creator, draft)).status).toBe(isThere ? 'confirmed' : 'failed');
    }
    expect(await tokensHeldBy(chainUrl, creator)).toBe(await listed(creator));
  });
});

describe.concurrent('a node that does not know what landed', () => {
  test('leaves the submission unsettled, beyond its deadline too, and confirmed as soon as it knows', async () => {
    // Long enough that the transaction is sent before it on a busy machine as well.
    const { proxy, service, creator } = await scene({ SETTLE_DEADLINE: '3s', SUBMIT_WAIT: '100ms' });
    const draft = await creator.draft();
    const stop = proxy.treat(({ method, params }) => {
      if (method === 'getSignaturesForAddress') return { kind: 'result', result: [] };
      if (method === 'getTransaction') return { kind: 'result', result: null };
      if (method !== 'getSignatureStatuses') return undefined;
      const value = (params[0] as readonly string[]).map(() => null);
      return { kind: 'result', result: { context: { slot: 1 }, value } };
    });
    expect(await submission(creator, draft)).toMatchObject({
      status: 504,
      body: { code: 'CONFIRMATION_PENDING' },
    });
    await eventually('it has landed', () => mintExists(chainUrl, draft));
    const deadline = await recordedText(service, 'SubmissionAccepted', draft, 'deadline');
    const looks = () => proxy.asked.filter(({ method }) => method === 'getSignaturesForAddress').length;
    await eventually('the deadline has passed', async () => new Date().toISOString() > deadline);
    const before = looks();
    await eventually('the settler has looked again and again', async () => looks() >= before + 4);
    expect(await lifeOf(service, draft)).toEqual(['DraftIssued', 'SubmissionAccepted']);
    expect((await transactionStatus(creator, draft)).status).toBe('submitted');
    expect((await submission(creator, draft)).status).toBe(504);
    stop();
    await eventually(
      'it is confirmed',
      async () => (await transactionStatus(creator, draft)).status === 'confirmed',
    );
    expect((await submission(creator, draft)).status).toBe(200);
    await allAtRest(service.url);
    expect(await tokensHeldBy(chainUrl, creator)).toBe(1);
  });
});

/** Sends the rest of a creator's lamports away. */
async function leaveWith(creator: Creator, lamports: number): Promise<void> {
  const held = await node.getBalance(creator.keypair.publicKey);
  const transfer = SystemProgram.transfer({
    fromPubkey: creator.keypair.publicKey,
    toPubkey: PublicKey.unique(),
    lamports: held - lamports - 5_000,
  });
  await sendSigned(creator, transfer);
}

/** On the newest blockhash: web3.js would take one that it has seen before, and slots are short here. */
async function sendSigned({ keypair }: Creator, instruction: TransactionInstruction): Promise<void> {
  const recent = await node.getLatestBlockhash();
  const transaction = new Transaction({ feePayer: keypair.publicKey, ...recent }).add(instruction);
  transaction.sign(keypair);
  await node.sendRawTransaction(transaction.serialize());
}
