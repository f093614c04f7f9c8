/**
 * Issues a draft: the transaction that changes an adjustable token's tax. The chain applies the new rate two epochs
 * later.
 */
import { Type } from '@sinclair/typebox';
import { unsignedTransaction } from 'levy-solana-wire';
import { MAXIMUM_FEE } from '../chain/creation-transaction.ts';
import { setTransferFee } from '../chain/token-instructions.ts';
import { defineDraft } from '../drafts/define-draft.ts';
import { rejection } from '../streams/rejections.ts';
import { Address, Amount, Base64, Timestamp, Uuid } from '../streams/values.ts';
import { createComplaints, Percent, readPercent } from './distribution-input.ts';
import { ownToken } from './own-token.ts';

/** The creator and the nonce authority. */
const SIGNATURES = 2;

export const changeTransferFee = defineDraft({
  name: 'ChangeTransferFee',
  summary: "Get the unsigned transaction that changes a token's tax",
  route: { url: '/tokens/:mintAddress/transfer-fee/create-unsigned', limit: 'create-unsigned' },
  input: {
    params: Type.Object({ mintAddress: Type.String({ maxLength: 100, examples: Address.examples }) }),
    body: Type.Object(
      { transferFeePercent: Percent('Taken of each transfer.') },
      { additionalProperties: false, title: 'TransferFeeChange', examples: [{ transferFeePercent: 2.5 }] },
    ),
  },
  output: Type.Object({
    transaction: Type.String({ description: 'Base64, unsigned.', examples: Base64.examples }),
    transactionId: Uuid,
    expiresAt: Timestamp,
    cost: Type.Optional(Type.String({ ...Amount, description: 'Lamports that the creator will pay.' })),
  }),
  rejections: ['INVALID_ADDRESS', 'TOKEN_NOT_FOUND', 'NOT_TOKEN_CREATOR', 'TRANSFER_FEE_FIXED'],
  lifetime: 'durable-nonce',

  async plan({ params: { mintAddress }, body }, { services, creator }) {
    const { created, transferFee } = await ownToken(
      services,
      { field: 'mintAddress', address: mintAddress },
      creator,
    );
    if (!created.token.transferFeeAdjustable) {
      throw rejection('TRANSFER_FEE_FIXED', 'The tax of this token was fixed for ever when it was created.');
    }
    const complaints = createComplaints();
    const transferFeeBasisPoints = readPercent(
      complaints,
      'transferFeePercent',
      body.transferFeePercent,
      services.policy.maxTransferFeeBasisPoints,
    );
    const latest = transferFee.pending ?? transferFee;
    if (latest.basisPoints === transferFeeBasisPoints) {
      complaints.add('transferFeePercent', 'is what the token has, or is about to have');
    }
    complaints.raise('The tax cannot be changed like this; see the details.');
    const { tokenId } = created.token;
    return {
      subject: { kind: 'transfer-fee-change', tokenId, mintAddress, transferFeeBasisPoints },
      instructions: [
        setTransferFee({
          mint: mintAddress,
          authority: creator,
          basisPoints: transferFeeBasisPoints,
          maximumFee: MAXIMUM_FEE,
        }),
      ],
      signatures: SIGNATURES,
      payments: 0n,
      writable: [creator, mintAddress],
    };
  },

  answer({ transactionId, message, expiresAt, cost }) {
    return {
      transaction: Buffer.from(unsignedTransaction(Buffer.from(message, 'base64'))).toString('base64'),
      transactionId,
      expiresAt,
      cost,
    };
  },
});
