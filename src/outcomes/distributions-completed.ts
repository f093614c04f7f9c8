/** A run has made every payment that the chain accepted, and its books are closed. */
import { Type } from '@sinclair/typebox';
import { Uuid } from '../kernel/runtime/ids.ts';
import { RewardAsset } from '../streams/distribution.ts';
import { PaidTo, RunAmounts } from '../streams/run-amounts.ts';
import { Amount } from '../streams/values.ts';
import { defineOutcome } from './define-outcome.ts';

export const distributionsCompleted = defineOutcome({
  name: 'distributions.completed',
  summary: 'A run is closed: everything that it paid is final.',
  of: 'RunClosed',
  audience: 'public',
  data: Type.Object({
    tokenId: Uuid,
    runId: Uuid,
    number: Type.Integer({ minimum: 1, examples: [42] }),
    /** What it paid. */
    asset: RewardAsset,
    /** Both sides of every equation of the run. */
    amounts: RunAmounts,
    /** Paid in the other asset: what was owed before the reward token changed. */
    paidDebts: Amount,
    /** Payments that the chain took: to holders, to the developer and to the distributor. One wallet may get several. */
    payments: Type.Integer({ minimum: 0, examples: [1_002] }),
    /** Holders that were paid, each counted once. */
    walletsPaid: Type.Integer({ minimum: 0, examples: [1_000] }),
    /** `amounts.paid` by whom it went to. */
    paidTo: PaidTo,
  }),
  subject: ({ data }) => data.runId,
  hiddenWith: ({ data }) => data.tokenId,
  tell: ({ data: { tokenId, runId, number, asset, amounts, paidDebts, walletsPaid, paidTo } }) => ({
    tokenId,
    runId,
    number,
    asset,
    amounts,
    paidDebts,
    payments: walletsPaid,
    walletsPaid: paidTo.holdersPaid,
    paidTo,
  }),
});
