/**
 * Parses callers' bytes as transactions and messages. LiteSVM aborts the process on incomplete bytes: pass it only
 * bytes that were parsed here.
 */
import {
  type DecodeFailure,
  decodeMessage,
  decodeTransaction,
  isVersion1,
  PACKET_SIZE,
  VERSION_1_SIZE,
  type WireMessage,
  type WireTransaction,
} from 'levy-solana-wire';
import { invalidParams, type RpcError } from './rpc-error.ts';
import { describeTransactionError } from './transaction-errors.ts';

export const TRANSACTION_TYPE = 'solana_transaction::versioned::VersionedTransaction';
export const MESSAGE_TYPE = 'solana_message::versions::VersionedMessage';

/** @throws RpcError -32602 with a node's message. */
export function readTransaction(bytes: Uint8Array): WireTransaction {
  const limit = isVersion1(bytes) ? VERSION_1_SIZE : PACKET_SIZE;
  if (bytes.length > limit) {
    throw invalidParams(`decoded ${TRANSACTION_TYPE} too large: ${bytes.length} bytes (max: ${limit} bytes)`);
  }
  const decoded = decodeTransaction(bytes);
  if (!decoded.ok) throw refusal(TRANSACTION_TYPE, decoded);
  return decoded.transaction;
}

/** @throws RpcError -32602 with a node's message. */
export function readMessage(bytes: Uint8Array): WireMessage {
  const decoded = decodeMessage(bytes);
  if (!decoded.ok) throw refusal(MESSAGE_TYPE, decoded);
  return decoded.message;
}

/** Parses a transaction that this chain created or recorded. */
export function ownTransaction(bytes: Uint8Array): WireTransaction {
  const decoded = decodeTransaction(bytes);
  if (!decoded.ok)
    throw new Error(`a recorded transaction of this chain cannot be parsed: ${decoded.reason}`);
  return decoded.transaction;
}

function refusal(type: string, { problem, reason }: DecodeFailure): RpcError {
  switch (problem) {
    case 'unsanitary':
      return invalidParams(`invalid transaction: ${describeTransactionError('SanitizeFailure')}`);
    case 'truncated':
      return invalidParams(`failed to deserialize ${type}: failed to fill whole buffer`);
    case 'trailing-bytes':
      return invalidParams(`failed to deserialize ${type}: bytes are left over`);
    default:
      return invalidParams(`failed to deserialize ${type}: ${reason}`);
  }
}
