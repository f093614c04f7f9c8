/** Methods that read accounts. */
import { base58, fromBase58, readTokenAccount } from 'levy-solana-wire';
import { encodeAccount, encodingOf, mintDecimals, sliceOf } from './account-encoding.ts';
import type { Json } from './json.ts';
import { type Methods, reachedState, withContext } from './rpc-context.ts';
import { invalidParams } from './rpc-error.ts';
import {
  addressBytes,
  base64Bytes,
  type Config,
  configAt,
  isConfig,
  stringList,
  wholeNumber,
} from './rpc-params.ts';
import type { StateAt } from './state-at.ts';
import { type ChainAccount, type KeyedAccount, MAXIMUM_ACCOUNT_SIZE } from './svm.ts';

const MAXIMUM_ACCOUNTS = 100;
const MAXIMUM_FILTERS = 4;
const MAXIMUM_MEMCMP_BYTES = 128;

export const accountMethods: Methods = {
  getAccountInfo(chain, params) {
    const address = addressBytes(params[0]);
    const config = configAt(params, 1);
    const state = reachedState(chain, config);
    const account = state.account(address);
    const value = account
      ? encodeAccount(account, encodingOf(config), sliceOf(config), mintDecimals(state))
      : null;
    return withContext(state.slot, value);
  },

  getMultipleAccounts(chain, params) {
    const addresses = stringList(params[0], MAXIMUM_ACCOUNTS).map(addressBytes);
    const config = configAt(params, 1);
    const state = reachedState(chain, config);
    const encoding = encodingOf(config);
    const slice = sliceOf(config);
    const value = addresses.map((address) => {
      const account = state.account(address);
      return account ? encodeAccount(account, encoding, slice, mintDecimals(state)) : null;
    });
    return withContext(state.slot, value);
  },

  getBalance(chain, params) {
    const address = addressBytes(params[0]);
    const state = reachedState(chain, configAt(params, 1));
    return withContext(state.slot, state.balance(address) ?? 0n);
  },

  getProgramAccounts(chain, params) {
    const program = addressBytes(params[0]);
    const config = configAt(params, 1);
    const state = reachedState(chain, config);
    const filters = filtersOf(config.filters);
    const matching = state.ownedBy(program).filter((account) => filters.every((matches) => matches(account)));
    const accounts = keyedAccounts(state, matching, config);
    return config.withContext === true ? withContext(state.slot, accounts) : accounts;
  },

  getMinimumBalanceForRentExemption(chain, params) {
    const size = wholeNumber(params[0], 'usize');
    if (size > MAXIMUM_ACCOUNT_SIZE) throw invalidParams('Invalid params: no account may be that large.');
    return chain.svm.minimumBalance(size);
  },
};

type Filter = (account: ChainAccount) => boolean;

function filtersOf(filters: unknown): readonly Filter[] {
  if (filters === undefined || filters === null) return [];
  if (!Array.isArray(filters)) throw invalidParams('Invalid params: invalid filters.');
  if (filters.length > MAXIMUM_FILTERS) {
    throw invalidParams(`Too many filters provided; max ${MAXIMUM_FILTERS}`);
  }
  return filters.map(filterOf);
}

function filterOf(filter: unknown): Filter {
  if (filter === 'tokenAccountState') {
    return (account) => readTokenAccount(account) !== undefined;
  }
  if (!isConfig(filter)) throw invalidParams('Invalid params: invalid filter.');
  if (filter.dataSize !== undefined) {
    const size = wholeNumber(filter.dataSize, 'dataSize');
    return (account) => account.data.length === size;
  }
  const { memcmp } = filter;
  if (!isConfig(memcmp)) throw invalidParams('Invalid params: invalid filter.');
  const offset = wholeNumber(memcmp.offset, 'offset');
  const wanted = memcmpBytes(memcmp.bytes, memcmp.encoding);
  return (account) => {
    const part = account.data.subarray(offset, offset + wanted.length);
    return part.length === wanted.length && Buffer.compare(part, wanted) === 0;
  };
}

function memcmpBytes(bytes: unknown, encoding: unknown): Uint8Array {
  const decoded = decodeMemcmp(bytes, encoding);
  if (decoded === undefined) throw invalidParams('Invalid param: invalid memcmp bytes');
  if (decoded.length > MAXIMUM_MEMCMP_BYTES) throw invalidParams('Invalid param: DataTooLarge');
  return decoded;
}

function decodeMemcmp(bytes: unknown, encoding: unknown): Uint8Array | undefined {
  if (Array.isArray(bytes)) return Uint8Array.from(bytes.map((byte) => wholeNumber(byte, 'bytes')));
  if (typeof bytes !== 'string') return undefined;
  return encoding === 'base64' ? base64Bytes(bytes) : fromBase58(bytes);
}

/** Accounts with their addresses, in the encoding that the configuration asks for. */
export function keyedAccounts(state: StateAt, accounts: readonly KeyedAccount[], config: Config): Json {
  const encoding = encodingOf(config);
  const slice = sliceOf(config);
  return accounts.map((account) => ({
    pubkey: base58(account.address),
    account: encodeAccount(account, encoding, slice, mintDecimals(state)),
  }));
}
