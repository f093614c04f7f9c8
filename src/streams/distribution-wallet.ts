/** One stream per generated distribution wallet: its address, and the draft that was submitted for it. */
import { Type } from '@sinclair/typebox';
import { constructorsOf, defineStream, type EventOf } from '../kernel/runtime/define-stream.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import { Address } from './value-types.ts';

const distributionWalletEvents = {
  DistributionWalletGenerated: Type.Object({ walletId: Uuid, address: Address }),
  /** A draft claims the wallet immediately before it is accepted. The draft's own stream shows if it is still open. */
  DistributionWalletClaimed: Type.Object({ walletId: Uuid, transactionId: Uuid, creator: Address }),
};

export type DistributionWalletEvent = EventOf<typeof distributionWalletEvents>;

export const { DistributionWalletGenerated, DistributionWalletClaimed } =
  constructorsOf(distributionWalletEvents);

interface WalletClaim {
  readonly transactionId: string;
  readonly creator: string;
}

export type DistributionWalletState =
  | { readonly walletId: string; readonly address: string; readonly claim: WalletClaim | undefined }
  | undefined;

export const distributionWallet = defineStream({
  category: 'wallet',
  events: distributionWalletEvents,
  internal: {
    DistributionWalletGenerated: 'Anybody may generate any number of wallets.',
    DistributionWalletClaimed: 'Drafts concern only their creator and the service.',
  },
  // Any number of drafts may be submitted for one wallet, as long as none lands.
  initial: undefined as DistributionWalletState,
  evolve(state, event): DistributionWalletState {
    switch (event.type) {
      case 'DistributionWalletGenerated':
        return { walletId: event.data.walletId, address: event.data.address, claim: undefined };
      case 'DistributionWalletClaimed': {
        const { transactionId, creator } = event.data;
        return state && { ...state, claim: { transactionId, creator } };
      }
    }
  },
});
