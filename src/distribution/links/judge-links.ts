/**
 * Determines the landed links from one finalized read of all tills that they could have created. Exactly one till of a wallet
 * exists at a time, and its address identifies the whole path to it.
 */
import { addressBytes, sameBytes, TOKEN_PROGRAM } from 'levy-solana-wire';
import { readTokenAccount } from '../../chain/token-accounts.ts';
import type { Chain, ChainAccount } from '../../kernel/ports/chain.ts';
import type { DistributionState, LandedLinks, RecordedLink } from '../../streams/distribution.ts';
import type { Wait } from '../../streams/distribution-wait.ts';
import type { Decision } from '../decision.ts';
import type { DistributedToken } from '../distributed-token.ts';
import { markerOf } from '../once/till-chain.ts';
import type { StepAt } from '../view.ts';

interface LandedPath {
  /** Links from the last known till to the existing one; empty if these are the same. */
  readonly path: readonly RecordedLink[];
  readonly lamports: bigint;
}

/** Undefined if no known till exists: a link with a content that is not in the log has landed. */
export function judgeLinks(read: {
  readonly wallet: Uint8Array;
  /** The last till in the log that has landed; undefined before the first link. */
  readonly till: string | undefined;
  readonly pending: readonly RecordedLink[];
  readonly markerExists: boolean;
  readonly accountOf: (address: string) => ChainAccount | undefined;
}): LandedPath | undefined {
  const { wallet, till, pending, markerExists, accountOf } = read;
  const known = [...(till === undefined ? [] : [till]), ...pending.map((link) => link.till)];
  // Latest first: if a node ever shows two tills, the later one cannot exist without the earlier link.
  const existing = known.findLast((address) => lamportsOfTill(accountOf(address), wallet) !== undefined);
  if (existing === undefined)
    return till === undefined && !markerExists ? { path: [], lamports: 0n } : undefined;
  const path: RecordedLink[] = [];
  for (let address = existing; address !== till; ) {
    const link = pending.find((each) => each.till === address);
    if (link === undefined) return undefined;
    path.unshift(link);
    if (link.previous === null) break;
    address = link.previous;
  }
  return { path, lamports: lamportsOfTill(accountOf(existing), wallet) ?? 0n };
}

/** Undefined unless this is an initialized account of the token program that the wallet owns. */
export function lamportsOfTill(account: ChainAccount | undefined, wallet: Uint8Array): bigint | undefined {
  if (account === undefined || account.owner !== TOKEN_PROGRAM) return undefined;
  const shown = readTokenAccount(account);
  return shown !== undefined && sameBytes(shown.owner, wallet) ? shown.amount : undefined;
}

/** State of the tills at one slot. */
export interface TillReadings {
  readonly slot: bigint;
  readonly accountOf: (address: string) => ChainAccount | undefined;
  readonly isTill: (address: string) => boolean;
  /** True if the token's first link has landed. */
  readonly markerExists: boolean;
}

export type TillProgress =
  /** Permanently landed links. Recorded links that build on them may remain. */
  | { readonly landed: Pick<LandedLinks, 'links' | 'slot' | 'lamports' | 'tokens'> }
  /** The next link cannot land: the chain refuses it (`why`), or it is too old to be signed again. */
  | { readonly stuck: RecordedLink; readonly why?: Wait }
  /** A transaction is pending, or the chain and the log disagree. */
  | Decision;

/** `final`: finalized state of the tills. */
export interface DrivenTill extends StepAt {
  readonly final: TillReadings;
}

const ACCOUNTS_PER_READ = 100;

/** Rejects if there are more tills than one call can read. */
export async function readTills(
  chain: Pick<Chain, 'accountsAt'>,
  { wallet, tokens }: Pick<DistributedToken, 'wallet' | 'tokens'>,
  { till, pending }: Pick<DistributionState, 'till' | 'pending'>,
  commitment: 'confirmed' | 'finalized',
  options: { readonly atLeastSlot: bigint; readonly elsewhere?: boolean },
): Promise<TillReadings> {
  const marker = markerOf(wallet.address);
  const known = till === undefined ? [] : [till.address];
  const addresses = [tokens, marker, ...known, ...pending.map((link) => link.till)];
  if (addresses.length > ACCOUNTS_PER_READ) throw new RangeError('too many tills for one read');
  const { slot, accounts } = await chain.accountsAt(addresses, commitment, options);
  const shown = new Map(addresses.map((address, index) => [address, accounts[index]]));
  const owner = addressBytes(wallet.address);
  const isTill = (address: string) => lamportsOfTill(shown.get(address), owner) !== undefined;
  return { slot, accountOf: (address) => shown.get(address), isTill, markerExists: isTill(marker) };
}
