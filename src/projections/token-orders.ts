/** Under which filters the indexes have a token, and at which place each of those that have places. */
import type { Placed } from '../kernel/ports/read-model.ts';
import type { TokenDistribution } from './token-distribution.ts';

/** What of a token's document decides it. */
interface OrderedToken {
  readonly creator: string;
  readonly partner?: string;
  readonly rewardToken: string;
  readonly launch: string;
  readonly marketCap?: { readonly lamports: string };
  readonly hidden: object | null;
  readonly distribution: Pick<TokenDistribution, 'toHolders'>;
}

/** What a list may be narrowed to. */
export interface TokenFilter {
  readonly creator?: string | undefined;
  readonly partner?: string | undefined;
  readonly rewardToken?: string | undefined;
  readonly launchState?: string | undefined;
}

/** The value under which the indexes `filter` and `paid` have the tokens. */
export function filterValue({ creator, partner, rewardToken, launchState }: TokenFilter): string {
  return [creator, partner, rewardToken, launchState].map((each) => each ?? '').join(' ');
}

/** One event asks for them once for each index. */
const latest = new WeakMap<OrderedToken, readonly string[]>();

export function filterValues(document: OrderedToken): readonly string[] {
  const known = latest.get(document);
  if (known !== undefined) return known;
  const values = document.hidden ? [] : valuesOf(document);
  latest.set(document, values);
  return values;
}

function valuesOf({ creator, partner, rewardToken, launch: launchState }: OrderedToken): readonly string[] {
  let filters: readonly TokenFilter[] = [{}];
  for (const each of [{ creator }, { partner }, { rewardToken }, { launchState }])
    filters = [...filters, ...filters.map((filter) => ({ ...filter, ...each }))];
  return [...new Set(filters.map(filterValue))];
}

export const TOKEN_ORDERS = {
  /** By the lamports that holders were paid. What is paid in the token itself cannot be compared with another token. */
  paid: (document: OrderedToken): Placed => ({
    values: filterValues(document),
    place: lamportsPlace(document.distribution.toHolders.sol),
  }),
  /** Those that were launched, by the market cap that was seen last. */
  marketCap: (document: OrderedToken): Placed =>
    document.marketCap === undefined
      ? { values: [], place: '' }
      : { values: filterValues(document), place: lamportsPlace(document.marketCap.lamports) },
};

/** Digits of any length, so that texts compare as the numbers do. */
export function lamportsPlace(lamports: string): string {
  return `${String(lamports.length).padStart(3, '0')}${lamports}`;
}
