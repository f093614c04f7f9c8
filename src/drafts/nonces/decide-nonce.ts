/** Decides the events of a nonce account. Pure; returns no event if nothing changes. */
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

/** The first draft leases a free account; later claims record nothing. */
export function decideLease(state: NonceAccountState, { account, transactionId }: LeaseOf): Events {
  if (state === undefined || state.lease !== undefined) return [];
  return [NonceLeased({ account, transactionId, value: state.value })];
}

/** Renews the lease of the leasing draft, in case another process that saw the expired lease is about to release the account. */
export function decideLeaseAnew(state: NonceAccountState, { account, transactionId }: LeaseOf): Events {
  if (state?.lease !== transactionId) return [];
  return [NonceLeased({ account, transactionId, value: state.value })];
}

/** `isMeant`: the lease to end is the account's last event, so that no later lease is ended. */
interface EndOfLease extends LeaseOf {
  readonly isMeant: boolean;
}

/** `since`: time of the lease; undefined for any lease of the draft. */
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

/** Ignores values that the account has or had, which come from a lagging node. */
export function decideRenewal(
  state: NonceAccountState,
  { account, transactionId, isMeant, value }: EndOfLease & { readonly value: string },
): Events {
  if (!isMeant || state?.lease !== transactionId || hadValue(state, value)) return [];
  return [NonceRenewed({ account, transactionId, value })];
}
