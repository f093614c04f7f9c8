/** Leases nonce accounts that are there to drafts, each to one draft at a time, and all in turn. */
import { decodeNonceAccount } from '../../chain/durable-nonce.ts';
import type { Chain, Commitment } from '../../kernel/ports/chain.ts';
import type { ExpectedRevision } from '../../kernel/ports/event-store.ts';
import { unlessUndecodable } from '../../kernel/runtime/event-reader.ts';
import type { Cause } from '../../kernel/runtime/execute.ts';
import { nonceAccounts } from '../../projections/nonce-accounts.ts';
import { nonceAccount } from '../../streams/nonce-account.ts';
import {
  decideLease,
  decideLeaseAnew,
  decideRenewal,
  decideReturn,
  decideReturnAtOnce,
} from './decide-nonce.ts';
import { createFreeAccounts } from './free-accounts.ts';
import type { LeaseOf, NonceLease, NoncePoolOptions } from './nonce-lease.ts';

/** `since`: of the very lease that is meant. */
type MeantLease = LeaseOf & { readonly since?: string };

export interface NonceLeases {
  /** The account that the draft leases already, under a new lease, if its value is the chain's. */
  leaseAnew(transactionId: string, cause: Cause): Promise<NonceLease | undefined>;
  /** A free account, whether or not its value is the chain's; undefined if all are leased. */
  takeFree(transactionId: string, cause: Cause): Promise<NonceLease | undefined>;
  /** This account; undefined if another draft leases it. */
  take(account: string, transactionId: string, cause: Cause): Promise<NonceLease | undefined>;
  /** Whether the leased value is the chain's. If it is not, the account is renewed, and another one is needed. */
  isUsable(lease: NonceLease, transactionId: string, cause: Cause): Promise<boolean>;
  /** Renews the accounts with the chain's values where those are final; the others stay leased until tidied. */
  refresh(accounts: readonly string[], transactionId: string, cause: Cause): Promise<void>;
  giveBack(lease: MeantLease, cause: Cause): Promise<void>;
  /** False where nothing was recorded. */
  renew(lease: MeantLease, value: string, cause: Cause): Promise<boolean>;
}

export function createNonceLeases(
  options: Pick<NoncePoolOptions, 'executor' | 'readModel' | 'chain' | 'keyring' | 'foreignAdvances'>,
): NonceLeases {
  const { executor, readModel, chain } = options;
  const free = createFreeAccounts(options);
  const returns = createReturns(options);

  async function take(account: string, transactionId: string, cause: Cause): Promise<NonceLease | undefined> {
    const { state, recorded, revision } = await free.whileTaking(account, () =>
      executor.execute(nonceAccount, account, cause, (current) =>
        decideLease(current, { account, transactionId }),
      ),
    );
    if (state?.lease !== transactionId) return undefined;
    const isNew = recorded.length > 0;
    return {
      account,
      value: state.value,
      // Another attempt at the draft that found the lease has leased the account anew.
      giveBack: () =>
        isNew ? returns.giveBackAtOnce({ account, transactionId, revision }, cause) : nothing(),
    };
  }

  return {
    take,
    refresh: returns.refresh,
    giveBack: returns.giveBack,
    renew: returns.renew,

    async leaseAnew(transactionId, cause) {
      const [held] = await readModel.find(nonceAccounts, 'lease', transactionId);
      if (held === undefined) return undefined;
      const { account } = held;
      const { state } = await executor.execute(nonceAccount, account, cause, (current) =>
        decideLeaseAnew(current, { account, transactionId }),
      );
      if (state?.lease !== transactionId || !(await isCurrent(chain, state))) return undefined;
      // Not given back at once: an earlier attempt at the draft may be about to record it on this account.
      return { account, value: state.value, giveBack: nothing };
    },

    async takeFree(transactionId, cause) {
      for await (const account of free.inTurn(transactionId)) {
        const lease = await unlessUndecodable(take(account, transactionId, cause));
        if (lease !== undefined) return lease;
      }
      return undefined;
    },

    async isUsable(lease, transactionId, cause) {
      try {
        if (await isCurrent(chain, lease)) return true;
        await returns.refresh([lease.account], transactionId, cause);
        return false;
      } catch (refusal) {
        await lease.giveBack();
        throw refusal;
      }
    },
  };
}

/** How accounts are taken back from drafts. */
function createReturns({
  executor,
  chain,
  foreignAdvances,
}: Pick<NoncePoolOptions, 'executor' | 'chain' | 'foreignAdvances'>) {
  async function renew(
    { account, transactionId, since }: MeantLease,
    value: string,
    cause: Cause,
  ): Promise<boolean> {
    const { recorded } = await executor.execute(nonceAccount, account, cause, (state, { events }) =>
      decideRenewal(state, {
        account,
        transactionId,
        value,
        since,
        lastAt: events.at(-1)?.metadata.occurredAt,
      }),
    );
    return recorded.length > 0;
  }

  return {
    renew,

    async refresh(accounts: readonly string[], transactionId: string, cause: Cause): Promise<void> {
      const values = await valuesAt(chain, accounts, 'finalized');
      for (const [index, account] of accounts.entries()) {
        const value = values[index];
        if (value === undefined) continue;
        // It was free: no transaction of this log has spent its value.
        if (await renew({ account, transactionId }, value, cause)) foreignAdvances.record(account);
      }
    },

    async giveBack({ account, transactionId, since }: MeantLease, cause: Cause): Promise<void> {
      await executor.execute(nonceAccount, account, cause, (state, { events }) =>
        decideReturn(state, { account, transactionId, since, lastAt: events.at(-1)?.metadata.occurredAt }),
      );
    },

    async giveBackAtOnce(
      { account, transactionId, revision }: LeaseOf & { readonly revision: ExpectedRevision },
      cause: Cause,
    ): Promise<void> {
      await executor
        .execute(nonceAccount, account, cause, (state, loaded) =>
          decideReturnAtOnce(state, { account, transactionId, isAsLeased: loaded.revision === revision }),
        )
        .catch(nothing);
    },
  };
}

async function valuesAt(
  chain: Pick<Chain, 'accounts'>,
  accounts: readonly string[],
  commitment: Commitment,
): Promise<readonly (string | undefined)[]> {
  const found = await chain.accounts(accounts, commitment);
  return found.map((account) => account && decodeNonceAccount(account.data)?.value);
}

/** The log may be behind the chain: it was restored from an older copy, or a fork gave the account another value. */
async function isCurrent(
  chain: Pick<Chain, 'accounts'>,
  { account, value }: Pick<NonceLease, 'account' | 'value'>,
): Promise<boolean> {
  const [found] = await valuesAt(chain, [account], 'confirmed');
  return found === value;
}

async function nothing(): Promise<void> {}
