// What a run collected and sold is recomputed from the balances behind its transactions.
import { associatedTokenAddress } from 'levy-solana-wire';
import { expect, test } from 'vitest';
import { NOTHING_CARRIED } from '../../../src/audit/audit-carried-over.ts';
import { auditCollected } from '../../../src/audit/audit-collected.ts';
import type { ChainHistory, PastTransaction } from '../../../src/audit/chain-history.ts';
import { createFindings } from '../../../src/audit/finding.ts';
import type { BookedAmounts, RunBooks, TokenBooks } from '../../../src/audit/run-books.ts';
import { addresses } from '../../support/domain-examples.ts';

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
  async *tried() {},
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

async function broken(change: Partial<BookedAmounts>, balances = shown, before = carried) {
  const findings = createFindings();
  const chain = {
    balancesAfter: async (signature: string) => new Map(Object.entries(balances[signature] ?? {})),
  };
  const changed = { ...run, amounts: { ...amounts, ...change } };
  await auditCollected({ token, run: changed, carried: before, history, chain }, findings);
  return findings.list.map(({ what }) => what);
}

test('true amounts hold, also where strangers gave something between two transactions', async () => {
  expect(await broken({})).toEqual([]);
  const given = { ...shown, split: { [account]: 43n, 'till 1': 1_320n }, open: { 'till 2': 12n } };
  for (const collected of [100n, 107n])
    for (const proceeds of [1_000n, 1_010n]) expect(await broken({ collected, proceeds }, given)).toEqual([]);
});

test.each<[string, Partial<BookedAmounts>, string]>([
  ['less that was collected', { collected: 99n }, 'all that was withdrawn is collected'],
  ['more that was collected', { collected: 101n }, 'no more is collected than was there to be split'],
  ['less that was burned', { burned: 19n }, 'no more is collected than was there to be split'],
  ['less that was sold', { sold: 59n }, 'no more is collected than was there to be split'],
  ['less that the sale brought', { proceeds: 999n }, 'all that the sale brought are proceeds'],
  ['more that the sale brought', { proceeds: 1_001n }, 'no more are proceeds than was in the till'],
])('%s is found', async (_lie, change, rule) => {
  expect(await broken(change)).toContain(`run 1: ${rule}`);
});

test('a withdrawal or a till that the chain does not show is found', async () => {
  expect(await broken({}, {})).toEqual(['run 1: the tax was withdrawn', 'run 1: the sale goes into a till']);
  expect(await broken({}, shown, NOTHING_CARRIED)).toContain('run 1: all that was withdrawn is collected');
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
