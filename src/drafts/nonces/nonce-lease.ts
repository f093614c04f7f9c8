/** Lease of a nonce account, and dependencies of leasing and creating accounts. */
import type { Keyring } from '../../chain/keys.ts';
import type { Chain } from '../../kernel/ports/chain.ts';
import type { ReadModel } from '../../kernel/ports/read-model.ts';
import type { Executor } from '../../kernel/runtime/execute.ts';
import { findPages } from '../../kernel/runtime/find-pages.ts';
import { nonceAccounts } from '../../projections/nonce-accounts.ts';
import type { ForeignAdvances } from './foreign-advances.ts';

export interface NonceLease {
  readonly account: string;
  readonly value: string;
  /**
   * Returns the account immediately if no other process can have seen this lease. Never rejects: an account that is not
   * returned is reclaimed after the lease has lapsed.
   */
  readonly giveBack: () => Promise<void>;
}

export interface LeaseOf {
  readonly account: string;
  readonly transactionId: string;
}

export interface NoncePoolOptions {
  readonly executor: Executor;
  readonly readModel: ReadModel;
  readonly chain: Chain;
  readonly keyring: Keyring;
  readonly maximum: number;
  /** True if networks share scarce accounts fairly; false if rate limits are off. */
  readonly sharesFairly: boolean;
  /** Minimum balance of the fee payer, in lamports. */
  readonly floor: bigint;
  readonly foreignAdvances: Pick<ForeignAdvances, 'record'>;
  /** Resolves after these milliseconds. */
  readonly pause: (milliseconds: number) => Promise<unknown>;
}

/** Pages of the recorded accounts in a state, after the given account. */
export function accountPages(
  readModel: ReadModel,
  value: 'free' | 'known',
  limit: number,
  after: string | undefined,
) {
  return findPages(readModel, nonceAccounts, 'state', value, {
    limit,
    after,
    keyOf: ({ account }) => account,
  });
}
