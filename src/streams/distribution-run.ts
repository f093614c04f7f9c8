/**
 * One stream per run of a token's distribution: what was found, collected and split, who is to be paid from which pot,
 * and every round of payments, each recorded before it is signed and settled from the chain.
 */

import { type Static, Type } from '@sinclair/typebox';
import { REFUSALS } from 'levy-transparency-log';
import { constructorsOf, defineStream, type EventOf } from '../kernel/runtime/define-stream.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import { CorrectedCollection, RewardAsset, Sha256, Total } from './distribution.ts';
import { OwnTax, Parts } from './run-amounts.ts';
import { SaleBasis } from './sale-basis.ts';
import { ScannedPool, ScanSums } from './scan-sums.ts';
import { Address, Amount, Count, orNull, Signature, Timestamp } from './values.ts';

const Identity = { runId: Uuid, tokenId: Uuid };
const Payments = Type.Object({ count: Type.Integer({ minimum: 0, examples: [1_000] }), sum: Amount });
const Slots = Type.Tuple([Amount, Amount]);

/** An account that pays a stretch of the run's payments. They are numbered by asset, in the order of the ledger, from 0. */
export const PlannedPot = Type.Object({
  asset: RewardAsset,
  address: Address,
  delegate: Address,
  /** The seed of the address; empty for the wallet's own account of the token. */
  seed: Type.String(),
  from: Count,
  /** Exclusive. */
  to: Count,
  allowance: Amount,
});
export type PlannedPot = Static<typeof PlannedPot>;

/** One transaction that may be signed: a stretch of a pot's payments, less some. */
export const PlannedBatch = Type.Object({
  /** The pot's place in the list of pots. */
  pot: Count,
  /** Meter of the pot before the batch. */
  value: Amount,
  from: Count,
  to: Count,
  /** Payments of the stretch that it leaves out. */
  without: Type.Array(Count),
});
export type PlannedBatch = Static<typeof PlannedBatch>;

/** Why the chain refuses a recipient. */
export { REFUSALS };
export const Refusal = Type.Union(REFUSALS.map((refusal) => Type.Literal(refusal)));
export type Refusal = Static<typeof Refusal>;

/** Answer of the second node while it does not confirm the books. */
export const WitnessWord = Type.Union([Type.Literal('silent'), Type.Literal('disagrees')]);
export type WitnessWord = Static<typeof WitnessWord>;

export const distributionRunEvents = {
  /** All accounts of the mint were read at `finalized`; what the run counts with is in its ledger. */
  HoldersScanned: Type.Object({
    ...Identity,
    slots: Slots,
    accounts: Count,
    /** With a balance, without the service's own accounts and pools. */
    owners: Count,
    /** Base units withheld in the accounts and in the mint. */
    withheld: Total,
    supply: Amount,
    /** The sums of the same scan. */
    sums: ScanSums,
    /** The pool of the token's launch behind the scan. For lists alone; absent without a launch, and where no node showed it. */
    pool: Type.Optional(ScannedPool),
  }),
  /** Start of the disagreement between the listed accounts and the supply: the time until the halt continues after a restart. */
  ScanDisagreed: Type.Object({ ...Identity, at: Timestamp }),
  /** The withheld tax is in the wallet's own account. */
  TaxCollected: Type.Object({
    ...Identity,
    collected: Amount,
    /** Base units in the wallet's account at `slot`. */
    balance: Amount,
    slot: Amount,
    /** Accounts that were harvested by this run. */
    harvested: Count,
    withdraw: Type.Array(Signature),
    /** Lamports of the fees that were paid for it. */
    fees: Amount,
    at: Timestamp,
  }),
  CollectionCorrected: Type.Object({ ...Identity, ...CorrectedCollection }),
  /** A sale is not made now for a reason that passes. Recorded once for each reason. */
  SaleAwaited: Type.Object({ ...Identity, reason: Type.String() }),
  /** Result of the split on the chain. Base units; `proceeds` and the following fields in the asset paid. */
  TaxSplit: Type.Object({
    ...Identity,
    burned: Amount,
    sold: Parts,
    kept: Parts,
    ownTax: OwnTax,
    /** Why nothing was sold; null if it was, or if the token itself is paid. */
    unsold: orNull(Type.String()),
    tries: Count,
    /** Offers at a market price, with the basis of their judgement. */
    offers: Type.Array(
      Type.Object({
        amount: Amount,
        minimum: Amount,
        landed: Type.Boolean(),
        basis: SaleBasis,
      }),
    ),
    /** Estimated for the whole run, in lamports; the proceeds repay them up to the policy's bound. 0 where the token itself is paid. */
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
    /** The allotment file. */
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
    /** Lamports that an account without data needs: less is not paid to a wallet that does not exist. */
    rentFloor: Amount,
    pots: Type.Array(PlannedPot),
    /** Nothing is paid before. */
    payAfter: Timestamp,
  }),
  /** Batches that may be signed from now on, one for each pot that has payments left. */
  RoundRecorded: Type.Object({
    ...Identity,
    round: Type.Integer({ minimum: 1 }),
    batches: Type.Array(PlannedBatch),
  }),
  /** Another batch for a value of a pot: at most one of all batches for one value lands. */
  BatchReplanned: Type.Object({
    ...Identity,
    batch: PlannedBatch,
    refused: Type.Array(Type.Object({ number: Count, refusal: Refusal })),
  }),
  /** The chain has shown at `finalized` which batches landed. */
  BatchesSettled: Type.Object({
    ...Identity,
    batches: Type.Array(
      Type.Object({
        ...PlannedBatch.properties,
        signature: Signature,
        slot: Amount,
        /** Current meter. */
        left: Amount,
        fee: Amount,
      }),
    ),
  }),
  /** Nothing is left to be paid, and the books wait for the second node. Recorded once for each answer of it. */
  WitnessAwaited: Type.Object({ ...Identity, witness: WitnessWord }),
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

/** The settled value of a pot's meter, and the batches that are recorded for it. */
const PotProgress = Type.Object({
  /** The last finalized value that was settled. */
  value: Amount,
  /** The first payment that no settled batch has covered. */
  next: Count,
  /** Batches recorded for this value. Any of them may land. */
  plans: Type.Array(PlannedBatch),
});
export type PotProgress = Static<typeof PotProgress>;

const State = Type.Object({
  /** Since when its scans disagree; absent once one was believed. */
  scanDisagreedAt: Type.Optional(Timestamp),
  scanned: Type.Optional(distributionRunEvents.HoldersScanned),
  collected: Type.Optional(distributionRunEvents.TaxCollected),
  /** The slot of the correction that it follows. */
  corrected: Type.Optional(Amount),
  split: Type.Optional(distributionRunEvents.TaxSplit),
  allotted: Type.Optional(distributionRunEvents.RunAllotted),
  rounds: Count,
  /** In the order of the allotted pots. */
  pots: Type.Array(PotProgress),
  settled: Type.Array(distributionRunEvents.BatchesSettled.properties.batches.items),
  /** Reason of the chain's refusal, by asset and payment. It counts only for batches that omitted the payment. */
  refused: Type.Record(Type.String(), Refusal),
  /** Answers of the second node other than confirming the books. */
  witnessed: Type.Array(WitnessWord),
  /** Why its sale was waited with. */
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

/** The key in `refused`. */
export function paymentKey(asset: RewardAsset, number: number): string {
  return `${asset}/${number}`;
}

/** Its pots, with what they have left by what was settled. */
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
    HoldersScanned: 'A step of a run: the allotment tells what it found.',
    ScanDisagreed: 'The run waits; a halt that may follow is told.',
    CollectionCorrected: 'A step of a run, told with the run when it is closed.',
    SaleAwaited: "The run's page says it; the closing that follows is told.",
    RoundRecorded: 'Nothing has happened yet: it is what may be signed.',
    BatchReplanned: 'Nothing has happened yet: it is what may be signed.',
    WitnessAwaited: "The run's page says it; the closing that follows is told.",
  },
  // A load reads what is new; a run has few events, and its state may be too large for a stored snapshot.
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
