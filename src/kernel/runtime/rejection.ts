/**
 * Rejection of a command by a domain rule: nothing was recorded, and the caller gets the reason. One module maps it to
 * HTTP.
 */
import type { JsonValue } from '../ports/event-store.ts';

export type RejectionKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'not-allowed'
  | 'timeout'
  | 'conflict'
  | 'gone'
  | 'precondition-failed'
  | 'too-large'
  | 'uri-too-long'
  | 'unsupported'
  | 'unsatisfiable'
  | 'unprocessable'
  | 'rate-limited'
  | 'headers-too-large'
  | 'internal'
  | 'bad-gateway'
  | 'unavailable'
  | 'pending';

export interface RejectionDetail {
  /** Path to the faulty member; list indexes are digits, so that typed clients read one type. */
  readonly path: readonly string[];
  readonly message: string;
}

export interface RejectionExtras {
  readonly details?: readonly RejectionDetail[];
  /** Additional members of the problem response, for programs. */
  readonly members?: { readonly [name: string]: JsonValue };
  /** Set if waiting helps. */
  readonly retryAfterSeconds?: number;
  /** Underlying error, for the log; never returned to the caller. */
  readonly cause?: unknown;
}

export class Rejection extends Error {
  override readonly name = 'Rejection';
  readonly code: string;
  readonly kind: RejectionKind;
  readonly details: readonly RejectionDetail[] | undefined;
  readonly members: { readonly [name: string]: JsonValue } | undefined;
  readonly retryAfterSeconds: number | undefined;

  /** `message` is a sentence for people; `code` is the stable name that programs compare. */
  constructor(code: string, kind: RejectionKind, message: string, extras: RejectionExtras = {}) {
    super(message, { cause: extras.cause });
    this.code = code;
    this.kind = kind;
    this.details = extras.details;
    this.members = extras.members;
    this.retryAfterSeconds = extras.retryAfterSeconds;
  }
}
