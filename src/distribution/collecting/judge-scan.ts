/**
 * Compares the accounts that a node listed with the mint's supply, and decides how to proceed. Nobody can mint, and only the
 * distribution wallet withdraws tax from the mint: so the supply never rises, and the amount withheld in the mint falls only by
 * our own withdrawal.
 */
import { MAX_PAUSE, TROUBLE_PAUSE } from '../engine-parts.ts';

/** State of the mint at a finalized slot. Base units. */
export interface MintReading {
  readonly slot: bigint;
  readonly supply: bigint;
  /** Harvested tax in the mint that is not withdrawn yet. */
  readonly withheld: bigint;
}

export interface ScanToJudge {
  /** Base units in all accounts, without withheld tax. */
  readonly balances: bigint;
  /** Base units withheld in all accounts. */
  readonly withheld: bigint;
  /** Reading at or before the scan's slot, if any. */
  readonly before: MintReading | undefined;
  /** Reading at or after the scan's slot. */
  readonly after: MintReading;
}

export type ScanVerdict =
  /** `slack`: base units by which the list may be wrong unnoticed, because they were burned or harvested between the readings. */
  | { readonly verdict: 'adds-up'; readonly slack: bigint }
  /** The list exceeds the highest possible total. */
  | { readonly verdict: 'over'; readonly by: bigint }
  /** The list is below the lowest possible total. */
  | { readonly verdict: 'short'; readonly by: bigint }
  /** The service's own withdrawal landed between the readings, so they set no bounds. */
  | { readonly verdict: 'withdrawn' };

export function judgeScan({ balances, withheld, before, after }: ScanToJudge): ScanVerdict {
  if (before !== undefined && after.withheld < before.withheld) return { verdict: 'withdrawn' };
  const found = balances + withheld;
  // If the mint is read at that slot, the bounds are equal: supply = balances + withheld in accounts + withheld in the mint.
  const least = after.supply - after.withheld;
  if (found < least) return { verdict: 'short', by: least - found };
  if (before === undefined) return { verdict: 'adds-up', slack: found - least };
  const most = before.supply - before.withheld;
  if (found > most) return { verdict: 'over', by: found - most };
  return { verdict: 'adds-up', slack: most - least };
}

/** Counts of a token's earlier scans that were not accepted. */
export interface EarlierScans {
  /** Scans that add up, with slack. */
  readonly loose: number;
  /** Scans that do not add up although trades cannot be the cause. */
  readonly disagreements: number;
  /** Time of the first disagreement, in milliseconds. */
  readonly disagreedAt: number | undefined;
}

export const NO_SCANS: EarlierScans = { loose: 0, disagreements: 0, disagreedAt: undefined };

/** Maximum number of scans with slack; the last one is accepted with its slack. */
const MAX_LOOSE = 3;
/** Minimum number of disagreements before a token is halted, and the milliseconds that they must span. */
const MIN_DISAGREEMENTS = 5;
export const DISAGREEING_FOR = 10 * 60_000;

interface JudgedScan {
  readonly verdict: ScanVerdict;
  /** True if the scan shows a single slot, so that no trade can fall between its parts. */
  readonly isOfOneSlot: boolean;
  /** True if all accounts were requested in one response. */
  readonly inOneAnswer: boolean;
  /** Time in milliseconds. */
  readonly at: number;
}

/** Parameters of the next scan. */
interface NextScan {
  readonly earlier: EarlierScans;
  /** True: one response of one slot; false: pages, possibly of several slots. */
  readonly inOneAnswer: boolean;
  readonly pause: number;
}

/** Undefined if no further scan is made: a scan that adds up is accepted, and any other halts the token. */
export function decideNextScan(earlier: EarlierScans, look: JudgedScan): NextScan | undefined {
  const { verdict, isOfOneSlot, inOneAnswer } = look;
  switch (verdict.verdict) {
    case 'adds-up': {
      const loose = earlier.loose + 1;
      if (verdict.slack === 0n || loose >= MAX_LOOSE) return undefined;
      return { earlier: { ...earlier, loose }, inOneAnswer, pause: 0 };
    }
    case 'withdrawn':
      return { earlier, inOneAnswer, pause: TROUBLE_PAUSE };
    case 'over':
      // If an owner moves a balance to an account that is listed later and closes the first one, both are counted, because
      // the list of changes omits closed accounts. A response for a single slot rules this out.
      if (!isOfOneSlot) return { earlier, inOneAnswer: true, pause: 0 };
      return afterDisagreement(earlier, look);
    case 'short':
      return afterDisagreement(earlier, look);
  }
}

function afterDisagreement(looks: EarlierScans, { at, inOneAnswer }: JudgedScan): NextScan | undefined {
  const disagreements = looks.disagreements + 1;
  const disagreedAt = looks.disagreedAt ?? at;
  if (disagreements >= MIN_DISAGREEMENTS && at - disagreedAt >= DISAGREEING_FOR) return undefined;
  const pause = Math.min(MAX_PAUSE, TROUBLE_PAUSE * 2 ** (disagreements - 1));
  // A node serves pages and single responses from different components: one may have accounts that the other lacks.
  return { earlier: { ...looks, disagreements, disagreedAt }, inOneAnswer: !inOneAnswer, pause };
}

/** Formats the figures as a sentence for operators. */
export function describeScan(scan: ScanToJudge, verdict: ScanVerdict): string {
  const { balances, withheld, before, after } = scan;
  const wrong =
    verdict.verdict === 'short'
      ? `lack ${verdict.by} base units`
      : verdict.verdict === 'over'
        ? `have ${verdict.by} base units too many`
        : 'cannot be compared with the mint';
  const readings = [before, after].flatMap((reading) =>
    reading === undefined
      ? []
      : [
          `a supply of ${reading.supply}, including ${reading.withheld} of withheld tax, at slot ${reading.slot}`,
        ],
  );
  return `The listed accounts ${wrong}: they hold ${balances} and ${withheld} of withheld tax, and the mint has ${readings.join(', then ')}.`;
}
