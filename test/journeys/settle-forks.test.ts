// Forks: what the chain had confirmed is gone again. The chain is closed, an older copy of its folder is put back, and it goes on.
import { expect, test } from 'vitest';
import { type Creator, type Draft, openCreator } from '../support/creator.ts';
import { eventually } from '../support/eventually.ts';
import { openForkingChain } from '../support/forking-chain.ts';
import { findingsIn } from '../support/full-audit.ts';
import { allAtRest, openServiceOnChain, readiness } from '../support/service-on-chain.ts';
import { lifeOf, mintExists, submission, tokensHeldBy, transactionStatus } from '../support/settling.ts';

/** Nothing becomes final while slots are slow, and everything soon once they are quick. */
const SLOW = 1_000;
const QUICK = 25;

async function listed(creator: Creator): Promise<readonly string[]> {
  const { tokens } = await creator.client.ask<{ tokens: { mintAddress: string }[] }>('GET', '/tokens');
  return tokens.map(({ mintAddress }) => mintAddress);
}

/** A service whose chain is forked after it has answered that a token is there. */
async function forkedAfterConfirmation(settleDeadline: string) {
  const chain = await openForkingChain({ slotMilliseconds: SLOW });
  const service = await openServiceOnChain({
    nodeUrl: chain.url,
    chainUrl: chain.url,
    environment: { SETTLE_DEADLINE: settleDeadline, NONCE_ACCOUNTS_MIN: '1', NONCE_ACCOUNTS_MAX: '1' },
  });
  const creator = await openCreator(service);
  const draft = await creator.draft();
  await chain.remember();
  await eventually(
    'the service has the chain again',
    async () => (await readiness(service.url)).status === 200,
  );
  const { status, body } = await submission(creator, draft);
  expect({ status, body }).toMatchObject({ status: 200 });
  expect(await listed(creator)).toEqual([draft.mintKeypair.publicKey]);
  return { chain, service, creator, draft };
}

function detailStatus(creator: Creator, draft: Draft): Promise<number> {
  return creator.client.call('GET', `/tokens/${draft.mintKeypair.publicKey}`).then(({ status }) => status);
}

test.concurrent('a fork that drops what was confirmed: it is sent again and confirmed again, and there is one token', async () => {
  const { chain, service, creator, draft } = await forkedAfterConfirmation('1h');
  await chain.fork(SLOW);
  expect(await mintExists(chain.url, draft)).toBe(false);
  await eventually('the drop is recorded', async () =>
    (await lifeOf(service, draft)).includes('SubmissionDropped'),
  );
  const again = await submission(creator, draft);
  expect(again.status).toBe(200);
  expect(await mintExists(chain.url, draft)).toBe(true);
  expect(await lifeOf(service, draft)).toEqual([
    'DraftIssued',
    'SubmissionAccepted',
    'SubmissionConfirmed',
    'SubmissionDropped',
    'SubmissionConfirmed',
  ]);
  const created = (await service.events()).filter(({ type }) => type === 'TokenCreated');
  expect(created).toHaveLength(1);
  expect(await listed(creator)).toEqual([draft.mintKeypair.publicKey]);
  expect(await tokensHeldBy(chain.url, creator)).toBe(1);
  expect(await findingsIn({ url: service.url, chainUrl: chain.url })).toEqual([]);
});

test.concurrent('a fork after which it can never land: the token is taken from the lists, and the answer says so', async () => {
  const { chain, service, creator, draft } = await forkedAfterConfirmation('1s');
  await chain.fork(QUICK);
  await eventually('the creation is reverted', async () =>
    (await service.events()).some(({ type }) => type === 'TokenCreationReverted'),
  );
  expect(await lifeOf(service, draft)).toEqual([
    'DraftIssued',
    'SubmissionAccepted',
    'SubmissionConfirmed',
    'SubmissionDropped',
    'SubmissionOverdue',
    'SubmissionFailed',
  ]);
  expect(await listed(creator)).toEqual([]);
  expect(await detailStatus(creator, draft)).toBe(404);
  expect((await transactionStatus(creator, draft)).status).toBe('failed');
  expect(await submission(creator, draft)).toMatchObject({
    status: 410,
    body: { code: 'TRANSACTION_EXPIRED' },
  });
  expect(await mintExists(chain.url, draft)).toBe(false);
  await allAtRest(service.url);
});
