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
import type { Chain } from './chain.ts';
import { type Methods, withContext } from './rpc-context.ts';
import { invalidParams } from './rpc-error.ts';
import { keyedAccounts } from './rpc-methods-accounts.ts';
import { addressBytes, commitmentOf, configAt } from './rpc-params.ts';
import { uiTokenAmount } from './ui-token-amount.ts';

const LARGEST_ACCOUNTS = 20;

export const tokenMethods: Methods = {
  getTokenAccountsByOwner(chain, params) {
    const owner = addressBytes(params[0]);
    const filter = configAt(params, 1);
    const config = configAt(params, 2);
    commitmentOf(config);
    const accounts = chain.ledger.tokenAccountsOf(owner);
    if (filter.mint !== undefined) {
      const mint = addressBytes(filter.mint);
      if (chain.svm.account(mint) === undefined) throw invalidParams('Invalid param: could not find mint');
      requireMint(chain, mint);
      const ofMint = accounts.filter((account) => sameBytes(account.data.subarray(0, 32), mint));
      return withContext(chain, keyedAccounts(chain, ofMint, config));
    }
    const program = addressBytes(filter.programId);
    if (!isTokenProgram(program)) throw invalidParams('Invalid param: unrecognized Token program id');
    const ofProgram = accounts.filter((account) => sameBytes(account.owner, program));
    return withContext(chain, keyedAccounts(chain, ofProgram, config));
  },

  getTokenAccountBalance(chain, params) {
    const account = chain.svm.account(addressBytes(params[0]));
    commitmentOf(configAt(params, 1));
    if (account === undefined) throw invalidParams('Invalid param: could not find account');
    const token = readTokenAccount(account);
    if (token === undefined) throw invalidParams('Invalid param: not a Token account');
    const decimals = mintDecimals(chain)(token.mint);
    if (decimals === undefined) throw invalidParams('Invalid param: could not find mint');
    return withContext(chain, uiTokenAmount(token.amount, decimals));
  },

  getTokenSupply(chain, params) {
    const mint = requireMint(chain, addressBytes(params[0]));
    commitmentOf(configAt(params, 1));
    return withContext(chain, uiTokenAmount(mint.supply, mint.decimals));
  },

  getTokenLargestAccounts(chain, params) {
    const address = addressBytes(params[0]);
    commitmentOf(configAt(params, 1));
    const { decimals } = requireMint(chain, address);
    const holders = chain.ledger.tokenAccountsWithMint(address).flatMap((account) => {
      const token = readTokenAccount(account);
      return token === undefined ? [] : [{ address: account.address, amount: token.amount }];
    });
    holders.sort((left, right) => Number(right.amount > left.amount) - Number(right.amount < left.amount));
    const value = holders
      .slice(0, LARGEST_ACCOUNTS)
      .map((holder) => ({ address: base58(holder.address), ...uiTokenAmount(holder.amount, decimals) }));
    return withContext(chain, value);
  },
};

function requireMint(chain: Chain, address: Uint8Array): MintAccount {
  const account = chain.svm.account(address);
  if (account === undefined) throw invalidParams('Invalid param: could not find account');
  const mint = readMint(account);
  if (mint === undefined) throw invalidParams('Invalid param: not a Token mint');
  return mint;
}
