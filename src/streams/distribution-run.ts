/**
 * One stream per run of a token's distribution: the scan, the collected and divided tax, the pots, and every round of payments,
 * recorded before it is signed and settled from the chain.
 */

import { type Static, Type } from '@sinclair/typebox';
import { REFUSALS } from 'levy-transparency-log';
import { constructorsOf, defineStream, type EventOf } from '../kernel/runtime/define-stream.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import { CorrectedCollection, RewardAsset, Sha256, Total } from './distribution.ts';
import { OwnTax, Parts } from './run-amounts.ts';
import { SaleBasis } from './sale-basis.ts';
import { ScannedPool, ScanSums } from './scan-sums.ts';
import { Address, Amount, Count, orNull, Signature, Timestamp } from './value-types.ts';

const Identity = { runId: Uuid, tokenId: Uuid };
const Payments = Type.Object({ count: Type.Integer({ minimum: 0, examples: [1_000] }), sum: Amount });
const Slots = Type.Tuple([Amount, Amount]);

/** Account that pays a range of the run's payments. Payments are numbered by asset from 0, in the order of the ledger. */
export const PlannedPot = Type.Object({
  asset: RewardAsset,
  address: Address,
  delegate: Address,
  /** Seed of the address; empty for the wallet's own account of the token. */
  seed: Type.String(),
  from: Count,
  /** Exclusive end of the range. */
  to: Count,
  allowance: Amount,
});
export type PlannedPot = Static<typeof PlannedPot>;

/** One transaction that may be signed: a range of a pot's payments, with exceptions. */
export const PlannedBatch = Type.Object({
  /** Index of the pot. */
  pot: Count,
  /** Remaining allowance of the pot before the batch. */
  value: Amount,
  from: Count,
  to: Count,
  /** Payments of the range that the batch omits. */
  without: Type.Array(Count),
});
export type PlannedBatch = Static<typeof PlannedBatch>;

/** Reason why the chain refuses a recipient. */
export { REFUSALS };
export const Refusal = Type.Union(REFUSALS.map((refusal) => Type.Literal(refusal)));
export type Refusal = Static<typeof Refusal>;

/** State of the second node while it does not confirm the books. */
export const WitnessState = Type.Union([Type.Literal('silent'), Type.Literal('disagrees')]);
export type WitnessState = Static<typeof WitnessState>;

export const distributionRunEvents = {
  /** All accounts of the mint were read at `finalized`; the ledger contains the figures that the run uses. */
  HoldersScanned: Type.Object({
    ...Identity,
    slots: Slots,
    accounts: Count,
    /** Owners with a balance, without the service's own accounts and pools. */
    owners: Count,
    /** Base units withheld in the accounts and in the mint. */
    withheld: Total,
    supply: Amount,
    sums: ScanSums,
    /** Pool of the token's launch after the scan, for lists only; absent without a launch, or if no node returned the pool. */
    pool: Type.Optional(ScannedPool),
  }),
  /** First disagreement between the listed accounts and the supply; a restarted process continues the time until the halt. */
  ScanDisagreed: Type.Object({ ...Identity, at: Timestamp }),
  /** The withheld tax is in the wallet's own account. */
  TaxCollected: Type.Object({
    ...Identity,
    collected: Amount,
    /** Base units in the wallet's account at `slot`. */
    balance: Amount,
    slot: Amount,
    /** Number of accounts that this run harvested. */
    harvested: Count,
    withdraw: Type.Array(Signature),
    /** Fees of the harvest and the withdrawal, in lamports. */
    fees: Amount,
    at: Timestamp,
  }),
  CollectionCorrected: Type.Object({ ...Identity, ...CorrectedCollection }),
  /** A sale is postponed for a temporary reason. Recorded once per reason. */
  SaleAwaited: Type.Object({ ...Identity, reason: Type.String() }),
  /** Result of the split on the chain. Base units; `proceeds` and the following fields in the asset paid. */
  TaxSplit: Type.Object({
    ...Identity,
    burned: Amount,
    sold: Parts,
    kept: Parts,
    ownTax: OwnTax,
    /** Reason why nothing was sold; null if something was sold, or if the token itself is paid. */
    unsold: orNull(Type.String()),
    tries: Count,
    /** Offers at a market price, with their basis. */
    offers: Type.Array(
      Type.Object({
        amount: Amount,
        minimum: Amount,
        landed: Type.Boolean(),
        basis: SaleBasis,
      }),
    ),
    /**
     * Estimated fees of the whole run, in lamports; the proceeds repay them up to the policy's limit. 0 if the token itself is
     * paid.
     */
    fees: Amount,
    /** Epoch that determined the rate of the sale's tax; 0 without a sale. */
    epoch: Amount,
    proceeds: Amount,
    costs: Amount,
    developer: Amount,
    holders: Amount,
  }),
  /** Amount per owner, recorded before anything is paid. */
  RunAllotted: Type.Object({
    ...Identity,
    mint: Address,
    asset: RewardAsset,
    slots: Slots,
    /** SHA-256 of the allotment file. */
    ledger: Sha256,
    root: Sha256,
    records: Type.Integer({ minimum: 0, examples: [1_200] }),
    /** The holders' part and earlier dust. */
    divided: Amount,
    sumOfWeights: Total,
    shares: Amount,
    dust: Amount,
    /** Planned payments and their sum, by asset. */
    payments: Type.Object({ sol: Payments, token: Payments }),
    /** Lamports that an account without data must hold; smaller payments to absent wallets are not made. */
    rentFloor: Amount,
    pots: Type.Array(PlannedPot),
    /** Earliest time of the first payment. */
    payAfter: Timestamp,
  }),
  /** Batches that may now be signed, one per pot that has payments left. */
  RoundRecorded: Type.Object({
    ...Identity,
    round: Type.Integer({ minimum: 1 }),
    batches: Type.Array(PlannedBatch),
  }),
  /**
   * Replaces the planned batch of a pot at one value of its meter. Of all batches for that value at most one lands.
   */
  BatchReplanned: Type.Object({
    ...Identity,
    batch: PlannedBatch,
    refused: Type.Array(Type.Object({ number: Count, refusal: Refusal })),
  }),
  /** Batches that the chain has shown as landed at `finalized`. */
  BatchesSettled: Type.Object({
    ...Identity,
    batches: Type.Array(
      Type.Object({
        ...PlannedBatch.properties,
        signature: Signature,
        slot: Amount,
        /** Remaining allowance of the pot after the batch. */
        left: Amount,
        fee: Amount,
      }),
    ),
  }),
  /** Everything is paid, and the books wait for the second node. Recorded once for each of its responses. */
  WitnessAwaited: Type.Object({ ...Identity, witness: WitnessState }),
};

export type DistributionRunEvent = EventOf<typeof distributionRunEvents>;

export const {
  HoldersScanned,
  ScanDisagreed,
  TaxCollected,
  CollectionCorrected,
  SaleAwaited,
  TaxSplit,
  RunAllotted,
  RoundRecorded,
  BatchReplanned,
  BatchesSettled,
  WitnessAwaited,
} = constructorsOf(distributionRunEvents);

export type SettledBatch = Static<typeof distributionRunEvents.BatchesSettled>['batches'][number];
export type ScannedHolders = Static<typeof distributionRunEvents.HoldersScanned>;
export type AllottedRun = Static<typeof distributionRunEvents.RunAllotted>;
export type SplitTax = Static<typeof distributionRunEvents.TaxSplit>;

/** Settled value of a pot's meter, and the batches recorded for it. */
const PotProgress = Type.Object({
  /** The last finalized value that was settled. */
  value: Amount,
  /** First payment that no settled batch has covered. */
  next: Count,
  /** Batches recorded for this value, each of which may land. */
  plans: Type.Array(PlannedBatch),
});
export type PotProgress = Static<typeof PotProgress>;

const State = Type.Object({
  /** Time since which the scans disagree with the supply; absent once a scan was accepted. */
  scanDisagreedAt: Type.Optional(Timestamp),
  scanned: Type.Optional(distributionRunEvents.HoldersScanned),
  collected: Type.Optional(distributionRunEvents.TaxCollected),
  /** Slot of the operator's correction that the run has applied. */
  corrected: Type.Optional(Amount),
  split: Type.Optional(distributionRunEvents.TaxSplit),
  allotted: Type.Optional(distributionRunEvents.RunAllotted),
  rounds: Count,
  /** In the order of the allotted pots. */
  pots: Type.Array(PotProgress),
  settled: Type.Array(distributionRunEvents.BatchesSettled.properties.batches.items),
  /** Reasons of the chain's refusals, by asset and payment. They count only for batches that omitted the payment. */
  refused: Type.Record(Type.String(), Refusal),
  /** States of the second node that have kept the books open. */
  witnessed: Type.Array(WitnessState),
  /** Reasons for which the sale was postponed. */
  saleAwaited: Type.Array(Type.String()),
});
export type DistributionRunState = Static<typeof State>;

const initial: DistributionRunState = {
  rounds: 0,
  pots: [],
  settled: [],
  refused: {},
  witnessed: [],
  saleAwaited: [],
};

/** Key of a payment in `refused`. */
export function paymentKey(asset: RewardAsset, number: number): string {
  return `${asset}/${number}`;
}

/** Pots of the run, with their remaining allowance after settled payments. */
export function potsOf({ allotted, pots }: Pick<DistributionRunState, 'allotted' | 'pots'>) {
  return (allotted?.pots ?? []).map(({ asset, address, allowance }, index) => ({
    asset,
    address,
    allowance,
    left: pots[index]?.value ?? allowance,
  }));
}

export const distributionRun = defineStream({
  category: 'run',
  events: distributionRunEvents,
  internal: {
    HoldersScanned: 'A step of a run; its result is in the allotment.',
    ScanDisagreed: 'The run waits; a halt that follows is published.',
    CollectionCorrected: 'A step of a run; published when the run is closed.',
    SaleAwaited: 'Shown with the run; published when the run is closed.',
    RoundRecorded: 'A plan: no transaction is signed yet.',
    BatchReplanned: 'A plan: no transaction is signed yet.',
    WitnessAwaited: 'Shown with the run; published when the run is closed.',
  },
  // Practically never: a run has few events, and its state may be too large for a stored snapshot.
  snapshots: { version: 1, every: 100_000, state: State },
  initial,
  evolve(state, event): DistributionRunState {
    switch (event.type) {
      case 'HoldersScanned': {
        const { scanDisagreedAt: _over, ...others } = state;
        return { ...others, scanned: event.data };
      }
      case 'ScanDisagreed':
        return { ...state, scanDisagreedAt: event.data.at };
      case 'TaxCollected':
        return { ...state, collected: event.data };
      case 'CollectionCorrected': {
        const { split: _split, allotted: _allotted, ...rest } = state;
        const { collected, balance, slot } = event.data;
        const known = state.collected && { collected: { ...state.collected, collected, balance } };
        return { ...rest, ...known, corrected: slot, pots: [] };
      }
      case 'SaleAwaited':
        return { ...state, saleAwaited: [...state.saleAwaited, event.data.reason] };
      case 'TaxSplit':
        return { ...state, split: event.data };
      case 'RunAllotted':
        return {
          ...state,
          allotted: event.data,
          pots: event.data.pots.map(({ allowance, from }) => ({ value: allowance, next: from, plans: [] })),
        };
      case 'RoundRecorded':
        return {
          ...state,
          rounds: event.data.round,
          pots: event.data.batches.reduce(withPlan, state.pots),
        };
      case 'BatchReplanned': {
        const { batch, refused } = event.data;
        const asset = state.allotted?.pots[batch.pot]?.asset ?? 'sol';
        const added = refused.map(({ number, refusal }) => [paymentKey(asset, number), refusal] as const);
        return {
          ...state,
          pots: withPlan(state.pots, batch),
          refused: { ...state.refused, ...Object.fromEntries(added) },
        };
      }
      case 'WitnessAwaited':
        return { ...state, witnessed: [...state.witnessed, event.data.witness] };
      case 'BatchesSettled':
        return {
          ...state,
          settled: [...state.settled, ...event.data.batches],
          pots: event.data.batches.reduce(
            (pots: PotProgress[], { pot, left, to }) =>
              pot < pots.length ? pots.with(pot, { value: left, next: to, plans: [] }) : pots,
            state.pots,
          ),
        };
    }
  },
});

function withPlan(pots: PotProgress[], batch: PlannedBatch): PotProgress[] {
  const found = pots[batch.pot];
  return found === undefined ? pots : pots.with(batch.pot, { ...found, plans: [...found.plans, batch] });
}
