/** One run of a token's distribution from opening to closing: events that fit every schema, and one another. */
import { createKeyring, serviceAddresses } from '../../src/chain/keys.ts';
import { NO_RUNS } from '../../src/projections/run-sums.ts';
import {
  type CarriedOver,
  DistributionHalted,
  DistributionResumed,
  LinksLanded,
  LinksRecorded,
  NOTHING_CARRIED,
  type RecordedLink,
  RunClosed,
  RunOpened,
  RunRequested,
  RunSkipped,
} from '../../src/streams/distribution.ts';
import { OwnersListed } from '../../src/streams/distribution-owners.ts';
import {
  BatchesSettled,
  BatchReplanned,
  HoldersScanned,
  type PlannedBatch,
  type PlannedPot,
  RoundRecorded,
  RunAllotted,
  SaleAwaited,
  ScanDisagreed,
  type SettledBatch,
  TaxCollected,
  TaxSplit,
  WitnessAwaited,
} from '../../src/streams/distribution-run.ts';
import { AllDistributionsHalted, AllDistributionsResumed } from '../../src/streams/distribution-switch.ts';
import type { SaleBasis } from '../../src/streams/sale-basis.ts';
import { addresses, ids, signatures } from './domain-examples.ts';

export const runId = '2d2f3b0c-6f0e-5d8f-8a53-0d1f0c9f4a77';
const { tokenId } = ids;
const identity = { runId, tokenId };

export const files = { ledger: 'a1'.repeat(32), settlement: 'b2'.repeat(32), root: 'c3'.repeat(32) } as const;

export const tills = {
  first: '6RrXCSaLGX4jRBFRhgBZG41Wjm5DmAuJZgEWKzqcvjvB',
  second: 'Dq6vJgtyYcLNN6LRqNeWmAAnNXWvPqLQvYbFGtYz8RsX',
  third: '5bsn7HwQDBZVkCzYgVxWcQMDSjQTZkMcRxyYVMhuHKZ1',
} as const;
export const pot = 'E7ugHcHYMGuCLPpsPHHeWJvNUGkMkPC5pJrzVQvtQSoL';
export const delegate = 'HSRCUFeFnpXc4wjBSKHqVq4ukRyJPnC5pCmRQaTvyJCt';

const rate = { epoch: '700', basisPoints: 300, maximumFee: '18446744073709551615' };

const KEYRING = createKeyring(Buffer.alloc(32, 12));
/** The service's part of the terms of a run. */
const serviceTerms = {
  rules: 1,
  policy: {
    holding: 'now' as const,
    leastShare: '1000',
    minimumPayout: '10000',
    costsMaxBasisPoints: 1_000,
  },
  distributor: KEYRING.distributor.address,
  serviceAddresses: [...serviceAddresses(KEYRING)],
};

export const runOpened = RunOpened({
  ...identity,
  number: 1,
  mint: addresses.mint,
  decimals: 6,
  walletId: ids.walletId,
  distributionWallet: addresses.distributionWallet,
  dueAt: '2026-05-04T11:00:00.000Z',
  requested: false,
  asset: 'sol',
  settings: {
    rewardToken: 'SOL',
    distributionModel: 'proportional',
    minimumHoldingRequirement: '0',
    sellBasisPoints: 9_000,
    distributionEnabled: true,
    distributionInterval: '1h',
    burnBasisPoints: 1_000,
    developerFeeBasisPoints: 1_000,
    developerWallet: addresses.creator,
  },
  epoch: '702',
  tax: { older: rate, newer: rate },
  owners: { excludedOwners: [addresses.otherCreator], allowedOwners: [] },
  carried: NOTHING_CARRIED,
  ...serviceTerms,
});

export const begun: RecordedLink = { number: 0, previous: null, till: tills.first, actions: [] };
export const split: RecordedLink = {
  number: 1,
  previous: tills.first,
  till: tills.second,
  actions: [
    { kind: 'burn', amount: '100000' },
    {
      kind: 'sell',
      venue: 'meteora',
      market: addresses.otherNonceAccount,
      amount: '810000',
      minimum: '99000000',
      tokensAfter: '90000',
      tillAfter: '99000000',
    },
  ],
};

export const linksRecorded = LinksRecorded({ ...identity, purpose: 'begin', links: [begun] });
export const splitRecorded = LinksRecorded({ ...identity, purpose: 'split', links: [split] });
export const openRecorded = LinksRecorded({
  ...identity,
  purpose: 'open',
  links: [
    {
      number: 2,
      previous: tills.second,
      till: tills.third,
      actions: [
        { kind: 'memo', text: `levy:${runId}:${files.root}` },
        { kind: 'open', seed: 'pot-0', pot, allowance: '90000000' },
      ],
    },
  ],
});

export const linksLanded = LinksLanded({
  ...identity,
  purpose: 'begin',
  links: [{ ...begun, signature: signatures.second, fee: '5000' }],
  slot: '4100',
  lamports: '0',
  tokens: '1000000',
});
export const splitLanded = LinksLanded({
  ...identity,
  purpose: 'split',
  links: [{ ...split, signature: signatures.first, fee: '5000' }],
  slot: '4120',
  lamports: '100000000',
  tokens: '90000',
});

export const holdersScanned = HoldersScanned({
  ...identity,
  slots: ['4098', '4101'],
  accounts: 5,
  owners: 4,
  withheld: '1000000',
  supply: '18446744073709551615',
  sums: {
    balances: '18446744073708551615',
    withheld: '1000000',
    mint: [
      { slot: '4097', supply: '18446744073709551615', withheld: '0' },
      { slot: '4102', supply: '18446744073709551615', withheld: '0' },
    ],
    slack: '0',
    inOneAnswer: true,
  },
});

export const taxCollected = TaxCollected({
  ...identity,
  collected: '1000000',
  balance: '1000000',
  slot: '4110',
  harvested: 5,
  withdraw: [signatures.second],
  fees: '10000',
  at: '2026-05-04T11:00:20.000Z',
});

const noOwnTax = {
  before: { developer: '0', holders: '0' },
  returned: { developer: '0', holders: '0' },
  after: { developer: '0', holders: '0' },
};

export const taxSplit = TaxSplit({
  ...identity,
  burned: '100000',
  sold: { developer: '90000', holders: '720000' },
  kept: { developer: '10000', holders: '80000' },
  ownTax: noOwnTax,
  unsold: null,
  tries: 1,
  offers: [],
  fees: '10000',
  epoch: '702',
  proceeds: '100000000',
  costs: '10000',
  developer: '11110000',
  holders: '88880000',
});

export const solPot: PlannedPot = {
  asset: 'sol',
  address: pot,
  delegate,
  seed: 'pot-0',
  from: 0,
  to: 3,
  allowance: '90000000',
};
export const runAllotted = RunAllotted({
  ...identity,
  mint: addresses.mint,
  asset: 'sol',
  slots: ['4098', '4101'],
  ledger: files.ledger,
  root: files.root,
  records: 4,
  divided: '88880000',
  sumOfWeights: '18446744073709551615',
  shares: '88879999',
  dust: '1',
  payments: { sol: { count: 3, sum: '90000000' }, token: { count: 0, sum: '0' } },
  rentFloor: '890880',
  pots: [solPot],
  payAfter: '2026-05-04T11:00:30.000Z',
});

/** By what a sale into a pool was judged. */
export const saleBasis: SaleBasis = {
  at: '2026-05-04T11:00:30.000Z',
  wanted: '810000',
  expected: '100000000',
  received: '785700',
  pool: {
    sqrtPrice: '208000000000000000000',
    liquidity: '84000000000000000000000000',
    tradingFee: '10000000',
  },
  reference: {
    sqrtPrice: '210000000000000000000',
    samples: 118,
    from: '2026-05-04T10:30:40.000Z',
    to: '2026-05-04T11:00:25.000Z',
  },
  maxDiscountBasisPoints: 500,
  floor: '96000000',
  impact: 2_000,
  moved: 0,
  budget: 40_000,
};
export const saleRecorded = LinksRecorded({
  ...identity,
  purpose: 'split',
  links: [split],
  sale: saleBasis,
});
export const keepingRecorded = LinksRecorded({
  ...identity,
  purpose: 'split',
  links: [{ ...split, till: tills.third, actions: split.actions.slice(0, 1) }],
  unsold: 'price-below-reference',
});
export const scanDisagreed = ScanDisagreed({ ...identity, at: '2026-11-21T13:00:55.000Z' });
export const saleAwaited = SaleAwaited({ ...identity, reason: 'price-unknown' });
export const soldAtMarket = TaxSplit({
  ...taxSplit.data,
  offers: [{ amount: '810000', minimum: '99000000', landed: true, basis: saleBasis }],
});
/** Of 810,000 sold at 3 %. */
const ownTax = {
  before: { developer: '300', holders: '2700' },
  returned: { developer: '300', holders: '2700' },
  after: { developer: '2700', holders: '21600' },
};
export const splitWithOwnTax = TaxSplit({ ...soldAtMarket.data, ownTax });
export const unsoldTax = TaxSplit({
  ...taxSplit.data,
  sold: { developer: '0', holders: '0' },
  kept: { developer: '100000', holders: '800000' },
  unsold: 'price-below-reference',
  tries: 0,
  proceeds: '0',
  costs: '0',
  developer: '0',
  holders: '0',
});

export const plannedBatch: PlannedBatch = { pot: 0, value: '90000000', from: 0, to: 3, without: [] };

export const roundRecorded = RoundRecorded({ ...identity, round: 1, batches: [plannedBatch] });
export const batchReplanned = BatchReplanned({
  ...identity,
  batch: { ...plannedBatch, without: [1] },
  refused: [{ number: 1, refusal: 'under-rent-floor' }],
});
export const settledBatch: SettledBatch = {
  ...plannedBatch,
  without: [1],
  signature: signatures.first,
  slot: '4150',
  left: '1000000',
  fee: '5000',
};
export const batchesSettled = BatchesSettled({ ...identity, batches: [settledBatch] });

const carried: CarriedOver = {
  kept: { developer: '10000', holders: '80000' },
  ownTax: noOwnTax.after,
  owed: { sol: '10999999', token: '0' },
  dust: { sol: '1', token: '0' },
  root: files.root,
  ledger: files.ledger,
  settlement: files.settlement,
};

export const witnessAwaited = WitnessAwaited({ ...identity, witness: 'silent' });

export const runClosed = RunClosed({
  ...identity,
  number: 1,
  asset: 'sol',
  amounts: {
    kept: { developer: '0', holders: '0' },
    collected: '1000000',
    burned: '100000',
    sold: { developer: '90000', holders: '720000' },
    keptAfter: carried.kept,
    ownTax: noOwnTax,
    proceeds: '100000000',
    costs: '10000',
    developer: '11110000',
    holders: '88880000',
    dust: '0',
    dustAfter: '1',
    shares: '88879999',
    owed: '0',
    owedAfter: '10999999',
    planned: '90000000',
    paid: '89000000',
  },
  paidDebts: '0',
  walletsPaid: 2,
  paidTo: { costs: '0', developer: '11110000', holders: '77890000', holdersPaid: 1 },
  fees: '25000',
  closedAt: '2026-05-04T11:01:00.000Z',
  carried,
});

export const closedWithOwnTax = RunClosed({
  ...runClosed.data,
  amounts: { ...runClosed.data.amounts, ownTax },
  carried: { ...carried, ownTax: ownTax.after },
});

export const runSkipped = RunSkipped({
  tokenId,
  dueAt: '2026-05-04T12:00:00.000Z',
  reason: 'nothing-collected',
  detail: 'No tax is withheld.',
});
export const runRequested = RunRequested({ tokenId, reason: 'The creator asked for it.' });
export const distributionHalted = DistributionHalted({
  tokenId,
  runId,
  code: 'BOOKS_DISAGREE',
  reason: 'The pots paid 89000001 lamports, and the settled batches 89000000.',
});
export const distributionResumed = DistributionResumed({ tokenId, reason: 'The books were looked through.' });

export const ownersListed = OwnersListed({
  tokenId,
  excludedOwners: [addresses.otherCreator],
  allowedOwners: [addresses.otherNonceAccount],
  listedAt: '2026-05-04T10:30:00.000Z',
  validFrom: '2026-05-04T12:00:00.000Z',
});

export const allHalted = AllDistributionsHalted({ reason: 'The node disagrees with the witness.' });
export const allResumed = AllDistributionsResumed({ reason: 'The node was replaced.' });

/** Sums of runs after `runClosed` alone. */
export const sumsAfterOne = {
  runs: 1,
  collected: '1000000',
  burned: '100000',
  sold: '810000',
  proceeds: '100000000',
  paidTo: {
    ...NO_RUNS.paidTo,
    holders: { sol: '77890000', token: '0' },
    developer: { sol: '11110000', token: '0' },
  },
  holdersPaid: 1,
  fees: '25000',
};
