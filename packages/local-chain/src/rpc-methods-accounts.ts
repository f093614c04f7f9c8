/** Methods that read accounts. */
import { base58, fromBase58, isTokenProgram, readTokenAccount, sameBytes } from 'levy-solana-wire';
import { encodeAccount, encodeData, encodingOf, mintDecimals, sliceOf } from './account-encoding.ts';
import { scanAccounts } from './account-scan.ts';
import { encodeJson, LongList } from './json.ts';
import type { AccountsBy, WritePlace } from './ledger.ts';
import { type Methods, reachedState, withContext } from './rpc-context.ts';
import { invalidParams } from './rpc-error.ts';
import {
  addressBytes,
  base64Bytes,
  type Config,
  configAt,
  isConfig,
  optionalWholeNumber,
  stringList,
  wholeNumber,
} from './rpc-params.ts';
import type { StateAt } from './state-at.ts';
import { type ChainAccount, type KeyedAccount, MAXIMUM_ACCOUNT_SIZE, RENT_EPOCH } from './svm.ts';

const MAXIMUM_ACCOUNTS = 100;
/** Maximum number of accounts per page, even if the request allows more: a longer page would block other calls. */
const ACCOUNTS_PER_PAGE = 150;
const DEFAULT_PAGE_LIMIT = 1_000;
const MAXIMUM_PAGE_LIMIT = 10_000;
const PAGINATION_KEY_SIZE = 40;
const MAX_KEY_TEXT = 56;
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
    const encoding = encodingOf(config, 'base64');
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

  async getProgramAccounts(chain, params) {
    const program = addressBytes(params[0]);
    const config = configAt(params, 1);
    const state = reachedState(chain, config);
    const { by, matches } = lookUp(program, config.filters);
    const text = accountText(state, config);
    const runtime = state.runtimeAccountsOwnedBy(program).filter(matches).map(text);
    const { slot, found } = await scanAccounts(chain, config, by, (account) =>
      matches(account) ? text(account) : undefined,
    );
    const accounts = new LongList([...runtime, ...found]);
    return config.withContext === true ? withContext(slot, accounts) : accounts;
  },

  getProgramAccountsV2(chain, params) {
    const program = addressBytes(params[0]);
    const config = configAt(params, 1);
    const limit = Math.min(pageLimitOf(config), ACCOUNTS_PER_PAGE);
    const changedSince = optionalWholeNumber(config.changedSinceSlot, 'changedSinceSlot');
    const place = placeOf(config.paginationKey);
    const state = reachedState(chain, config);
    const { by, matches } = lookUp(program, config.filters);
    const start = place ?? { writtenIn: changedSince ?? -1, address: new Uint8Array() };
    const page = chain.ledger.accountsAfterPlace(by, state.slot, start, limit);
    // Runtime accounts have no slot of change; they do not count towards the limit.
    const runtime =
      place === undefined && changedSince === undefined ? state.runtimeAccountsOwnedBy(program) : [];
    const last = page.length < limit ? undefined : page.at(-1);
    const value = {
      accounts: new LongList([...runtime, ...page].filter(matches).map(accountText(state, config))),
      paginationKey: last === undefined ? null : paginationKey(last),
    };
    return config.withContext === true ? withContext(state.slot, value) : value;
  },

  getMinimumBalanceForRentExemption(chain, params) {
    const size = wholeNumber(params[0], 'usize');
    if (size > MAXIMUM_ACCOUNT_SIZE)
      throw invalidParams('Invalid params: the size exceeds the maximum account size.');
    return chain.svm.minimumBalance(size);
  },
};

type Filter = (account: ChainAccount) => boolean;

/**
 * Selects a program's accounts that pass the filters. A filter for one mint uses its index, which contains only token
 * accounts.
 */
export function lookUp(
  program: Uint8Array,
  given: unknown,
): { readonly by: AccountsBy; readonly matches: Filter } {
  const filters = filtersOf(given);
  const mint = isTokenProgram(program)
    ? filters.find(({ beginning }) => beginning?.length === 32)
    : undefined;
  return {
    by:
      mint?.beginning === undefined
        ? { column: 'owner', value: program }
        : { column: 'token_mint', value: mint.beginning },
    matches: (account) =>
      sameBytes(account.owner, program) && filters.every(({ matches }) => matches(account)),
  };
}

interface GivenFilter {
  readonly matches: Filter;
  /** Required first bytes of the data, if the filter has any. */
  readonly beginning?: Uint8Array;
}

function filtersOf(filters: unknown): readonly GivenFilter[] {
  if (filters === undefined || filters === null) return [];
  if (!Array.isArray(filters)) throw invalidParams('Invalid params: invalid filters.');
  if (filters.length > MAXIMUM_FILTERS) {
    throw invalidParams(`Too many filters provided; max ${MAXIMUM_FILTERS}`);
  }
  return filters.map(filterOf);
}

function filterOf(filter: unknown): GivenFilter {
  if (filter === 'tokenAccountState') {
    return { matches: (account) => readTokenAccount(account) !== undefined };
  }
  if (!isConfig(filter)) throw invalidParams('Invalid params: invalid filter.');
  if (filter.dataSize !== undefined) {
    const size = wholeNumber(filter.dataSize, 'dataSize');
    return { matches: (account) => account.data.length === size };
  }
  const { memcmp } = filter;
  if (!isConfig(memcmp)) throw invalidParams('Invalid params: invalid filter.');
  const offset = wholeNumber(memcmp.offset, 'offset');
  const wanted = memcmpBytes(memcmp.bytes, memcmp.encoding);
  return {
    matches: ({ data }) => sameBytes(data.subarray(offset, offset + wanted.length), wanted),
    ...(offset === 0 && { beginning: wanted }),
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

/**
 * Encodes an account with its address as JSON, in the configured encoding. A list may contain a hundred thousand
 * accounts, mostly of one program: its address is encoded once, and no object is created per account.
 */
export function accountText(state: StateAt, config: Config): (account: KeyedAccount) => string {
  const encoding = encodingOf(config);
  const slice = sliceOf(config);
  const decimalsOf = mintDecimals(state);
  let owner: Uint8Array = new Uint8Array();
  let ownerText = '';
  return (account) => {
    if (!sameBytes(account.owner, owner)) {
      owner = account.owner;
      ownerText = base58(owner);
    }
    const data = encodeJson(encodeData(account, encoding, slice, decimalsOf));
    return `{"pubkey":"${base58(account.address)}","account":{"data":${data},"executable":${account.executable},"lamports":${account.lamports},"owner":"${ownerText}","rentEpoch":${RENT_EPOCH},"space":${account.data.length}}}`;
  };
}

function pageLimitOf(config: Config): number {
  const limit = optionalWholeNumber(config.limit, 'limit') ?? DEFAULT_PAGE_LIMIT;
  if (limit === 0 || limit > MAXIMUM_PAGE_LIMIT) {
    throw invalidParams(`Invalid limit; from 1 to ${MAXIMUM_PAGE_LIMIT}`);
  }
  return limit;
}

/** Cursor of the page after this account. */
function paginationKey({ writtenIn, address }: WritePlace): string {
  const key = Buffer.alloc(PAGINATION_KEY_SIZE);
  key.writeBigUInt64BE(BigInt(writtenIn));
  key.set(address, 8);
  return base58(key);
}

function placeOf(key: unknown): WritePlace | undefined {
  if (key === undefined || key === null) return undefined;
  const bytes = typeof key === 'string' && key.length <= MAX_KEY_TEXT ? fromBase58(key) : undefined;
  if (bytes?.length !== PAGINATION_KEY_SIZE) throw invalidParams('Invalid params: invalid paginationKey.');
  const writtenIn = Number(Buffer.from(bytes).readBigUInt64BE());
  return { writtenIn, address: bytes.subarray(8) };
}
