/** Subscriptions to transactions, accounts and slots. Each is polled and returns its news. */
import { base58, keyOf } from 'levy-solana-wire';
import { encodingOf, mintDecimals, notifiedAccount, sliceOf } from './account-encoding.ts';
import type { Chain } from './chain.ts';
import { type Json, RawJson } from './json.ts';
import type { AccountsBy, RecordedLanding, WrittenAccount } from './ledger.ts';
import { withContext } from './rpc-context.ts';
import { invalidParams } from './rpc-error.ts';
import { lookUp } from './rpc-methods-accounts.ts';
import {
  addressBytes,
  commitmentOf,
  configAt,
  isConfig,
  type Params,
  signatureBytes,
  stringList,
} from './rpc-params.ts';
import { stateOf } from './state-at.ts';
import { sameAccount } from './transaction-meta.ts';

export interface Subscription {
  /** Returns results since the last call. No results follow after `isOver`. */
  look(): { readonly results: readonly Json[]; readonly isOver: boolean };
}

type Subscribe = (chain: Chain, params: Params) => Subscription;

/** Number of slots sent individually; after a longer pause, only the last ones are sent. */
const MAX_SLOTS = 100;
/** Rows per read of the ledger. */
const PAGE = 1_000;
const LAST_ADDRESS = new Uint8Array(32).fill(0xff);

/** Sends one notification, when the transaction has reached the commitment. */
function toSignature(chain: Chain, params: Params): Subscription {
  const signature = signatureBytes(params[0]);
  const commitment = commitmentOf(configAt(params, 1));
  return {
    look() {
      const found = chain.ledger.landing(signature);
      const reached = chain.clock.slot(commitment);
      if (found === undefined || found.slot > reached) return { results: [], isOver: false };
      const err = found.error === null ? null : new RawJson(found.error);
      return { results: [withContext(found.slot, { err })], isOver: true };
    },
  };
}

function toAccount(chain: Chain, params: Params): Subscription {
  const address = addressBytes(params[0]);
  const config = configAt(params, 1);
  const [encoding, slice] = [encodingOf(config), sliceOf(config)];
  let before = stateOf(chain, config).account(address);
  return {
    look() {
      const state = stateOf(chain, config);
      const account = state.account(address);
      if (sameAccount(before, account)) return { results: [], isOver: false };
      before = account;
      // A node reports a closed account as an empty account of the system program.
      const shown = account ?? CLOSED;
      const value = notifiedAccount(shown, encoding, slice, mintDecimals(state));
      return { results: [withContext(state.slot, value)], isOver: false };
    },
  };
}

const CLOSED = { lamports: 0n, owner: new Uint8Array(32), executable: false, data: new Uint8Array() };

/** Sends written accounts of a program. A closed account belongs to no program, so it is not reported. */
function toProgram(chain: Chain, params: Params): Subscription {
  const program = addressBytes(params[0]);
  const config = configAt(params, 1);
  const [encoding, slice] = [encodingOf(config), sliceOf(config)];
  const { by, matches } = lookUp(program, config.filters);
  /** Newest slot with a write. The accounts written in it are stored, because they may be written again. */
  let newest = stateOf(chain, config).slot;
  let told = byAddress(writtenSince(chain, by, newest, newest));
  return {
    look() {
      const state = stateOf(chain, config);
      const found = writtenSince(chain, by, newest, state.slot);
      const news = found.filter((account) => !sameAccount(told.get(keyOf(account.address)), account));
      newest = found.at(-1)?.writtenIn ?? newest;
      told = byAddress(found.filter(({ writtenIn }) => writtenIn === newest));
      const results = news.filter(matches).map((account) => {
        const shown = notifiedAccount(account, encoding, slice, mintDecimals(state));
        return withContext(state.slot, { pubkey: base58(account.address), account: shown });
      });
      return { results, isOver: false };
    },
  };
}

function byAddress(accounts: readonly WrittenAccount[]): ReadonlyMap<string, WrittenAccount> {
  return new Map(accounts.map((account) => [keyOf(account.address), account]));
}

/** Accounts as of the end of slot `to` that were written in slot `from` or later, in the order of last writes. */
function writtenSince({ ledger }: Chain, by: AccountsBy, from: number, to: number): WrittenAccount[] {
  const found: WrittenAccount[] = [];
  for (;;) {
    const place = found.at(-1) ?? { writtenIn: from - 1, address: LAST_ADDRESS };
    const page = ledger.accountsAfterPlace(by, to, place, PAGE);
    found.push(...page);
    if (page.length < PAGE) return found;
  }
}

/** Sends the logs and the error of each transaction. */
function toLogs(chain: Chain, params: Params): Subscription {
  const { clock, ledger } = chain;
  const config = configAt(params, 1);
  const address = mentionedIn(params[0]);
  let slot = clock.slot(commitmentOf(config));
  let told = ledger.transactionCount(slot);
  /** Reads the current slot again, because more transactions may have landed in it. */
  function landingsUpTo(newest: number): readonly RecordedLanding[] {
    if (address !== undefined) {
      const range = { before: Number.MAX_SAFE_INTEGER, after: told, upToSlot: newest, limit: PAGE };
      return ledger.landingsOf(address, range).reverse();
    }
    const found = ledger.landingsInSlot(slot);
    for (let next = Math.max(slot + 1, newest - MAX_SLOTS); next <= newest; next += 1)
      found.push(...ledger.landingsInSlot(next));
    return found.filter(({ sequence }) => sequence > told);
  }
  return {
    look() {
      const newest = clock.slot(commitmentOf(config));
      const found = landingsUpTo(newest);
      slot = newest;
      told = found.at(-1)?.sequence ?? told;
      const results = found.map(({ signature, slot: landedIn, error }) => {
        const { logMessages = [] } = JSON.parse(ledger.transaction(signature)?.meta ?? '{}');
        const err = error === null ? null : new RawJson(error);
        return withContext(landedIn, { signature: base58(signature), err, logs: logMessages });
      });
      return { results, isOver: false };
    },
  };
}

/** Address of the filter; undefined for all transactions. */
function mentionedIn(filter: unknown): Uint8Array | undefined {
  if (filter === 'all' || filter === 'allWithVotes') return undefined;
  const [address] = stringList(isConfig(filter) ? filter.mentions : undefined, 1);
  if (address === undefined) throw invalidParams('Invalid Request: Only 1 address supported');
  return addressBytes(address);
}

/** `tell` returns the notification of a new slot. */
function toEachSlot(tell: (slot: number, before: number, chain: Chain) => Json): Subscribe {
  return (chain) => {
    const { clock } = chain;
    let told = clock.slot();
    return {
      look() {
        const newest = clock.slot();
        const results: Json[] = [];
        for (let slot = Math.max(told + 1, newest - MAX_SLOTS); slot <= newest; slot += 1) {
          if (!clock.hasBlock(slot)) continue;
          results.push(tell(slot, told, chain));
          told = slot;
        }
        return { results, isOver: false };
      },
    };
  };
}

/** Keyed by the prefix of the method names: `signatureSubscribe`, `signatureUnsubscribe`, `signatureNotification`. */
export const subscriptionMethods: ReadonlyMap<string, Subscribe> = new Map([
  ['signature', toSignature],
  ['account', toAccount],
  ['program', toProgram],
  ['logs', toLogs],
  ['slot', toEachSlot((slot, parent, { clock }) => ({ parent, root: clock.finalIn(slot), slot }))],
  ['root', toEachSlot((slot, _parent, { clock }) => clock.finalIn(slot))],
  // A slot is confirmed as soon as it exists.
  ['slotsUpdates', toEachSlot((slot) => ({ slot, timestamp: Date.now(), type: 'optimisticConfirmation' }))],
]);
