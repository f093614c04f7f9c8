/** The public list, the own list and the details of tokens. */
import { Keypair } from '@solana/web3.js';
import { beforeAll, describe, expect, test } from 'vitest';
import * as answers from '../support/answers.ts';
import { type Client, createClient } from '../support/client.ts';
import { type Creator, openCreator, type SubmittedToken } from '../support/creator.ts';
import { openTestService } from '../support/service.ts';

interface Page {
  readonly tokens: readonly {
    readonly name: string;
    readonly mintAddress: string;
    readonly nextDistributionAt?: string;
  }[];
  readonly next?: string | null;
  readonly pagination: {
    readonly total: number;
    readonly page: number;
    readonly limit: number;
    readonly totalPages: number;
  };
}

/** By turns of three creators, who create theirs at the same time. */
const NAMES = [
  ['Alpha One', 'AONE'],
  ['alpha two', 'ATWO'],
  ['Beta', 'ALPHA'],
  ['50% Off', 'FIFTY'],
  ['50x Off', 'FIFTYX'],
  ['a_c', 'UNDER'],
  ['abc', 'PLAIN'],
  ['Über Münze', 'ÜBER'],
  ['日本トークン', '日本'],
  ["O'Neil", 'QUOTE'],
  ['back\\slash', 'BSL'],
  ['🚀 Rocket', '🚀'],
  ['Filler 1', 'F'],
  ['Filler 2', 'F'],
  ['Filler 3', 'F'],
  ['Filler 4', 'F'],
  ['Filler 5', 'F'],
  ['Filler 6', 'F'],
  ['Filler 7', 'F'],
  ['Filler 8', 'F'],
  ['Filler 9', 'F'],
] as const;

const TOTAL = NAMES.length;

let client: Client;
let creators: readonly [Creator, Creator, Creator];
/** Newest first, as the positions of their answers say: later ones compare greater. */
const created: (SubmittedToken['token'] & { readonly position: string })[] = [];

beforeAll(async () => {
  const service = await openTestService({ NONCE_ACCOUNTS_MIN: '30' });
  client = createClient(service.url);
  const open = () => openCreator(service);
  creators = await Promise.all([open(), open(), open()]);
  for (let turn = 0; turn < TOTAL; turn += creators.length) {
    await Promise.all(
      creators.map(async (creator, index) => {
        const [name, symbol] = NAMES[turn + index] ?? [];
        const draft = await creator.draft({ name, symbol });
        const { body, headers } = await creator.call<SubmittedToken>('POST', '/tokens/submit', {
          json: { transactionId: draft.transactionId, signedTransaction: creator.sign(draft) },
        });
        created.push({ ...body.token, position: headers.get('x-position') ?? '' });
      }),
    );
  }
  created.sort((one, other) => (one.position < other.position ? 1 : -1));
});

function list(query = ''): Promise<Page> {
  return client.ask<Page>('GET', `/tokens${query}`);
}

const mintsOf = ({ tokens }: Page) => tokens.map(({ mintAddress }) => mintAddress);

describe('GET /tokens', () => {
  test('gives the first twenty, newest first, in exactly the fields of the contract', async () => {
    const page = await list();
    expect(page).toStrictEqual({
      tokens: Array(20).fill(answers.tokenCard),
      pagination: { total: TOTAL, page: 1, limit: 20, totalPages: 2 },
      next: created[19]?.id,
    });
    expect(mintsOf(page)).toEqual(created.slice(0, 20).map(({ mintAddress }) => mintAddress));
  });

  test('refuses a parameter that is given twice, and one that it does not know', async () => {
    for (const query of [
      'page=1&page=2',
      'search=a&search=b',
      'pages=1',
      'page[]=1',
      'sort=name',
      'constructor=1',
    ]) {
      await client.refusal('VALIDATION_FAILED', 'GET', `/tokens?${query}`);
    }
  });
});

describe('GET /tokens/:mintAddress', () => {
  test('gives every token in exactly the fields of the contract, to anybody', async () => {
    for (const { position: _, ...token } of created) {
      const { mintAddress } = token;
      const detail = await client.ask<{ token: object }>('GET', `/tokens/${mintAddress}`);
      expect(detail).toStrictEqual({ token: answers.tokenDetail });
      expect(detail.token).toMatchObject(token);
    }
  });

  test('does not find what is no token', async () => {
    const [first] = creators;
    const refusalOf = async (mintAddress: string) => {
      const { status, body } = await client.call<{ code: string }>('GET', `/tokens/${mintAddress}`);
      return [status, body.code];
    };
    for (const unknown of [Keypair.generate().publicKey.toBase58(), first.address])
      expect(await refusalOf(unknown)).toEqual([404, 'TOKEN_NOT_FOUND']);
    for (const malformed of ['x', '%00', '%2e%2e%2f', '%F0%9F%9A%80', `${first.address}0`])
      expect(await refusalOf(malformed)).toEqual([400, 'VALIDATION_FAILED']);
  });
});

describe('what everybody may read', () => {
  const asked = (path: string, headers: { readonly [name: string]: string } = {}, token?: string) =>
    client.call('GET', path, { headers, token });
  const paths = () => [
    '/tokens',
    '/featured',
    `/tokens/${created[0]?.mintAddress}`,
    '/.well-known/jwks.json',
  ];

  test('has a tag by which nothing is sent again until it changes', async () => {
    for (const path of paths()) {
      const { headers } = await asked(path);
      const etag = headers.get('etag') ?? '';
      expect([path, headers.get('cache-control')]).toEqual([path, 'public, no-cache']);
      const again = await asked(path, { 'if-none-match': etag });
      expect([path, again.status, again.bytes.length]).toEqual([path, 304, 0]);
      expect((await asked(path, { 'if-none-match': '"another"' })).status).toBe(200);
    }
    const before = (await asked('/tokens')).headers.get('etag');
    await creators[0].createToken({ name: 'New' });
    expect((await asked('/tokens')).headers.get('etag')).not.toBe(before);
  });

  test('is private and not compressed for those who are signed in', async () => {
    const [creator] = creators;
    const path = `/tokens/${created[0]?.mintAddress}`;
    const { headers } = await creator.call('GET', path, { headers: { 'accept-encoding': 'br' } });
    expect([headers.get('content-encoding'), headers.get('cache-control')]).toEqual([null, 'no-store']);
  });
});
