/** Decides the events of a nonce account, and when to record none. Pure. */
import {
  hadValue,
  type NonceAccountEvent,
  NonceAccountOpened,
  type NonceAccountState,
  NonceLeased,
  NonceRenewed,
  NonceReturned,
} from '../../streams/nonce-account.ts';

import type { LeaseOf } from './nonce-lease.ts';

type Events = readonly NonceAccountEvent[];

export function decideOpening(
  state: NonceAccountState,
  opened: { readonly account: string; readonly index: number; readonly value: string },
): Events {
  return state === undefined ? [NonceAccountOpened(opened)] : [];
}

/** A free account goes to the first claim. */
export function decideLease(state: NonceAccountState, { account, transactionId }: LeaseOf): Events {
  if (state === undefined || state.lease !== undefined) return [];
  return [NonceLeased({ account, transactionId, value: state.value })];
}

/** The leasing draft renews its lease: another process that saw the lapsed lease may be about to release the account. */
export function decideLeaseAnew(state: NonceAccountState, { account, transactionId }: LeaseOf): Events {
  if (state?.lease !== transactionId) return [];
  return [NonceLeased({ account, transactionId, value: state.value })];
}

/** `isMeant`: the account's last event is the very lease that ends, so that it ends no later one. */
interface EndOfLease extends LeaseOf {
  readonly isMeant: boolean;
}

/** `since`: when the lease was recorded that is meant; any lease of the draft if it is left out. */
export function isMeantLease(
  since: string | undefined,
  events: readonly { readonly metadata: { readonly occurredAt: string } }[],
): boolean {
  return since === undefined || since === events.at(-1)?.metadata.occurredAt;
}

export function decideReturn(
  state: NonceAccountState,
  { account, transactionId, isMeant }: EndOfLease,
): Events {
  return isMeant && state?.lease === transactionId ? [NonceReturned({ account, transactionId })] : [];
}

/** A value that the account has or had comes from a node that is behind. */
export function decideRenewal(
  state: NonceAccountState,
  { account, transactionId, isMeant, value }: EndOfLease & { readonly value: string },
): Events {
  if (!isMeant || state?.lease !== transactionId || hadValue(state, value)) return [];
  return [NonceRenewed({ account, transactionId, value })];
}
