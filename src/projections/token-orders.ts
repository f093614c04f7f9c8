/** Under which filters the lists have a token, and at which place each of their orders. */
import type { Ordered } from '../kernel/ports/read-model.ts';
import { gridMomentAfter, millisecondsOf } from '../streams/distribution-interval.ts';
import type { TokenDistribution } from './token-distribution.ts';

/** What of a token's document decides it. */
interface OrderedToken {
  readonly creator: string;
  readonly partner?: string;
  readonly rewardToken: string;
  readonly launch: string;
  readonly marketCap?: { readonly lamports: string };
  readonly hidden: object | null;
  readonly createdAt: string;
  readonly distributionInterval: Interval;
  readonly distributionEnabled: boolean;
  readonly distribution: Pick<TokenDistribution, 'halted' | 'lastDueAt' | 'toHolders'>;
}

type Interval = Parameters<typeof millisecondsOf>[0];

/** What a list may be narrowed to. */
export interface TokenFilter {
  readonly creator?: string | undefined;
  readonly partner?: string | undefined;
  readonly rewardToken?: string | undefined;
  readonly launchState?: string | undefined;
}

/** The value under which the index `filter` and the order `paid` have the tokens. */
export function filterValue({ creator, partner, rewardToken, launchState }: TokenFilter): string {
  return [creator, partner, rewardToken, launchState].map((each) => each ?? '').join(' ');
}

/** Those with an interval have a next run; `off`: those without. */
type Timing = Interval | 'off';

/** The value under which the orders `phase` and `due` have them. */
export function timedValue(filter: TokenFilter, timing: Timing): string {
  return timedBehind(filterValue(filter), timing);
}

const timedBehind = (filter: string, timing: Timing): string => `${timing} ${filter}`;

/** One event asks for them once for each index and order. */
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
  paid: (document: OrderedToken): Ordered => ({
    values: filterValues(document),
    place: lamportsPlace(document.distribution.toHolders.sol),
  }),
  /** Those that were launched, by the market cap that was seen last. */
  marketCap: (document: OrderedToken): Ordered =>
    document.marketCap === undefined
      ? { values: [], place: '' }
      : { values: filterValues(document), place: lamportsPlace(document.marketCap.lamports) },
  /** Each interval, by where in it the token's timetable has its moments: that stays, while they pass. */
  phase: (document: OrderedToken): Ordered => timed(document, phasePlace),
  /** Each interval, by the first moment that no run was opened or skipped for: it may have passed long ago. */
  due: (document: OrderedToken): Ordered =>
    timingOf(document) === 'off' ? { values: [], place: '' } : timed(document, duePlace),
};

function timed(document: OrderedToken, place: (document: OrderedToken) => string): Ordered {
  const timing = timingOf(document);
  return {
    values: filterValues(document).map((value) => timedBehind(value, timing)),
    place: timing === 'off' ? '' : place(document),
  };
}

function timingOf({ distributionEnabled, distributionInterval, distribution }: OrderedToken): Timing {
  return distributionEnabled && !distribution.halted ? distributionInterval : 'off';
}

/** Digits of any length, so that texts compare as the numbers do. */
export function lamportsPlace(lamports: string): string {
  return `${String(lamports.length).padStart(3, '0')}${lamports}`;
}

/** Milliseconds since a whole number of intervals since 1970. */
export function phaseOf({ createdAt, distributionInterval }: OrderedToken): number {
  return Date.parse(createdAt) % millisecondsOf(distributionInterval);
}

const MOST_DIGITS = 8;

/** No interval is longer than a day, which has 86,400,000 milliseconds. */
export function placeOfPhase(phase: number): string {
  return String(phase).padStart(MOST_DIGITS, '0');
}

const phasePlace = (document: OrderedToken): string => placeOfPhase(phaseOf(document));

export function duePlace({ createdAt, distributionInterval, distribution }: OrderedToken): string {
  const behind = distribution.lastDueAt ?? createdAt;
  return gridMomentAfter({ createdAt, interval: distributionInterval }, new Date(behind));
}
