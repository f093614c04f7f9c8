/** Submits the signed change of a token's tax, and responds with the rates on the chain once it is final. */
import { Type } from '@sinclair/typebox';
import { defineSubmission } from '../drafts/define-submission.ts';
import { transferFeeChange } from '../drafts/purposes/transfer-fee-change-behaviour.ts';
import { percentFromBasisPoints } from '../streams/percent.ts';
import { Address, Signature } from '../streams/value-types.ts';
import {
  PendingTransferFee,
  pendingTransferFeeView,
  TransferFeeMaximum,
} from '../views/transfer-fee-view.ts';

export const submitTransferFee = defineSubmission({
  name: 'SubmitTransferFee',
  summary: "Submit the signed change of a token's tax",
  description:
    'Sends the signed transaction and responds once it is final. Repeating the call returns the same result: ' +
    'after a `CONFIRMATION_PENDING`, repeat it or poll `GET /transactions/{transactionId}`.',
  route: { url: '/tokens/:mintAddress/transfer-fee/submit', limit: 'submit' },
  params: Type.Object({ mintAddress: Type.String({ maxLength: 100, examples: Address.examples }) }),
  purpose: transferFeeChange,
  output: Type.Object({
    success: Type.Boolean(),
    signature: Signature,
    mintAddress: Address,
    transferFeePercent: Type.Number({ description: 'Current tax in percent.', examples: [3.5] }),
    transferFeeMaximum: TransferFeeMaximum,
    pendingTransferFee: Type.Optional(PendingTransferFee),
  }),
  answer({ subject: { mintAddress }, landed }, { data: { basisPoints, maximum, pending } }) {
    return {
      success: true,
      signature: landed.signature,
      mintAddress,
      transferFeePercent: percentFromBasisPoints(basisPoints),
      transferFeeMaximum: maximum,
      ...pendingTransferFeeView(pending),
    };
  },
});
