/** Opens nonce accounts, as many as are allowed, each once. */

import type { Cause } from '../../kernel/runtime/execute.ts';
import { type NonceAccountDocument, nonceAccounts } from '../../projections/nonce-accounts.ts';
import { nonceAccount } from '../../streams/nonce-account.ts';
import { decideOpening } from './decide-nonce.ts';
import { lowestMissing } from './next-opening.ts';
import { makeOnChain } from './nonce-creation.ts';
import type { NoncePoolOptions } from './nonce-lease.ts';

const KNOWN_PAGE = 1_000;
const NONE: ReadonlySet<string> = new Set();

export interface NonceOpening {
  /**
   * A new account, or one that is already being opened; when no more are allowed, one that this process has opened and the read
   * model does not show yet, if it is not among `tried`; else undefined.
   */
  open(cause: Cause, tried?: ReadonlySet<string>): Promise<string | undefined>;
}

export function createNonceOpening(options: NoncePoolOptions): NonceOpening {
  const { executor, readModel, keyring } = options;
  /** Indexes whose accounts this process has opened, or is about to open. */
  const begun = new Set<number>();
  const opening = new Set<Promise<string>>();
  /** Indexes of the accounts that are recorded, as far as this process has read, and the account read last. */
  const known = new Set<number>();
  let lastKnown: string | undefined;

  async function openAt(index: number, cause: Cause): Promise<string> {
    const account = keyring.nonceAccount(index).address;
    const value = await makeOnChain(options, index);
    await executor.execute(nonceAccount, account, cause, (state) =>
      decideOpening(state, { account, index, value }),
    );
    return account;
  }

  /** Reads the accounts that were recorded since the last time. */
  async function learnKnown(): Promise<void> {
    for (;;) {
      const page: readonly NonceAccountDocument[] = await readModel.find(nonceAccounts, 'state', 'known', {
        limit: KNOWN_PAGE,
        ...(lastKnown === undefined ? {} : { after: lastKnown }),
      });
      for (const { index } of page) known.add(index);
      lastKnown = page.at(-1)?.account ?? lastKnown;
      if (page.length < KNOWN_PAGE) return;
    }
  }

  return {
    async open(cause, tried = NONE) {
      await learnKnown();
      const index = lowestMissing((each) => known.has(each) || begun.has(each));
      if (index >= options.maximum) {
        if (opening.size > 0) return Promise.race(opening);
        const unshown = [...begun].filter((each) => !known.has(each));
        return unshown.map((each) => keyring.nonceAccount(each).address).find((each) => !tried.has(each));
      }
      begun.add(index);
      const opened = openAt(index, cause);
      opening.add(opened);
      try {
        return await opened;
      } catch (error) {
        begun.delete(index);
        throw error;
      } finally {
        opening.delete(opened);
      }
    },
  };
}
