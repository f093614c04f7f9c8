/** A draft as the wallet that signs it gets it. */
import { type Static, Type } from '@sinclair/typebox';
import { unsignedTransaction } from 'levy-solana-wire';
import type { KeyPair } from '../chain/keys.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import type { IssuedDraft } from '../streams/draft-events.ts';
import { Amount, Base64, described, Timestamp } from '../streams/values.ts';

export const UnsignedDraft = Type.Object({
  transaction: Type.String({ description: 'Base64, unsigned.', examples: Base64.examples }),
  transactionId: Uuid,
  expiresAt: Timestamp,
  cost: described(Amount, 'Lamports that the creator will pay in all.'),
});

type Signable = Pick<IssuedDraft, 'transactionId' | 'message' | 'expiresAt' | 'cost'>;

export function unsignedDraft({
  transactionId,
  message,
  expiresAt,
  cost,
}: Signable): Static<typeof UnsignedDraft> {
  return {
    transaction: unsignedBytes(message),
    transactionId,
    expiresAt,
    cost,
  };
}

/** Base64 in and out. */
export function unsignedBytes(message: string): string {
  return Buffer.from(unsignedTransaction(Buffer.from(message, 'base64'))).toString('base64');
}

/**
 * Signs a launch by its position key, base64 in and out. Leaves the creator's signature open: clients add it and send the
 * transaction themselves.
 */
export function signedByPosition(message: string, position: KeyPair): string {
  const bytes = Buffer.from(message, 'base64');
  const wire = unsignedTransaction(bytes);
  // The creator pays, and is therefore the first of the two signers.
  wire.set(position.sign(bytes), 1 + 64);
  return Buffer.from(wire).toString('base64');
}
