/** Books of a closed run: both sides of every equation, and the recipients of the money. */
import { type Static, Type } from '@sinclair/typebox';
import { Amount } from './values.ts';

/** Developer's and holders' amounts; base units of the token. */
export const Parts = Type.Object({ developer: Amount, holders: Amount });

/** The tax of the engine's own sales: known before the run, collected by it, and known after it. Base units of the token. */
export const OwnTax = Type.Object({
  /** Withheld of earlier sales, and not collected yet. */
  before: Parts,
  /** The part of the collected tax that goes back to its buckets: not burned and not divided again. */
  returned: Parts,
  /** Includes the tax that was withheld of the run's own sale. */
  after: Parts,
});

/** Both sides of every equation of a run. Base units of the token, unless lamports are named. */
export const RunAmounts = Type.Object({
  kept: Parts,
  collected: Amount,
  burned: Amount,
  sold: Parts,
  keptAfter: Parts,
  ownTax: OwnTax,
  /** Lamports that the sale brought and that were given to the till; 0 where the token itself is paid. */
  proceeds: Amount,
  /** In the asset that the run pays, like all that follow. */
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
  /** The distributor, for its fees. */
  costs: Amount,
  developer: Amount,
  holders: Amount,
  /** Holders that were paid. */
  holdersPaid: Type.Integer({ minimum: 0, examples: [1_000] }),
});
export type PaidTo = Static<typeof PaidTo>;
