/**
 * Compares the accounts that a node listed with the mint's supply, and decides how to proceed. Nobody can mint, and only the
 * distribution wallet withdraws tax from the mint: so the supply never rises, and the amount withheld in the mint falls only by
 * our own withdrawal.
 */
import { LONGEST_PAUSE, TROUBLE_PAUSE } from '../engine-parts.ts';

/** The mint as a finalized slot showed it. Base units. */
export interface MintReading {
  readonly slot: bigint;
  readonly supply: bigint;
  /** Harvested tax that waits in the mint. */
  readonly withheld: bigint;
}

export interface ScanToJudge {
  /** Base units in all accounts, without what is withheld in them. */
  readonly balances: bigint;
  /** Base units withheld in all accounts. */
  readonly withheld: bigint;
  /** Not after the scan's slot; undefined where none is known. */
  readonly before: MintReading | undefined;
  /** Not before the scan's slot. */
  readonly after: MintReading;
}

export type ScanVerdict =
  /** `slack`: how many base units could be missing, or too many, unseen: what was burned and harvested between the readings. */
  | { readonly verdict: 'adds-up'; readonly slack: bigint }
  /** The list has more than there can be. */
  | { readonly verdict: 'over'; readonly by: bigint }
  /** The list has less than there must be. */
  | { readonly verdict: 'short'; readonly by: bigint }
  /** Our own withdrawal landed between the two readings: they bound nothing. */
  | { readonly verdict: 'withdrawn' };

export function judgeScan({ balances, withheld, before, after }: ScanToJudge): ScanVerdict {
  if (before !== undefined && after.withheld < before.withheld) return { verdict: 'withdrawn' };
  const found = balances + withheld;
  // With the mint at the scan's slot both are equalities: supply = balances + withheld in accounts + withheld in the mint.
  const least = after.supply - after.withheld;
  if (found < least) return { verdict: 'short', by: least - found };
  if (before === undefined) return { verdict: 'adds-up', slack: found - least };
  const most = before.supply - before.withheld;
  if (found > most) return { verdict: 'over', by: found - most };
  return { verdict: 'adds-up', slack: most - least };
}

/** Earlier scans of a token's accounts that were not accepted. */
export interface EarlierLooks {
  /** Looks that added up, but for what was burned and harvested meanwhile. */
  readonly loose: number;
  /** Looks that did not add up although no trade can make that. */
  readonly disagreements: number;
  /** Milliseconds: when the first of them was. */
  readonly disagreedAt: number | undefined;
}

export const NO_LOOKS: EarlierLooks = { loose: 0, disagreements: 0, disagreedAt: undefined };

/** So often a scan is made that leaves something open; the last is taken, with what it leaves open. */
export const MOST_LOOSE = 3;
/** Minimum number of disagreements before a token is halted, and the milliseconds that they must span. */
export const LEAST_DISAGREEMENTS = 5;
export const DISAGREEING_FOR = 10 * 60_000;

interface JudgedLook {
  readonly verdict: ScanVerdict;
  /** Everything was shown as of one slot: no trade could come between. */
  readonly isOfOneSlot: boolean;
  /** True if all accounts were requested in one answer. */
  readonly inOneAnswer: boolean;
  /** Milliseconds. */
  readonly at: number;
}

/** The scan that is made next. */
interface NextLook {
  readonly looks: EarlierLooks;
  /** Asked as one answer of one slot; else in pages, which may be of several. */
  readonly inOneAnswer: boolean;
  readonly pause: number;
}

/** Undefined where no other is made: a scan that adds up is believed, and any other one halts the token. */
export function decideAfterLook(looks: EarlierLooks, look: JudgedLook): NextLook | undefined {
  const { verdict, isOfOneSlot, inOneAnswer } = look;
  switch (verdict.verdict) {
    case 'adds-up': {
      const loose = looks.loose + 1;
      if (verdict.slack === 0n || loose >= MOST_LOOSE) return undefined;
      return { looks: { ...looks, loose }, inOneAnswer, pause: 0 };
    }
    case 'withdrawn':
      return { looks, inOneAnswer, pause: TROUBLE_PAUSE };
    case 'over':
      // An owner who moves a balance to an account that is listed later, and closes the first, is counted twice, because closed
      // accounts are not among the changes. An answer of a single slot rules this out.
      if (!isOfOneSlot) return { looks, inOneAnswer: true, pause: 0 };
      return afterDisagreement(looks, look);
    case 'short':
      return afterDisagreement(looks, look);
  }
}

function afterDisagreement(looks: EarlierLooks, { at, inOneAnswer }: JudgedLook): NextLook | undefined {
  const disagreements = looks.disagreements + 1;
  const disagreedAt = looks.disagreedAt ?? at;
  if (disagreements >= LEAST_DISAGREEMENTS && at - disagreedAt >= DISAGREEING_FOR) return undefined;
  const pause = Math.min(LONGEST_PAUSE, TROUBLE_PAUSE * 2 ** (disagreements - 1));
  // The two ways of asking are answered by different parts of a node: one may have what the other lacks.
  return { looks: { ...looks, disagreements, disagreedAt }, inOneAnswer: !inOneAnswer, pause };
}

/** The figures in a sentence, for operators. */
export function tellScan(scan: ScanToJudge, verdict: ScanVerdict): string {
  const { balances, withheld, before, after } = scan;
  const wrong =
    verdict.verdict === 'short'
      ? `lack ${verdict.by} base units`
      : verdict.verdict === 'over'
        ? `have ${verdict.by} base units too many`
        : 'cannot be held against the mint';
  const readings = [before, after].flatMap((reading) =>
    reading === undefined
      ? []
      : [`a supply of ${reading.supply} with ${reading.withheld} withheld in it at slot ${reading.slot}`],
  );
  return `The listed accounts ${wrong}: they hold ${balances}, with ${withheld} of tax, and the mint has ${readings.join(', then ')}.`;
}
