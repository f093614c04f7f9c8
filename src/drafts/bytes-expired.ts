/** Signed bytes that can no longer land, of a draft that still can: it is refreshed, and signed again. */
import { blockhashOf } from '../chain/issued-message.ts';
import { decodeSentTransaction } from '../chain/sent-bytes.ts';
import type { Rejection } from '../kernel/runtime/rejection.ts';
import type { OpenDraft } from '../streams/draft-state.ts';
import { rejection } from '../streams/rejections.ts';

export function bytesExpired(): Rejection {
  return rejection(
    'BYTES_EXPIRED',
    'These bytes can no longer land, or were refreshed since. Call POST /transactions/:transactionId/refresh, and sign the fresh ones.',
  );
}

/** Throws `BYTES_EXPIRED` for an earlier version, and for the latest one if it was submitted and did not land. */
export function requireLatestVersion(
  { hasLapsed, formerBlockhashes }: OpenDraft,
  signedTransaction: string,
): void {
  if (!hasLapsed && formerBlockhashes.length === 0) return;
  const decoded = decodeSentTransaction(signedTransaction);
  const blockhash = decoded.ok ? blockhashOf(decoded.transaction.message.bytes) : undefined;
  if (hasLapsed || (blockhash !== undefined && formerBlockhashes.includes(blockhash))) throw bytesExpired();
}

/** Whether a simulation failed for nothing but the age of the blockhash. */
export function isBlockhashUnknown(error: string): boolean {
  return error.includes('BlockhashNotFound');
}
