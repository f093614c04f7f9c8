/** Derives the wallet that will collect a token's tax. Its key comes from the master seed and is never stored. */

import { Type } from '@sinclair/typebox';
import type { DraftServices } from '../drafts/services.ts';
import { commandsFor } from '../kernel/runtime/define-command.ts';
import { deriveId, Uuid } from '../kernel/runtime/ids.ts';
import { DistributionWalletGenerated, distributionWallet } from '../streams/distribution-wallet.ts';
import { Address } from '../streams/value-types.ts';

export const generateDistributionWallet = commandsFor<DraftServices>()({
  name: 'GenerateDistributionWallet',
  summary: 'Generate a distribution wallet',
  description:
    "The first of the four steps, usually when the form for a token opens. The wallet collects the token's tax; " +
    'its key is derived by the service, and never leaves it. A wallet belongs to one token.',
  route: {
    method: 'POST',
    url: '/tokens/generate-distribution-wallet',
    auth: 'none',
    limit: 'generate-wallet',
  },
  input: {},
  output: Type.Object({ walletId: Uuid, address: Address }),
  rejections: [],
  stream: distributionWallet,
  streamId: (_input, { commandId }) => deriveId('wallet', commandId),
  async prepare(_input, { services, cause }) {
    const walletId = deriveId('wallet', cause.commandId);
    return { walletId, address: services.keyring.distributionWallet(walletId).address };
  },
  decide: (state, _input, facts) => (state === undefined ? [DistributionWalletGenerated(facts)] : []),
  respond(state) {
    if (state === undefined) throw new Error('the wallet is missing after GenerateDistributionWallet');
    return { walletId: state.walletId, address: state.address };
  },
});
