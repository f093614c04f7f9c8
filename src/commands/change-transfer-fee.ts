/** Issues a draft: the transaction that changes an adjustable token's tax. */
import { Type } from '@sinclair/typebox';
import { createSetTransferFeeInstruction } from '@solana/spl-token';
import { TOKEN_2022_PROGRAM } from 'levy-solana-wire';
import { MAXIMUM_FEE } from '../chain/creation-transaction.ts';
import { memoInstruction } from '../chain/memo-instruction.ts';
import { tokenInstruction } from '../chain/web3-instruction.ts';
import { defineDraft } from '../drafts/define-draft.ts';
import { memoSigners } from '../drafts/purposes/purpose-behaviour.ts';
import { transferFeeChange } from '../drafts/purposes/transfer-fee-change-behaviour.ts';
import { rejection } from '../streams/rejections.ts';
import { Address } from '../streams/value-types.ts';
import { UnsignedDraft, unsignedDraft } from '../views/unsigned-draft.ts';
import { createInputProblems, readPercent, TransferFeePercent } from './distribution-input.ts';
import { ownToken } from './own-token.ts';

export const changeTransferFee = defineDraft({
  name: 'ChangeTransferFee',
  summary: "Get the unsigned transaction that changes a token's tax",
  description:
    'Sign the transaction and send it to `POST /tokens/{mintAddress}/transfer-fee/submit`. Requires a token that was ' +
    'created with `transferFeeAdjustable`. The chain applies the new rate two epochs later.',
  route: { url: '/tokens/:mintAddress/transfer-fee/create-unsigned', limit: 'create-unsigned' },
  input: {
    params: Type.Object({ mintAddress: Type.String({ maxLength: 100, examples: Address.examples }) }),
    body: Type.Object(
      { transferFeePercent: TransferFeePercent },
      { additionalProperties: false, title: 'TransferFeeChange', examples: [{ transferFeePercent: 2.5 }] },
    ),
  },
  output: UnsignedDraft,
  rejections: ['INVALID_ADDRESS', 'TOKEN_NOT_FOUND', 'NOT_TOKEN_CREATOR', 'TRANSFER_FEE_FIXED'],
  sentBy: 'service',
  purpose: transferFeeChange,

  async plan({ params: { mintAddress }, body }, { services, transactionId, creator, lifetime }) {
    const { created, transferFee } = await ownToken(
      services,
      { field: 'mintAddress', address: mintAddress },
      creator,
    );
    if (!created.token.transferFeeAdjustable) {
      throw rejection('TRANSFER_FEE_FIXED', 'The tax of this token was fixed permanently at its creation.');
    }
    const complaints = createInputProblems();
    const transferFeeBasisPoints = readPercent(
      complaints,
      'transferFeePercent',
      body.transferFeePercent,
      services.policy.maxTransferFeeBasisPoints,
    );
    const latest = transferFee.pending ?? transferFee;
    if (latest.basisPoints === transferFeeBasisPoints) {
      complaints.add('transferFeePercent', 'equals the current or the pending tax');
    }
    complaints.raise('Invalid tax; see the details.');
    const { tokenId } = created.token;
    const memoKeys = memoSigners(services.keyring, transactionId, lifetime).map(({ address }) => address);
    return {
      subject: { kind: 'transfer-fee-change', tokenId, mintAddress, transferFeeBasisPoints },
      instructions: [
        // Takes effect two epochs after the epoch in which it lands.
        tokenInstruction(
          createSetTransferFeeInstruction,
          mintAddress,
          creator,
          [],
          transferFeeBasisPoints,
          MAXIMUM_FEE,
          TOKEN_2022_PROGRAM,
        ),
        ...(memoKeys.length > 0 ? [memoInstruction(memoKeys, `transfer fee ${transactionId}`)] : []),
      ],
      payments: 0n,
      writable: [creator, mintAddress],
    };
  },

  answer: unsignedDraft,
});
