/**
 * Reads any number of accounts without blocking other calls: in slices, between which the event loop runs, and still as
 * of a single slot.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { keyOf, readTokenAccount, sameBytes } from 'levy-solana-wire';
import type { AccountsBy, StoredAccount, WritePlace } from './ledger.ts';
import type { Config } from './rpc-params.ts';
import { type StateParts, stateOf } from './state-at.ts';

/** Accounts per slice; a few milliseconds of work. */
const SLICE = 100;

const START: WritePlace = { writtenIn: -1, address: new Uint8Array() };

export interface AccountScan<Found> {
  /** Slot as of which all accounts were read. */
  readonly slot: number;
  readonly found: readonly Found[];
}

/**
 * Maps each account by `look`, at the commitment of the configuration; undefined omits the account. `look` is called
 * again for accounts that change during the scan.
 */
export async function scanAccounts<Found>(
  parts: StateParts,
  config: Config,
  by: AccountsBy,
  look: (account: StoredAccount) => Found | undefined,
): Promise<AccountScan<Found>> {
  const { ledger, clock } = parts;
  const { slot, isNewest } = stateOf(parts, config);
  // The newest slot still changes; the previous one does not.
  const read = isNewest ? slot - 1 : slot;
  const found = new Map<string, Found>();
  const add = (account: StoredAccount): void => {
    const seen = look(account);
    if (seen !== undefined) found.set(keyOf(account.address), seen);
  };
  const release = ledger.hold(read);
  try {
    let place = START;
    for (;;) {
      const slice = ledger.accountsAfterPlace(by, read, place, SLICE);
      slice.forEach(add);
      const last = slice.at(-1);
      if (last === undefined || slice.length < SLICE) break;
      place = last;
      await nextTurn();
    }
    if (!isNewest) return { slot, found: [...found.values()] };
    for (const { address, account } of ledger.writtenAfter(read)) {
      found.delete(keyOf(address));
      if (account !== undefined && belongsTo(by, account)) add(account);
    }
    return { slot: clock.slot(), found: [...found.values()] };
  } finally {
    release();
  }
}

function belongsTo({ column, value }: AccountsBy, account: StoredAccount): boolean {
  if (column === 'owner') return sameBytes(account.owner, value);
  const token = readTokenAccount(account);
  if (token === undefined) return false;
  return sameBytes(column === 'token_mint' ? token.mint : token.owner, value);
}
