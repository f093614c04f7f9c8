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
import { type Methods, reachedState, withContext } from './rpc-context.ts';
import { invalidParams } from './rpc-error.ts';
import { keyedAccounts } from './rpc-methods-accounts.ts';
import { addressBytes, configAt } from './rpc-params.ts';
import { type StateAt, stateOf } from './state-at.ts';
import { uiTokenAmount } from './ui-token-amount.ts';

const LARGEST_ACCOUNTS = 20;

/** Only the first of them takes a `minContextSlot`, as on a real node. */
export const tokenMethods: Methods = {
  getTokenAccountsByOwner(chain, params) {
    const owner = addressBytes(params[0]);
    const filter = configAt(params, 1);
    const config = configAt(params, 2);
    const state = reachedState(chain, config);
    const accounts = state.tokenAccountsOf(owner);
    if (filter.mint !== undefined) {
      const mint = addressBytes(filter.mint);
      if (state.account(mint) === undefined) throw invalidParams('Invalid param: could not find mint');
      requireMint(state, mint);
      const ofMint = accounts.filter((account) => sameBytes(account.data.subarray(0, 32), mint));
      return withContext(state.slot, keyedAccounts(state, ofMint, config));
    }
    const program = addressBytes(filter.programId);
    if (!isTokenProgram(program)) throw invalidParams('Invalid param: unrecognized Token program id');
    const ofProgram = accounts.filter((account) => sameBytes(account.owner, program));
    return withContext(state.slot, keyedAccounts(state, ofProgram, config));
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

  getTokenLargestAccounts(chain, params) {
    const address = addressBytes(params[0]);
    const state = stateOf(chain, configAt(params, 1));
    const { decimals } = requireMint(state, address);
    const holders = state.tokenAccountsWithMint(address).flatMap((account) => {
      const token = readTokenAccount(account);
      return token === undefined ? [] : [{ address: account.address, amount: token.amount }];
    });
    holders.sort((left, right) => Number(right.amount > left.amount) - Number(right.amount < left.amount));
    const value = holders
      .slice(0, LARGEST_ACCOUNTS)
      .map((holder) => ({ address: base58(holder.address), ...uiTokenAmount(holder.amount, decimals) }));
    return withContext(state.slot, value);
  },
};

function requireMint(state: StateAt, address: Uint8Array): MintAccount {
  const account = state.account(address);
  if (account === undefined) throw invalidParams('Invalid param: could not find account');
  const mint = readMint(account);
  if (mint === undefined) throw invalidParams('Invalid param: not a Token mint');
  return mint;
}
