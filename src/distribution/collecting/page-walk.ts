/** Ends a walk over the pages of a node that would never end: keys that lead in a circle, or pages that bring nothing new. Pure. */

import { afterKey, NO_KEYS, type PageKeys } from '../../chain/page-keys.ts';
import { ChainAnswerInvalid, type TokenAccountPage } from '../../kernel/ports/chain.ts';

/** The pages of one pass so far. */
export interface PageWalk {
  readonly keys: PageKeys;
  readonly listed: number;
  /** Pages in a row without an account. */
  readonly empty: number;
}

export const NO_PAGES: PageWalk = { keys: NO_KEYS, listed: 0, empty: 0 };

const MOST_EMPTY = 1_000;
/** An account that changes between two pages may be on both. More than all of them once again is no such change. */
const MOST_AGAIN = 10_000;

/** Throws a `ChainAnswerInvalid` where the walk goes nowhere. `accounts`: different ones that were listed in all passes. */
export function afterPage(
  walk: PageWalk,
  { accounts: shown, next }: Pick<TokenAccountPage, 'accounts' | 'next'>,
  accounts: number,
): PageWalk {
  if (next === undefined) return NO_PAGES;
  const listed = walk.listed + shown.length;
  const empty = shown.length === 0 ? walk.empty + 1 : 0;
  const keys = afterKey(walk.keys, next);
  if (keys === undefined) throw endless('the key of a page leads back to an earlier one');
  if (empty > MOST_EMPTY) throw endless(`${empty} pages in a row were empty`);
  if (listed > 2 * accounts + MOST_AGAIN)
    throw endless(`${listed} accounts were listed, of which ${accounts} are different`);
  return { keys, listed, empty };
}

function endless(why: string): ChainAnswerInvalid {
  return new ChainAnswerInvalid(`the list of token accounts does not end: ${why}`);
}
