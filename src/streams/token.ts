/** One stream per token: its creation and all later changes. */
import { type Static, Type } from '@sinclair/typebox';
import { constructorsOf, defineStream, type EventOf } from '../kernel/runtime/define-stream.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import { type DistributionSettings, SomeSettings, settingsAtBirth } from './distribution-settings.ts';
import { TokenCreation } from './purposes/token-creation.ts';
import { Address, Amount, BasisPoints, orNull, Signature } from './value-types.ts';

/** Maximum tax of one transfer, in base units; null if only the rate counts. */
const Maximum = orNull(Amount);

/** The tax on transfers, as the chain shows it. */
const TransferFee = {
  /** Current rate. */
  basisPoints: BasisPoints,
  maximum: Maximum,
  /** The next rate, and the epoch (digits) from which it applies. */
  pending: orNull(Type.Object({ basisPoints: BasisPoints, maximum: Maximum, fromEpoch: Amount })),
};
const TransferFeeRates = Type.Object(TransferFee);

/** Finalized slot of the observation, in digits; null if not recorded. */
const ShownAt = { slot: orNull(Amount) };

export type TransferFeeRates = Static<typeof TransferFeeRates>;

const ObservedTransferFee = Type.Object({ ...TransferFee, ...ShownAt });

export const tokenEvents = {
  TokenCreated: Type.Object({
    creator: Address,
    transactionId: Uuid,
    signature: Signature,
    token: TokenCreation,
  }),
  /** A fork dropped the creation and it never landed again: the token does not exist. */
  TokenCreationReverted: Type.Object({ tokenId: Uuid, transactionId: Uuid }),
  /** `from` and `to` contain only the changed settings. */
  DistributionSettingsUpdated: Type.Object({ tokenId: Uuid, from: SomeSettings, to: SomeSettings }),
  /** The chain shows a different tax than before. */
  TransferFeeChanged: Type.Object({
    tokenId: Uuid,
    /** Draft that caused the change. Null if the rate was changed without the service, or if a new rate became valid. */
    transactionId: orNull(Uuid),
    ...TransferFee,
    ...ShownAt,
  }),
  /** The draft's change is final, and `TransferFeeChanged` had already recorded this tax. */
  TransferFeeChangeLanded: Type.Object({ tokenId: Uuid, transactionId: Uuid, ...TransferFee, ...ShownAt }),
  /** An operator hid the token from all public lists. */
  TokenHidden: Type.Object({ tokenId: Uuid, reason: Type.String() }),
  TokenShown: Type.Object({ tokenId: Uuid, reason: orNull(Type.String()) }),
};

export type TokenEvent = EventOf<typeof tokenEvents>;

export const {
  TokenCreated,
  TokenCreationReverted,
  DistributionSettingsUpdated,
  TokenHidden,
  TokenShown,
  TransferFeeChanged,
  TransferFeeChangeLanded,
} = constructorsOf(tokenEvents);

export type TokenState =
  | {
      readonly created: Static<typeof tokenEvents.TokenCreated>;
      readonly exists: boolean;
      readonly settings: DistributionSettings;
      readonly transferFee: Static<typeof ObservedTransferFee>;
      /** Set while an operator hides the token from the public lists. */
      readonly hidden: { readonly reason: string } | undefined;
    }
  | undefined;

/** Part of the state that the creator controls; undefined if the token does not exist. */
export function ownedToken(state: TokenState) {
  if (state === undefined || !state.exists) return undefined;
  return { creator: state.created.creator, settings: state.settings };
}

export const token = defineStream({
  category: 'token',
  events: tokenEvents,
  internal: { TransferFeeChangeLanded: 'The change was published when it was observed.' },
  initial: undefined as TokenState,
  evolve(state, event): TokenState {
    switch (event.type) {
      case 'TokenCreated':
        return {
          created: event.data,
          exists: true,
          settings: settingsAtBirth(event.data.token),
          transferFee: {
            basisPoints: event.data.token.transferFeeBasisPoints,
            maximum: null,
            pending: null,
            slot: null,
          },
          hidden: undefined,
        };
      case 'TokenCreationReverted':
        return state && { ...state, exists: false };
      case 'DistributionSettingsUpdated':
        return state && { ...state, settings: { ...state.settings, ...event.data.to } };
      case 'TransferFeeChanged': {
        const { basisPoints, maximum, pending, slot } = event.data;
        return state && { ...state, transferFee: { basisPoints, maximum, pending, slot } };
      }
      case 'TransferFeeChangeLanded':
        return state;
      case 'TokenHidden':
        return state && { ...state, hidden: { reason: event.data.reason } };
      case 'TokenShown':
        return state && { ...state, hidden: undefined };
    }
  },
});
