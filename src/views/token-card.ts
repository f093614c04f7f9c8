/** State of a token's distribution in lists and on its page, from documents and the clock. Pure. */
import type { DistributionSwitchDocument } from '../projections/distribution-switch.ts';
import type { FeaturedDocument, FeaturedEntry } from '../projections/featured-list.ts';
import type { LastScan } from '../projections/last-scan.ts';
import type { StoredCard, TokenDocument } from '../projections/tokens.ts';
import { nextRunAt } from './distribution-outlook.ts';
import { paidToHoldersView } from './paid-views.ts';

/** Milliseconds. */
const HOUR = 3_600_000;

/** Inputs that are the same for all tokens. */
export interface Surroundings {
  /** Undefined unless an operator has halted all distributions. */
  readonly allHalted: DistributionSwitchDocument | undefined;
  readonly featured: FeaturedDocument | undefined;
  readonly now: Date;
}

type CardFields = Pick<
  TokenDocument,
  'id' | 'supply' | 'distribution' | 'distributionEnabled' | 'distributionInterval' | 'createdAt' | 'launch'
> & { readonly marketCap?: TokenDocument['marketCap'] | null };

export function attributesOf(
  token: CardFields & { readonly hidden: object | null },
  surroundings: Surroundings,
) {
  const { distribution, launch, marketCap } = token;
  const { toHolders, recentlyToHolders, lastClosedAt } = distribution;
  const scanned = distribution.scanned ?? scanAtCreation(token);
  const next = nextOf(token, surroundings);
  return {
    currentSupply: {
      amount: scanned.supply,
      burned: burnedOf(token.supply, scanned.supply),
      at: scanned.at,
    },
    holderCount: scanned.owners,
    paidToHolders: paidToHoldersView(toHolders, recentlyToHolders, surroundings.now),
    distributionState: stateOf(token, surroundings),
    launchState: launch,
    marketCap: marketCap ?? null,
    featured: periodOf(promotionOf(token.id, surroundings)),
    ...(lastClosedAt === null ? {} : { lastDistributionAt: lastClosedAt }),
    ...(next === null ? {} : { nextDistributionAt: next }),
  };
}

/** Result of a scan at creation, when the creator holds the whole supply. */
function scanAtCreation({ supply, createdAt }: Pick<CardFields, 'supply' | 'createdAt'>): LastScan {
  return { owners: 1, supply, at: createdAt };
}

/** Tokens cannot be minted later, so a negative amount would be a node's error. */
function burnedOf(created: string, left: string): string {
  const burned = BigInt(created) - BigInt(left);
  return (burned < 0n ? 0n : burned).toString();
}

/** Card in a list; lists contain visible tokens only. */
export function tokenCard(stored: StoredCard, surroundings: Surroundings) {
  const { distribution: _facts, distributionEnabled: _enabled, launch: _launch, ...card } = stored;
  return { ...card, ...attributesOf({ ...stored, hidden: null }, surroundings) };
}

/** Time until which the cards do not change unless a document changes, in milliseconds since the epoch. */
export function cardsValidUntil(cards: readonly StoredCard[], surroundings: Surroundings): number {
  const { featured, now } = surroundings;
  const moments = [
    ...cards.map((card) => nextOf({ ...card, hidden: null }, surroundings)),
    ...(featured?.entries.flatMap(({ startsAt, endsAt }) => [startsAt, endsAt]) ?? []),
  ].flatMap((moment) => (moment === null ? [] : [Date.parse(moment)]));
  // Payments of the last 24 hours are counted by whole hours.
  const nextHour = (Math.floor(now.getTime() / HOUR) + 1) * HOUR;
  return Math.min(nextHour, ...moments.filter((moment) => moment > now.getTime()));
}

function nextOf(
  {
    distribution,
    distributionEnabled,
    distributionInterval,
    createdAt,
    hidden,
  }: CardFields & { readonly hidden: object | null },
  { allHalted, now }: Surroundings,
): string | null {
  const { lastDueAt, halted } = distribution;
  return nextRunAt(
    {
      createdAt,
      lastDueAt,
      interval: distributionInterval,
      enabled: distributionEnabled,
      hidden: hidden !== null,
      halted: halted ? {} : null,
    },
    allHalted,
    now,
  );
}

function stateOf(
  { distribution: { halted, openRunId }, distributionEnabled }: CardFields,
  { allHalted }: Surroundings,
): 'idle' | 'running' | 'halted' | 'disabled' {
  if (halted || allHalted !== undefined) return 'halted';
  if (openRunId !== null) return 'running';
  return distributionEnabled ? 'idle' : 'disabled';
}

export function runningPromotions({ featured, now }: Surroundings): readonly FeaturedEntry[] {
  const at = now.toISOString();
  return featured?.entries.filter(({ startsAt, endsAt }) => startsAt <= at && at < endsAt) ?? [];
}

export function promotionOf(tokenId: string, surroundings: Surroundings): FeaturedEntry | undefined {
  return runningPromotions(surroundings).find((entry) => entry.tokenId === tokenId);
}

function periodOf(running: FeaturedEntry | undefined) {
  if (running === undefined) return null;
  const { id, startsAt, endsAt } = running;
  return { id, startsAt, endsAt };
}
