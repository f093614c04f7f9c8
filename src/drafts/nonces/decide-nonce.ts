/** What is recorded about a nonce account, and when nothing is. Pure. */
import {
  hadValue,
  type NonceAccountEvent,
  NonceAccountOpened,
  type NonceAccountState,
  NonceLeased,
  NonceRenewed,
  NonceReturned,
} from '../../streams/nonce-account.ts';

type Events = readonly NonceAccountEvent[];

interface LeaseOf {
  readonly account: string;
  readonly transactionId: string;
}

/** When the account's last event was recorded: while it is leased, that is the lease. */
interface LastEvent {
  readonly lastAt: string | undefined;
}

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

/**
 * The draft that leases the account leases it anew: another process that found the old lease lapsed may be about to give
 * the account back.
 */
export function decideLeaseAnew(state: NonceAccountState, { account, transactionId }: LeaseOf): Events {
  if (state?.lease !== transactionId) return [];
  return [NonceLeased({ account, transactionId, value: state.value })];
}

/** `since`: of the very lease that is meant; any lease of the draft if it is left out. */
export function decideReturn(
  state: NonceAccountState,
  { account, transactionId, since, lastAt }: LeaseOf & LastEvent & { readonly since: string | undefined },
): Events {
  const isMeant = since === undefined || since === lastAt;
  return state?.lease === transactionId && isMeant ? [NonceReturned({ account, transactionId })] : [];
}

/** `isAsLeased`: nothing was recorded since the lease, so that nobody else can know of it. */
export function decideReturnAtOnce(
  state: NonceAccountState,
  { account, transactionId, isAsLeased }: LeaseOf & { readonly isAsLeased: boolean },
): Events {
  return isAsLeased && state?.lease === transactionId ? [NonceReturned({ account, transactionId })] : [];
}

/** A value that the account has or had comes from a node that is behind. */
export function decideRenewal(
  state: NonceAccountState,
  {
    account,
    transactionId,
    value,
    since,
    lastAt,
  }: LeaseOf & LastEvent & { readonly value: string; readonly since: string | undefined },
): Events {
  if (state?.lease !== transactionId || hadValue(state, value)) return [];
  const isMeant = since === undefined || since === lastAt;
  return isMeant ? [NonceRenewed({ account, transactionId, value })] : [];
}
