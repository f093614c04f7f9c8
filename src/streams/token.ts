/** One stream per token: its birth, and what becomes of it. */
import { type Static, Type } from '@sinclair/typebox';
import { constructorsOf, defineStream, type EventOf } from '../runtime/define-stream.ts';
import { TokenCreation } from './draft.ts';
import { Address, Signature, Uuid } from './values.ts';

export const tokenEvents = {
  TokenCreated: Type.Object({
    creator: Address,
    transactionId: Uuid,
    signature: Signature,
    token: TokenCreation,
  }),
  /** A fork took the creation back and it never landed again: the token does not exist. */
  TokenCreationReverted: Type.Object({ tokenId: Uuid, transactionId: Uuid }),
};

export type TokenEvent = EventOf<typeof tokenEvents>;

export const { TokenCreated, TokenCreationReverted } = constructorsOf(tokenEvents);

export type TokenState =
  | { readonly created: Static<typeof tokenEvents.TokenCreated>; readonly exists: boolean }
  | undefined;

export const token = defineStream({
  category: 'token',
  events: tokenEvents,
  initial: undefined as TokenState,
  evolve(state, event): TokenState {
    switch (event.type) {
      case 'TokenCreated':
        return { created: event.data, exists: true };
      case 'TokenCreationReverted':
        return state && { ...state, exists: false };
    }
  },
});
