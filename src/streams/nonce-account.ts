/** One stream per durable-nonce account of the service: its value, and the draft that leases it. */
import { Type } from '@sinclair/typebox';
import { constructorsOf, defineStream, type EventOf } from '../kernel/runtime/define-stream.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import { Address } from './value-types.ts';

/** A nonce value is a hash of 32 bytes in base58, like an address. */
const NonceValue = Address;

const nonceAccountEvents = {
  NonceAccountOpened: Type.Object({
    account: Address,
    /** Index in the derivation path of the account's key. */
    index: Type.Integer({ minimum: 0 }),
    value: NonceValue,
  }),
  NonceLeased: Type.Object({ account: Address, transactionId: Uuid, value: NonceValue }),
  /** The draft was never submitted: nothing was signed with the value, so the next draft can use it. */
  NonceReturned: Type.Object({ account: Address, transactionId: Uuid }),
  /** The leased value is outdated: a finalized transaction has consumed it, or it belonged to a dropped fork. */
  NonceRenewed: Type.Object({ account: Address, transactionId: Uuid, value: NonceValue }),
};

export type NonceAccountEvent = EventOf<typeof nonceAccountEvents>;

export const { NonceAccountOpened, NonceLeased, NonceReturned, NonceRenewed } =
  constructorsOf(nonceAccountEvents);

/** Number of earlier values that are stored; a node that shows an older one is detected when the account is leased. */
const FORMER_VALUES = 32;

export type NonceAccountState =
  | {
      readonly account: string;
      readonly value: string;
      /** Latest earlier values, oldest first. */
      readonly formerValues: readonly string[];
      /** Draft that leases the account. */
      readonly lease: string | undefined;
    }
  | undefined;

/** True for the current and for recent values: a node that shows a recent value is behind. */
export function hadValue(
  { value, formerValues }: NonNullable<NonceAccountState>,
  candidate: string,
): boolean {
  return candidate === value || formerValues.includes(candidate);
}

export const nonceAccount = defineStream({
  category: 'nonce',
  events: nonceAccountEvents,
  internal: {
    NonceAccountOpened: 'Nonces are internal to the service.',
    NonceLeased: 'Nonces are internal to the service.',
    NonceReturned: 'Nonces are internal to the service.',
    NonceRenewed: 'Nonces are internal to the service.',
  },
  snapshots: {
    version: 1,
    every: 100,
    state: Type.Object({
      account: Address,
      value: NonceValue,
      formerValues: Type.Array(NonceValue),
      lease: Type.Optional(Uuid),
    }),
  },
  initial: undefined as NonceAccountState,
  evolve(state, event): NonceAccountState {
    switch (event.type) {
      case 'NonceAccountOpened':
        return {
          account: event.data.account,
          value: event.data.value,
          formerValues: [],
          lease: undefined,
        };
      case 'NonceLeased':
        return state && { ...state, lease: event.data.transactionId };
      case 'NonceReturned':
        return state && { ...state, lease: undefined };
      case 'NonceRenewed':
        return (
          state && {
            ...state,
            value: event.data.value,
            formerValues: [...state.formerValues, state.value].slice(-FORMER_VALUES),
            lease: undefined,
          }
        );
    }
  },
});
