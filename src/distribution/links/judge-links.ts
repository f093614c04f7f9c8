/**
 * Says which of the recorded links landed, from one finalized read of all tills that they could have made. Exactly one
 * till of a wallet exists at a time, and its address tells the whole path that led to it.
 */
import { sameBytes, TOKEN_PROGRAM } from 'levy-solana-wire';
import { readTokenAccount } from '../../chain/token-accounts.ts';
import type { ChainAccount } from '../../kernel/ports/chain.ts';
import type { RecordedLink } from '../../streams/distribution.ts';

export type LinkVerdict =
  /** From the last till known to the one that exists; empty while that is the last till known. */
  | { readonly outcome: 'landed'; readonly path: readonly RecordedLink[]; readonly lamports: bigint }
  /** No till exists: the chain has gone on with a content that the log does not know. */
  | { readonly outcome: 'ahead' }
  /** The first link has not landed. */
  | { readonly outcome: 'not-begun' };

export function judgeLinks(read: {
  readonly wallet: Uint8Array;
  /** The last till that was seen; undefined before the first link. */
  readonly till: string | undefined;
  readonly pending: readonly RecordedLink[];
  readonly markerExists: boolean;
  readonly accountOf: (address: string) => ChainAccount | undefined;
}): LinkVerdict {
  const { wallet, till, pending, markerExists, accountOf } = read;
  const known = [...(till === undefined ? [] : [till]), ...pending.map((link) => link.till)];
  // The last first: should a node ever show two, the later one cannot have been made without the earlier.
  const existing = known.findLast((address) => lamportsOfTill(accountOf(address), wallet) !== undefined);
  if (existing === undefined)
    return till === undefined && !markerExists ? { outcome: 'not-begun' } : { outcome: 'ahead' };
  const path: RecordedLink[] = [];
  for (let address = existing; address !== till; ) {
    const link = pending.find((each) => each.till === address);
    if (link === undefined) return { outcome: 'ahead' };
    path.unshift(link);
    if (link.previous === null) break;
    address = link.previous;
  }
  return { outcome: 'landed', path, lamports: lamportsOfTill(accountOf(existing), wallet) ?? 0n };
}

/** Undefined unless this is an account of the token program, initialized, whose owner is the wallet. */
export function lamportsOfTill(account: ChainAccount | undefined, wallet: Uint8Array): bigint | undefined {
  if (account === undefined || account.owner !== TOKEN_PROGRAM) return undefined;
  const shown = readTokenAccount(account);
  return shown !== undefined && sameBytes(shown.owner, wallet) ? shown.amount : undefined;
}
