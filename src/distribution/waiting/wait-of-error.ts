/** What a step waits for that has thrown: the errors that are foreseen have codes of their own. Pure. */

import { ChainAnswerInvalid, ChainBehind, ChainUnavailable } from '../../kernel/ports/chain.ts';
import { StoreUnavailable } from '../../kernel/ports/errors.ts';
import { CollectionNotLive } from '../../kernel/ports/read-model.ts';
import { EventUndecodable } from '../../kernel/runtime/event-codec.ts';
import { messageOf } from '../../kernel/runtime/message-of.ts';
import { Rejection } from '../../kernel/runtime/rejection.ts';
import { type Wait, type WaitCode, waitFor } from '../../streams/distribution-wait.ts';
import { LedgerInvalid, LedgerMissing } from '../ledger/read-range.ts';

type Errors = abstract new (...given: never[]) => Error;

/** The first that fits counts. Events are read and recorded by the executor, so that a store that is away is that of ledgers. */
const BY_CLASS: readonly (readonly [Errors, WaitCode])[] = [
  [ChainBehind, 'chain-unavailable'],
  [ChainUnavailable, 'chain-unavailable'],
  [ChainAnswerInvalid, 'chain-unavailable'],
  [LedgerMissing, 'record-unreadable'],
  [LedgerInvalid, 'record-unreadable'],
  [EventUndecodable, 'record-unreadable'],
  [CollectionNotLive, 'store-unavailable'],
  [StoreUnavailable, 'store-unavailable'],
];

const BY_REJECTION: { readonly [code: string]: WaitCode } = {
  STORE_UNAVAILABLE: 'store-unavailable',
  CONCURRENT_CHANGE: 'store-unavailable',
};

export function waitOfError(error: unknown): Wait {
  const code = codeOf(error);
  const message = messageOf(error);
  return waitFor(code, undefined, message);
}

function codeOf(error: unknown): WaitCode {
  const found = BY_CLASS.find(([kind]) => error instanceof kind);
  if (found !== undefined) return found[1];
  if (error instanceof Rejection) return BY_REJECTION[error.code] ?? 'unexpected-error';
  return isOfFiles(error) ? 'store-unavailable' : 'unexpected-error';
}

/** The only files that a step reads and writes are those of ledgers. */
function isOfFiles(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && 'path' in error;
}
