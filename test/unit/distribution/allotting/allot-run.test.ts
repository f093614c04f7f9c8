// Allotments of a run with their reasons: from its scan, the run before, and the accounts of the payees.
import fc from 'fast-check';
import {
  addressBytes,
  addressOf,
  isOnCurve,
  LOADER_V2,
  RESERVED_PROGRAMS,
  RESERVED_SYSVARS,
  SYSTEM_PROGRAM,
  SYSVAR_OWNER,
  TOKEN_PROGRAM,
} from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import { POOL_AUTHORITY } from '../../../../src/chain/venue/addresses.ts';
import { allotRun, countHolders, decideAllotment } from '../../../../src/distribution/allotting/allot-run.ts';
import { weightOf } from '../../../../src/distribution/allotting/divide-shares.ts';
import { createPayeeVerdicts } from '../../../../src/distribution/allotting/payee-verdicts.ts';
import { createAmountColumn } from '../../../../src/distribution/amounts/amount-column.ts';
import { openAllotment } from '../../../../src/distribution/ledger/allotment-file.ts';
import { KINDS, type Kind, REASONS, type Reason } from '../../../../src/distribution/ledger/ledger-record.ts';
import { type RunLedger, rangeOf } from '../../../../src/distribution/ledger/run-ledger.ts';
import { ChainUnavailable } from '../../../../src/kernel/ports/chain.ts';
import {
  NOTHING_CARRIED,
  type OpenedRun,
  type RewardAsset,
  type RunPolicy,
} from '../../../../src/streams/distribution.ts';
import { runOpened, taxSplit } from '../../../support/distribution-examples.ts';
import { keyOf } from '../../../support/faulty-chain/token-world.ts';
import { SUMS, storeInMemory, TOKEN } from '../../../support/run-examples.ts';
import { numberedOwner, type ScannedHolder, scannedOf } from '../../../support/scanned.ts';

const [ANN, BOB, CAT] = [keyOf(3_001).address, keyOf(3_002).address, keyOf(3_003).address];
const SERVICE = keyOf(3_004).address;
const DISTRIBUTOR = TOKEN.distributor.address;
const DEVELOPER = runOpened.data.settings.developerWallet;
const INCINERATOR = '1nc1nerator11111111111111111111111111111111';
/** An address of a program, which no key signs for. */
const VAULT = numberedOwners(20).find((address) => !isOnCurve(addressBytes(address))) ?? '';
const MINIMUM = 10_000n;
const RENT_FLOOR = 890_880n;
const U64_MAX = 2n ** 64n - 1n;

type RunToDecide = Parameters<typeof decideAllotment>[1];

/** A row of the ledger of the run before. */
interface Carried {
  readonly owner: string;
  readonly kind?: Kind;
  readonly balance?: bigint;
  readonly owed?: bigint;
}

interface Given extends Partial<Pick<OpenedRun, 'asset' | 'serviceAddresses'>> {
  readonly holders?: readonly ScannedHolder[];
  readonly before?: readonly Carried[];
  /** The asset that the run before has paid, where it is another. */
  readonly assetBefore?: RewardAsset;
  readonly settings?: Partial<OpenedRun['settings']>;
  readonly owners?: Partial<OpenedRun['owners']>;
  readonly policy?: Partial<RunPolicy>;
  readonly split?: Partial<RunToDecide['split']>;
  readonly dust?: bigint;
  readonly looks?: RunToDecide['verdicts'];
}

/** Divides 1,000,000 lamports, of which a share is at least 1,000 and a payment 10,000, and nothing else. */
function runOf(given: Given): RunToDecide {
  const { asset = 'sol', holders = [], before, assetBefore = asset } = given;
  return {
    token: TOKEN,
    open: {
      asset,
      settings: { ...runOpened.data.settings, ...given.settings },
      owners: { excludedOwners: [], allowedOwners: [], ...given.owners },
      carried: { ...NOTHING_CARRIED, dust: { sol: '0', token: '0', [asset]: `${given.dust ?? 0n}` } },
      policy: { ...runOpened.data.policy, ...given.policy },
      distributor: DISTRIBUTOR,
      serviceAddresses: given.serviceAddresses ?? [],
    },
    split: { costs: '0', developer: '0', holders: '1000000', ...given.split },
    scanned: scannedOf(holders),
    slots: ['41', '42'],
    previous: before && ledgerOf(before, assetBefore),
    rentFloor: RENT_FLOOR,
    ...(given.looks && { verdicts: given.looks }),
  };
}

function ledgerOf(given: readonly Carried[], asset: RewardAsset): RunLedger {
  const rows = given
    .map((row) => ({ ...row, owner: addressBytes(row.owner) }))
    .sort((one, other) => Buffer.compare(one.owner, other.owner));
  const columnOf = (amountOf: (row: Carried) => bigint | undefined) => {
    const column = createAmountColumn(rows.length);
    for (const [index, row] of rows.entries()) column.set(index, amountOf({ ...row, owner: '' }) ?? 0n);
    return column;
  };
  return {
    allotment: { asset },
    async *carriedOwners() {
      yield {
        count: rows.length,
        owners: Buffer.concat(rows.map(({ owner }) => owner)),
        kinds: Uint8Array.from(rows, ({ kind = 'holder' }) => KINDS.indexOf(kind)),
        balances: columnOf(({ balance }) => balance),
        owedAfter: columnOf(({ owed }) => owed),
        paidAfter: columnOf(() => 0n),
      };
    },
  } as unknown as RunLedger;
}

/** Owner program of the account at each address, undefined without an account. All other addresses are wallets. */
type Accounts = { readonly [address: string]: string | undefined };

/** A node of which each answer is a slot older than the one before. */
function nodeWith(accounts: Accounts = {}, failsAt: (call: number) => boolean = () => false) {
  const asked: (readonly string[])[] = [];
  const options: unknown[] = [];
  const chain: Parameters<typeof decideAllotment>[0]['chain'] = {
    async accountsAt(addresses, commitment, how) {
      options.push([commitment, how]);
      if (failsAt(options.length)) throw new ChainUnavailable('the node does not answer');
      asked.push(addresses);
      const shown = addresses.map((address) => {
        const owner = address in accounts ? accounts[address] : SYSTEM_PROGRAM;
        return owner === undefined ? undefined : { owner, lamports: 1n, data: new Uint8Array() };
      });
      return { slot: 1_000n - BigInt(options.length), accounts: shown };
    },
  };
  return { chain, asked, options };
}

async function decided(given: Given, { chain } = nodeWith()) {
  let rests = 0;
  const yieldToOthers = async () => {
    rests += 1;
  };
  const { columns, count, allotted, terms, seenSince } = await decideAllotment(
    { chain, yieldToOthers },
    runOf(given),
  );
  const rows = Array.from({ length: count }, (_, row) => ({
    owner: addressOf(columns.ownerAt(row)),
    kind: KINDS[columns.kinds[row] ?? -1],
    basis: columns.amounts.basis.get(row),
    share: columns.amounts.share.get(row),
    planned: columns.amounts.planned.get(row),
    reason: REASONS[columns.reasons[row] ?? -1],
  }));
  /** The owner's allotment in this capacity. */
  const rowOf = (wanted: string, as: Kind = 'holder') => {
    const found = rows.find(({ owner, kind }) => owner === wanted && kind === as);
    if (found === undefined) return undefined;
    const { share, planned, reason } = found;
    return { share, planned, reason };
  };
  const basisOf = (owner: string) => rows.find((row) => row.owner === owner && row.kind === 'holder')?.basis;
  const reasons = rows.map(({ reason }) => reason);
  const counted = Object.fromEntries(
    [...new Set(reasons)].map((reason) => [reason, reasons.filter((each) => each === reason).length]),
  );
  const { sumOfShares: sum, dust } = allotted;
  return { rows, rowOf, basisOf, counted, rests, terms, seenSince, sum, dust };
}

const holder = (owner: string, balance: bigint, hasAssociated = true) => ({ owner, balance, hasAssociated });
const paid = (share: bigint, owed = 0n) => ({ share, planned: share + owed, reason: 'planned' });
const unpaid = (share: bigint, reason: Reason) => ({ share, planned: 0n, reason });

function numberedOwners(count: number): readonly string[] {
  return Array.from({ length: count }, (_, number) => numberedOwner(number));
}

describe('a run divides', () => {
  test('among its holders, in proportion to their balances', async () => {
    const { rowOf, dust } = await decided({ holders: [holder(ANN, 300n), holder(BOB, 100n)] });
    expect([rowOf(ANN), rowOf(BOB), dust]).toEqual([paid(750_000n), paid(250_000n), 0n]);
  });

  test('what is the holders’, and the dust of the run before', async () => {
    const { terms, rowOf } = await decided({ holders: [holder(ANN, 1n)], dust: 7n });
    expect([terms.amount, rowOf(ANN)]).toEqual([1_000_007n, paid(1_000_007n)]);
  });

  test('by the lesser of two balances where that is the policy, and by the only one in a first run', async () => {
    const policy = { holding: 'least-of-two' } as const;
    const holders = [holder(ANN, 50n), holder(BOB, 30n), holder(CAT, 20n)];
    const before = [
      { owner: ANN, balance: 40n },
      { owner: BOB, balance: 90n },
    ];
    const basesOf = async (given: Given) =>
      [ANN, BOB, CAT].map((await decided({ holders, ...given })).basisOf);
    expect(await basesOf({ before })).toEqual([50n, 30n, 20n]);
    expect(await basesOf({ before, policy })).toEqual([40n, 30n, 0n]);
    expect(await basesOf({ policy })).toEqual([50n, 30n, 20n]);
    expect(await basesOf({ settings: { minimumHoldingRequirement: '30' } })).toEqual([50n, 30n, 0n]);
  });

  test('and accounts for every unit: each has its exact share rounded down, and one reason', async () => {
    const amount = fc
      .tuple(fc.bigInt({ min: 0n, max: 2n ** 60n }), fc.integer({ min: 0, max: 59 }))
      .map(([value, shift]) => value >> BigInt(shift));
    const owner = fc.record({ balance: amount, owed: amount.map((value) => value >> 8n), has: fc.boolean() });
    const terms = fc.record({
      divided: amount,
      model: fc.constantFrom('proportional' as const, 'square-root' as const),
      minimumHolding: amount.map((value) => value >> 20n),
      minShare: fc.constantFrom(0n, 1_000n),
      asset: fc.constantFrom<RewardAsset>('sol', 'token'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(owner, { maxLength: 20 }), terms, async (given, chosen) => {
        const { divided, model, minimumHolding, asset } = chosen;
        const owners = numberedOwners(given.length);
        const { rows, dust } = await decided({
          asset,
          holders: given.map(({ balance, has }, index) => holder(owners[index] ?? '', balance, has)),
          before: given.map(({ owed }, index) => ({ owner: owners[index] ?? '', owed })),
          settings: { distributionModel: model, minimumHoldingRequirement: `${minimumHolding}` },
          policy: { leastShare: `${chosen.minShare}` },
          owners: { allowedOwners: [...owners] },
          split: { holders: `${divided}` },
        });
        const weights = given.map(({ balance }) =>
          balance < minimumHolding ? 0n : weightOf(model, balance),
        );
        const sumOfWeights = weights.reduce((sum, weight) => sum + weight, 0n);
        const leastShare = asset === 'sol' ? chosen.minShare : 0n;
        const shares = weights.map((weight) =>
          sumOfWeights === 0n ? 0n : (divided * weight) / sumOfWeights,
        );
        expect(rows.map(({ share }) => share)).toEqual(
          shares.map((share) => (share < leastShare ? 0n : share)),
        );
        expect(rows.reduce((sum, { share }) => sum + share, 0n) + dust).toBe(divided);
        for (const [index, { share, planned, reason }] of rows.entries()) {
          const due = (given[index]?.owed ?? 0n) + share;
          expect(planned).toBe(reason === 'planned' ? due : 0n);
          expect(planned > 0n).toBe(reason === 'planned');
        }
      }),
      { numRuns: 200 },
    );
  });

  test('and lets others run while it decides, however many owners there are', async () => {
    const restsFor = async (count: number) =>
      (await decided({ holders: numberedOwners(count).map((owner) => holder(owner, 1n)) })).rests;
    // With the last of 4,096: the rows, and the standings of 128, the bases and the sums of 2,048.
    expect([await restsFor(4_095), await restsFor(4_096)]).toEqual([38, 41]);
  });
});

test('a weight is the balance, or its square root rounded down, on both sides of what a double can tell', () => {
  const nearSquares = fc
    .tuple(fc.bigInt({ min: 1n, max: 2n ** 32n - 1n }), fc.bigInt({ min: -1n, max: 1n }))
    .map(([root, near]) => root * root + near);
  const special = fc.constantFrom(0n, 2n ** 52n - 1n, 2n ** 52n, U64_MAX);
  fc.assert(
    fc.property(fc.oneof(nearSquares, special, fc.bigInt({ min: 0n, max: U64_MAX })), (balance) => {
      expect(weightOf('proportional', balance)).toBe(balance);
      const root = weightOf('square-root', balance);
      expect(root * root).toBeLessThanOrEqual(balance);
      expect((root + 1n) * (root + 1n)).toBeGreaterThan(balance);
    }),
    { numRuns: 5_000 },
  );
});

describe('a share', () => {
  const system = RESERVED_PROGRAMS[0] ?? '';
  const clock = RESERVED_SYSVARS[0] ?? '';
  const everyList = (owner: string) => ({ owners: { excludedOwners: [owner], allowedOwners: [owner] } });

  test.each<readonly [what: string, owner: string, given: Given, reason: Reason]>([
    ['who hold too little', ANN, { settings: { minimumHoldingRequirement: '10' } }, 'below-minimum-holding'],
    ['whose share is too small', ANN, { policy: { leastShare: '90000' } }, 'below-least-share'],
    ['whom the creator keeps out', ANN, everyList(ANN), 'excluded-by-creator'],
    ['who are the service', ANN, { ...everyList(ANN), serviceAddresses: [ANN] }, 'excluded'],
    ['who are the distributor', DISTRIBUTOR, {}, 'excluded'],
    ['who are the wallet', TOKEN.wallet.address, {}, 'excluded'],
    ['who are the mint', TOKEN.mint, {}, 'excluded'],
    ['who are the incinerator', INCINERATOR, {}, 'excluded'],
    ['who are the pool', POOL_AUTHORITY, {}, 'pool'],
    ['who are the pool that is kept out', POOL_AUTHORITY, everyList(POOL_AUTHORITY), 'excluded-by-creator'],
    ['who are a program, whatever is listed', system, everyList(system), 'program'],
    ['who are a sysvar, whatever is listed', clock, everyList(clock), 'sysvar'],
  ])('is not given to owners %s: theirs goes to the others', async (_who, owner, given, reason) => {
    const holders = [holder(owner, 9n), holder(BOB, 100n)];
    const { rowOf, basisOf, sum } = await decided({ holders, ...given });
    expect(rowOf(owner)).toEqual(unpaid(0n, reason));
    const [basis, others] = reason === 'below-least-share' ? [9n, 917_431n] : [0n, 1_000_000n];
    expect([basisOf(owner), rowOf(BOB)?.share, sum]).toEqual([basis, others, others]);
  });

  test.each<readonly [what: string, owner: string, given: Given, accounts: Accounts, reason: Reason]>([
    ['it is worth less than a payment', ANN, { split: { holders: '9999' } }, {}, 'below-minimum-payout'],
    ['no key signs for the owner', VAULT, {}, {}, 'program-owned'],
    ['a program owns the account', ANN, {}, { [ANN]: TOKEN_PROGRAM }, 'program-owned'],
    ['there is no account for the token', ANN, { asset: 'token' }, {}, 'no-account'],
    [
      'the account is less than its rent',
      ANN,
      { split: { holders: '890879' } },
      { [ANN]: undefined },
      'under-rent-floor',
    ],
  ])('stays owed where %s', async (_where, owner, given, accounts, reason) => {
    const { rowOf } = await decided({ holders: [holder(owner, 1n, false)], ...given }, nodeWith(accounts));
    expect(rowOf(owner)).toEqual(unpaid(BigInt(given.split?.holders ?? 1_000_000), reason));
  });

  test.each<readonly [what: string, given: Given, accounts: Accounts]>([
    ['of a vault that the creator lists', { owners: { allowedOwners: [VAULT] } }, {}],
    [
      'of an account that the creator lists',
      { owners: { allowedOwners: [VAULT] } },
      { [VAULT]: TOKEN_PROGRAM },
    ],
    [
      'that makes the account',
      { owners: { allowedOwners: [VAULT] }, split: { holders: '890880' } },
      { [VAULT]: undefined },
    ],
    [
      'of a base unit of the token',
      { asset: 'token', owners: { allowedOwners: [VAULT] }, split: { holders: '1' } },
      {},
    ],
  ])('is paid %s', async (_what, given, accounts) => {
    const { rowOf } = await decided({ holders: [holder(VAULT, 1n)], ...given }, nodeWith(accounts));
    expect(rowOf(VAULT)).toEqual(paid(BigInt(given.split?.holders ?? 1_000_000)));
  });

  test.each([
    ['a program', LOADER_V2, 'program'],
    ['a sysvar', SYSVAR_OWNER, 'sysvar'],
  ] as const)('is nobody’s whose account is %s, listed in or not: it is divided among the others', async (_what, owner, reason) => {
    const holders = [holder(ANN, 50n), holder(BOB, 50n)];
    for (const allowedOwners of [[], [ANN]]) {
      const { rowOf, basisOf } = await decided(
        { holders, owners: { allowedOwners } },
        nodeWith({ [ANN]: owner }),
      );
      expect([rowOf(ANN), rowOf(BOB)]).toEqual([unpaid(0n, reason), paid(1_000_000n)]);
      expect(basisOf(ANN)).toBe(0n);
    }
  });

  test('that was less than the rent of its account makes it once a program’s share is divided too', async () => {
    const holders = [holder(ANN, 50n), holder(BOB, 50n)];
    const accounts = { [ANN]: undefined, [BOB]: LOADER_V2 };
    const { rowOf } = await decided({ holders, split: { holders: '890880' } }, nodeWith(accounts));
    expect(rowOf(ANN)).toEqual(paid(RENT_FLOOR));
  });

  test('is paid with what was owed, as soon as both are enough for a payment, or for the account', async () => {
    const together = (owed: bigint, share: bigint, accounts: Accounts = {}) =>
      decided(
        { holders: [holder(ANN, 1n)], before: [{ owner: ANN, owed }], split: { holders: `${share}` } },
        nodeWith(accounts),
      ).then(({ rowOf }) => rowOf(ANN));
    expect(await together(6_000n, 4_000n)).toEqual(paid(4_000n, 6_000n));
    expect(await together(90_880n, 800_000n, { [ANN]: undefined })).toEqual(paid(800_000n, 90_880n));
  });

  test.each<readonly [who: string, given: Given]>([
    ['sold everything', {}],
    ['is kept out since', { holders: [holder(ANN, 9n)], owners: { excludedOwners: [ANN] } }],
  ])('of before is paid to an owner who %s', async (_who, given) => {
    const { rowOf } = await decided({ before: [{ owner: ANN, owed: 50_000n }], ...given });
    expect(rowOf(ANN)).toEqual(paid(0n, 50_000n));
  });
});

describe('what is no share of a holder:', () => {
  const split = { costs: '1000000', developer: '2000000', holders: '0' };
  const developerAt = (developerWallet: string): Given => ({ split, settings: { developerWallet } });
  const debt = (owed: bigint, given: Given = {}): Given => ({
    asset: 'token',
    assetBefore: 'sol',
    before: [{ owner: ANN, owed }],
    ...given,
  });
  const inTokens = (owed: bigint): Given => debt(owed, { asset: 'sol', assetBefore: 'token' });

  test('costs are paid to the distributor, with what it was owed', async () => {
    const before = [{ owner: DISTRIBUTOR, kind: 'costs', owed: 5n }] as const;
    const { rowOf, rows } = await decided({ split, before });
    expect(rowOf(DISTRIBUTOR, 'costs')).toEqual(paid(1_000_000n, 5n));
    expect(rows.filter(({ kind }) => kind !== 'holder').map(({ basis }) => basis)).toEqual([0n, 0n]);
    const due = async (costs: string) => (await decided({ split: { costs } })).rowOf(DISTRIBUTOR, 'costs');
    expect([await due('10000'), await due('9999')]).toEqual([
      paid(MINIMUM),
      unpaid(9_999n, 'below-minimum-payout'),
    ]);
  });

  test('the developer’s part is divided among its wallets, each beside what it is owed and what it holds', async () => {
    const settings = {
      developerWallets: [{ wallet: ANN, basisPoints: 2_500 }],
      partnerShare: { partner: 'acme', wallet: BOB, basisPoints: 1_000 },
    };
    const before = [
      { owner: BOB, kind: 'developer', owed: 5n },
      { owner: CAT, kind: 'developer', owed: MINIMUM },
    ] as const;
    const { rowOf, rows } = await decided({
      holders: [holder(ANN, 7n)],
      before,
      split: { ...split, holders: '70000' },
      settings,
    });
    expect([ANN, BOB, CAT, DEVELOPER].map((owner) => rowOf(owner, 'developer'))).toEqual([
      paid(500_000n),
      paid(200_000n, 5n),
      paid(0n, MINIMUM),
      paid(1_300_000n),
    ]);
    expect(rowOf(ANN)).toEqual(paid(70_000n));
    expect(rows.filter(({ kind }) => kind === 'developer')).toHaveLength(4);
  });

  test.each<readonly [what: string, given: Given, accounts: Accounts, reason: Reason]>([
    ['is a vault', developerAt(VAULT), {}, 'planned'],
    ['is owned by a program', developerAt(ANN), { [ANN]: TOKEN_PROGRAM }, 'planned'],
    ['is the pool', developerAt(POOL_AUTHORITY), {}, 'planned'],
    ['is a program', developerAt(ANN), { [ANN]: LOADER_V2 }, 'program'],
    ['is a sysvar', developerAt(ANN), { [ANN]: SYSVAR_OWNER }, 'sysvar'],
    ['is the service', { ...developerAt(SERVICE), serviceAddresses: [SERVICE] }, {}, 'excluded'],
    ['has no account', { asset: 'token', ...developerAt(ANN) }, {}, 'no-account'],
  ])('of a developer who %s', async (_what, given, accounts, reason) => {
    const { rowOf } = await decided(given, nodeWith(accounts));
    const { developerWallet = '' } = given.settings ?? {};
    const row = rowOf(developerWallet, 'developer');
    expect(row).toEqual(reason === 'planned' ? paid(2_000_000n) : unpaid(2_000_000n, reason));
  });

  test('the developer’s part makes an account where it is the rent, and is a token from the first base unit on', async () => {
    const due = async (developer: string, given: Given = {}) =>
      (
        await decided({ ...given, split: { developer, holders: '0' } }, nodeWith({ [DEVELOPER]: undefined }))
      ).rowOf(DEVELOPER, 'developer');
    expect(await due('890880')).toEqual(paid(RENT_FLOOR));
    expect(await due('890879')).toEqual(unpaid(RENT_FLOOR - 1n, 'under-rent-floor'));
    expect(await due('1', { asset: 'token', holders: [holder(DEVELOPER, 0n)] })).toEqual(paid(1n));
  });

  test.each<readonly [what: string, given: Given, accounts: Accounts, reason: Reason]>([
    ['in SOL is paid by a run that pays the token', debt(MINIMUM), {}, 'planned'],
    ['in SOL is paid from the minimum on', debt(MINIMUM - 1n), {}, 'below-minimum-payout'],
    ['in SOL makes no account below its rent', debt(MINIMUM), { [ANN]: undefined }, 'under-rent-floor'],
    ['in SOL makes an account', debt(RENT_FLOOR), { [ANN]: undefined }, 'planned'],
    [
      'in tokens is paid into an account',
      { ...inTokens(1n), holders: [holder(ANN, 0n)] },
      { [ANN]: undefined },
      'planned',
    ],
    ['in tokens needs the account', inTokens(1n), {}, 'no-account'],
    [
      'of one who is kept out since is paid',
      debt(MINIMUM, { owners: { excludedOwners: [ANN] } }),
      {},
      'planned',
    ],
    ['of the service stays owed', debt(MINIMUM, { serviceAddresses: [ANN] }), {}, 'excluded'],
    ['of an account of a program stays owed', debt(MINIMUM), { [ANN]: TOKEN_PROGRAM }, 'program-owned'],
    ['of a program stays owed', debt(MINIMUM), { [ANN]: LOADER_V2 }, 'program'],
  ])('a debt %s', async (_what, given, accounts, reason) => {
    const { rowOf } = await decided(given, nodeWith(accounts));
    const owed = given.before?.[0]?.owed ?? 0n;
    expect(rowOf(ANN, 'debt')).toEqual(reason === 'planned' ? paid(0n, owed) : unpaid(0n, reason));
  });
});

describe('the accounts are read', () => {
  const many = numberedOwners(950);
  const listed = { owners: { allowedOwners: [...many] } };
  const holding = (count: number, balanceOf: (index: number) => bigint = () => 1n) =>
    many.slice(0, count).map((owner, index) => holder(owner, balanceOf(index)));

  test('of everybody who would be paid, once, a hundred in a call, without what is in them', async () => {
    const node = nodeWith();
    const split = { costs: '5000000', holders: '25000000' };
    const { counted, seenSince } = await decided({ ...listed, holders: holding(250), split }, node);
    expect(counted).toEqual({ planned: 251, excluded: 1 });
    expect(node.asked.map(({ length }) => length).sort()).toEqual([100, 100, 50]);
    // The distributor is ours.
    expect(new Set(node.asked.flat())).toEqual(new Set(many.slice(0, 250)));
    // At the end of the scan or later: an older node would show a program as absent.
    for (const how of node.options) expect(how).toEqual(['finalized', { atLeastSlot: 42n, maxData: 0 }]);
    expect(seenSince).toBe(997n);
  });

  test('of nobody whose share is too small to be paid, and of vaults that would be paid if they were listed', async () => {
    const askedFor = async (given: Given) => {
      const node = nodeWith();
      await decided(given, node);
      return node.asked.flat();
    };
    expect(await askedFor({ ...listed, holders: holding(250), split: { holders: '250000' } })).toEqual([]);
    const share = (holders: string, given: Given = {}): Given => ({
      holders: [holder(VAULT, 1n)],
      split: { holders },
      ...given,
    });
    expect([await askedFor(share('10000')), await askedFor(share('9999'))]).toEqual([[VAULT], []]);
    expect(await askedFor(share('9999', { before: [{ owner: VAULT, owed: 1n }] }))).toEqual([VAULT]);
    expect([
      await askedFor(share('1', { asset: 'token' })),
      await askedFor(share('0', { asset: 'token' })),
    ]).toEqual([[VAULT], []]);
    const debt = (owed: bigint) =>
      askedFor({ asset: 'token', assetBefore: 'sol', before: [{ owner: VAULT, owed }] });
    expect([await debt(MINIMUM), await debt(MINIMUM - 1n)]).toEqual([[VAULT], []]);
  });

  test.each<readonly [what: string, given: Given, accounts: Accounts, decisions: number]>([
    ['is a wallet', {}, {}, 1],
    ['is missing, and is paid its rent', { split: { holders: '890880' } }, { [ANN]: undefined }, 1],
    ['is missing, and is paid less', { split: { holders: '890879' } }, { [ANN]: undefined }, 2],
    [
      'is missing, and is paid in tokens',
      { asset: 'token', split: { holders: '9' } },
      { [ANN]: undefined },
      1,
    ],
    ['is missing, and nobody is paid', { split: { holders: '9999' } }, { [ANN]: undefined }, 1],
    ['is listed in', { owners: { allowedOwners: [ANN] } }, { [ANN]: TOKEN_PROGRAM }, 1],
    ['is owned by a program', {}, { [ANN]: TOKEN_PROGRAM }, 2],
  ])('and the run is decided again only if that changes a payment: one that %s', async (_what, given, accounts, decisions) => {
    const { rests } = await decided({ holders: [holder(ANN, 1n)], ...given }, nodeWith(accounts));
    // Three slices of a decision, and a rest after the look; another one for the sums.
    expect(rests).toBe(4 * decisions + 1);
  });

  test('again where a node failed, of those alone whom it did not show', async () => {
    const node = nodeWith({}, (call) => call === 3 || call === 7);
    const given = {
      ...listed,
      holders: holding(950, (index) => BigInt(1 + (index % 3))),
      looks: createPayeeVerdicts(),
    };
    const run = { ...given, split: { holders: '100000000' } };
    await expect(decided(run, node)).rejects.toThrow(ChainUnavailable);
    expect(node.asked.flat().length).toBeGreaterThan(0);
    await expect(decided(run, node)).rejects.toThrow(ChainUnavailable);
    expect((await decided(run, node)).counted).toEqual({ planned: 950 });
    expect(node.asked.flat()).toHaveLength(950);
    expect(new Set(node.asked.flat()).size).toBe(950);
  });

  test('at last of all who earn, so that nobody makes a run be decided again and again', async () => {
    // Each program has nearly a tenth of what is left when those before it are out.
    const programs = holding(30, (index) => BigInt(Math.ceil(1e12 * 0.1 * 0.9 ** index)));
    const left = 10n ** 12n - programs.reduce((sum, { balance }) => sum + balance, 0n);
    const node = nodeWith(Object.fromEntries(programs.map(({ owner }) => [owner, LOADER_V2])));
    const { counted, sum, dust } = await decided(
      {
        ...listed,
        holders: [...programs, holder(BOB, left), holder(CAT, 9n), holder(POOL_AUTHORITY, 10n ** 12n)],
        settings: { minimumHoldingRequirement: '10' },
        split: { holders: '100000' },
      },
      node,
    );
    expect(counted).toEqual({ program: 30, planned: 1, pool: 1, 'below-minimum-holding': 1 });
    expect(node.asked.length).toBeLessThanOrEqual(5);
    expect(node.asked.flat()).not.toContain(CAT);
    expect(node.asked.flat()).not.toContain(POOL_AUTHORITY);
    expect(sum + dust).toBe(100_000n);
  });

  test.each([
    1, 2,
  ])('elsewhere where one is missing: a program left out of %i answers is not paid', async (hidden) => {
    const program = many[0] ?? '';
    const node = nodeWith({ [program]: LOADER_V2 });
    const leavesOut: typeof node.chain = {
      async accountsAt(addresses, ...how) {
        const shown = await node.chain.accountsAt(addresses, ...how);
        const isHidden = node.options.length <= hidden;
        const accounts = shown.accounts.map((account, index) =>
          isHidden && addresses[index] === program ? undefined : account,
        );
        return { ...shown, accounts };
      },
    };
    const run = { ...listed, holders: holding(10), split: { holders: '100000000' } };
    expect((await decided(run, { ...node, chain: leavesOut })).counted).toEqual({ planned: 9, program: 1 });
    expect(node.options[1]).toEqual(['finalized', { atLeastSlot: 42n, maxData: 0, elsewhere: true }]);
  });
});

test('holders are counted by what they hold, without the service, pools and the incinerator', async () => {
  const others = [SERVICE, POOL_AUTHORITY, INCINERATOR].map((owner) => holder(owner, 9n));
  const scanned = scannedOf([holder(ANN, 1n), holder(BOB, 7n), holder(CAT, 0n), ...others]);
  expect(await countHolders(scanned, [SERVICE], async () => {})).toBe(2);
  expect(await countHolders(scanned, [], async () => {})).toBe(3);
});

describe('the file of an allotment', () => {
  async function written(given: Given) {
    const { blobs, files } = storeInMemory(() => 'the-hash');
    const { open, split, ...run } = runOf(given);
    const result = await allotRun(
      { chain: nodeWith().chain, blobs, yieldToOthers: async () => {} },
      {
        ...run,
        open: { ...runOpened.data, ...open },
        split: { ...taxSplit.data, ...split },
        sums: SUMS,
        verdicts: createPayeeVerdicts(),
      },
    );
    if (result === undefined) throw new Error('every verdict is confirmed');
    const opened = await openAllotment(rangeOf(blobs, result.ledger));
    expect(files).toHaveLength(1);
    return { result, opened };
  }

  test('has a record for each row, however many, and the header says what they add up to', async () => {
    const owners = numberedOwners(2_050);
    const { result, opened } = await written({
      holders: owners.map((owner) => holder(owner, 1n)),
      owners: { allowedOwners: [...owners] },
      policy: { leastShare: '5', minimumPayout: '20' },
      split: { holders: '82001' },
    });
    expect(opened.header).toEqual(result.header);
    expect(result).toMatchObject({ ledger: 'the-hash', shares: 82_000n, dust: 1n });
    expect(result.header).toMatchObject({
      records: 2_050,
      divided: '82001',
      sumOfWeights: '2050',
      leastShare: '5',
      minimumPayout: '20',
      minimumHolding: '0',
      slots: ['41', '42'],
      previousRoot: null,
      payments: { sol: { count: 2_050, sum: '82000' }, token: { count: 0, sum: '0' } },
    });
  });

  test('says since when those were seen who are paid: from the end of the scan where nobody is', async () => {
    const sinceOf = async (holders: string) =>
      (await written({ holders: [holder(ANN, 50n)], split: { holders } })).result.header.payeesSeenSince;
    expect([await sinceOf('1000000'), await sinceOf('1')]).toEqual(['999', '42']);
  });
});
