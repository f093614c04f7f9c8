/** All rejection codes in one table; the reference and the API description are generated from it. */
import type { ContentDamaged } from '../kernel/ports/errors.ts';
import { Rejection, type RejectionExtras, type RejectionKind } from '../kernel/runtime/rejection.ts';

interface RejectionCodeEntry {
  readonly kind: RejectionKind;
  /** Kind in one special case: a node that returns an invalid response. */
  readonly otherKind?: RejectionKind;
  /** Short, fixed sentence; `detail` in the response describes the specific error. */
  readonly title: string;
}

export const REJECTION_CODES = {
  VALIDATION_FAILED: { kind: 'invalid', title: 'The request is not valid' },
  INVALID_ADDRESS: { kind: 'invalid', title: 'Not a valid address for this use' },
  SPLIT_EXCEEDS_100: { kind: 'invalid', title: 'Burn and developer share exceed 100 percent' },
  TOO_MANY_OWNERS: { kind: 'invalid', title: 'Too many owners in the lists' },
  OWNER_LISTED_TWICE: { kind: 'invalid', title: 'An owner is listed twice' },
  PROGRAM_KEPT_OUT: { kind: 'invalid', title: "A program's address cannot be excluded" },
  UNAUTHENTICATED: { kind: 'unauthenticated', title: 'Valid credentials are required' },
  TOKEN_EXPIRED: { kind: 'unauthenticated', title: 'The access token has expired' },
  SIGN_IN_FAILED: { kind: 'unauthenticated', title: 'The sign-in could not be verified' },
  NOT_TOKEN_CREATOR: { kind: 'forbidden', title: 'Only the creator of the token may do this' },
  NOT_TRANSACTION_OWNER: { kind: 'forbidden', title: 'The transaction belongs to another wallet' },
  ROUTE_NOT_FOUND: { kind: 'not-found', title: 'Route not found' },
  METHOD_NOT_ALLOWED: { kind: 'not-allowed', title: 'Method not allowed on this path' },
  TOKEN_NOT_FOUND: { kind: 'not-found', title: 'Token not found' },
  TRANSACTION_NOT_FOUND: { kind: 'not-found', title: 'Transaction not found' },
  WALLET_NOT_FOUND: { kind: 'not-found', title: 'Distribution wallet not found' },
  IMAGE_NOT_FOUND: { kind: 'not-found', title: 'Image not found' },
  FILE_NOT_FOUND: { kind: 'not-found', title: 'File not found' },
  LAUNCH_NOT_FOUND: { kind: 'not-found', title: 'Launch not found' },
  PROMOTION_NOT_FOUND: { kind: 'not-found', title: 'Promotion not found' },
  RUN_NOT_FOUND: { kind: 'not-found', title: 'Run not found' },
  PAYMENT_NOT_FOUND: { kind: 'not-found', title: 'The wallet is not in the ledger of the run' },
  PARTNER_NOT_FOUND: { kind: 'not-found', title: 'Partner not found' },
  NO_FAUCET: { kind: 'not-found', title: 'This service has no faucet' },
  EVENT_NOT_FOUND: { kind: 'not-found', title: 'Event not found' },
  REQUEST_TIMED_OUT: { kind: 'timeout', title: 'The request did not arrive in time' },
  WALLET_ALREADY_USED: { kind: 'conflict', title: 'The distribution wallet belongs to another token' },
  LAUNCH_ALREADY_EXISTS: { kind: 'conflict', title: 'The token is already launched' },
  POOL_ADDRESS_TAKEN: { kind: 'conflict', title: 'The pool address of the token is taken' },
  CONCURRENT_CHANGE: { kind: 'conflict', title: 'Another change was made at the same time' },
  TOO_MANY_DRAFTS: { kind: 'conflict', title: 'Too many open drafts' },
  TRANSACTION_SUBMITTED: { kind: 'conflict', title: 'The transaction was submitted' },
  TRANSACTION_NOT_SUBMITTED: { kind: 'conflict', title: 'The transaction was not submitted' },
  OUTCOME_KNOWN: { kind: 'conflict', title: 'The outcome of the transaction is already known' },
  OUTCOME_OPEN: { kind: 'conflict', title: 'The transaction can still land' },
  OUTCOME_CONTRADICTED: { kind: 'conflict', title: 'The chain contradicts this outcome' },
  TRANSACTION_FAILED: { kind: 'conflict', title: 'The transaction failed on the chain' },
  TRANSFER_FEE_FIXED: { kind: 'conflict', title: 'The tax of this token can never change' },
  TOKEN_HIDDEN: { kind: 'conflict', title: 'An operator has hidden the token' },
  RUN_ALREADY_OPEN: { kind: 'conflict', title: 'A run of the token is open' },
  DISTRIBUTION_HALTED: { kind: 'conflict', title: 'The distribution is halted' },
  CORRECTION_REFUSED: { kind: 'conflict', title: 'The correction was refused' },
  DISTRIBUTION_DISABLED: { kind: 'conflict', title: 'The creator has disabled the distribution' },
  PARTNER_EXISTS: { kind: 'conflict', title: 'A partner with this name exists' },
  PARTNER_KEY_REPLACED: { kind: 'conflict', title: 'The key has been replaced or ended' },
  BACKUP_UNDER_WAY: { kind: 'conflict', title: 'Another backup is running' },
  EVENT_DECODABLE: { kind: 'conflict', title: 'The event can be decoded' },
  EVENT_OF_NEWER_VERSION: { kind: 'conflict', title: 'A newer release can decode the event' },
  EVENT_INDISPENSABLE: { kind: 'conflict', title: 'The event cannot be skipped' },
  // Not 503: only an operator can resolve it, and clients would retry and hide the code.
  VENUE_UNAVAILABLE: { kind: 'conflict', title: 'The launch venue is not on this chain' },
  PROMOTIONS_UNAVAILABLE: { kind: 'conflict', title: 'Promotions are not available' },
  FEATURED_LIST_FULL: { kind: 'conflict', title: 'The featured list is full' },
  TRANSACTION_EXPIRED: { kind: 'gone', title: 'The transaction has expired' },
  TRANSACTION_SUPERSEDED: { kind: 'gone', title: 'A newer draft replaced this transaction' },
  TRANSACTION_CANCELLED: { kind: 'gone', title: 'The transaction was cancelled' },
  PRECONDITION_FAILED: { kind: 'precondition-failed', title: 'The resource has changed since it was read' },
  BODY_TOO_LARGE: { kind: 'too-large', title: 'The body is too large' },
  IMAGE_TOO_LARGE: { kind: 'too-large', title: 'The image is over 1 MB' },
  URI_TOO_LONG: { kind: 'uri-too-long', title: 'The address is too long' },
  UNSUPPORTED_MEDIA_TYPE: { kind: 'unsupported', title: 'Unsupported content type' },
  IMAGE_TYPE_UNSUPPORTED: { kind: 'unsupported', title: 'The image is neither PNG nor JPEG' },
  RANGE_NOT_SATISFIABLE: { kind: 'unsatisfiable', title: 'The range is beyond the end of the file' },
  IMAGE_UNREADABLE: { kind: 'unprocessable', title: 'The image cannot be read' },
  TRANSACTION_MISMATCH: { kind: 'unprocessable', title: 'Not the transaction that was issued' },
  SIGNATURE_MISSING: { kind: 'unprocessable', title: 'The creator has not signed' },
  SIGNATURE_INVALID: { kind: 'unprocessable', title: 'The signature is not valid' },
  IDEMPOTENCY_KEY_REUSED: {
    kind: 'unprocessable',
    title: 'The Idempotency-Key was used for another request',
  },
  REWARD_TOKEN_UNSUPPORTED: { kind: 'unprocessable', title: 'Holders cannot be paid in this token' },
  INSUFFICIENT_FUNDS: { kind: 'unprocessable', title: 'The wallet does not hold enough SOL' },
  CHAIN_REJECTED: { kind: 'unprocessable', title: 'The chain refused the transaction' },
  HEADERS_TOO_LARGE: { kind: 'headers-too-large', title: 'The headers are too large' },
  RATE_LIMITED: { kind: 'rate-limited', title: 'Too many requests' },
  CHAIN_UNAVAILABLE: { kind: 'unavailable', otherKind: 'bad-gateway', title: 'The chain is not responding' },
  STORE_UNAVAILABLE: { kind: 'unavailable', title: 'The store is not responding' },
  LEDGER_UNAVAILABLE: { kind: 'unavailable', title: 'A ledger file is temporarily missing' },
  LEDGER_CORRUPT: { kind: 'unavailable', title: 'A ledger file is damaged' },
  IMAGE_CORRUPT: { kind: 'unavailable', title: 'The stored image is damaged' },
  EVENT_UNDECODABLE: { kind: 'unavailable', title: 'A recorded event cannot be decoded' },
  SERVICE_BUSY: { kind: 'unavailable', title: 'The service is overloaded' },
  STREAMS_EXHAUSTED: { kind: 'unavailable', title: 'No event stream is available' },
  DRAFTS_EXHAUSTED: { kind: 'unavailable', title: 'No draft is available' },
  SERVICE_UNFUNDED: { kind: 'unavailable', title: "The service's fee payer needs SOL" },
  PREVIEW_UNAVAILABLE: { kind: 'unavailable', title: 'Preview temporarily unavailable' },
  CONFIRMATION_PENDING: { kind: 'pending', title: 'The outcome is pending' },
  INTERNAL_ERROR: { kind: 'internal', title: 'Internal error' },
} as const satisfies { readonly [code: string]: RejectionCodeEntry };

export type RejectionCode = keyof typeof REJECTION_CODES;

/** `message`: complete sentence with the error and its remedy. */
export function rejection(code: RejectionCode, message: string, extras?: RejectionExtras): Rejection {
  return new Rejection(code, REJECTION_CODES[code].kind, message, extras);
}

/** Rejects one field of a request, such as `days` or `developerWallets.0.wallet`. `rule`: requirement of the field, for the details. */
export function invalidFieldRejection(
  field: string,
  rule: string,
  message: string,
  code: RejectionCode = 'VALIDATION_FAILED',
): Rejection {
  return rejection(code, message, { details: [{ path: field.split('.'), message: rule }] });
}

export function invalidChainAnswerRejection(): Rejection {
  const { otherKind } = REJECTION_CODES.CHAIN_UNAVAILABLE;
  return new Rejection(
    'CHAIN_UNAVAILABLE',
    otherKind,
    'The chain node returned an invalid response; try again.',
  );
}

/** Seconds before a retry, in which an operator may restore a file. */
const PUT_BACK = 60;

/** The storage location is only in the cause, which is logged. */
export function contentDamagedRejection(error: ContentDamaged): Rejection {
  return error.what === 'image' ? imageCorruptRejection(error) : ledgerCorruptRejection(error);
}

export function ledgerCorruptRejection(cause: Error): Rejection {
  return rejection(
    'LEDGER_CORRUPT',
    "A file of the run's ledger is damaged. It is not served until the operator restores it.",
    { retryAfterSeconds: PUT_BACK, cause },
  );
}

export function ledgerUnavailableRejection(cause: Error): Rejection {
  return rejection('LEDGER_UNAVAILABLE', "A file of the run's ledger is temporarily missing; try again.", {
    retryAfterSeconds: PUT_BACK,
    cause,
  });
}

function imageCorruptRejection(cause: Error): Rejection {
  return rejection(
    'IMAGE_CORRUPT',
    'The stored image is damaged. It is not served until the operator restores it.',
    { retryAfterSeconds: PUT_BACK, cause },
  );
}
