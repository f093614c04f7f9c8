/** A chain's past made of decoded transactions: what an audit reads of it, without a chain. */
import { AccountLayout } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import { TOKEN_PROGRAM } from 'levy-solana-wire';
import type { ChainAccount } from '../../src/kernel/ports/chain.ts';
import type { ChainHistory, PastTransaction } from '../../src/proof/audit/chain-history.ts';

/** What a test says of a transaction; its payer is the first signer. */
export type Landed = Pick<PastTransaction, 'signature' | 'signers' | 'actions'> & {
  readonly failed?: boolean;
};

/** The oldest first. */
export function historyOf(
  landed: readonly Landed[],
  accounts: ReadonlyMap<string, ChainAccount> = new Map(),
): ChainHistory {
  const all = landed
    .filter(({ failed }) => failed !== true)
    .map(
      ({ failed: _failed, ...each }, slot): PastTransaction => ({
        slot,
        payer: each.signers[0] ?? '',
        ...each,
      }),
    );
  const names = ({ signers, actions }: PastTransaction, address: string) =>
    [...signers, ...actions.flatMap((action) => Object.values(action).flat())].includes(address);
  return {
    async *of(address) {
      yield* all.filter((each) => names(each, address));
    },
    transaction: async (signature) => all.find((each) => each.signature === signature),
    account: async (address) => accounts.get(address),
  };
}

/** An account of the token program, as its library writes it. */
export function tokenAccountOf({
  mint,
  owner,
  amount,
  delegate,
}: {
  readonly mint: string;
  readonly owner: string;
  readonly amount: bigint;
  readonly delegate?: { readonly address: string; readonly amount: bigint };
}): ChainAccount {
  const data = Buffer.alloc(AccountLayout.span);
  const nobody = PublicKey.default;
  AccountLayout.encode(
    {
      mint: new PublicKey(mint),
      owner: new PublicKey(owner),
      amount,
      delegateOption: delegate === undefined ? 0 : 1,
      delegate: delegate === undefined ? nobody : new PublicKey(delegate.address),
      delegatedAmount: delegate?.amount ?? 0n,
      state: 1,
      isNativeOption: 0,
      isNative: 0n,
      closeAuthorityOption: 0,
      closeAuthority: nobody,
    },
    data,
  );
  return { owner: TOKEN_PROGRAM, lamports: 1n, data };
}
