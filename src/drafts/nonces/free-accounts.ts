/** The accounts that no draft leases, beginning behind the one that was taken last, so that all are used in turn. */
import { type NonceAccountDocument, nonceAccounts } from '../../projections/nonce-accounts.ts';
import type { NoncePoolOptions } from './nonce-lease.ts';

/** Accounts that are read together. */
const PAGE = 16;

export interface FreeAccounts {
  /** Those that this process is not taking already. The caller then tries to claim it. */
  inTurn(transactionId: string): AsyncGenerator<string, void>;
  /** Others are not given the account while this process appends to it: they would conflict. */
  whileTaking<Taken>(account: string, take: () => Promise<Taken>): Promise<Taken>;
}

export function createFreeAccounts({
  readModel,
  keyring,
}: Pick<NoncePoolOptions, 'readModel' | 'keyring'>): FreeAccounts {
  const busy = new Set<string>();
  let lastTaken: string | undefined;

  /** A process that starts does not begin with the accounts that it, or another one, has just used. */
  async function startingPlace(transactionId: string): Promise<string | undefined> {
    const accounts = await readModel.count(nonceAccounts, 'state', 'known');
    if (accounts === 0) return undefined;
    return keyring.nonceAccount(Number.parseInt(transactionId.slice(0, 8), 16) % accounts).address;
  }

  async function* freeFrom(start: string | undefined): AsyncGenerator<string, void> {
    for (let after = start; ; ) {
      const page: readonly NonceAccountDocument[] = await readModel.find(nonceAccounts, 'state', 'free', {
        limit: PAGE,
        ...(after === undefined ? {} : { after }),
      });
      for (const { account } of page) yield account;
      if (page.length < PAGE) return;
      after = page.at(-1)?.account;
    }
  }

  return {
    async *inTurn(transactionId) {
      lastTaken ??= await startingPlace(transactionId);
      for (const start of [lastTaken, undefined]) {
        for await (const account of freeFrom(start)) {
          if (busy.has(account)) continue;
          lastTaken = account;
          yield account;
        }
      }
    },
    async whileTaking(account, take) {
      busy.add(account);
      try {
        return await take();
      } finally {
        busy.delete(account);
      }
    },
  };
}
