/** Codes of the reasons why a run sells nothing, each with a sentence for people. */

/** Reasons why a venue buys nothing now. */
export const QUOTE_REFUSALS = {
  'no-market': 'The token has no pool: only tokens launched with this service have one.',
  'venue-missing': 'The program of the launch venue is not on this chain.',
  'pool-not-ours': 'The pool was not created by the launch of this token.',
  'pool-paused': 'The venue has paused the pool.',
  'pool-unsuitable': 'The pool charges its fee in a way that is not supported.',
  'pool-empty': 'The pool holds no SOL, because nobody has bought from it.',
  'price-impact': 'Even the smallest sale would exceed the limit of its price impact.',
  'too-little': 'The tokens are worth too little to be sold at a minimum price.',
  'own-tax': "The sale's own tax would exceed a fifth of the sale.",
  'impact-budget-spent': 'Sales of the last half hour have used up the limit of their price impact.',
  'price-unknown': 'The price of the pool has not been sampled for long enough.',
  'price-below-reference': 'The price of the pool is far below its price of the last half hour.',
} as const;

export type QuoteRefusal = keyof typeof QUOTE_REFUSALS;

/** Reasons of a run to sell nothing, in addition to the venue's latest refusal. */
export const RUN_REFUSALS = {
  'sale-refused': 'The chain refused every attempted sale.',
  'nothing-to-sell': 'The settings of the token leave nothing to sell.',
  'selling-time-over': 'The time for selling ended before a sale could be attempted.',
} as const;

export type UnsoldReason = QuoteRefusal | keyof typeof RUN_REFUSALS;

export function isUnsoldReason(reason: string | null): reason is UnsoldReason {
  return reason !== null && (reason in QUOTE_REFUSALS || reason in RUN_REFUSALS);
}

/** Sentence for people; undefined for an unknown reason. */
export function unsoldSentence(reason: string): string | undefined {
  return isUnsoldReason(reason) ? { ...QUOTE_REFUSALS, ...RUN_REFUSALS }[reason] : undefined;
}

/** Refusals that end without intervention: a run retries until its time for selling is over. */
const TRANSIENT_REFUSALS = [
  'price-unknown',
  'price-below-reference',
] as const satisfies readonly QuoteRefusal[];
export type TransientRefusal = (typeof TRANSIENT_REFUSALS)[number];

export function isTransient(reason: string): reason is TransientRefusal {
  return TRANSIENT_REFUSALS.some((passing) => passing === reason);
}
