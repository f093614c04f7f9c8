/** A lease of a nonce account, and what leasing and opening them needs. */
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
   * Gives the account back at once, if nobody else can know of this lease. Never rejects: what is not given back here
   * is taken back when the lease has lapsed.
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
  /** Lamports that the fee payer keeps. */
  readonly floor: bigint;
  readonly foreignAdvances: Pick<ForeignAdvances, 'record'>;
  /** Resolves after these milliseconds. */
  readonly pause: (milliseconds: number) => Promise<unknown>;
}

/** The recorded accounts in this state, a page at a time, behind the given one. */
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
