/** Leases nonce accounts that are there to drafts, each to one draft at a time, and all in turn. */
import { decodeNonceAccount } from '../../chain/durable-nonce.ts';
import type { ExpectedRevision } from '../../ports/event-store.ts';
import { type NonceAccountDocument, nonceAccounts } from '../../projections/nonce-accounts.ts';
import { unlessUndecodable } from '../../runtime/event-reader.ts';
import type { Cause } from '../../runtime/execute.ts';
import { NonceReturned, nonceAccount } from '../../streams/nonce-account.ts';
import { decideLease, decideLeaseAnew, decideRenewal, decideReturn } from './decide-nonce.ts';
import type { LeaseOf, NonceLease, NoncePoolOptions } from './nonce-lease.ts';

/** Free accounts that are looked at together. */
const FREE_PAGE = 16;

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
  giveBack(lease: LeaseOf & { readonly since?: string }, cause: Cause): Promise<void>;
  renew(lease: LeaseOf & { readonly since?: string }, value: string, cause: Cause): Promise<void>;
}

export function createNonceLeases({
  executor,
  readModel,
  chain,
  keyring,
}: Pick<NoncePoolOptions, 'executor' | 'readModel' | 'chain' | 'keyring'>): NonceLeases {
  /** Accounts to which this process is appending: other calls skip them to avoid conflicts. */
  const busy = new Set<string>();
  /** The account that this process took last. */
  let lastTaken: string | undefined;

  async function take(account: string, transactionId: string, cause: Cause): Promise<NonceLease | undefined> {
    busy.add(account);
    try {
      const { state, recorded, revision } = await executor.execute(nonceAccount, account, cause, (current) =>
        decideLease(current, { account, transactionId }),
      );
      if (state?.lease !== transactionId) return undefined;
      const isNew = recorded.length > 0;
      return {
        account,
        value: state.value,
        // Another attempt at the draft that found the lease has leased the account anew.
        giveBack: () => (isNew ? giveBackAt({ account, transactionId, revision }, cause) : nothing()),
      };
    } finally {
      busy.delete(account);
    }
  }

  async function giveBackAt(
    { account, transactionId, revision }: LeaseOf & { readonly revision: ExpectedRevision },
    cause: Cause,
  ): Promise<void> {
    await executor
      .execute(nonceAccount, account, cause, (_state, loaded) =>
        loaded.revision === revision ? [NonceReturned({ account, transactionId })] : [],
      )
      .catch(nothing);
  }

  /** Goes on behind the account that was taken last, so that all are used in turn. */
  async function* freeAccounts(transactionId: string): AsyncGenerator<string, void> {
    lastTaken ??= await startingPlace(transactionId);
    for (const start of [lastTaken, undefined]) {
      let after = start;
      for (;;) {
        const page: readonly NonceAccountDocument[] = await readModel.find(nonceAccounts, 'state', 'free', {
          limit: FREE_PAGE,
          ...(after === undefined ? {} : { after }),
        });
        for (const { account } of page) yield account;
        if (page.length < FREE_PAGE) break;
        after = page.at(-1)?.account;
      }
    }
  }

  /** A process that starts does not begin with the accounts that it, or another one, has just used. */
  async function startingPlace(transactionId: string): Promise<string | undefined> {
    const accounts = await readModel.count(nonceAccounts, 'state', 'known');
    if (accounts === 0) return undefined;
    return keyring.nonceAccount(Number.parseInt(transactionId.slice(0, 8), 16) % accounts).address;
  }

  /** The log may be behind the chain: it was restored from an older copy, or a fork gave the account another value. */
  async function isCurrent({ account, value }: Omit<NonceLease, 'giveBack'>): Promise<boolean> {
    const [found] = await chain.accounts([account], 'confirmed');
    return found !== undefined && decodeNonceAccount(found.data)?.value === value;
  }

  async function renew(
    { account, transactionId, since }: LeaseOf & { readonly since?: string },
    value: string,
    cause: Cause,
  ): Promise<void> {
    await executor.execute(nonceAccount, account, cause, (state, { events }) => {
      const lastAt = events.at(-1)?.metadata.occurredAt;
      return decideRenewal(state, { account, transactionId, value, since, lastAt });
    });
  }

  async function refresh(accounts: readonly string[], transactionId: string, cause: Cause): Promise<void> {
    const found = await chain.accounts(accounts, 'finalized');
    for (const [index, account] of accounts.entries()) {
      const shown = found[index];
      const value = shown && decodeNonceAccount(shown.data)?.value;
      if (value !== undefined) await renew({ account, transactionId }, value, cause);
    }
  }

  return {
    take,
    renew,
    refresh,

    async leaseAnew(transactionId, cause) {
      const [held] = await readModel.find(nonceAccounts, 'lease', transactionId);
      if (held === undefined) return undefined;
      const { account } = held;
      const { state } = await executor.execute(nonceAccount, account, cause, (current) =>
        decideLeaseAnew(current, { account, transactionId }),
      );
      if (state?.lease !== transactionId || !(await isCurrent(state))) return undefined;
      // Not given back at once: an earlier attempt at the draft may be about to record it on this account.
      return { account, value: state.value, giveBack: nothing };
    },

    async takeFree(transactionId, cause) {
      for await (const account of freeAccounts(transactionId)) {
        if (busy.has(account)) continue;
        lastTaken = account;
        const lease = await unlessUndecodable(take(account, transactionId, cause));
        if (lease !== undefined) return lease;
      }
      return undefined;
    },

    async isUsable(lease, transactionId, cause) {
      try {
        if (await isCurrent(lease)) return true;
        await refresh([lease.account], transactionId, cause);
        return false;
      } catch (refusal) {
        await lease.giveBack();
        throw refusal;
      }
    },

    async giveBack({ account, transactionId, since }, cause) {
      await executor.execute(nonceAccount, account, cause, (state, { events }) => {
        const lastAt = events.at(-1)?.metadata.occurredAt;
        return decideReturn(state, { account, transactionId, since, lastAt });
      });
    },
  };
}

async function nothing(): Promise<void> {}
