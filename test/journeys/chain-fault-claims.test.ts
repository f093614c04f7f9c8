// What only one draft may hold at a time, a distribution wallet and a nonce account, while calls cross, lapse and come again.
import { beforeAll, describe, expect, test } from 'vitest';
import type { Constants } from '../../src/operations/config/constants.ts';
import type { Answer } from '../support/client.ts';
import { type Creator, type Draft, openCreator, type TokenInput } from '../support/creator.ts';
import { onNonces, tellOfSkippedNonces } from '../support/draft-kind.ts';
import { eventually } from '../support/eventually.ts';
import { createHeldAppends, type HeldAppends } from '../support/held-appends.ts';
import {
  allAtRest,
  openServiceOnChain,
  openTestChain,
  type ServiceOnChain,
} from '../support/service-on-chain.ts';
import { latest, lifeOf, submission, tokensHeldBy, transactionStatus } from '../support/settling.ts';

let chainUrl: string;

beforeAll(async () => {
  chainUrl = (await openTestChain()).url;
});

interface Scene {
  readonly service: ServiceOnChain;
  readonly appends: HeldAppends;
}

async function scene(
  environment: { readonly [variable: string]: string } = {},
  constants: Partial<Constants> = {},
): Promise<Scene> {
  const appends = createHeldAppends();
  const service = await openServiceOnChain({
    nodeUrl: chainUrl,
    chainUrl,
    environment,
    constants,
    decorateStore: appends.decorate,
  });
  return { service, appends };
}

type Created = Answer<Draft & { readonly code?: string }>;

function create(creator: Creator, json: TokenInput, key?: string): Promise<Created> {
  const headers: { readonly [name: string]: string } = key === undefined ? {} : { 'idempotency-key': key };
  return creator.call('POST', '/tokens/create-unsigned', { json, headers });
}

function cancel(creator: Creator, { transactionId }: Pick<Draft, 'transactionId'>) {
  return creator.call('POST', `/transactions/${transactionId}/cancel`);
}

async function recorded(service: ServiceOnChain, type: string) {
  return (await service.events()).filter((event) => event.type === type);
}

tellOfSkippedNonces(2);

describe.concurrent('a draft that takes longer to be recorded than its claims last', () => {
  // Without a lease that lapses, nothing is in the way of a draft that comes late.
  test.skipIf(!onNonces)('is fenced off when it comes, and the same call again is served', async () => {
    // Long enough for the second call, which nothing holds up.
    const { service, appends } = await scene({ NONCE_ACCOUNTS_MAX: '2' }, { claimLapseMs: 1_500 });
    const creator = await openCreator(service);
    const input = await creator.tokenInput();
    const held = appends.hold('DraftIssued');
    const late = create(creator, input, 'key');
    await held.arrived;
    await eventually(
      'the account is given back',
      async () => (await recorded(service, 'NonceReturned')).length === 1,
    );
    held.release();
    expect(await late).toMatchObject({ status: 409, body: { code: 'CONCURRENT_CHANGE' } });
    expect((await late).headers.get('retry-after')).not.toBeNull();
    expect(await recorded(service, 'DraftIssued')).toHaveLength(0);

    const { status, body } = await create(creator, input, 'key');
    expect(status).toBe(200);
    expect((await submission(creator, body)).status).toBe(200);
    await allAtRest(service.url);
  });

  test.skipIf(!onNonces)(
    'keeps the nonce account that a second attempt took over just before it would have been given back',
    async () => {
      const { service, appends } = await scene(
        { NONCE_ACCOUNTS_MIN: '1', NONCE_ACCOUNTS_MAX: '1' },
        { claimLapseMs: 300 },
      );
      const creator = await openCreator(service);
      const input = await creator.tokenInput();
      const first = appends.hold('DraftIssued');
      const givingBack = appends.hold('NonceReturned');
      const slow = create(creator, input, 'key');
      await first.arrived;
      first.lose();
      expect(await slow).toMatchObject({ status: 503, body: { code: 'STORE_UNAVAILABLE' } });
      await givingBack.arrived;
      const { status, body: draft } = await create(creator, input, 'key');
      expect(status).toBe(200);
      givingBack.release();
      expect(await first.deliver()).toMatchObject({ outcome: 'conflict' });
      expect((await create(creator, input, 'key')).body).toEqual(draft);

      const another = await openCreator(service);
      const refused = await create(another, await another.tokenInput());
      expect(refused).toMatchObject({ status: 503, body: { code: 'DRAFTS_EXHAUSTED' } });
      expect((await submission(creator, draft)).status).toBe(200);
      await allAtRest(service.url);
    },
  );
});

describe.concurrent('one wallet, one token:', () => {
  test('a draft that has claimed it and is not accepted keeps it until it is, and loses it where it ends', async () => {
    const { service, appends } = await scene();
    const [creator, rival] = await Promise.all([openCreator(service), openCreator(service)]);
    for (const end of ['accepted', 'cancelled']) {
      const input = await creator.tokenInput();
      const { body: first } = await create(creator, input);
      const { body: second } = await create(rival, { ...input, imageUri: (await rival.upload()).imageUri });
      const accepting = appends.hold('SubmissionAccepted');
      const slow = submission(creator, first);
      await accepting.arrived;
      accepting.lose();
      expect((await slow).status).toBe(503);
      const refused = { status: 409, body: { code: 'WALLET_ALREADY_USED' } };
      expect(await submission(rival, second)).toMatchObject(refused);
      if (end === 'accepted') {
        expect((await submission(creator, first)).status).toBe(200);
        expect(await submission(rival, second)).toMatchObject(refused);
        await cancel(rival, second);
      } else {
        await cancel(creator, first);
        expect((await submission(rival, second)).status).toBe(200);
      }
      expect(await accepting.deliver()).toMatchObject({ outcome: 'conflict' });
    }
    await allAtRest(service.url);
    expect([await tokensHeldBy(chainUrl, creator), await tokensHeldBy(chainUrl, rival)]).toEqual([1, 1]);
  });

  test('a newer draft of its creator takes the place of the older, another creator’s submission is refused', async () => {
    const { service } = await scene();
    const [creator, rival] = await Promise.all([openCreator(service), openCreator(service)]);
    const input = await creator.tokenInput();
    const { body: older } = await create(creator, input);
    const { body: newer } = await create(creator, input);
    const { body: foreign } = await create(rival, { ...input, imageUri: (await rival.upload()).imageUri });
    expect(await submission(creator, older)).toMatchObject({
      status: 410,
      body: { code: 'TRANSACTION_SUPERSEDED' },
    });
    expect((await transactionStatus(creator, older)).status).toBe('expired');
    expect((await submission(creator, newer)).status).toBe(200);
    expect(await submission(rival, foreign)).toMatchObject({
      status: 409,
      body: { code: 'WALLET_ALREADY_USED' },
    });
    await cancel(rival, foreign);
    for (const anybody of [creator, rival]) {
      const refused = await create(anybody, input);
      expect(refused).toMatchObject({ status: 409, body: { code: 'WALLET_ALREADY_USED' } });
    }
    await allAtRest(service.url);
    expect(await tokensHeldBy(chainUrl, creator)).toBe(1);
  });

  test('the older draft’s submission racing with a newer draft, again and again: one of them wins', async () => {
    const { service } = await scene();
    const creator = await openCreator(service, { sol: 50 });
    const { imageUri } = await creator.upload();
    const outcomes = new Set<string>();
    for (let round = 0; round < 12; round++) {
      const input = await creator.tokenInput({ imageUri });
      const { body: older } = await create(creator, input);
      // From far behind to far ahead of the submission.
      const pause = new Promise((resolve) => setTimeout(resolve, round * 4));
      const [submitted, created] = await Promise.all([
        round % 2 === 0 ? submission(creator, older) : pause.then(() => submission(creator, older)),
        round % 2 === 1 ? create(creator, input) : pause.then(() => create(creator, input)),
      ]);
      const won = [submitted.status, created.status].join();
      expect(['200,409', '200,200', '410,200'], JSON.stringify([submitted.body, created.body])).toContain(
        won,
      );
      outcomes.add(won);
      // A draft that was made while the older one was submitted cannot be submitted any more.
      const expected = submitted.status === 200 ? 410 : 200;
      if (created.status === 200) expect((await submission(creator, created.body)).status).toBe(expected);
      if (won === '200,200') await cancel(creator, created.body);
      expect(await tokensHeldBy(chainUrl, creator)).toBe(round + 1);
    }
    expect(await recorded(service, 'TokenCreated')).toHaveLength(12);
    await allAtRest(service.url);
  });

  test('two creators at once for one wallet: both are drafted for, and one becomes the token', async () => {
    const { service } = await scene();
    const creators = await Promise.all([openCreator(service), openCreator(service)]);
    for (let round = 0; round < 5; round++) {
      const { walletId } = await creators[0].generateWallet();
      // Both drafts first: for a wallet that a submission has claimed no other creator gets one.
      const drafts = await Promise.all(
        creators.map(async (creator) => ({
          creator,
          body: (await create(creator, await creator.tokenInput({ walletId }))).body,
        })),
      );
      const answers = await Promise.all(
        drafts.map(async ({ creator, body }) => {
          const answer = await submission(creator, body);
          if (answer.status !== 200) await cancel(creator, body);
          return answer;
        }),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    }
    await allAtRest(service.url);
  });
});

describe.concurrent('one call, many times at once:', () => {
  test('create-unsigned gives one draft, and every account that was leased on the way is free in the end', async () => {
    const { service } = await scene();
    const creator = await openCreator(service);
    const input = await creator.tokenInput();
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => create(creator, input, 'key')));
    const [first] = answers;
    for (const { status, body } of answers)
      expect({ status, body }).toEqual({ status: 200, body: first?.body });
    expect(await recorded(service, 'DraftIssued')).toHaveLength(1);
    if (first === undefined) throw new Error('nothing was answered');
    expect((await submission(creator, first.body)).status).toBe(200);
    await allAtRest(service.url);
  });

  test('submit gives one outcome', async () => {
    const { service } = await scene();
    const creator = await openCreator(service);
    const draft = await creator.draft();
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => submission(creator, draft)));
    const [first] = answers;
    for (const { status, body } of answers)
      expect({ status, body }).toEqual({ status: 200, body: first?.body });
    expect((await lifeOf(service, draft)).filter((type) => type === 'SubmissionAccepted')).toHaveLength(1);
    expect(await latest(service, 'TokenCreated', draft)).toBeDefined();
    await allAtRest(service.url);
  });
});
