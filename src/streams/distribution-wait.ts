/**
 * Wait codes of a token's distribution, which programs may compare. To add a code, add its line here and use it in a wait
 * (`waitFor`), or in `waitOfError` of `distribution/distributor.ts` for an error thrown by a step.
 */
import type { SkipReason } from './distribution.ts';

/**
 * `usual`: ends without intervention, and is reported only if it takes too long. `trouble`: reported if it lasts. `fault`:
 * reported immediately, because only an operator can end it.
 */
type WaitKind = 'usual' | 'trouble' | 'fault';

export interface DeclaredWait {
  readonly kind: WaitKind;
  /** Public sentence, without hosts, keys and amounts. */
  readonly sentence: string;
}

const usual = (sentence: string): DeclaredWait => ({ kind: 'usual', sentence });
const trouble = (sentence: string): DeclaredWait => ({ kind: 'trouble', sentence });
const fault = (sentence: string): DeclaredWait => ({ kind: 'fault', sentence });

/** Reasons for not opening a due run. */
const NOT_OPENED = {
  'nothing-collected': usual('No tax is withheld anywhere.'),
  'not-worth-its-costs': usual('The costs of a run would exceed their limit, a share of its proceeds.'),
  'no-market': usual('The tax cannot be sold now.'),
  'reward-token-unsupported': trouble('Holders cannot be paid in the reward token.'),
  'distributor-unfunded': fault('The distributor holds less SOL than it needs.'),
  'chain-unavailable': trouble('The chain node does not show what the run needs.'),
} as const satisfies { readonly [Reason in SkipReason]: DeclaredWait };

export const WAITS = {
  ...NOT_OPENED,
  finality: usual('Transactions of the run are not final yet.'),
  scheduled: usual('The next step is scheduled for a later time.'),
  unconfirmed: trouble(
    "The chain node's response is not confirmed: it does not add up, or a second node does not agree.",
  ),
  'transaction-refused': trouble('The chain refuses a transaction of the run.'),
  'store-unavailable': trouble('A store does not respond, or another process recorded the same.'),
  'record-unreadable': fault('A recorded event or a ledger that the run needs is missing or cannot be read.'),
  paused: usual('The distribution is disabled, or the token is hidden, or all distributions are halted.'),
  halted: fault('The distribution is halted until an operator resumes it.'),
  'unexpected-error': fault('An unexpected error, or a call that does not end, blocks the run.'),
} as const satisfies { readonly [code: string]: DeclaredWait };

export type WaitCode = keyof typeof WAITS;

export interface Wait {
  readonly code: WaitCode;
  /** Sentence for operators, with details. */
  readonly detail: string;
  /** Error message of the chain or of a store, verbatim. */
  readonly error?: string;
}

/** `detail`: defaults to the sentence of the code. */
export function waitFor(code: WaitCode, detail: string = WAITS[code].sentence, error?: string): Wait {
  return { code, detail, ...(error === undefined ? {} : { error }) };
}
