/** Methods about tokens of both token programs. */
import {
  base58,
  isTokenProgram,
  type MintAccount,
  readMint,
  readTokenAccount,
  sameBytes,
} from 'levy-solana-wire';
import { mintDecimals } from './account-encoding.ts';
import { scanAccounts } from './account-scan.ts';
import { LongList } from './json.ts';
import { type Methods, reachedState, withContext } from './rpc-context.ts';
import { invalidParams } from './rpc-error.ts';
import { accountText } from './rpc-methods-accounts.ts';
import { addressBytes, type Config, configAt } from './rpc-params.ts';
import { type StateAt, stateOf } from './state-at.ts';
import type { ChainAccount } from './svm.ts';
import { uiTokenAmount } from './ui-token-amount.ts';

const MAX_ACCOUNTS = 20;

/** Only the first method supports `minContextSlot`, as on a real node. */
export const tokenMethods: Methods = {
  async getTokenAccountsByOwner(chain, params) {
    const owner = addressBytes(params[0]);
    const filter = configAt(params, 1);
    const config = configAt(params, 2);
    const state = reachedState(chain, config);
    const isWanted = tokenFilter(state, filter);
    const text = accountText(state, config);
    const by = { column: 'token_owner', value: owner } as const;
    const { slot, found } = await scanAccounts(chain, config, by, (account) =>
      isWanted(account) ? text(account) : undefined,
    );
    return withContext(slot, new LongList(found));
  },

  getTokenAccountBalance(chain, params) {
    const address = addressBytes(params[0]);
    const state = stateOf(chain, configAt(params, 1));
    const account = state.account(address);
    if (account === undefined) throw invalidParams('Invalid param: could not find account');
    const token = readTokenAccount(account);
    if (token === undefined) throw invalidParams('Invalid param: not a Token account');
    const decimals = mintDecimals(state)(token.mint);
    if (decimals === undefined) throw invalidParams('Invalid param: could not find mint');
    return withContext(state.slot, uiTokenAmount(token.amount, decimals));
  },

  getTokenSupply(chain, params) {
    const address = addressBytes(params[0]);
    const state = stateOf(chain, configAt(params, 1));
    const mint = requireMint(state, address);
    return withContext(state.slot, uiTokenAmount(mint.supply, mint.decimals));
  },

  async getTokenLargestAccounts(chain, params) {
    const address = addressBytes(params[0]);
    const config = configAt(params, 1);
    const { decimals } = requireMint(stateOf(chain, config), address);
    const by = { column: 'token_mint', value: address } as const;
    const { slot, found } = await scanAccounts(chain, config, by, (account) => {
      const token = readTokenAccount(account);
      return token && { address: account.address, amount: token.amount };
    });
    const value = largest(found).map((holder) => ({
      address: base58(holder.address),
      ...uiTokenAmount(holder.amount, decimals),
    }));
    return withContext(slot, value);
  },
};

interface Holder {
  readonly address: Uint8Array;
  readonly amount: bigint;
}

/** Finds the largest holders in one pass, because sorting all holders of a mint would block other calls. */
function largest(holders: readonly Holder[]): readonly Holder[] {
  const top: Holder[] = [];
  for (const holder of holders) {
    const least = top.at(-1);
    if (top.length === MAX_ACCOUNTS && least !== undefined && holder.amount <= least.amount) continue;
    const place = top.findIndex(({ amount }) => amount < holder.amount);
    top.splice(place === -1 ? top.length : place, 0, holder);
    if (top.length > MAX_ACCOUNTS) top.pop();
  }
  return top;
}

/** @throws RpcError unless the filter names an existing mint, or a token program. */
function tokenFilter(state: StateAt, filter: Config): (account: ChainAccount) => boolean {
  if (filter.mint !== undefined) {
    const mint = addressBytes(filter.mint);
    if (state.account(mint) === undefined) throw invalidParams('Invalid param: could not find mint');
    requireMint(state, mint);
    return (account) => sameBytes(account.data.subarray(0, 32), mint);
  }
  const program = addressBytes(filter.programId);
  if (!isTokenProgram(program)) throw invalidParams('Invalid param: unrecognized Token program id');
  return (account) => sameBytes(account.owner, program);
}

function requireMint(state: StateAt, address: Uint8Array): MintAccount {
  const account = state.account(address);
  if (account === undefined) throw invalidParams('Invalid param: could not find account');
  const mint = readMint(account);
  if (mint === undefined) throw invalidParams('Invalid param: not a Token mint');
  return mint;
}
