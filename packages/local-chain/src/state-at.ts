/** Accounts of the chain at the end of a commitment's slot. All account reads use this module. */
import { sameBytes } from 'levy-solana-wire';
import type { SlotClock } from './clock.ts';
import type { Ledger, StoredAccount } from './ledger.ts';
import { programKeys } from './program-keys.ts';
import { type Config, commitmentOf } from './rpc-params.ts';
import type { ChainAccount, KeyedAccount, Svm } from './svm.ts';

export interface StateParts {
  readonly svm: Svm;
  readonly ledger: Ledger;
  readonly clock: SlotClock;
}

export interface StateAt {
  readonly slot: number;
  /** True if transactions can still change the state. */
  readonly isNewest: boolean;
  account(address: Uint8Array): ChainAccount | undefined;
  /** Undefined if the account does not exist. */
  balance(address: Uint8Array): bigint | undefined;
  /** Accounts that the runtime created, unless the ledger has them. */
  runtimeAccountsOwnedBy(program: Uint8Array): readonly KeyedAccount[];
}

/** State at the configured commitment; finalized by default. */
export function stateOf({ svm, ledger, clock }: StateParts, config: Config): StateAt {
  const slot = clock.slot(commitmentOf(config));
  const isNewest = slot >= clock.slot();

  function earlier(address: Uint8Array): StoredAccount | undefined {
    return isNewest ? undefined : ledger.earlierAccount(address, slot);
  }

  /** Updates sysvars, because they are otherwise updated only when a transaction runs in a slot. */
  function enter(): void {
    svm.enterSlot(slot);
  }

  return {
    slot,
    isNewest,

    account(address) {
      const before = earlier(address);
      if (before !== undefined) return before.lamports === 0n ? undefined : before;
      const account = svm.account(address);
      if (account === undefined || !sameBytes(account.owner, programKeys.sysvarOwner)) return account;
      enter();
      return svm.account(address);
    },

    balance(address) {
      const before = earlier(address);
      if (before === undefined) return svm.balance(address);
      return before.lamports === 0n ? undefined : before.lamports;
    },

    runtimeAccountsOwnedBy(program) {
      if (sameBytes(program, programKeys.sysvarOwner)) enter();
      return svm.runtimeAccountsOwnedBy(program).filter(({ address }) => earlier(address) === undefined);
    },
  };
}
