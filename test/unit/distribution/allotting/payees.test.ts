import { addressOf, LOADER_V2, SYSTEM_PROGRAM } from 'levy-solana-wire';
import { expect, test } from 'vitest';
import { createKeyring } from '../../../../src/chain/keys.ts';
import { decideAllotment, type RunToDecide } from '../../../../src/distribution/allotting/allot-run.ts';
import { createPayeeLooks, type PayeeLooks } from '../../../../src/distribution/allotting/look-at-payees.ts';
import { distributedToken } from '../../../../src/distribution/distributed-token.ts';
import { REASONS } from '../../../../src/distribution/ledger/record.ts';
import { type Chain, type ChainAccount, ChainUnavailable } from '../../../../src/kernel/ports/chain.ts';
import { NOTHING_CARRIED } from '../../../../src/streams/distribution.ts';
import { settingsAtBirth } from '../../../../src/streams/distribution-settings.ts';
import { addresses, ids, tokenCreated } from '../../../support/domain-examples.ts';
import { keyOf } from '../../../support/faulty-chain/token-world.ts';
import { scannedOf } from '../../../support/scanned.ts';

const KEYRING = createKeyring(Buffer.alloc(32, 12));
const TOKEN = distributedToken(KEYRING, { ...ids, mint: addresses.mint, decimals: 6 });
const SETTINGS = { ...settingsAtBirth(tokenCreated.data.token), minimumHoldingRequirement: '0' };
const POLICY = {
  holding: 'now',
  leastShare: '0',
  minimumPayout: '10000',
  costsMaxBasisPoints: 1_000,
} as const;

const accountOf = (owner: string): ChainAccount => ({
  owner,
  lamports: 1_000_000_000n,
  data: new Uint8Array(),
});

interface Holder {
  readonly owner: string;
  readonly balance: bigint;
  readonly account?: ChainAccount;
}

const holders = (count: number, balanceOf: (index: number) => bigint, owner: string): readonly Holder[] =>
  Array.from({ length: count }, (_, index) => ({
    owner: keyOf(3_000 + index).address,
    balance: balanceOf(index),
    account: accountOf(owner),
  }));

function nodeOf(given: readonly Holder[], failsAt: (call: number) => boolean = () => false) {
  const accounts = new Map(given.map(({ owner, account }) => [owner, account]));
  const asked: (readonly string[])[] = [];
  const options: unknown[] = [];
  let calls = 0;
  const chain: Pick<Chain, 'accountsAt'> = {
    async accountsAt(addresses, commitment, how) {
      calls += 1;
      options.push([commitment, how]);
      if (failsAt(calls)) throw new ChainUnavailable('the node does not answer');
      asked.push(addresses);
      return { slot: 1_000n - BigInt(calls), accounts: addresses.map((address) => accounts.get(address)) };
    },
  };
  return { chain, asked, options };
}

const runOf = (given: readonly Holder[], divided: bigint, looks?: PayeeLooks): RunToDecide => ({
  token: TOKEN,
  open: {
    asset: 'sol',
    settings: SETTINGS,
    owners: { keptOut: [], listedIn: [] },
    carried: NOTHING_CARRIED,
    policy: POLICY,
    distributor: TOKEN.distributor.address,
    serviceAddresses: [],
  },
  split: { costs: '0', developer: '0', holders: divided.toString() },
  scanned: scannedOf(given),
  slots: ['41', '42'],
  previous: undefined,
  rentFloor: 890_880n,
  ...(looks === undefined ? {} : { looks }),
});

async function decided(chain: Pick<Chain, 'accountsAt'>, run: RunToDecide) {
  const { columns, count, allotted, seenSince } = await decideAllotment({ chain, rest: async () => {} }, run);
  const reasons = Array.from({ length: count }, (_, index) => REASONS[columns.reasons[index] ?? -1]);
  const counted = Object.fromEntries(
    [...new Set(reasons)].map((reason) => [reason, reasons.filter((each) => each === reason).length]),
  );
  return { counted, allotted, seenSince };
}

test('everybody who would be paid is looked at once, a hundred in a call, without what is in the accounts', async () => {
  const given = holders(250, () => 1n, SYSTEM_PROGRAM);
  const { chain, asked, options } = nodeOf(given);
  const { counted, seenSince } = await decided(chain, runOf(given, 25_000_000n));
  expect(counted).toEqual({ planned: 250 });
  expect(asked.map(({ length }) => length).sort()).toEqual([100, 100, 50]);
  expect(new Set(asked.flat()).size).toBe(250);
  // At the end of the scan or later: an older node would show a program as absent.
  for (const how of options) expect(how).toEqual(['finalized', { atLeastSlot: 42n, mostData: 0 }]);
  expect(seenSince).toBe(997n);
});

test('nobody is looked at whose share is too small to be paid', async () => {
  const given = holders(250, () => 1n, SYSTEM_PROGRAM);
  const { chain, asked } = nodeOf(given);
  const { counted, seenSince } = await decided(chain, runOf(given, 250_000n));
  expect([counted, asked, seenSince]).toEqual([{ 'below-minimum-payout': 250 }, [], undefined]);
});

test('a node that fails in between is asked again for those alone whom it did not show', async () => {
  const given = holders(950, (index) => BigInt(1 + (index % 3)), SYSTEM_PROGRAM);
  const { chain, asked } = nodeOf(given, (call) => call === 3 || call === 7);
  const looks = createPayeeLooks();
  const run = runOf(given, 100_000_000n, looks);
  await expect(decided(chain, run)).rejects.toThrow(ChainUnavailable);
  expect(asked.flat().length).toBeGreaterThan(0);
  for (let again = 0; again < 2; again++) {
    const found = await decided(chain, run).catch((error: unknown) => error);
    if (!(found instanceof ChainUnavailable)) expect(found).toMatchObject({ counted: { planned: 950 } });
  }
  expect(asked.flat()).toHaveLength(950);
  expect(new Set(asked.flat()).size).toBe(950);
});

test('those who are paid only because a program is excluded are looked at as well', async () => {
  // The second program's share is large enough once the first has none.
  const [first, second, wallet] = holders(3, (index) => [5_000n, 90n, 4_910n][index] ?? 0n, LOADER_V2) as [
    Holder,
    Holder,
    Holder,
  ];
  const given = [first, second, { ...wallet, account: accountOf(SYSTEM_PROGRAM) }];
  const { chain, asked } = nodeOf(given);
  const { counted, allotted } = await decided(chain, runOf(given, 1_000_000n));
  expect(counted).toEqual({ program: 2, planned: 1 });
  expect(asked.flat()).toHaveLength(3);
  expect([allotted.sumOfShares, allotted.dust]).toEqual([1_000_000n, 0n]);
});

test('programs whose shares are made so that each exclusion brings up the next do not make a run be decided for ever', async () => {
  // Each has nearly a tenth of what is left when those before it are out.
  const programs = holders(30, (index) => BigInt(Math.ceil(1e12 * 0.1 * 0.9 ** index)), LOADER_V2);
  const left = 10n ** 12n - programs.reduce((sum, { balance }) => sum + balance, 0n);
  const given = [
    ...programs,
    { owner: keyOf(4_000).address, balance: left, account: accountOf(SYSTEM_PROGRAM) },
  ];
  const { chain, asked } = nodeOf(given);
  const { counted, allotted } = await decided(chain, runOf(given, 100_000n));
  expect(counted).toEqual({ program: 30, planned: 1 });
  expect(asked.length).toBeLessThanOrEqual(5);
  expect(allotted.sumOfShares + allotted.dust).toBe(100_000n);
});

test.each([1, 2])('a program that a node leaves out of %i of its answers is not paid', async (hidden) => {
  const [program, ...others] = holders(10, () => 1n, SYSTEM_PROGRAM);
  if (program === undefined) throw new Error('there are ten');
  const given = [{ ...program, account: accountOf(LOADER_V2) }, ...others];
  const { chain, options } = nodeOf(given);
  let answers = 0;
  const leavesOut: typeof chain = {
    ...chain,
    async accountsAt(addresses, ...how) {
      answers += 1;
      const isHidden = answers <= hidden;
      const shown = await chain.accountsAt(addresses, ...how);
      const accounts = shown.accounts.map((account, index) =>
        isHidden && addresses[index] === program.owner ? undefined : account,
      );
      return { ...shown, accounts };
    },
  };
  const { counted } = await decided(leavesOut, runOf(given, 100_000_000n));
  expect(counted).toEqual({ planned: 9, program: 1 });
  // Another node is asked, where there is one.
  expect(options[1]).toEqual(['finalized', { atLeastSlot: 42n, mostData: 0, elsewhere: true }]);
});

test('a wallet that holds no SOL is looked at three times, and then paid if it may be', async () => {
  const given = holders(2, () => 1n, SYSTEM_PROGRAM).map(({ owner, balance }) => ({ owner, balance }));
  const { chain, asked } = nodeOf(given);
  const { counted } = await decided(chain, runOf(given, 100_000_000n));
  expect(counted).toEqual({ planned: 2 });
  expect(asked.map(({ length }) => length)).toEqual([2, 2, 2]);
});

test('a run that is decided twice divides by square roots as one that is decided once', async () => {
  // The first plan has payments of more than 32 bits, and is thrown away with the program's share.
  const balances = [1_000_000n, 250_000n, 40_000n, 90_000n];
  const all = holders(4, (index) => balances[index] ?? 0n, SYSTEM_PROGRAM);
  const [program, ...others] = all as [Holder, ...Holder[]];
  const given = [{ ...program, account: accountOf(LOADER_V2) }, ...others];
  const divided = 2n ** 40n;
  const rooted = (run: RunToDecide): RunToDecide => ({
    ...run,
    open: { ...run.open, settings: { ...SETTINGS, distributionModel: 'square-root' } },
  });
  const sharesOf = async (of: readonly Holder[]) => {
    const { columns, count } = await decideAllotment(
      { chain: nodeOf(of).chain, rest: async () => {} },
      rooted(runOf(of, divided)),
    );
    const rows = Array.from({ length: count }, (_, row) => row);
    return new Map(rows.map((row) => [addressOf(columns.ownerAt(row)), columns.amounts.share.get(row)]));
  };
  const [twice, once] = [await sharesOf(given), await sharesOf(others)];
  expect(twice.get(program.owner)).toBe(0n);
  for (const { owner } of others) expect(twice.get(owner)).toBe(once.get(owner));
  // 500 of 500 + 200 + 300.
  expect(twice.get(others[0]?.owner ?? '')).toBe(divided / 2n);
});
