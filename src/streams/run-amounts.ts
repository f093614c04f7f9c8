/** Books of a closed run: both sides of every equation, and the payments by recipient. */
import { type Static, Type } from '@sinclair/typebox';
import { Amount } from './value-types.ts';

/** Developer's and holders' amounts; base units of the token. */
export const Parts = Type.Object({ developer: Amount, holders: Amount });

/**
 * Tax of the engine's own sales: uncollected before the run, collected by it, and uncollected after it. Base units of the token.
 */
export const OwnTax = Type.Object({
  /** Withheld from earlier sales, and not collected yet. */
  before: Parts,
  /** Part of the collected tax that returns to its buckets: neither burned nor divided again. */
  returned: Parts,
  /** Includes the tax withheld from the run's own sale. */
  after: Parts,
});

/** Both sides of every equation of a run. Base units of the token unless stated otherwise. */
export const RunAmounts = Type.Object({
  kept: Parts,
  collected: Amount,
  burned: Amount,
  sold: Parts,
  keptAfter: Parts,
  ownTax: OwnTax,
  /** Lamports from the sale and from donations to the till; 0 if the token itself is paid. */
  proceeds: Amount,
  /** This and all following amounts are in the run's asset. */
  costs: Amount,
  developer: Amount,
  holders: Amount,
  dust: Amount,
  dustAfter: Amount,
  shares: Amount,
  owed: Amount,
  owedAfter: Amount,
  planned: Amount,
  paid: Amount,
});
export type RunAmounts = Static<typeof RunAmounts>;

/** Payments of a run in its own asset, by purpose; debts in the other asset are counted separately. */
export const PaidTo = Type.Object({
  /** Payments to the distributor, for its fees. */
  costs: Amount,
  developer: Amount,
  holders: Amount,
  /** Number of paid holders. */
  holdersPaid: Type.Integer({ minimum: 0, examples: [1_000] }),
});
export type PaidTo = Static<typeof PaidTo>;
