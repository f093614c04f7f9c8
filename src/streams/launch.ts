/** One stream per launched token: the final launch, and the first time that the price reached the target. */
import { type Static, Type } from '@sinclair/typebox';
import { constructorsOf, defineStream, type EventOf } from '../kernel/runtime/define-stream.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import { Launch } from './purposes/token-launch.ts';
import { Address, Amount, Signature, Timestamp, U128 } from './value-types.ts';

export const launchEvents = {
  /** The launch is final: the pool exists permanently. */
  LaunchStarted: Type.Object({
    transactionId: Uuid,
    signature: Signature,
    creator: Address,
    launch: Launch,
    /** Start of the pool's sales, according to its account. */
    startedAt: Timestamp,
  }),
  /** First finalized price at or above the target; the price may fall again afterwards. */
  LaunchCompleted: Type.Object({
    tokenId: Uuid,
    mintAddress: Address,
    poolAddress: Address,
    /** Square root of lamports per base unit, Q64.64. */
    sqrtPrice: U128,
    /** Lamports; may exceed 64 bits at the highest prices. */
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
