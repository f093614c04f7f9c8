/** View of a draft for the wallet that signs it. */
import { type Static, Type } from '@sinclair/typebox';
import { unsignedTransaction } from 'levy-solana-wire';
import type { KeyPair } from '../chain/keys.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import type { IssuedDraft } from '../streams/draft-events.ts';
import { Amount, Base64, described, Timestamp } from '../streams/value-types.ts';

export const UnsignedDraft = Type.Object({
  transaction: Type.String({ description: 'Base64, unsigned.', examples: Base64.examples }),
  transactionId: Uuid,
  expiresAt: Timestamp,
  cost: described(Amount, 'Total cost for the creator, in lamports.'),
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

/** Input and result are base64. */
export function unsignedBytes(message: string): string {
  return Buffer.from(unsignedTransaction(Buffer.from(message, 'base64'))).toString('base64');
}

/**
 * Signs a launch with its position key; input and result are base64. Leaves the creator's signature empty: clients add it and
 * send the transaction themselves.
 */
export function signedByPosition(message: string, position: KeyPair): string {
  const bytes = Buffer.from(message, 'base64');
  const wire = unsignedTransaction(bytes);
  // The creator is the payer, so its signature is the first of two.
  wire.set(position.sign(bytes), 1 + 64);
  return Buffer.from(wire).toString('base64');
}
