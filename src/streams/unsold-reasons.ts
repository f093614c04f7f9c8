/** Why a run sells nothing, as codes that events and answers hold, each with the sentence that people read. */

/** Why a venue buys nothing now, and the sentence that people read. */
export const QUOTE_REFUSALS = {
  'no-market': 'There is no pool of this token: only a token that was launched here has one.',
  'venue-missing': 'The program of the launch venue is not on this chain.',
  'pool-not-ours': 'The pool is not the one that the launch of this token made.',
  'pool-paused': 'The venue has paused the pool.',
  'pool-unsuitable': 'The pool takes its fee in a way that sales are not computed for.',
  'pool-empty': 'The pool holds no SOL: nobody has bought from it.',
  'price-impact': 'Even the smallest sale would move the price of the pool by more than is allowed.',
  'too-little': 'The tokens are worth less than a sale needs to have a bound.',
  'own-tax': 'The tax of the sale itself would take more than a fifth of it.',
  'impact-budget-spent': 'Sales of the last half hour have moved the price of the pool as far as they may.',
  'price-unknown': 'The price of the pool has not been watched for long enough.',
  'price-below-reference': 'The pool pays much less than its price of the last half hour.',
} as const;

export type QuoteRefusal = keyof typeof QUOTE_REFUSALS;

/** Why a run sold nothing beside what a venue said when it was asked last. */
export const RUN_REFUSALS = {
  'sale-refused': 'The chain refused every sale that was tried.',
  'nothing-to-sell': 'The settings of the token sell nothing of what there is.',
  'selling-time-over': 'The time for selling was over before a sale could be tried.',
} as const;

export type UnsoldReason = QuoteRefusal | keyof typeof RUN_REFUSALS;

export function isUnsoldReason(reason: string | null): reason is UnsoldReason {
  return reason !== null && (reason in QUOTE_REFUSALS || reason in RUN_REFUSALS);
}

/** A sentence for people; undefined where it is none of these reasons. */
export function unsoldSentence(reason: string): string | undefined {
  return isUnsoldReason(reason) ? { ...QUOTE_REFUSALS, ...RUN_REFUSALS }[reason] : undefined;
}

/** They pass by themselves: a run looks again while its time for selling is not over. */
const PASSING_REFUSALS = [
  'price-unknown',
  'price-below-reference',
] as const satisfies readonly QuoteRefusal[];
export type PassingRefusal = (typeof PASSING_REFUSALS)[number];

export function isPassing(reason: string): reason is PassingRefusal {
  return PASSING_REFUSALS.some((passing) => passing === reason);
}
