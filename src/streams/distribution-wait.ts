/**
 * What a token's distribution can wait for, as codes that programs may compare. To add one, add its line here and name it
 * where the engine waits (`waitingFor`), or in `distribution/waiting/wait-of-error.ts` for an error that a step throws.
 */
import type { SkipReason } from './distribution.ts';
import type { WitnessWord } from './distribution-run.ts';

/**
 * `usual`: it ends by itself, and is told only if it takes too long. `trouble`: it is told when it lasts. `fault`: it is told
 * at once, because nothing but a person ends it.
 */
export type WaitKind = 'usual' | 'trouble' | 'fault';

export interface DeclaredWait {
  readonly kind: WaitKind;
  /** A sentence for everybody: it names no host, no key and no amount. */
  readonly sentence: string;
}

const usual = (sentence: string): DeclaredWait => ({ kind: 'usual', sentence });
const trouble = (sentence: string): DeclaredWait => ({ kind: 'trouble', sentence });
const fault = (sentence: string): DeclaredWait => ({ kind: 'fault', sentence });

const NOT_OPENED = {
  'nothing-collected': usual('No tax is withheld anywhere.'),
  'not-worth-its-costs': usual('The costs of a run would exceed their limit, a share of its proceeds.'),
  'no-market': usual('The tax cannot be sold now.'),
  'reward-token-unsupported': trouble('Nothing can be paid in the token that its creator chose.'),
  'distributor-unfunded': trouble('The distributor holds less SOL than it needs to open a run.'),
  'chain-unsuitable': trouble('The chain cannot carry distributions.'),
} as const satisfies { readonly [Reason in SkipReason]: DeclaredWait };

const WITNESS = {
  'witness-silent': trouble(
    'Payments are done. The run is closed when a second node, which does not answer, shows them too.',
  ),
  'witness-disagrees': trouble(
    'Payments are done. The run is closed when a second node, which disagrees, shows them too.',
  ),
} as const satisfies { readonly [Word in `witness-${WitnessWord}`]: DeclaredWait };

export const WAITS = {
  'link-finality': usual('A transaction of the run is on its way to being final.'),
  'harvest-finality': usual('Withheld tax is being harvested from the accounts of holders.'),
  'withdrawal-finality': usual('The withdrawal of the harvested tax is on its way to being final.'),
  'payment-finality': usual('Payments are on their way to being final.'),
  'transfer-finality': usual('The latest transfers of the token are not final yet.'),
  'announced-moment': usual('Nothing is paid before the announced moment.'),

  'payees-unconfirmed': usual(
    'Owners who could not be paid are looked at again, so that no single answer of a node excludes anybody.',
  ),

  'sale-moment': usual('The collected tax is sold at a secret moment.'),
  'price-unknown': usual('The price of the pool has not been watched for long enough.'),
  'price-below-reference': usual('The pool pays much less than its price of the last half hour.'),

  'node-behind': trouble('The chain node does not yet show what has landed.'),
  'transaction-unseen': trouble('The chain node shows what a transaction did, and not the transaction.'),
  'chain-unavailable': trouble('The chain node does not answer.'),
  'chain-answer-invalid': trouble('The chain node gives invalid answers.'),

  'accounts-refused': trouble(
    'The token is traded while its holders are read, and the chain node does not give all of them in one answer.',
  ),
  'scan-disagrees': trouble(
    'The accounts that the chain node lists do not add up to the supply of the token.',
  ),
  'scan-witness-silent': trouble(
    'The holders are counted when a second node, which does not answer, shows the mint too.',
  ),
  'scan-witness-disagrees': trouble(
    'Nothing is divided until a second node, which shows another supply of the token, agrees with the list of holders.',
  ),

  'distributor-out-of-sol': fault('The distributor does not hold the SOL that the next transaction needs.'),
  'payer-out-of-sol': trouble('An account does not hold the SOL that it pays in the next transaction.'),
  'guard-refuses': trouble(
    'An account shows less than the next transaction was made for, or a sale would bring less.',
  ),
  'tokens-short': trouble(
    'The distribution wallet holds or may spend fewer tokens than the next transaction was made for.',
  ),
  'till-short': trouble('The till or a pot holds less than the next transaction takes from it.'),
  'tax-changed': trouble('The tax of the token has changed since the transaction was made.'),
  'account-frozen': fault('An account that the next transaction needs is frozen.'),
  'market-refuses': trouble('The program that buys the tokens does not take the sale.'),
  'link-refused': trouble('The chain refuses the next transaction of the run.'),
  'withdrawal-refused': trouble('The chain refuses the withdrawal of the harvested tax.'),
  'payment-refused': trouble('The chain refuses a payment, and not because of its recipient.'),

  'transaction-failed': trouble(
    'A transaction of the run failed on the chain and cost its fee. The next is signed after a pause, which grows.',
  ),

  'ledger-missing': fault('A ledger that the run needs is not where ledgers are kept.'),
  'ledger-invalid': fault('A ledger that the run needs is not what was written.'),
  'ledger-store-unavailable': trouble('The store of the ledgers does not answer.'),
  'read-models-unavailable': trouble('The read models do not answer.'),
  'event-store-unavailable': trouble('The store of the events does not answer.'),
  'event-undecodable': fault('A recorded event of the token cannot be read.'),
  'step-hangs': trouble('The step under way does not end: a call that it makes is not answered.'),
  'concurrent-change': usual('Another process records events of the token at the same time.'),

  ...WITNESS,
  ...NOT_OPENED,

  'token-missing': usual('The creation of the token is not recorded, or was taken back.'),
  disabled: usual('The creator has switched the distribution off.'),
  hidden: usual('An operator hides the token.'),
  halted: fault('The distribution is halted until an operator resumes it.'),
  'all-halted': usual('Operators have halted the distribution of all tokens.'),

  'unexpected-error': fault('An unexpected error keeps the run from going on.'),
} as const satisfies { readonly [code: string]: DeclaredWait };

export type WaitCode = keyof typeof WAITS;

export interface Wait {
  readonly code: WaitCode;
  /** A sentence for operators, with the particulars. */
  readonly detail: string;
  /** The error message of the chain or of a store, verbatim. */
  readonly error?: string;
}

/** `detail` where there is more to say than what the code says. */
export function waitFor(code: WaitCode, detail: string = WAITS[code].sentence, error?: string): Wait {
  return { code, detail, ...(error === undefined ? {} : { error }) };
}
