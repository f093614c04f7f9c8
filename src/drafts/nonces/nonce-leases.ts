/** Leases nonce accounts that are there to drafts, each to one draft at a time, and all in turn. */
import { decodeNonceAccount } from '../../chain/durable-nonce.ts';
import type { Chain, Commitment } from '../../kernel/ports/chain.ts';
import type { ExpectedRevision } from '../../kernel/ports/event-store.ts';
import { unlessUndecodable } from '../../kernel/runtime/event-reader.ts';
import type { Cause } from '../../kernel/runtime/execute.ts';
import { nonceAccounts } from '../../projections/nonce-accounts.ts';
import { nonceAccount } from '../../streams/nonce-account.ts';
import { decideLease, decideLeaseAnew, decideRenewal, decideReturn, isMeantLease } from './decide-nonce.ts';
import { accountPages, type LeaseOf, type NonceLease, type NoncePoolOptions } from './nonce-lease.ts';

/** `since`: of the very lease that is meant. */
type MeantLease = LeaseOf & { readonly since?: string };

export function createNonceLeases(
  options: Pick<NoncePoolOptions, 'executor' | 'readModel' | 'chain' | 'keyring' | 'foreignAdvances'>,
) {
  const { executor, readModel, chain } = options;
  const free = createFreeAccounts(options);
  const returns = createReturns(options);

  async function take(account: string, transactionId: string, cause: Cause): Promise<NonceLease | undefined> {
    const { state, recorded, revision } = await free.whileTaking(account, () =>
      // An account that is leased as far as this process knows is passed over without a read: others are as good.
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
      // Another attempt at the draft that found the lease has renewed it.
      giveBack: () =>
        isNew ? returns.giveBackAtOnce({ account, transactionId, revision }, cause) : nothing(),
    };
  }

  return {
    /** This account; undefined if another draft leases it. */
    take,
    /** Renews the accounts with the chain's values where those are final; the others stay leased until tidied. */
    refresh: returns.refresh,
    giveBack: returns.giveBack,
    /** False where nothing was recorded. */
    renew: returns.renew,

    /** The account that the draft leases already, under a new lease, if its value is the chain's. */
    async leaseAnew(transactionId: string, cause: Cause) {
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

    /** A free account, whether or not its value is the chain's; undefined if all are leased. */
    async takeFree(transactionId: string, cause: Cause) {
      for await (const account of free.inTurn(transactionId)) {
        const lease = await unlessUndecodable(take(account, transactionId, cause));
        if (lease !== undefined) return lease;
      }
      return undefined;
    },

    /** True if the leased value is the chain's. Otherwise the account is renewed and another one is needed. */
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

/** Returns accounts from drafts to the pool. */
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
        // It was free: no transaction of this log has spent its value.
        if (await renew({ account, transactionId }, value, cause)) foreignAdvances.record(account);
      }
    },

    async giveBack({ account, transactionId, since }: MeantLease, cause: Cause): Promise<void> {
      await executor.execute(nonceAccount, account, cause, (state, loaded) =>
        decideReturn(state, { account, transactionId, isMeant: isMeantLease(since, loaded.events) }),
      );
    },

    async giveBackAtOnce(
      { account, transactionId, revision }: LeaseOf & { readonly revision: ExpectedRevision },
      cause: Cause,
    ): Promise<void> {
      await executor
        .execute(nonceAccount, account, cause, (state, loaded) =>
          // Nothing was recorded since the lease, so that nobody else can know of it.
          decideReturn(state, { account, transactionId, isMeant: loaded.revision === revision }),
        )
        .catch(nothing);
    },
  };
}

/** The values of nonce accounts on the chain; undefined where the node shows none. */
export async function valuesAt(
  chain: Pick<Chain, 'accounts'>,
  accounts: readonly string[],
  commitment: Commitment,
): Promise<readonly (string | undefined)[]> {
  if (accounts.length === 0) return [];
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

/** Accounts that are read together. */
const PAGE = 16;

/** The accounts that no draft leases, beginning behind the one that was taken last, so that all are used in turn. */
export function createFreeAccounts({ readModel, keyring }: Pick<NoncePoolOptions, 'readModel' | 'keyring'>) {
  const busy = new Set<string>();
  let lastTaken: string | undefined;

  /** A process that starts does not begin with the accounts that it, or another one, has just used. */
  async function startingPlace(transactionId: string): Promise<string | undefined> {
    const accounts = await readModel.count(nonceAccounts, 'state', 'known');
    if (accounts === 0) return undefined;
    return keyring.nonceAccount(Number.parseInt(transactionId.slice(0, 8), 16) % accounts).address;
  }

  return {
    /** Accounts that this process is not already leasing. The caller then tries to claim them. */
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
    /** Others are not given the account while this process appends to it: they would conflict. */
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
