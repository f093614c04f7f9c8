/** Leases existing nonce accounts to drafts, each to one draft at a time, in rotation. */
import { decodeNonceAccount } from '../../chain/durable-nonce.ts';
import type { Chain, Commitment } from '../../kernel/ports/chain.ts';
import type { ExpectedRevision } from '../../kernel/ports/event-store.ts';
import { unlessUndecodable } from '../../kernel/runtime/event-reader.ts';
import type { Cause } from '../../kernel/runtime/execute.ts';
import { nonceAccounts } from '../../projections/nonce-accounts.ts';
import { nonceAccount } from '../../streams/nonce-account.ts';
import { decideLease, decideLeaseAnew, decideRenewal, decideReturn, isMeantLease } from './decide-nonce.ts';
import { accountPages, type LeaseOf, type NonceLease, type NoncePoolOptions } from './nonce-lease.ts';

/** `since`: time of the lease; absent for any lease of the draft. */
type MeantLease = LeaseOf & { readonly since?: string };

export function createNonceLeases(
  options: Pick<NoncePoolOptions, 'executor' | 'readModel' | 'chain' | 'keyring' | 'foreignAdvances'>,
) {
  const { executor, readModel, chain } = options;
  const free = createFreeAccounts(options);
  const returns = createReturns(options);

  async function take(account: string, transactionId: string, cause: Cause): Promise<NonceLease | undefined> {
    const { state, recorded, revision } = await free.whileTaking(account, () =>
      // The cached state suffices: an account that it shows as leased is skipped, and any other free account serves as
      // well.
      executor.execute(
        nonceAccount,
        account,
        cause,
        (current) => decideLease(current, { account, transactionId }),
        { trust: 'cached' },
      ),
    );
    if (state?.lease !== transactionId) return undefined;
    const isNew = recorded.length > 0;
    return {
      account,
      value: state.value,
      // Without a new event, the lease belongs to an earlier attempt at the draft, which may be using it.
      giveBack: () => (isNew ? returns.releaseNow({ account, transactionId, revision }, cause) : nothing()),
    };
  }

  return {
    /** Leases this account; undefined if another draft leases it. */
    take,
    /**
     * Renews accounts whose final value on the chain has changed; other accounts stay leased until the next round of
     * the nonce reclaimer.
     */
    refresh: returns.refresh,
    giveBack: returns.giveBack,
    /** False if nothing was recorded. */
    renew: returns.renew,

    /** Renews the lease that the draft already has; undefined if it has none, or if the value is not the chain's. */
    async leaseAnew(transactionId: string, cause: Cause) {
      const [held] = await readModel.find(nonceAccounts, 'lease', transactionId);
      if (held === undefined) return undefined;
      const { account } = held;
      const { state } = await executor.execute(nonceAccount, account, cause, (current) =>
        decideLeaseAnew(current, { account, transactionId }),
      );
      if (state?.lease !== transactionId || !(await isCurrent(chain, state))) return undefined;
      // Retain the lease on failure: an earlier attempt may be about to record the draft with this account.
      return { account, value: state.value, giveBack: nothing };
    },

    /** Leases a free account without checking its value; undefined if all are leased. */
    async takeFree(transactionId: string, cause: Cause) {
      for await (const account of free.inTurn(transactionId)) {
        const lease = await unlessUndecodable(take(account, transactionId, cause));
        if (lease !== undefined) return lease;
      }
      return undefined;
    },

    /** True if the leased value is the chain's. Otherwise renews the account; the caller needs another one. */
    async isUsable(lease: NonceLease, transactionId: string, cause: Cause) {
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

/** Ends leases and returns accounts to the pool. */
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
    const { recorded } = await executor.execute(nonceAccount, account, cause, (state, loaded) =>
      decideRenewal(state, { account, transactionId, value, isMeant: isMeantLease(since, loaded.events) }),
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
        // The account was free, so a transaction that this log does not have has spent its value.
        if (await renew({ account, transactionId }, value, cause)) foreignAdvances.record(account);
      }
    },

    async giveBack({ account, transactionId, since }: MeantLease, cause: Cause): Promise<void> {
      await executor.execute(nonceAccount, account, cause, (state, loaded) =>
        decideReturn(state, { account, transactionId, isMeant: isMeantLease(since, loaded.events) }),
      );
    },

    async releaseNow(
      { account, transactionId, revision }: LeaseOf & { readonly revision: ExpectedRevision },
      cause: Cause,
    ): Promise<void> {
      await executor
        .execute(nonceAccount, account, cause, (state, loaded) =>
          // No event since the lease, so no other process can depend on it.
          decideReturn(state, { account, transactionId, isMeant: loaded.revision === revision }),
        )
        .catch(nothing);
    },
  };
}

/** Values of nonce accounts on the chain; undefined for accounts that the node does not return. */
export async function valuesAt(
  chain: Pick<Chain, 'accounts'>,
  accounts: readonly string[],
  commitment: Commitment,
): Promise<readonly (string | undefined)[]> {
  if (accounts.length === 0) return [];
  const found = await chain.accounts(accounts, commitment);
  return found.map((account) => account && decodeNonceAccount(account.data)?.value);
}

/**
 * False if the chain has another value than the log: the log was restored from an older copy, or a fork changed the account's
 * value.
 */
async function isCurrent(
  chain: Pick<Chain, 'accounts'>,
  { account, value }: Pick<NonceLease, 'account' | 'value'>,
): Promise<boolean> {
  const [found] = await valuesAt(chain, [account], 'confirmed');
  return found === value;
}

async function nothing(): Promise<void> {}

/** Accounts per read. */
const PAGE = 16;

/** Iterates over free accounts, starting after the last leased one, so that all accounts are used in rotation. */
function createFreeAccounts({ readModel, keyring }: Pick<NoncePoolOptions, 'readModel' | 'keyring'>) {
  const busy = new Set<string>();
  let lastTaken: string | undefined;

  /** Start after a restart: derived from the draft's id, to avoid the accounts that this or another process has just used. */
  async function startingPlace(transactionId: string): Promise<string | undefined> {
    const accounts = await readModel.count(nonceAccounts, 'state', 'known');
    if (accounts === 0) return undefined;
    return keyring.nonceAccount(Number.parseInt(transactionId.slice(0, 8), 16) % accounts).address;
  }

  return {
    /** Free accounts that this process is not already leasing. The caller then tries to lease them. */
    async *inTurn(transactionId: string) {
      lastTaken ??= await startingPlace(transactionId);
      for (const start of [lastTaken, undefined]) {
        for await (const page of accountPages(readModel, 'free', PAGE, start))
          for (const { account } of page) {
            if (busy.has(account)) continue;
            lastTaken = account;
            yield account;
          }
      }
    },
    /** Excludes the account from `inTurn` while this process appends to it, since concurrent appends would conflict. */
    async whileTaking<Taken>(account: string, take: () => Promise<Taken>) {
      busy.add(account);
      try {
        return await take();
      } finally {
        busy.delete(account);
      }
    },
  };
}
