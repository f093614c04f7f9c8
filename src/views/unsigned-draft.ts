/** A draft as the wallet that signs it gets it. */
import { type Static, Type } from '@sinclair/typebox';
import { unsignedTransaction } from 'levy-solana-wire';
import { Uuid } from '../kernel/runtime/ids.ts';
import type { IssuedDraft } from '../streams/draft-events.ts';
import { Amount, Base64, Timestamp } from '../streams/values.ts';
import { BytesExpireAt } from './transaction-view.ts';

export const UnsignedDraft = Type.Object({
  transaction: Type.String({ description: 'Base64, unsigned.', examples: Base64.examples }),
  transactionId: Uuid,
  expiresAt: Timestamp,
  bytesExpireAt: Type.Optional(BytesExpireAt),
  cost: Type.Optional(Type.String({ ...Amount, description: 'Lamports that the creator will pay in all.' })),
});

type Signable = Pick<IssuedDraft, 'transactionId' | 'message' | 'expiresAt' | 'bytesExpireAt' | 'cost'>;

export function unsignedDraft({
  transactionId,
  message,
  expiresAt,
  bytesExpireAt,
  cost,
}: Signable): Static<typeof UnsignedDraft> {
  return {
    transaction: Buffer.from(unsignedTransaction(Buffer.from(message, 'base64'))).toString('base64'),
    transactionId,
    expiresAt,
    ...(bytesExpireAt !== undefined && { bytesExpireAt }),
    cost,
  };
}
