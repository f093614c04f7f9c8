/** Of every route that takes an Idempotency-Key: the same call is recorded once and answered alike, another one is refused. */
import { beforeAll, describe, expect, test } from 'vitest';
import { commands } from '../../src/commands/index.ts';
import { takesIdempotencyKey } from '../../src/runtime/define-route.ts';
import type { CallOptions } from '../support/client.ts';
import { type Creator, imageForm, openCreator, picture, signedBy } from '../support/creator.ts';
import {
  issueLaunch,
  LAUNCH_WISHES,
  tellOfSkipping,
  VENUE_ENVIRONMENT,
  venueProgramFile,
} from '../support/launching.ts';
import { OPERATOR_KEY } from '../support/operator.ts';
import { openTestService, type TestService } from '../support/service.ts';

tellOfSkipping('repetitions of what concerns launches');

/** Two calls of one route, each of which would be recorded. */
interface Calls {
  readonly first: PreparedCall;
  readonly other: PreparedCall;
}

interface PreparedCall {
  readonly path: string;
  readonly options: CallOptions;
}

interface IssuedDraft {
  readonly transactionId: string;
  readonly transaction: string;
}

let service: TestService;

beforeAll(async () => {
  service = await openTestService({
    FEATURED_PRICE_PER_DAY: '1000000',
    NONCE_ACCOUNTS_MIN: '10',
    ...VENUE_ENVIRONMENT,
  });
});

const onOne = (path: string, ...bodies: readonly [object, object]): Calls => ({
  first: { path, options: { json: bodies[0] } },
  other: { path, options: { json: bodies[1] } },
});

const adjustable = { transferFeeAdjustable: true };

async function issue(creator: Creator, path: string, json: object): Promise<IssuedDraft> {
  return (await creator.call<IssuedDraft>('POST', path, { json })).body;
}

/** Two submissions: what tells them apart is the draft. */
async function submissions(creator: Creator, path: string, make: () => Promise<IssuedDraft>): Promise<Calls> {
  const bodyOf = ({ transactionId, transaction }: IssuedDraft) => ({
    transactionId,
    signedTransaction: signedBy(creator.keypair, transaction),
  });
  return onOne(path, bodyOf(await make()), bodyOf(await make()));
}

const PREPARE: { readonly [route: string]: (creator: Creator) => Promise<Calls> } = {
  async 'POST /tokens/create-unsigned'(creator) {
    return onOne('/tokens/create-unsigned', await creator.tokenInput(), await creator.tokenInput());
  },
  async 'POST /tokens/upload-image'() {
    const path = '/tokens/upload-image';
    return {
      first: { path, options: { body: imageForm(picture()) } },
      other: { path, options: { body: imageForm(picture()) } },
    };
  },
  'POST /tokens/submit': (creator) => submissions(creator, '/tokens/submit', () => creator.draft()),
  async 'POST /tokens/:mintAddress/transfer-fee/create-unsigned'(creator) {
    const { mintAddress } = await creator.createToken(adjustable);
    const path = `/tokens/${mintAddress}/transfer-fee/create-unsigned`;
    return onOne(path, { transferFeePercent: 1 }, { transferFeePercent: 2 });
  },
  async 'POST /tokens/:mintAddress/transfer-fee/submit'(creator) {
    const { mintAddress } = await creator.createToken(adjustable);
    const path = `/tokens/${mintAddress}/transfer-fee`;
    let percent = 0;
    return submissions(creator, `${path}/submit`, () => {
      percent += 1;
      return issue(creator, `${path}/create-unsigned`, { transferFeePercent: percent });
    });
  },
  async 'POST /featured/create-unsigned'(creator) {
    const { mintAddress: tokenMint } = await creator.createToken();
    return onOne('/featured/create-unsigned', { tokenMint, days: 1 }, { tokenMint, days: 2 });
  },
  async 'POST /featured/submit'(creator) {
    const { mintAddress: tokenMint } = await creator.createToken();
    return submissions(creator, '/featured/submit', () =>
      issue(creator, '/featured/create-unsigned', { tokenMint, days: 1 }),
    );
  },
  async 'POST /launchpad/create-unsigned'(creator) {
    const [one, other] = [await creator.createToken(), await creator.createToken()];
    return onOne(
      '/launchpad/create-unsigned',
      { tokenMint: one.mintAddress, ...LAUNCH_WISHES },
      { tokenMint: other.mintAddress, ...LAUNCH_WISHES },
    );
  },
  'POST /launchpad/submit': (creator) =>
    submissions(creator, '/launchpad/submit', async () =>
      issueLaunch(creator, (await creator.createToken()).mintAddress),
    ),
  async 'PATCH /distribution/:tokenId/settings'(creator) {
    const { token } = await creator.createToken();
    return onOne(`/distribution/${token.id}/settings`, { burnPercent: 5 }, { burnPercent: 6 });
  },
  async 'POST /operator/tokens/:mintAddress/hide'(creator) {
    const { mintAddress } = await creator.createToken();
    return onOne(`/operator/tokens/${mintAddress}/hide`, { reason: 'One.' }, { reason: 'Another.' });
  },
  async 'POST /operator/tokens/:mintAddress/show'(creator) {
    const [one, other] = [await creator.createToken(), await creator.createToken()];
    for (const { mintAddress } of [one, other]) await hide(creator, mintAddress);
    const json = { reason: 'A mistake.' };
    return {
      first: { path: `/operator/tokens/${one.mintAddress}/show`, options: { json } },
      other: { path: `/operator/tokens/${other.mintAddress}/show`, options: { json } },
    };
  },
  async 'POST /operator/promotions/:promotionId/end'(creator) {
    const [one, other] = [await promote(creator), await promote(creator)];
    const json = { reason: 'Not welcome.' };
    return {
      first: { path: `/operator/promotions/${one}/end`, options: { json } },
      other: { path: `/operator/promotions/${other}/end`, options: { json } },
    };
  },
};

async function hide({ client }: Creator, mintAddress: string): Promise<void> {
  await client.ask('POST', `/operator/tokens/${mintAddress}/hide`, {
    operatorKey: OPERATOR_KEY,
    json: { reason: 'To be seen.' },
  });
}

async function promote(creator: Creator): Promise<string> {
  const { mintAddress: tokenMint } = await creator.createToken();
  const draft = await issue(creator, '/featured/create-unsigned', { tokenMint, days: 1 });
  const { body } = await creator.call<{ promotion: { id: string } }>('POST', '/featured/submit', {
    json: {
      transactionId: draft.transactionId,
      signedTransaction: signedBy(creator.keypair, draft.transaction),
    },
  });
  return body.promotion.id;
}

const keyed = commands.filter(({ route }) => takesIdempotencyKey(route));

test('there is an example of every such route', () => {
  expect(Object.keys(PREPARE).sort()).toEqual(
    keyed.map(({ route }) => `${route.method} ${route.url}`).sort(),
  );
});

describe.each(
  keyed.map(({ route }) => [`${route.method} ${route.url}`, route] as const),
)('%s', (name, route) => {
  const needsVenue = route.url.startsWith('/launchpad/');

  test.skipIf(needsVenue && venueProgramFile === undefined)(
    'records one call once, answers it alike, and refuses another one under its key',
    async () => {
      const creator = await openCreator(service, { sol: 20 });
      const { first, other } = (await PREPARE[name]?.(creator)) ?? {};
      if (first === undefined || other === undefined) throw new Error('there is no example');
      const key = `key of ${name.replaceAll(/\W+/g, '-')}`.replaceAll(' ', '-');
      const call = ({ path, options }: PreparedCall, headers = { 'idempotency-key': key }) =>
        creator.client.call<{ code?: string }>(route.method, path, {
          ...options,
          headers,
          ...(route.auth === 'operator' ? { operatorKey: OPERATOR_KEY } : { token: creator.token }),
        });

      const before = service.recorded.length;
      const answers = await Promise.all([call(first), call(first)]);
      const again = await call(first);
      expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
        [200, undefined],
        [200, undefined],
      ]);
      for (const { status, bytes, headers } of [...answers, again]) {
        expect([status, bytes]).toEqual([200, again.bytes]);
        expect(headers.get('x-position')).toBe(again.headers.get('x-position'));
        expect(headers.get('etag')).toBe(again.headers.get('etag'));
      }
      const recorded = service.recorded.slice(before);
      const types = recorded.map(({ type }) => type);
      expect(types.length).toBeGreaterThan(0);
      // Where the key names the command's own stream, it needs none besides.
      const namesItsStream = /\/(create-unsigned|upload-image)$/.test(route.url);
      expect(types.includes('IdempotencyKeyUsed')).toBe(!namesItsStream);
      expect(new Set(types).size, types.join()).toBe(types.length);
      expect(JSON.stringify(recorded)).not.toContain(key);

      const refused = await call(other);
      expect([refused.status, refused.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
      expect(service.recorded).toHaveLength(before + recorded.length);
      // It was refused for its key and nothing else.
      expect((await call(other, { 'idempotency-key': `${key}-2` })).status).toBe(200);
      expect((await call(first)).bytes).toEqual(again.bytes);
    },
  );
});
