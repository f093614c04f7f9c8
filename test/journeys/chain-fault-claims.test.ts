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
import { submission } from '../support/settling.ts';

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
