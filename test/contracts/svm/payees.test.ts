// Payees of a run, on the virtual machine with the real programs and sysvars: an account that can never spend is not paid.
import {
  ASSOCIATED_TOKEN_PROGRAM,
  associatedTokenAddress,
  LOADER_V2,
  MEMO_PROGRAM,
  programAddress,
  RENT_SYSVAR,
  SECP256R1_PROGRAM,
  SYSTEM_PROGRAM,
  SYSVAR_OWNER,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  VOTE_PROGRAM,
} from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import type { LedgerRecord } from '../../../src/distribution/ledger/ledger-record.ts';
import type { ChainAccount } from '../../../src/kernel/ports/chain.ts';
import { type EngineRun, type FurtherOwner, runEngine } from '../../support/faulty-chain/engine-run.ts';
import { keyOf } from '../../support/faulty-chain/token-world.ts';
import { CALM } from '../../support/faulty-chain/weather.ts';

const TOKENS = 4_000_000_000n;
const SOL = 1_000_000_000n;
const CLOCK = 'SysvarC1ock11111111111111111111111111111111';
const STAKE = 'Stake11111111111111111111111111111111111111';
const INCINERATOR = '1nc1nerator11111111111111111111111111111111';
/** Made from keys: their addresses are points of the curve, like those of wallets. */
const [wallet, newcomer, deployed, nonce, market, mint, kept] = Array.from(
  { length: 7 },
  (_, index) => keyOf(900 + index).address,
) as [string, string, string, string, string, string, string];
const VAULT = programAddress([Buffer.from('vault')], MEMO_PROGRAM);
const ACCOUNT_OF_WALLET = associatedTokenAddress(wallet, TOKEN_2022_PROGRAM);

const account = (owner: string, size = 0): ChainAccount => ({
  owner,
  lamports: SOL,
  data: new Uint8Array(size),
});

const OWNERS: readonly (readonly [name: string, reason: string, owner: string, account?: ChainAccount])[] = [
  ['a wallet', 'planned', wallet, account(SYSTEM_PROGRAM)],
  ['a wallet that is not there yet', 'planned', newcomer],
  ['a nonce account', 'planned', nonce, account(SYSTEM_PROGRAM, 80)],
  ['a program that somebody deployed', 'program', deployed, account(LOADER_V2, 4_096)],
  ['Token-2022', 'program', TOKEN_2022_PROGRAM],
  ['the Token program', 'program', TOKEN_PROGRAM],
  ['the associated token program', 'program', ASSOCIATED_TOKEN_PROGRAM],
  ['Memo', 'program', MEMO_PROGRAM],
  ['Stake', 'program', STAKE],
  ['Vote', 'program', VOTE_PROGRAM],
  ['the System program', 'program', SYSTEM_PROGRAM],
  ['a precompile', 'program', SECP256R1_PROGRAM],
  ['Clock', 'sysvar', CLOCK],
  ['Rent', 'sysvar', RENT_SYSVAR],
  ['the address that owns sysvars', 'sysvar', SYSVAR_OWNER],
  ['the incinerator', 'excluded', INCINERATOR],
  ["a program's address", 'program-owned', VAULT],
  ["a wallet's token account", 'program-owned', ACCOUNT_OF_WALLET],
  ["a market's account that was made from a key", 'program-owned', market, account(STAKE, 200)],
  ["another token's mint", 'program-owned', mint, account(TOKEN_2022_PROGRAM, 82)],
];

const furtherOwners = (owners: typeof OWNERS = OWNERS): readonly FurtherOwner[] =>
  owners.map(([, , address, there]) => ({
    address,
    tokens: TOKENS,
    ...(there === undefined ? {} : { account: there }),
  }));

const recordsOf = (run: readonly LedgerRecord[] | undefined, address: string) =>
  (run ?? []).filter(({ owner }) => owner === address);

const holderIn = (run: readonly LedgerRecord[] | undefined, address: string): LedgerRecord => {
  const found = recordsOf(run, address).find(({ kind }) => kind === 'holder');
  if (found === undefined) throw new Error(`${address} is no holder`);
  return found;
};

const refusals = ({ runs }: EngineRun) =>
  runs.flat().flatMap((event) => (event.type === 'BatchReplanned' ? event.data.refused : []));

const isWhole = ({ findings, halted, paidTwice, closed }: EngineRun) => ({
  findings,
  halted,
  paidTwice,
  closed,
});

const WHOLE = { findings: [], halted: undefined, paidTwice: [], closed: 2 };

describe.each(['sol', 'token'] as const)('two runs in %s', (asset) => {
  test('pay wallets alone, say of everybody else why not, and plan nothing that the chain refuses', async () => {
    const run = await runEngine(4, { weather: CALM, assets: [asset, asset], owners: furtherOwners() });
    expect(isWhole(run)).toEqual(WHOLE);
    for (const records of run.allotments) {
      const found = OWNERS.map(([name, , address]) => [name, holderIn(records, address).reason]);
      expect(found).toEqual(OWNERS.map(([name, reason]) => [name, reason]));
      for (const [name, reason, address] of OWNERS) {
        const { basis, share, owedBefore, planned } = holderIn(records, address);
        if (reason === 'planned') expect([name, planned]).toEqual([name, owedBefore + share]);
        else expect([name, planned]).toEqual([name, 0n]);
        // Those who could be paid one day earn; nobody else takes a part of what others get.
        const isEarning = reason === 'planned' || reason === 'program-owned';
        expect([name, basis > 0n, share > 0n]).toEqual([name, isEarning, isEarning]);
      }
    }
    expect(refusals(run)).toEqual([]);
    const [first, second] = run.allotments;
    // What a vault has earned is carried.
    const { share } = holderIn(first, VAULT);
    expect(holderIn(second, VAULT).owedBefore).toBe(share);
  });
});

test('a wallet that becomes a program stays owed what it has earned, and gets no more', async () => {
  const run = await runEngine(4, {
    weather: CALM,
    assets: ['sol', 'sol', 'sol'],
    // Too little to make its account.
    owners: [{ address: newcomer, tokens: 20_000_000n }],
    beforeRun(number, ledger) {
      if (number === 1) ledger.put(newcomer, account(LOADER_V2, 64));
    },
  });
  expect(isWhole(run)).toEqual({ ...WHOLE, closed: 3 });
  const [first, second, third] = run.allotments.map((records) => holderIn(records, newcomer));
  expect(first).toMatchObject({ reason: 'under-rent-floor', planned: 0n });
  expect(first?.share).toBeGreaterThan(10_000n);
  const owed = { reason: 'program', basis: 0n, share: 0n, planned: 0n, owedBefore: first?.share };
  expect(second).toMatchObject(owed);
  expect(third).toMatchObject(owed);
});

test('the audit finds whoever was paid and is a program, once for each run', async () => {
  const { findings, runs, closed } = await runEngine(4, {
    weather: CALM,
    assets: ['sol', 'token'],
    owners: furtherOwners(),
    beforeAudit: ({ ledger }) => ledger.put(wallet, account(LOADER_V2, 64)),
  });
  expect(closed).toBe(2);
  expect(runs).toHaveLength(2);
  const rule = 'every recipient can spend the payment';
  const found = { what: rule, account: wallet, found: `a program: ${LOADER_V2} owns it` };
  expect(findings).toMatchObject([found, found]);
});

test('nobody can list a program or a sysvar in, but a vault, and nobody is paid whom the creator keeps out', async () => {
  const run = await runEngine(4, {
    weather: CALM,
    assets: ['sol', 'sol'],
    owners: [...furtherOwners(), { address: kept, account: account(SYSTEM_PROGRAM), tokens: TOKENS }],
    lists: { allowedOwners: [VAULT, market, MEMO_PROGRAM, CLOCK, deployed], excludedOwners: [kept] },
  });
  expect(isWhole(run)).toEqual(WHOLE);
  const [records] = run.allotments;
  expect(
    [VAULT, market, MEMO_PROGRAM, CLOCK, deployed, kept].map((address) => holderIn(records, address).reason),
  ).toEqual(['planned', 'planned', 'program', 'sysvar', 'program', 'excluded-by-creator']);
});

test.each([
  ['a sysvar', CLOCK, 'sysvar', 0n],
  ['a program', MEMO_PROGRAM, 'program', 0n],
  ['a vault', VAULT, 'planned', 1n],
] as const)('a developer whose wallet is %s', async (_what, developerWallet, reason, paid) => {
  // With this seed the developer has a part.
  const run = await runEngine(5, { weather: CALM, assets: ['sol', 'sol'], developerWallet });
  expect(isWhole(run)).toEqual(WHOLE);
  const rows = run.allotments.map((records) =>
    recordsOf(records, developerWallet).find(({ kind }) => kind === 'developer'),
  );
  for (const row of rows) {
    expect(row?.share).toBeGreaterThan(0n);
    expect(row?.reason).toBe(reason);
    expect(row?.planned).toBe(((row?.share ?? 0n) + (row?.owedBefore ?? 0n)) * paid);
  }
  expect(refusals(run)).toEqual([]);
});
