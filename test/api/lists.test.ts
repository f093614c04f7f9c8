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

/** These names in the order of their tokens. */
const descending = (names: readonly string[]) =>
  created.map(({ name }) => name).filter((name) => names.includes(name));
const namesOf = ({ tokens }: Page) => tokens.map(({ name }) => name);
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

  test('gives every token once over its pages, whatever their size', async () => {
    for (const limit of [1, 4, 7, 20, 100]) {
      const pages = Math.ceil(TOTAL / limit);
      const mints: string[] = [];
      for (let page = 1; page <= pages; page += 1) {
        const found = await list(`?page=${page}&limit=${limit}`);
        expect(found.pagination).toEqual({ total: TOTAL, page, limit, totalPages: pages });
        mints.push(...mintsOf(found));
      }
      expect(mints).toEqual(created.map(({ mintAddress }) => mintAddress));
    }
  });

  test('gives an empty page past the end, and says what there is', async () => {
    for (const page of [3, 4, 1_000, 1_000_000_000]) {
      const pagination = { total: TOTAL, page, limit: 20, totalPages: 2 };
      expect(await list(`?page=${page}`)).toStrictEqual({ tokens: [], pagination, next: null });
    }
  });

  test.each([
    [
      'page',
      [
        '0',
        '-1',
        '1.5',
        'abc',
        '',
        '1e3',
        '0x10',
        ' 1',
        '+1',
        'NaN',
        'Infinity',
        '9'.repeat(400),
        '1000000001',
      ],
    ],
    ['limit', ['0', '-1', '101', '20.0', 'abc', '', '1e1', 'null', 'true', '9007199254740993']],
  ])('refuses a %s that is none', async (name, values) => {
    for (const value of values) {
      const problem = await client.refusal(
        'VALIDATION_FAILED',
        'GET',
        `/tokens?${name}=${encodeURIComponent(value)}`,
      );
      expect(problem.details?.map(({ path }) => path)).toEqual([[name]]);
    }
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

describe('the list, by cursor and filters', () => {
  type Continued = Awaited<ReturnType<typeof list>> & { readonly next: string | null };

  test('gives every token once, and goes on where a page with a number ended', async () => {
    const first = (await list('?limit=4')) as Continued;
    const names = [...namesOf(first)];
    for (let after = first.next; after !== null; ) {
      const page = (await list(`?limit=4&after=${after}`)) as Continued;
      expect(page.pagination).toEqual({ total: TOTAL, page: 1, limit: 4, totalPages: 6 });
      names.push(...namesOf(page));
      after = page.next;
    }
    expect(names).toEqual(namesOf(await list('?limit=100')));
  });

  test('is narrowed by what is paid, the launch and promotions', async () => {
    const [first] = creators;
    const own = await list(`?creator=${first.address}`);
    for (const filter of ['rewardToken=SOL', 'launchState=none', 'rewardToken=SOL&launchState=none'])
      expect(namesOf(await list(`?creator=${first.address}&${filter}`))).toEqual(namesOf(own));
    for (const filter of ['rewardToken=SELF', 'launchState=active', 'featured=true'])
      expect(namesOf(await list(`?${filter}`))).toEqual([]);
    expect(await list('?rewardToken=SOL&limit=5')).toMatchObject({
      pagination: { total: TOTAL, totalPages: 5 },
    });
  });

  test.each([
    'featured=false',
    'launchState=sold',
    'after=1',
    'search=a&featured=true',
  ])('refuses %s', async (query) => {
    await client.refusal('VALIDATION_FAILED', 'GET', `/tokens?${query}`);
  });
});

describe('the list, sorted', () => {
  test.each(['paid', 'market-cap'])('by %s, gives every token once, page by page', async (sort) => {
    const names: string[] = [];
    for (let after = ''; ; ) {
      const page = await list(`?sort=${sort}&limit=4${after}`);
      expect(page.pagination).toEqual({ total: TOTAL, page: 1, limit: 4, totalPages: 6 });
      names.push(...namesOf(page));
      if (page.next === null) break;
      after = `&after=${page.next}`;
    }
    // Nobody was paid yet, and nothing was launched.
    expect(names).toEqual(created.map(({ name }) => name));
  });

  test('stands beside a search, which then has pages, and beside filters', async () => {
    expect(namesOf(await list('?sort=paid&search=filler&limit=4&page=2'))).toEqual(
      namesOf(await list('?search=filler&limit=4&page=2')),
    );
    const [first] = creators;
    const own = await list(`?creator=${first.address}`);
    expect(namesOf(await list(`?sort=paid&creator=${first.address}&rewardToken=SOL`))).toEqual(namesOf(own));
    expect(await list('?sort=newest')).toEqual(await list());
  });

  test('refuses an unknown order, a page number far behind, and a cursor of another order in a sentence', async () => {
    const { next } = await list('?sort=paid&limit=4');
    for (const [query, detail] of [
      ['sort=oldest', /./],
      ['sort=paid&page=501', /end before/],
      [`sort=market-cap&after=${next}`, /sorted by paid/],
      [`after=${next}`, /sorted by paid/],
      [`sort=paid&after=${created[3]?.id}`, /sorted by newest/],
    ] as const) {
      const refusal = await client.refusal('VALIDATION_FAILED', 'GET', `/tokens?${query}`);
      expect(refusal.detail).toMatch(detail);
    }
  });
});

describe('a search', () => {
  test.each([
    ['a name whatever its case', 'ALPHA', ['Beta', 'alpha two', 'Alpha One']],
    ['a symbol whatever its case', 'fifty', ['50x Off', '50% Off']],
    ['a whole name', 'Alpha One', ['Alpha One']],
    ['a symbol beyond ASCII', 'über', ['Über Münze']],
    ['a name in another script', '日本ト', ['日本トークン']],
    ['a pictogram', '🚀', ['🚀 Rocket']],
    ['a quotation mark', "o'n", ["O'Neil"]],
    ['a backslash', 'back\\', ['back\\slash']],
    ['a percent sign as itself', '50%', ['50% Off']],
    ['an underscore as itself', 'a_', ['a_c']],
    ['an asterisk as itself', '*', []],
    ['what stands in the middle', 'ocke', ['🚀 Rocket']],
    ['blanks around it as none', ' beta ', ['Beta']],
  ])('finds %s', async (_what, search, names) => {
    const found = await list(`?search=${encodeURIComponent(search)}`);
    expect(namesOf(found)).toEqual(descending(names));
    expect(found.tokens).toHaveLength(names.length);
    expect(found.pagination).toMatchObject({ total: names.length, totalPages: names.length === 0 ? 0 : 1 });
  });

  test('finds a token once whose name and symbol both match', async () => {
    expect(namesOf(await list('?search=f&limit=100')).filter((name) => name === 'Filler 1')).toHaveLength(1);
  });

  test('has pages of its own', async () => {
    const first = await list('?search=filler&limit=4');
    expect(first.pagination).toEqual({ total: 9, page: 1, limit: 4, totalPages: 3 });
    const last = await list('?search=filler&limit=4&page=3');
    const fillers = descending(NAMES.map(([name]) => name).filter((name) => name.startsWith('Filler')));
    expect(namesOf(first)).toEqual(fillers.slice(0, 4));
    expect(namesOf(last)).toEqual(fillers.slice(8));
    expect(namesOf(await list('?search=filler&limit=4&page=4'))).toEqual([]);
  });

  test('refuses what is too long, and answers everything else', async () => {
    await client.refusal('VALIDATION_FAILED', 'GET', `/tokens?search=${'x'.repeat(65)}`);
    for (const odd of [
      '%00',
      '%EF%BF%BF',
      '%F4%8F%BF%BF',
      '%ED%A0%80',
      '%20',
      '%25',
      '%5C',
      '%22',
      '%27%3B--',
    ]) {
      expect((await list(`?search=${odd}`)).tokens).toBeDefined();
    }
  });
});

describe('the list of one creator', () => {
  test("holds that creator's tokens alone, and pages and searches within them", async () => {
    for (const [index, creator] of creators.entries()) {
      const names = NAMES.filter((_name, at) => at % 3 === index).map(([name]) => name);
      const found = await list(`?creator=${creator.address}`);
      expect(namesOf(found)).toEqual([...names].reverse());
      expect(found.pagination).toEqual({ total: 7, page: 1, limit: 20, totalPages: 1 });
      const second = await list(`?creator=${creator.address}&limit=3&page=2`);
      expect(namesOf(second)).toEqual([...names].reverse().slice(3, 6));
    }
    const [first] = creators;
    expect(namesOf(await list(`?creator=${first.address}&search=filler`))).toEqual([
      'Filler 7',
      'Filler 4',
      'Filler 1',
    ]);
  });

  test('is empty for a wallet that made none', async () => {
    const nobody = Keypair.generate().publicKey.toBase58();
    expect(await list(`?creator=${nobody}`)).toStrictEqual({
      tokens: [],
      pagination: { total: 0, page: 1, limit: 20, totalPages: 0 },
      next: null,
    });
  });

  test('refuses what is no address', async () => {
    for (const creator of ['', 'x', 'O'.repeat(44), '1'.repeat(45), '1'.repeat(31), 'z'.repeat(44)]) {
      const { status, body } = await client.call<{ code: string }>('GET', `/tokens?creator=${creator}`);
      expect([status, body.code]).toEqual([
        400,
        expect.stringMatching(/^(VALIDATION_FAILED|INVALID_ADDRESS)$/),
      ]);
    }
  });
});

describe('GET /tokens/me', () => {
  test('gives all of the own tokens, newest first, and nobody else’s', async () => {
    const [first] = creators;
    const { body } = await first.call<Page>('GET', '/tokens/me');
    expect(body).toStrictEqual({ tokens: Array(7).fill(answers.ownToken) });
    expect(namesOf(body)[0]).toBe('Filler 7');
  });

  test('needs an access token', async () => {
    await client.refusal('UNAUTHENTICATED', 'GET', '/tokens/me');
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
    const unknown = [
      Keypair.generate().publicKey.toBase58(),
      first.address,
      'x',
      '%00',
      '%2e%2e%2f',
      '%F0%9F%9A%80',
    ];
    for (const mintAddress of unknown) {
      const { status, body } = await client.call<{ code: string }>('GET', `/tokens/${mintAddress}`);
      expect([status, body.code]).toEqual([404, 'TOKEN_NOT_FOUND']);
    }
  });
});
