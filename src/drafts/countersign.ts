/** Checks a signed draft against the issued one, and adds the service's signatures last. */

import {
  addressOf,
  signTransaction,
  transactionSignature,
  unsignedTransaction,
  verify,
  type WireTransaction,
} from 'levy-solana-wire';
import { decodeSentTransaction } from '../chain/decode-submitted.ts';
import { compareWithIssued } from '../chain/issued-message.ts';
import type { KeyPair } from '../chain/keys.ts';
import type { Rejection } from '../kernel/runtime/rejection.ts';
import type { IssuedDraft } from '../streams/draft-events.ts';
import { rejection } from '../streams/rejections.ts';

type CheckedSubmission = ReturnType<typeof checkSubmission>;

/**
 * Extracts the creator's message and signature from the signed transaction (base64). Throws `VALIDATION_FAILED`,
 * `TRANSACTION_MISMATCH`, `SIGNATURE_MISSING` or `SIGNATURE_INVALID`. Ignores signatures of the service's keys, which the
 * service adds itself.
 */
export function checkSubmission(issued: IssuedDraft, signedTransaction: string) {
  const { signatures, message } = decode(signedTransaction);
  // The service signs a launch before its creator does, so the wallet cannot change its price.
  const mayPriceAnew = issued.subject.kind !== 'launch';
  const difference = compareWithIssued(Buffer.from(issued.message, 'base64'), message.bytes, {
    mayPriceAnew,
  });
  if (difference !== undefined) throw mismatchRejection(difference);
  const creatorIndex = message.accountKeys.findIndex((key) => addressOf(key) === issued.creator);
  const creatorKey = message.accountKeys[creatorIndex];
  const creatorSignature = signatures[creatorIndex];
  if (creatorKey === undefined || creatorSignature === undefined)
    throw mismatchRejection('the creator is not a signer');
  if (creatorSignature.every((byte) => byte === 0)) {
    throw rejection('SIGNATURE_MISSING', 'The creator has not signed the transaction.');
  }
  if (!verify(creatorKey, message.bytes, creatorSignature)) {
    throw rejection('SIGNATURE_INVALID', "The creator's signature is not valid for this transaction.");
  }
  return { message: message.bytes, creatorSignature };
}

/** Wire bytes without signatures, for a simulation; they cannot be sent. */
export function simulationMessage({ message }: CheckedSubmission): Uint8Array {
  return unsignedTransaction(message);
}

/** Complete transaction, ready to send. */
export function countersign(
  { message, creatorSignature }: CheckedSubmission,
  creator: string,
  keys: readonly KeyPair[],
): { readonly wire: Uint8Array; readonly signature: string } {
  const signatures = new Map([[creator, creatorSignature]]);
  for (const key of keys) signatures.set(key.address, key.sign(message));
  const wire = signTransaction(message, signatures);
  return { wire, signature: transactionSignature(wire) };
}

function decode(signedTransaction: string): WireTransaction {
  const decoded = decodeSentTransaction(signedTransaction);
  if (decoded.ok) return decoded.transaction;
  const isAnotherForm = decoded.problem === 'versioned' || decoded.problem === 'oversized';
  throw isAnotherForm ? mismatchRejection(decoded.reason) : undecodableTransactionRejection(decoded.reason);
}

/** `reason`: clause that follows a colon. */
export function undecodableTransactionRejection(reason: string): Rejection {
  return rejection('VALIDATION_FAILED', `signedTransaction cannot be read: ${reason}.`, {
    details: [{ path: ['signedTransaction'], message: reason }],
  });
}

function mismatchRejection(reason: string): Rejection {
  return rejection('TRANSACTION_MISMATCH', `This is not the transaction that was issued: ${reason}.`);
}
