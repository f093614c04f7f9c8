// The till chain as a chain shows it, with one thing about it spoiled at a time.
import { ASSOCIATED_TOKEN_PROGRAM, associatedTokenAddress, NATIVE_MINT } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import { auditTills } from '../../../../src/proof/audit/audit-tills.ts';
import type { Action } from '../../../../src/proof/audit/decode-actions.ts';
import { createFindings } from '../../../../src/proof/audit/finding.ts';
import type { BookedPot, RunOutline, TokenBooks } from '../../../../src/proof/audit/run-books.ts';
import { ownerOf } from '../../../support/ledger-files.ts';
import { historyOf, type Landed, tokenAccountOf } from '../../../support/past-transactions.ts';

const [MINT, WALLET, DISTRIBUTOR, MARKER, POT, STRANGER] = [1, 2, 3, 4, 5, 6].map(ownerOf) as [
  string,
  string,
  string,
  string,
  string,
  string,
];
const [FIRST, SECOND, THIRD] = [11, 12, 13].map(ownerOf) as [string, string, string];
const RENT = 100n;
const OF_POT = 50n;

const made = (account: string): Action => ({ kind: 'initialize', account, owner: WALLET });
const lent = (to: string, amount: bigint): Action => ({ kind: 'lamports', from: DISTRIBUTOR, to, amount });
const closed = (account: string, to: string): Action => ({ kind: 'close', account, to, authority: WALLET });
const left = (from: string, to: string, amount: bigint): Action => ({
  kind: 'unwrap',
  from,
  to,
  authority: WALLET,
  amount,
});
const burned = (amount: bigint, authority = WALLET): Action => ({
  kind: 'burn',
  account: STRANGER,
  authority,
  amount,
});
const approved = (account: string, delegate: string): Action => ({
  kind: 'approve',
  account,
  delegate,
  authority: WALLET,
  amount: 500n,
});
const link = (signature: string, ...actions: readonly Action[]): Landed => ({
  signature,
  signers: [DISTRIBUTOR, WALLET],
  actions,
});

const GENESIS = link('genesis', made(MARKER), made(FIRST), lent(FIRST, RENT));
/** Burns, and opens a pot. */
const OPENING = link(
  'opening',
  made(SECOND),
  lent(SECOND, RENT),
  closed(FIRST, SECOND),
  left(SECOND, DISTRIBUTOR, RENT),
  made(POT),
  lent(POT, OF_POT),
  left(SECOND, POT, 500n),
  burned(7n),
  approved(POT, STRANGER),
);
/** Takes the pot back. */
const CLOSING = link(
  'closing',
  made(THIRD),
  lent(THIRD, RENT),
  closed(SECOND, THIRD),
  closed(POT, THIRD),
  left(THIRD, DISTRIBUTOR, RENT + OF_POT),
);
const CHAIN = [GENESIS, OPENING, CLOSING];

const pot = { asset: 'sol', address: POT, delegate: STRANGER, allowance: 500n } as const;
const BOOKS: TokenBooks<RunOutline> = {
  mint: MINT,
  wallet: WALLET,
  distributor: DISTRIBUTOR,
  marker: MARKER,
  runs: [{ runId: '1', asset: 'sol', amounts: undefined, pots: [pot] }],
  links: [
    { number: 0, till: FIRST, signature: 'genesis', burned: 0n },
    { number: 1, till: SECOND, signature: 'opening', burned: 7n },
    { number: 2, till: THIRD, signature: 'closing', burned: 0n },
  ],
  inTill: 1_000n,
  inAccount: 2_000n,
};
const OWN = associatedTokenAddress(WALLET, MINT);
const ACCOUNTS = new Map([
  [THIRD, tokenAccountOf({ mint: NATIVE_MINT, owner: WALLET, amount: 1_000n })],
  [OWN, tokenAccountOf({ mint: MINT, owner: WALLET, amount: 2_000n })],
]);

interface Spoiled {
  readonly chain?: readonly Landed[];
  readonly books?: Partial<TokenBooks<RunOutline>>;
  readonly accounts?: ReadonlyMap<string, ReturnType<typeof tokenAccountOf>>;
}

async function found({ chain = CHAIN, books, accounts = ACCOUNTS }: Spoiled): Promise<readonly string[]> {
  const findings = createFindings();
  await auditTills({ ...BOOKS, ...books }, historyOf(chain, accounts), findings);
  return findings.list.map(({ what }) => what);
}

/** The opening of the pot, or its closing, with an action put in the place of another. */
const opening = (place: number, ...actions: readonly Action[]) => [
  GENESIS,
  { ...OPENING, actions: OPENING.actions.toSpliced(place, 1, ...actions) },
  CLOSING,
];
const closing = (place: number, ...actions: readonly Action[]) => [
  GENESIS,
  OPENING,
  { ...CLOSING, actions: CLOSING.actions.toSpliced(place, 1, ...actions) },
];
const holding = (address: string, account: Parameters<typeof tokenAccountOf>[0]) =>
  new Map(ACCOUNTS).set(address, tokenAccountOf(account));
const without = (address: string) => new Map([...ACCOUNTS].filter(([each]) => each !== address));
const spoiledLink = (change: Partial<TokenBooks['links'][number]>) =>
  BOOKS.links.with(1, { number: 1, till: SECOND, signature: 'opening', burned: 7n, ...change });

describe('a till chain', () => {
  test('is right when each till goes into the next, into pots and rents', async () => {
    expect(await found({})).toEqual([]);
  });

  const withdrawn = (to: string): Action => ({ kind: 'withdraw', to, authority: WALLET });
  const signedApart = (...actions: readonly Action[]) => [...CHAIN, link('apart', ...actions)];

  test('is right beside collections of tax, and what strangers do with the address of the wallet', async () => {
    const gift: Action = { kind: 'lamports', from: STRANGER, to: WALLET, amount: 5n };
    const account: Action = {
      kind: 'other',
      program: ASSOCIATED_TOKEN_PROGRAM,
      accounts: [DISTRIBUTOR, OWN, WALLET, MINT],
    };
    const chain = [...signedApart(account, withdrawn(OWN)), { ...link('gift', gift), signers: [STRANGER] }];
    expect(await found({ chain })).toEqual([]);
  });

  test.each<[string, Action]>([
    ['takes kept tokens', { kind: 'move', from: OWN, to: STRANGER, authority: WALLET, amount: 1n, fee: 0n }],
    ['takes withheld tax elsewhere', withdrawn(STRANGER)],
    ['approves somebody', approved(OWN, STRANGER)],
    ['calls a program', { kind: 'other', program: STRANGER, accounts: [OWN, WALLET] }],
    ['sends its lamports', { kind: 'lamports', from: WALLET, to: STRANGER, amount: 1n }],
  ])('is not all that the wallet may sign: its key %s', async (_what, action) => {
    expect(await found({ chain: signedApart(action) })).toEqual([
      'the wallet signs only links and collections of tax',
    ]);
    // A transaction that failed took nothing.
    expect(await found({ chain: [...CHAIN, { ...link('apart', action), failed: true }] })).toEqual([]);
  });

  test('is found with a till that two transactions close, of which one is no link', async () => {
    expect(await found({ chain: [...CHAIN, link('again', closed(FIRST, STRANGER))] })).toEqual([
      'a till is spent once',
      'the wallet signs only links and collections of tax',
    ]);
  });

  test('may hold more than is owed', async () => {
    const accounts = holding(THIRD, { mint: NATIVE_MINT, owner: WALLET, amount: 1_001n });
    expect(await found({ accounts })).toEqual([]);
  });

  test.each<[string, Spoiled, string]>([
    [
      'a link that is not on the chain',
      { books: { links: [...BOOKS.links, { number: 3, till: STRANGER, burned: 0n }] } },
      'the chain has as many links as the books',
    ],
    [
      'another till',
      { books: { links: spoiledLink({ till: STRANGER }) } },
      'each till is the one that the books name',
    ],
    [
      'another transaction',
      { books: { links: spoiledLink({ signature: 'other' }) } },
      'each link is the one that the books name',
    ],
    ['another burn', { books: { links: spoiledLink({ burned: 8n }) } }, 'a link burns what the books say'],
    ['less that is burned', { chain: opening(7, burned(6n)) }, 'a link burns what the books say'],
    [
      'tokens that somebody else burned',
      { chain: opening(7, burned(7n, STRANGER)) },
      'a link burns what the books say',
    ],
    [
      'a pot that is closed for somebody else',
      { chain: closing(3, closed(POT, STRANGER)) },
      'whatever a link closes goes into the new till',
    ],
    [
      'lamports that leave the till for somebody',
      { chain: closing(4, left(THIRD, DISTRIBUTOR, RENT + OF_POT), left(THIRD, STRANGER, 1n)) },
      'what leaves a till goes into a pot of the books',
    ],
    [
      'more that goes into a pot than it may pay',
      { chain: opening(6, left(SECOND, POT, 501n)) },
      'what leaves a till goes into a pot of the books',
    ],
    [
      'a distributor that takes more than its rents',
      { chain: closing(4, left(THIRD, DISTRIBUTOR, RENT + OF_POT + 1n)) },
      'the distributor takes back the rents that it lent, and no more',
    ],
    [
      'a distributor that leaves a rent behind',
      { chain: closing(4, left(THIRD, DISTRIBUTOR, RENT)) },
      'the distributor takes back the rents that it lent, and no more',
    ],
    [
      'a rent that was never lent',
      { chain: opening(5) },
      'the distributor takes back the rents that it lent, and no more',
    ],
    [
      'somebody who may spend from the till',
      { chain: opening(7, burned(7n), approved(SECOND, STRANGER)) },
      'a link approves nobody but whom the books name',
    ],
    [
      "somebody else who may spend the wallet's tokens",
      { chain: opening(7, burned(7n), approved(OWN, DISTRIBUTOR)) },
      'a link approves nobody but whom the books name',
    ],
    ['no last till', { accounts: without(THIRD) }, 'the last till is there'],
    [
      "a last till that is somebody else's",
      { accounts: holding(THIRD, { mint: NATIVE_MINT, owner: STRANGER, amount: 1_000n }) },
      'the last till is there',
    ],
    [
      'a last till of another token',
      { accounts: holding(THIRD, { mint: MINT, owner: WALLET, amount: 1_000n }) },
      'the last till is there',
    ],
    [
      'a till that holds less than is owed',
      { accounts: holding(THIRD, { mint: NATIVE_MINT, owner: WALLET, amount: 999n }) },
      'the till holds what is owed and what could not be divided',
    ],
    [
      'an account that holds less than is kept',
      { accounts: holding(OWN, { mint: MINT, owner: WALLET, amount: 1_999n }) },
      "the wallet's account holds what is kept, owed and could not be divided",
    ],
    [
      'no account of the wallet',
      { accounts: without(OWN) },
      "the wallet's account holds what is kept, owed and could not be divided",
    ],
    [
      'a link that no run has recorded',
      {
        books: {
          links: BOOKS.links.slice(0, -1),
          later: async () => ({ links: new Map(), pots: [] }),
        },
      },
      'the wallet signs only links that are recorded',
    ],
  ])('is found with %s', async (_what, spoiled, rule) => {
    expect(await found(spoiled)).toEqual([rule]);
  });

  const later = (links: TokenBooks['links'], pots: readonly BookedPot[] = []) => ({
    later: async () => ({ links: new Map(links.map((each) => [each.till ?? '', each])), pots }),
  });
  const without3 = BOOKS.links.slice(0, -1);

  test('may be ahead of the books by links of an open run, while part of the money is on its way', async () => {
    const third = { number: 2, till: THIRD, burned: 0n };
    const books = { links: without3, inTill: 9_999n, inAccount: 9_999n, ...later([third]) };
    expect(await found({ books })).toEqual([]);
    const first = BOOKS.links.slice(0, 1);
    const second = { number: 1, till: SECOND, burned: 7n };
    expect(
      await found({ books: { ...books, runs: [], links: first, ...later([second, third], [pot]) } }),
    ).toEqual([]);
    expect(await found({ books: { ...books, runs: [], links: first, ...later([second, third]) } })).toEqual([
      'what leaves a till goes into a pot of the books',
      'a link approves nobody but whom the books name',
    ]);
  });

  test('is found with both tills where another one landed, or none is recorded', async () => {
    const list = async (books: Partial<TokenBooks<RunOutline>>) => {
      const findings = createFindings();
      await auditTills({ ...BOOKS, ...books }, historyOf(CHAIN, ACCOUNTS), findings);
      return findings.list;
    };
    const place = { account: THIRD, signature: 'closing' };
    expect(await list({ links: without3, ...later([]) })).toEqual([
      {
        what: 'the wallet signs only links that are recorded',
        expected: THIRD,
        found: 'none is recorded',
        ...place,
      },
    ]);
    expect(await list({ links: without3 })).toEqual([
      { what: 'the chain has as many links as the books', expected: '2', found: '3' },
      { what: 'each till is the one that the books name', expected: 'none', found: THIRD, ...place },
    ]);
  });

  test('is not asked for more links than the books have', async () => {
    const books = { later: async () => Promise.reject(new Error('asked')) };
    expect(await found({ books })).toEqual([]);
    await expect(found({ books: { ...books, links: without3 } })).rejects.toThrow('asked');
  });

  test('is held to transactions alone where the books name no tills', async () => {
    const links = BOOKS.links.map(({ till: _none, ...link }) => link);
    expect(await found({ books: { links } })).toEqual([]);
  });

  test('is empty before the first link', async () => {
    const books = { links: [] };
    expect(await found({ books, chain: [] })).toEqual([]);
    expect(await found({ books, chain: [link('genesis', made(MARKER))] })).toEqual([]);
  });

  test('is paid for by whoever paid its first link, where the books do not say who that is', async () => {
    expect(await found({ books: { distributor: '' } })).toEqual([]);
    expect(await found({ books: { distributor: STRANGER } })).toContain(
      'what leaves a till goes into a pot of the books',
    );
  });

  test('pays no pot of the token', async () => {
    const runs = [
      { runId: '1', asset: 'sol', amounts: undefined, pots: [{ ...pot, asset: 'token' }] },
    ] as const;
    expect(await found({ books: { runs } })).toEqual(['what leaves a till goes into a pot of the books']);
  });

  test('is right whatever strangers do in its transactions and accounts', async () => {
    const by = (...actions: readonly Action[]): Landed => ({
      signature: 'stranger',
      signers: [STRANGER],
      actions,
    });
    const moved = (from: string, to: string): Action => ({
      kind: 'move',
      from,
      to,
      authority: STRANGER,
      amount: 3n,
      fee: undefined,
    });
    const theirs: Action = { kind: 'initialize', account: STRANGER, owner: STRANGER };
    const chain = [
      by(made(MARKER), made(STRANGER)),
      { ...GENESIS, actions: [theirs, ...GENESIS.actions, lent(SECOND, 7n)] },
      {
        ...OPENING,
        actions: [
          ...OPENING.actions,
          { kind: 'lamports', from: STRANGER, to: SECOND, amount: 9n } as const,
          moved(DISTRIBUTOR, SECOND),
          moved(STRANGER, POT),
          { kind: 'close', account: STRANGER, to: STRANGER, authority: STRANGER } as const,
        ],
      },
      {
        ...CLOSING,
        actions: [
          ...CLOSING.actions,
          moved(THIRD, THIRD),
          { kind: 'approve', account: POT, delegate: WALLET, authority: STRANGER, amount: 1n } as const,
        ],
      },
    ];
    expect(await found({ chain })).toEqual([]);
  });

  test('may move into a pot instead of unwrapping for it', async () => {
    const into: Action = {
      kind: 'move',
      from: SECOND,
      to: POT,
      authority: WALLET,
      amount: 500n,
      fee: undefined,
    };
    expect(await found({ chain: opening(6, into) })).toEqual([]);
    expect(await found({ chain: opening(6, { ...into, amount: 501n }) })).toEqual([
      'what leaves a till goes into a pot of the books',
    ]);
  });

  test('is found with an account of the wallet that holds no tokens', async () => {
    const accounts = new Map(ACCOUNTS).set(OWN, { owner: STRANGER, lamports: 1n, data: Buffer.alloc(3) });
    expect(await found({ accounts })).toEqual([
      "the wallet's account holds what is kept, owed and could not be divided",
    ]);
  });
});
