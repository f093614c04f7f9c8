// What a run collected and sold is recomputed from the balances behind its transactions.
import { associatedTokenAddress } from 'levy-solana-wire';
import { expect, test } from 'vitest';
import { NOTHING_CARRIED } from '../../../../src/proof/audit/audit-carried-over.ts';
import { auditCollected } from '../../../../src/proof/audit/audit-collected.ts';
import type { ChainHistory, PastTransaction } from '../../../../src/proof/audit/chain-history.ts';
import type { Action } from '../../../../src/proof/audit/decode-actions.ts';
import { createFindings } from '../../../../src/proof/audit/finding.ts';
import type { BookedAmounts, RunBooks, TokenBooks } from '../../../../src/proof/audit/run-books.ts';
import { addresses } from '../../../support/domain-examples.ts';

const { mint, creator: wallet } = addresses;
const account = associatedTokenAddress(wallet, mint);
const token: TokenBooks = {
  mint,
  wallet,
  distributor: 'distributor',
  marker: 'marker',
  runs: [],
  links: [],
  inTill: 0n,
  inAccount: 0n,
};
const carried = {
  kept: 10n,
  owed: { sol: 300n, token: 5n },
  dust: { sol: 20n, token: 1n },
};
const amounts: BookedAmounts = {
  kept: 10n,
  collected: 100n,
  burned: 20n,
  sold: 60n,
  keptAfter: 30n,
  proceeds: 1_000n,
  costs: 50n,
  developer: 100n,
  holders: 850n,
  dust: 20n,
  dustAfter: 2n,
  shares: 868n,
  owed: 300n,
  owedAfter: 0n,
  planned: 1_318n,
  paid: 1_318n,
  paidDebts: 0n,
};
const run: RunBooks = {
  runId: '1',
  asset: 'sol',
  amounts,
  records: [],
  pots: [],
  batches: [],
  steps: { withdraw: ['withdraw'], split: ['split'], open: ['open'] },
};

const made = (till: string, intoPots: bigint): Pick<PastTransaction, 'actions'> => ({
  actions: [
    { kind: 'initialize', account: till, owner: wallet },
    { kind: 'move', from: till, to: 'pot', authority: wallet, amount: intoPots, fee: undefined },
  ],
});
const past: { readonly [signature: string]: Pick<PastTransaction, 'actions'> } = {
  split: made('till 1', 0n),
  open: made('till 2', 1_318n),
};
const history: ChainHistory = {
  async *of() {},
  account: async () => undefined,
  transaction: async (signature) => {
    const found = past[signature];
    return found && { ...found, signature, slot: 1, payer: 'distributor', signers: [wallet] };
  },
};
const shown: { readonly [signature: string]: { readonly [account: string]: bigint } } = {
  withdraw: { [account]: 116n },
  split: { [account]: 36n, 'till 1': 1_320n },
  open: { 'till 2': 2n, pot: 1_318n },
};

interface Changed {
  readonly balances?: typeof shown;
  readonly before?: typeof carried;
  readonly run?: Partial<RunBooks>;
  readonly history?: Partial<ChainHistory>;
}

async function findingsOf(
  change: Partial<BookedAmounts>,
  { balances = shown, before = carried, ...other }: Changed = {},
) {
  const findings = createFindings();
  const chain = {
    balancesAfter: async (signature: string) => {
      expect(['withdraw', 'split', 'open']).toContain(signature);
      return balances[signature] && new Map(Object.entries(balances[signature]));
    },
  };
  const changed = { ...run, amounts: { ...amounts, ...change }, ...other.run };
  const past = { ...history, ...other.history };
  await auditCollected({ token, run: changed, carried: before, history: past, chain }, findings);
  return findings.list;
}

async function broken(...asked: Parameters<typeof findingsOf>) {
  return (await findingsOf(...asked)).map(({ what }) => what.replace('run 1: ', ''));
}

const landing = (landed: { readonly [signature: string]: readonly Action[] }): Partial<ChainHistory> => ({
  transaction: async (signature) => {
    const actions = landed[signature] ?? past[signature]?.actions;
    return actions && { actions, signature, slot: 1, payer: 'distributor', signers: [wallet] };
  },
});

test('true amounts hold, also where strangers gave something between two transactions', async () => {
  expect(await broken({})).toEqual([]);
  const given = { ...shown, split: { [account]: 43n, 'till 1': 1_320n }, open: { 'till 2': 12n } };
  for (const collected of [100n, 107n])
    for (const proceeds of [1_000n, 1_010n])
      expect(await broken({ collected, proceeds }, { balances: given })).toEqual([]);
});

test.each<[string, Partial<BookedAmounts>, string]>([
  ['less that was collected', { collected: 99n }, 'all that was withdrawn is collected'],
  ['more that was collected', { collected: 101n }, 'no more is collected than was there to be split'],
  ['less that was burned', { burned: 19n }, 'no more is collected than was there to be split'],
  ['less that was sold', { sold: 59n }, 'no more is collected than was there to be split'],
  ['less that the sale brought', { proceeds: 999n }, 'all that the sale brought are proceeds'],
  ['more that the sale brought', { proceeds: 1_001n }, 'no more are proceeds than was in the till'],
])('%s is found', async (_lie, change, rule) => {
  expect(await broken(change)).toEqual([rule]);
});

test('less that was collected is found at the last withdrawal, and more at the split', async () => {
  expect(await findingsOf({ collected: 99n })).toMatchObject([{ account, signature: 'withdraw' }]);
  const steps = { withdraw: ['early', 'withdraw'], split: ['early', 'split'], open: ['open'] };
  expect(await findingsOf({ collected: 99n }, { run: { steps } })).toMatchObject([
    { account, signature: 'withdraw' },
  ]);
  expect(await findingsOf({ collected: 101n }, { run: { steps } })).toMatchObject([
    { account, signature: 'split' },
  ]);
});

test('a withdrawal that the chain does not show is found', async () => {
  const { withdraw: _none, ...others } = shown;
  const what = 'run 1: the tax was withdrawn';
  const expected = 'a transaction that names the account';
  expect(await findingsOf({}, { balances: others })).toEqual([
    { what, expected, found: 'withdraw', account },
  ]);
  const elsewhere = { ...shown, withdraw: { stranger: 116n } };
  expect(await broken({}, { balances: elsewhere })).toEqual(['the tax was withdrawn']);
  const steps = { withdraw: [], split: ['split'], open: ['open'] };
  expect(await findingsOf({}, { run: { steps } })).toEqual([{ what, expected, found: 'none', account }]);
});

test.each<[string, Changed]>([
  ['whose balance the chain does not show', { balances: { ...shown, split: { [account]: 36n } } }],
  ['that is not on the chain', { history: { transaction: async () => undefined } }],
  [
    'that makes a till for somebody else',
    { history: landing({ split: [{ kind: 'initialize', account: 'till 1', owner: 'stranger' }] }) },
  ],
])('a till %s is found', async (_what, changed) => {
  expect(await findingsOf({}, changed)).toEqual([
    {
      what: 'run 1: the sale goes into a till',
      expected: 'a till of the wallet',
      found: 'none',
      signature: 'split',
    },
  ]);
});

test('the marker that the first link makes is no till', async () => {
  const marker: Action = { kind: 'initialize', account: 'marker', owner: wallet };
  const split = [marker, ...(past.split?.actions ?? [])];
  expect(await broken({}, { history: landing({ split }) })).toEqual([]);
});

test('what the next link moves from its till into pots was in the till, and nothing else', async () => {
  const elsewhere = (from: string): Action => ({
    kind: 'move',
    from,
    to: 'pot',
    authority: wallet,
    amount: 1_000n,
    fee: undefined,
  });
  const open = [...made('till 2', 318n).actions, elsewhere('stranger')];
  expect(await broken({}, { history: landing({ open }) })).toEqual([
    'no more are proceeds than was in the till',
  ]);
  expect(await broken({}, { history: landing({ open: [...open, elsewhere('till 2')] }) })).toEqual([]);
});

test('the last of several withdrawals and splits counts, and the first opening', async () => {
  const steps = { withdraw: ['earlier', 'withdraw'], split: ['earlier', 'split'], open: ['open', 'later'] };
  expect(await broken({}, { run: { steps } })).toEqual([]);
});

test('a run that has not opened pots yet is held to what it withdrew and split', async () => {
  const steps = { withdraw: ['withdraw'], split: ['split'], open: [] };
  expect(await broken({ proceeds: 1_001n }, { run: { steps } })).toEqual([]);
  expect(await broken({ proceeds: 999n }, { run: { steps } })).toEqual([
    'all that the sale brought are proceeds',
  ]);
  const alone = { withdraw: ['withdraw'], split: [], open: [] };
  expect(await broken({ proceeds: 0n, burned: 0n }, { run: { steps: alone } })).toEqual([]);
});

test('a split that names no account of the token burned and sold nothing', async () => {
  const balances = { ...shown, split: { 'till 1': 1_320n } };
  expect(await broken({ burned: 0n, sold: 0n }, { balances })).toEqual([]);
});

test('a run in the token itself sells nothing, and keeps what it divides in the account', async () => {
  const inToken = { asset: 'token' } as const;
  const balances = { ...shown, split: { [account]: 96n } };
  expect(await broken({}, { balances, run: inToken })).toEqual([]);
  expect(await broken({ burned: 19n }, { balances, run: inToken })).toEqual([
    'no more is collected than was there to be split',
  ]);
  expect(await broken({}, { run: inToken })).toEqual(['no more is collected than was there to be split']);
});

test('what was carried over is part of what was there', async () => {
  expect(await broken({}, { before: NOTHING_CARRIED })).toEqual([
    'all that was withdrawn is collected',
    'all that the sale brought are proceeds',
  ]);
});

test('books or chains that do not say enough are left alone', async () => {
  const findings = createFindings();
  const { steps: _none, ...without } = run;
  const chain = { balancesAfter: async () => undefined };
  await auditCollected({ token, run: without, carried, history, chain }, findings);
  await auditCollected({ token, run: { ...run, amounts: undefined }, carried, history, chain }, findings);
  await auditCollected({ token, run, carried, history, chain: {} }, findings);
  expect(findings.list).toEqual([]);
});
