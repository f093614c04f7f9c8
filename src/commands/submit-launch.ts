/** Submits the signed launch for clients that do not send it themselves, and responds once it is final. */
import { Type } from '@sinclair/typebox';
import { defineSubmission } from '../drafts/define-submission.ts';
import { tokenLaunch } from '../drafts/purposes/token-launch-behaviour.ts';
import { Address, Signature, Timestamp } from '../streams/value-types.ts';
import { BondingCurveId } from '../views/launch-curve.ts';

export const submitLaunch = defineSubmission({
  name: 'SubmitLaunch',
  summary: 'Submit the signed launch',
  description:
    'Sends the signed transaction to the chain; not needed if the client sends it itself. Responds once the ' +
    'transaction is final. Repeating the call returns the same result.',
  route: { url: '/launchpad/submit', limit: 'submit' },
  purpose: tokenLaunch,
  rejections: ['LAUNCH_ALREADY_EXISTS', 'POOL_ADDRESS_TAKEN', 'TOKEN_HIDDEN', 'TOKEN_NOT_FOUND'],
  output: Type.Object({
    success: Type.Boolean(),
    signature: Signature,
    mintAddress: Address,
    bondingCurveId: BondingCurveId,
    launchedAt: Timestamp,
  }),
  answer({ subject: { mintAddress, poolAddress }, landed: { signature } }, { data: { startedAt } }) {
    return { success: true, signature, mintAddress, bondingCurveId: poolAddress, launchedAt: startedAt };
  },
});
