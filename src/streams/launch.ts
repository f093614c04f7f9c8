/** One stream per launched token: the permanent existence of its pool, and reaching its target. */
import { type Static, Type } from '@sinclair/typebox';
import { constructorsOf, defineStream, type EventOf } from '../kernel/runtime/define-stream.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import { Launch } from './purposes/token-launch.ts';
import { Address, Amount, Signature, Timestamp, U128 } from './values.ts';

export const launchEvents = {
  /** The launch is final: nothing can take the pool away. */
  LaunchStarted: Type.Object({
    transactionId: Uuid,
    signature: Signature,
    creator: Address,
    launch: Launch,
    /** When the pool starts to sell, as its account says. */
    startedAt: Timestamp,
  }),
  /** The first final price seen at or above the target; the price may fall again afterwards. */
  LaunchCompleted: Type.Object({
    tokenId: Uuid,
    mintAddress: Address,
    poolAddress: Address,
    /** Square root of lamports per base unit, Q64.64. */
    sqrtPrice: U128,
    /** Lamports; at the highest prices more than fits a u64. */
    marketCap: U128,
    tokensSold: Amount,
    /** Lamports. */
    solCollected: Amount,
  }),
};

export type LaunchEvent = EventOf<typeof launchEvents>;

export const { LaunchStarted, LaunchCompleted } = constructorsOf(launchEvents);

export type StartedLaunch = Static<typeof launchEvents.LaunchStarted>;

export type LaunchState = { readonly started: StartedLaunch; readonly isCompleted: boolean } | undefined;

export const launch = defineStream({
  category: 'launch',
  events: launchEvents,
  initial: undefined as LaunchState,
  evolve(state, event): LaunchState {
    switch (event.type) {
      case 'LaunchStarted':
        return { started: event.data, isCompleted: false };
      case 'LaunchCompleted':
        return state && { ...state, isCompleted: true };
    }
  },
});
