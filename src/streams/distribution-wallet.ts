/** One stream per generated distribution wallet: its address, and which draft has claimed it for a token. */
import { Type } from '@sinclair/typebox';
import { constructorsOf, defineStream, type EventOf } from '../kernel/runtime/define-stream.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import { Address } from './values.ts';

export const distributionWalletEvents = {
  DistributionWalletGenerated: Type.Object({ walletId: Uuid, address: Address }),
  /** The draft that was named last holds the claim. Whether that draft is still live is in its own stream. */
  DistributionWalletClaimed: Type.Object({
    walletId: Uuid,
    transactionId: Uuid,
    creator: Address,
    /** Earlier drafts for the wallet that were still open: a submission of the new one ends them first. */
    earlier: Type.Array(Uuid),
  }),
};

export type DistributionWalletEvent = EventOf<typeof distributionWalletEvents>;

export const { DistributionWalletGenerated, DistributionWalletClaimed } =
  constructorsOf(distributionWalletEvents);

export interface WalletClaim {
  readonly transactionId: string;
  readonly creator: string;
  /** Earlier drafts that may still be open. No other draft for the wallet can ever be submitted. */
  readonly earlier: readonly string[];
}

export type DistributionWalletState =
  | { readonly walletId: string; readonly address: string; readonly claim: WalletClaim | undefined }
  | undefined;

export const distributionWallet = defineStream({
  category: 'wallet',
  events: distributionWalletEvents,
  internal: {
    DistributionWalletGenerated: 'Nothing happened yet: anybody may generate any number.',
    DistributionWalletClaimed: 'A draft holds it, and drafts are between a creator and the service.',
  },
  // A creator may have any number of drafts made for one wallet.
  snapshots: {
    version: 1,
    every: 100,
    state: Type.Object({
      walletId: Uuid,
      address: Address,
      claim: Type.Optional(Type.Object({ transactionId: Uuid, creator: Address, earlier: Type.Array(Uuid) })),
    }),
  },
  initial: undefined as DistributionWalletState,
  evolve(state, event): DistributionWalletState {
    switch (event.type) {
      case 'DistributionWalletGenerated':
        return { walletId: event.data.walletId, address: event.data.address, claim: undefined };
      case 'DistributionWalletClaimed': {
        const { transactionId, creator, earlier } = event.data;
        return state && { ...state, claim: { transactionId, creator, earlier } };
      }
    }
  },
});
