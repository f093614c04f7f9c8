/**
 * One stream per token whose tax is distributed: its runs from opening to closing, the transactions of its distribution wallet
 * (the links of the till chain), and halts by an operator or a failed check.
 */
import { type Static, Type } from '@sinclair/typebox';
import { constructorsOf, defineStream, type EventOf } from '../kernel/runtime/define-stream.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import { DistributionSettings } from './distribution-settings.ts';
import { TokenCreation } from './purposes/token-creation.ts';
import { PaidTo, Parts, RunAmounts } from './run-amounts.ts';
import { SaleBasis } from './sale-basis.ts';
import { Address, Amount, BasisPoints, enumOf, orNull, Signature, Timestamp, U128 } from './value-types.ts';

/** Assets that holders are paid in: SOL, or the token itself. */
export const REWARD_ASSETS = ['sol', 'token'] as const;
export const RewardAsset = enumOf('RewardAsset', REWARD_ASSETS);
export type RewardAsset = Static<typeof RewardAsset>;

/** 64 hex digits. */
export const Sha256 = Type.String({
  pattern: '^[0-9a-f]{64}$',
  examples: ['b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9'],
});

/** Lamports, and base units of the token. */
const ByAsset = Type.Object({ sol: Amount, token: Amount });

const Rate = Type.Object({ epoch: Amount, basisPoints: BasisPoints, maximumFee: Amount });

/** Both rates of the token's tax: the newer one applies from its epoch on. */
const TaxRates = Type.Object({ older: Rate, newer: Rate });

/** Version of the rules by which the engine decides a run's steps. An audit re-executes only runs whose rules its build has. */
export const ENGINE_RULES = 1;

/** The operator's policy for the run; amounts in lamports. */
export const RunPolicy = Type.Object({
  /** Basis of weights: current balances, or per owner the lesser of the current balance and the balance in the previous run. */
  holding: Type.Union([Type.Literal('now'), Type.Literal('least-of-two')]),
  leastShare: Amount,
  minimumPayout: Amount,
  /** Maximum part of the proceeds that fees may use. */
  costsMaxBasisPoints: BasisPoints,
});
export type RunPolicy = Static<typeof RunPolicy>;

/** Amounts carried over from earlier runs. */
export const CarriedOver = Type.Object({
  /** Tax collected by earlier runs that is neither sold nor paid. */
  kept: Parts,
  /** Uncollected tax of the engine's own sales. */
  ownTax: Parts,
  /** Sum of amounts that wallets have earned and were not paid. */
  owed: ByAsset,
  /** Indivisible remainders. */
  dust: ByAsset,
  /** Root and files of the latest ledger; null before the first. */
  root: orNull(Sha256),
  ledger: orNull(Sha256),
  settlement: orNull(Sha256),
});
export type CarriedOver = Static<typeof CarriedOver>;

/** One action of a link. The next till's address commits to all of its fields. */
export const LinkAction = Type.Union([
  Type.Object({ kind: Type.Literal('burn'), amount: Amount }),
  Type.Object({
    kind: Type.Literal('sell'),
    venue: Type.Union([Type.Literal('desk'), Type.Literal('meteora')]),
    /** The pool, or the desk's wallet. */
    market: Address,
    amount: Amount,
    /** Minimum lamports to receive. */
    minimum: Amount,
    /** Base units that the wallet's token account must still hold afterwards. */
    tokensAfter: Amount,
    /** Lamports that the new till must hold afterwards. */
    tillAfter: Amount,
  }),
  Type.Object({ kind: Type.Literal('memo'), text: Type.String({ maxLength: 200 }) }),
  /** Creates a pot of wrapped SOL and approves the distributor for its payments. */
  Type.Object({ kind: Type.Literal('open'), seed: Type.String(), pot: Address, allowance: Amount }),
  /** Approves the run's key for payments from the wallet's own account of the token. */
  Type.Object({ kind: Type.Literal('approve'), delegate: Address, allowance: Amount }),
  /** Closes a pot of wrapped SOL into the till, only if its meter shows `left`. */
  Type.Object({ kind: Type.Literal('close'), pot: Address, left: Amount, rent: Amount }),
  /** Revokes the approval of the run's key, only if its allowance is `left`. */
  Type.Object({ kind: Type.Literal('revoke'), delegate: Address, left: Amount }),
]);
export type LinkAction = Static<typeof LinkAction>;

export const RecordedLink = Type.Object({
  /** Number of the till that the link creates, from 0. */
  number: Type.Integer({ minimum: 0 }),
  /** The till that the link spends; null for the first link. */
  previous: orNull(Address),
  /** The till that the link creates; its address commits to number, previous till and actions. */
  till: Address,
  actions: Type.Array(LinkAction),
});
export type RecordedLink = Static<typeof RecordedLink>;

/** The part of a run that a link belongs to. */
export const LinkPurpose = Type.Union(
  (['begin', 'split', 'open', 'close'] as const).map((purpose) => Type.Literal(purpose)),
);
export type LinkPurpose = Static<typeof LinkPurpose>;

/**
 * Holdings of the wallet as stated by an operator and shown by the chain: replaces the record of the last till and of the open
 * run's collection. Recorded links that have not landed are decided again.
 */
const CorrectedBooks = Type.Object({
  tokenId: Uuid,
  runId: orNull(Uuid),
  /** Base units in the wallet's own account of the token. */
  tokens: Amount,
  /** Lamports in the last till, without its rent. */
  lamports: Amount,
  slot: Amount,
  reason: Type.String({ examples: ['Two explorers show less than the node did.'] }),
});

/** Latest correction of the open run, and the tills of pending links that it made obsolete; any of them may still land. */
const Correction = Type.Object({ tokens: Amount, slot: Amount, obsolete: Type.Array(Address) });

/** Collection derived from the corrected balance: the tax is split and allotted again. */
export const CorrectedCollection = {
  collected: Amount,
  /** Base units in the wallet's account before any were burned or sold. */
  balance: Amount,
  /** Slot of the correction. */
  slot: Amount,
};

const RunIdentity = { tokenId: Uuid, runId: Uuid };

/** Reasons why a due run was not opened. */
export const SKIP_REASONS = [
  'nothing-collected',
  'not-worth-its-costs',
  'no-market',
  'reward-token-unsupported',
  'distributor-unfunded',
  'chain-unavailable',
] as const;
export const SkipReason = enumOf('SkipReason', SKIP_REASONS);
export type SkipReason = Static<typeof SkipReason>;

/** Reasons why a token's distribution was halted. */
export const HALT_CODES = [
  'OPERATOR',
  'CHAIN_AHEAD_OF_LOG',
  'PAYMENT_UNKNOWN',
  'POT_MISSING',
  'BOOKS_DISAGREE',
  'CONTENT_MISMATCH',
  'LEDGER_CORRUPT',
  'SCAN_DISAGREES',
] as const;
export const HaltCode = enumOf('HaltCode', HALT_CODES);
export type HaltCode = Static<typeof HaltCode>;

export const distributionEvents = {
  /** Settings, policy, tax rates and carried-over amounts stay fixed until the run is closed. */
  RunOpened: Type.Object({
    ...RunIdentity,
    /** Number of the run, from 1. */
    number: Type.Integer({ minimum: 1, examples: [42] }),
    mint: Address,
    decimals: Type.Integer({ minimum: 0, maximum: 9 }),
    walletId: Uuid,
    distributionWallet: Address,
    /** Grid time of the run. */
    dueAt: Timestamp,
    /** True if an operator requested the run. */
    requested: Type.Boolean(),
    asset: RewardAsset,
    settings: Type.Omit(DistributionSettings, ['telegramGroupId']),
    epoch: Amount,
    tax: TaxRates,
    owners: Type.Object({ excludedOwners: Type.Array(Address), allowedOwners: Type.Array(Address) }),
    carried: CarriedOver,
    rules: Type.Integer({ minimum: 1, examples: [ENGINE_RULES] }),
    policy: RunPolicy,
    /** Key that pays fees, lends rents and spends from pots of SOL. */
    distributor: Address,
    /** Addresses of the service that get no share. */
    serviceAddresses: Type.Array(Address),
    /** Partner whose key requested the token's draft. */
    partner: TokenCreation.properties.partner,
  }),
  /** Links that may now be signed. At most one link with each number lands. */
  LinksRecorded: Type.Object({
    ...RunIdentity,
    purpose: LinkPurpose,
    links: Type.Array(RecordedLink, { minItems: 1 }),
    /** Basis of the sale; absent without a sale, and if the price is fixed. */
    sale: Type.Optional(SaleBasis),
    /** Reason why the links sell nothing, or no more; absent if they sell, and if nothing was to be sold. */
    unsold: Type.Optional(Type.String()),
  }),
  /** Links that the chain has shown as landed at `finalized`; no other link has landed. */
  LinksLanded: Type.Object({
    ...RunIdentity,
    purpose: LinkPurpose,
    links: Type.Array(
      Type.Object({
        ...RecordedLink.properties,
        signature: Signature,
        /** Lamports. */
        fee: Amount,
      }),
      { minItems: 1 },
    ),
    slot: Amount,
    /** Lamports in the last till, without its rent. */
    lamports: Amount,
    /** Base units that the wallet's own account of the token held at the same slot. */
    tokens: Amount,
  }),
  RunClosed: Type.Object({
    ...RunIdentity,
    number: Type.Integer({ minimum: 1, examples: [42] }),
    asset: RewardAsset,
    amounts: RunAmounts,
    /** Amount paid in the other asset: debts from before the reward token changed. */
    paidDebts: Amount,
    /** Number of landed payments, including those to the distributor and the developer. */
    walletsPaid: Type.Integer({ minimum: 0 }),
    paidTo: PaidTo,
    /** Fees paid by the distributor, in lamports. */
    fees: Amount,
    closedAt: Timestamp,
    carried: CarriedOver,
    /** Copied from `RunOpened`. */
    partner: TokenCreation.properties.partner,
  }),
  /** Recorded once per reason; a different reason, or a run, resets it. */
  RunSkipped: Type.Object({
    tokenId: Uuid,
    dueAt: Timestamp,
    reason: SkipReason,
    detail: Type.String({
      maxLength: 400,
      description: 'Sentence with the figures.',
      examples: ['Its fees of 0.002 SOL would take more than 10 percent of 0.01 SOL.'],
    }),
  }),
  /** An operator requests a run before it is due. */
  RunRequested: Type.Object({ tokenId: Uuid, reason: Type.String() }),
  DistributionHalted: Type.Object({
    tokenId: Uuid,
    runId: orNull(Uuid),
    code: HaltCode,
    reason: Type.String(),
  }),
  DistributionResumed: Type.Object({ tokenId: Uuid, reason: Type.String() }),
  BooksCorrected: CorrectedBooks,
};

export type DistributionEvent = EventOf<typeof distributionEvents>;

export const {
  RunOpened,
  LinksRecorded,
  LinksLanded,
  RunClosed,
  RunSkipped,
  RunRequested,
  DistributionHalted,
  DistributionResumed,
  BooksCorrected,
} = constructorsOf(distributionEvents);

export type OpenedRun = Static<typeof distributionEvents.RunOpened>;
export type LandedLinks = Static<typeof distributionEvents.LinksLanded>;

const Till = Type.Object({
  number: Type.Integer({ minimum: 0 }),
  address: Address,
  slot: Amount,
  /** Lamports, without the rent. */
  lamports: Amount,
});

/** Recorded sale that has moved the price, or still may. */
const RecordedImpact = Type.Object({
  /** Number of the link. */
  number: Type.Integer({ minimum: 0 }),
  till: Address,
  at: Timestamp,
  /** Impact in millionths of the price. */
  impact: Type.Integer({ minimum: 0 }),
});

/** Sale attempts of the open run. */
const Selling = Type.Object({
  /** Number of recorded sales. */
  tries: Type.Integer({ minimum: 0 }),
  unsold: Type.Optional(Type.String()),
  /** Offers at a market price, in recorded order. */
  offers: Type.Array(Type.Object({ till: Address, amount: Amount, minimum: Amount, basis: SaleBasis })),
});

const State = Type.Object({
  runs: Type.Integer({ minimum: 0 }),
  open: Type.Optional(distributionEvents.RunOpened),
  /** The last till that the chain has shown at `finalized`. */
  till: Type.Optional(Till),
  /** Links recorded since then. */
  pending: Type.Array(RecordedLink),
  pendingPurpose: Type.Optional(LinkPurpose),
  /** Landed links of the open run, by purpose, in order of landing. */
  landed: Type.Array(distributionEvents.LinksLanded),
  carried: CarriedOver,
  /** Due time of the last run that was opened or skipped. */
  lastDueAt: Type.Optional(Timestamp),
  skipped: Type.Optional(SkipReason),
  requested: Type.Optional(Type.String()),
  /** Fees, in lamports, of runs that recovered none of them, on the day (UTC) on which the last such run was closed. */
  unrepaid: Type.Optional(Type.Object({ day: Type.String(), lamports: Amount })),
  halted: Type.Optional(Type.Object({ code: HaltCode, reason: Type.String() })),
  corrected: Type.Optional(Correction),
  selling: Type.Optional(Selling),
  /** Impacts, oldest first, that are less than `IMPACTS_KEPT` older than the newest. */
  impacts: Type.Array(RecordedImpact),
});

export type DistributionState = Static<typeof State>;

/** Milliseconds after which impacts are removed: longer than the window in which sales are counted together. */
const IMPACTS_KEPT = 60 * 60_000;

export const NOTHING_CARRIED: CarriedOver = {
  kept: { developer: '0', holders: '0' },
  ownTax: { developer: '0', holders: '0' },
  owed: { sol: '0', token: '0' },
  dust: { sol: '0', token: '0' },
  root: null,
  ledger: null,
  settlement: null,
};

const initial: DistributionState = {
  runs: 0,
  pending: [],
  landed: [],
  carried: NOTHING_CARRIED,
  impacts: [],
};

export const distribution = defineStream({
  category: 'distribution',
  events: distributionEvents,
  internal: {
    LinksRecorded: 'A plan: no transaction is signed yet.',
    LinksLanded: 'A step of a run; published when the run is closed.',
    BooksCorrected: 'Published with the run when it is closed.',
    RunRequested: 'An operator request; the run that it opens is published.',
  },
  snapshots: { version: 1, every: 100, state: State },
  initial,
  evolve(state, event): DistributionState {
    switch (event.type) {
      case 'RunOpened': {
        const { requested: _requested, skipped: _skipped, selling: _selling, ...rest } = state;
        return {
          ...rest,
          runs: event.data.number,
          open: event.data,
          landed: [],
          lastDueAt: event.data.dueAt,
        };
      }
      case 'LinksRecorded': {
        const { links, purpose } = event.data;
        const recorded = {
          ...state,
          ...recordedAgain(state, links),
          pending: [...state.pending, ...links],
          pendingPurpose: purpose,
        };
        return purpose === 'split' ? { ...recorded, ...withOffer(state, event.data) } : recorded;
      }
      case 'LinksLanded': {
        const last = event.data.links.at(-1);
        if (last === undefined) return state;
        const { slot, lamports } = event.data;
        return {
          ...state,
          till: { number: last.number, address: last.till, slot, lamports },
          pending: linksFrom(last.till, state.pending),
          landed: [...state.landed, event.data],
          impacts: stillCounted(state.impacts, event.data.links),
        };
      }
      case 'RunClosed': {
        const { open: _open, pendingPurpose: _settled, selling: _selling, ...others } = state;
        const { corrected: _corrected, ...rest } = others;
        const { carried, amounts, fees, closedAt } = event.data;
        const unrepaid = BigInt(amounts.costs) > 0n ? {} : { unrepaid: spentUnrepaid(state, closedAt, fees) };
        return { ...rest, ...unrepaid, landed: [], carried };
      }
      case 'RunSkipped': {
        const { requested: _requested, ...rest } = state;
        return { ...rest, skipped: event.data.reason, lastDueAt: event.data.dueAt };
      }
      case 'RunRequested':
        return { ...state, requested: event.data.reason };
      case 'DistributionHalted': {
        const { code, reason } = event.data;
        return { ...state, halted: { code, reason } };
      }
      case 'DistributionResumed': {
        const { halted: _halted, ...rest } = state;
        return rest;
      }
      case 'BooksCorrected':
        return { ...state, ...withCorrection(state, event.data) };
    }
  },
});

/** Adds unrecovered fees to the day's total. `at`: ISO 8601; `fees`: lamports. */
function spentUnrepaid(
  { unrepaid }: Pick<DistributionState, 'unrepaid'>,
  at: string,
  fees: string,
): NonNullable<DistributionState['unrepaid']> {
  const day = at.slice(0, 10);
  const before = unrepaid?.day === day ? BigInt(unrepaid.lamports) : 0n;
  return { day, lamports: (before + BigInt(fees)).toString() };
}

/** Adds a recorded sale, or the reason why nothing is sold. */
function withOffer(
  { selling, impacts }: Pick<DistributionState, 'selling' | 'impacts'>,
  { links, sale, unsold }: Static<typeof distributionEvents.LinksRecorded>,
): Partial<Pick<DistributionState, 'selling' | 'impacts'>> {
  const { tries, offers, unsold: before } = selling ?? { tries: 0, offers: [], unsold: undefined };
  const found = links.flatMap(({ number, till, actions }) =>
    actions.flatMap((action) => (action.kind === 'sell' ? [{ number, till, action }] : [])),
  );
  const reason = unsold ?? before;
  const next = {
    tries: tries + found.length,
    ...(reason === undefined ? {} : { unsold: reason }),
    offers: [
      ...offers,
      ...found.flatMap(({ till, action: { amount, minimum } }) =>
        sale === undefined ? [] : [{ till, amount, minimum, basis: sale }],
      ),
    ],
  };
  if (sale === undefined) return { selling: next };
  const { at, impact } = sale;
  const young = impacts.filter((one) => Date.parse(at) - Date.parse(one.at) < IMPACTS_KEPT);
  return {
    selling: next,
    impacts: [...young, ...found.map(({ number, till }) => ({ number, till, at, impact }))],
  };
}

function withCorrection(
  { till, landed, pending, open }: DistributionState,
  { tokens, lamports, slot }: Static<typeof CorrectedBooks>,
): Partial<DistributionState> {
  const last = landed.at(-1);
  return {
    ...(till && { till: { ...till, lamports } }),
    landed: last === undefined ? landed : landed.with(-1, { ...last, lamports, tokens }),
    ...(open && { corrected: { tokens, slot, obsolete: pending.map((link) => link.till) } }),
  };
}

/** A link that is recorded again is no longer obsolete. */
function recordedAgain(
  { corrected }: DistributionState,
  links: readonly RecordedLink[],
): Pick<DistributionState, 'corrected'> {
  if (corrected === undefined) return {};
  const obsolete = corrected.obsolete.filter((till) => !links.some((link) => link.till === till));
  return { corrected: { ...corrected, obsolete } };
}

/** Recorded links to be sent. A link that a correction made obsolete is not sent; only its landing is detected. */
export function linksToDrive({
  pending,
  corrected,
}: Pick<DistributionState, 'pending' | 'corrected'>): readonly RecordedLink[] {
  return pending.filter(({ till }) => corrected?.obsolete.includes(till) !== true);
}

/** Removes the impacts of replaced sales: only the sale that landed has moved the price. */
function stillCounted(
  impacts: DistributionState['impacts'],
  landed: readonly Pick<RecordedLink, 'number' | 'till'>[],
): DistributionState['impacts'] {
  const tills = new Map(landed.map(({ number, till }) => [number, till]));
  return impacts.filter(({ number, till }) => !tills.has(number) || tills.get(number) === till);
}

/** Links that build on a till, directly or through other links; no other link can land after it. */
export function linksFrom<Link extends { readonly till: string; readonly previous: string | null }>(
  till: string,
  links: readonly Link[],
): Link[] {
  const reachable = new Set([till]);
  // Links are recorded in the order in which they build on each other.
  return links.filter(({ previous, till: made }) => {
    if (previous === null || !reachable.has(previous)) return false;
    reachable.add(made);
    return true;
  });
}

/** Sum that may exceed 64 bits. */
export const Total = U128;
