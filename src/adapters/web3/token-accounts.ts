/** Reads the token accounts of a mint page by page, with `getProgramAccountsV2` where the node has it. */
import { SolanaJSONRPCError } from '@solana/web3.js';
import { TOKEN_2022_PROGRAM } from 'levy-solana-wire';
import { type Chain, ChainAnswerInvalid, type TokenAccountPage } from '../../ports/chain.ts';

type Rpc = (method: string, params: readonly unknown[]) => Promise<unknown>;

const METHOD_NOT_FOUND = -32601;
const ACCOUNTS_PER_PAGE = 1_000;

export function createTokenAccountReader(rpc: Rpc): Chain['tokenAccounts'] {
  let hasPages = true;

  return async (mint, { after, changedSinceSlot } = {}) => {
    const config = {
      encoding: 'base64',
      commitment: 'finalized',
      withContext: true,
      filters: [{ memcmp: { offset: 0, bytes: mint } }],
    };
    if (hasPages) {
      try {
        return readPage(
          await rpc('getProgramAccountsV2', [
            TOKEN_2022_PROGRAM,
            {
              ...config,
              limit: ACCOUNTS_PER_PAGE,
              ...(after === undefined ? {} : { paginationKey: after }),
              ...(changedSinceSlot === undefined ? {} : { changedSinceSlot: Number(changedSinceSlot) }),
            },
          ]),
        );
      } catch (error) {
        if (!(error instanceof SolanaJSONRPCError) || error.code !== METHOD_NOT_FOUND) throw error;
        hasPages = false;
      }
    }
    return readPage(await rpc('getProgramAccounts', [TOKEN_2022_PROGRAM, config]));
  };
}

function readPage(answer: unknown): TokenAccountPage {
  const { context, value } = answer as {
    context?: { slot?: unknown };
    value?: unknown;
  };
  const { accounts, paginationKey } = (Array.isArray(value) ? { accounts: value } : value) as {
    accounts?: unknown;
    paginationKey?: unknown;
  };
  if (typeof context?.slot !== 'number' || !Array.isArray(accounts)) {
    throw new ChainAnswerInvalid('the chain node described token accounts in a way that makes no sense');
  }
  return {
    slot: BigInt(context.slot),
    accounts: accounts.map(
      (entry: { pubkey: string; account: { owner: string; lamports: number; data: [string] } }) => ({
        address: entry.pubkey,
        account: {
          owner: entry.account.owner,
          lamports: BigInt(entry.account.lamports),
          data: new Uint8Array(Buffer.from(entry.account.data[0], 'base64')),
        },
      }),
    ),
    next: typeof paginationKey === 'string' ? paginationKey : undefined,
  };
}
