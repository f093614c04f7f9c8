/** Takes the signed change of a token's tax and answers with the rates that the chain shows, once it is final. */
import { Type } from '@sinclair/typebox';
import { transferFeeChange } from '../chain/purposes/transfer-fee-change.ts';
import { percentFromBasisPoints } from '../streams/percent.ts';
import { PendingTransferFee, pendingTransferFeeView } from '../streams/transfer-fee-view.ts';
import { Address, Signature } from '../streams/values.ts';
import { defineSubmission } from './define-submission.ts';

export const submitTransferFee = defineSubmission({
  name: 'SubmitTransferFee',
  summary: "Submit the signed change of a token's tax",
  route: { url: '/tokens/:mintAddress/transfer-fee/submit', limit: 'submit' },
  params: Type.Object({ mintAddress: Type.String({ maxLength: 100, examples: Address.examples }) }),
  purpose: transferFeeChange,
  output: Type.Object({
    success: Type.Boolean(),
    signature: Signature,
    mintAddress: Address,
    transferFeePercent: Type.Number({ description: 'Valid now.', examples: [3.5] }),
    pendingTransferFee: Type.Optional(PendingTransferFee),
  }),
  answer({ subject: { mintAddress }, landed }, { data: { basisPoints, pending } }) {
    return {
      success: true,
      signature: landed.signature,
      mintAddress,
      transferFeePercent: percentFromBasisPoints(basisPoints),
      ...pendingTransferFeeView(pending),
    };
  },
});
