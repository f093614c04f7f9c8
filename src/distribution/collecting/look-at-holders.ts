/**
 * Scans a token's holders until a scan is accepted: it must add up to the mint's supply, and the second node, if any, must not
 * contradict it. Used to open a run, by the run itself and by previews.
 */
import { type Chain, ChainAnswerInvalid, ChainUnavailable } from '../../kernel/ports/chain.ts';
import { type Wait, waitFor } from '../../streams/distribution-wait.ts';
import type { ScanSums } from '../../streams/scan-sums.ts';
import { silenceIn } from '../absences.ts';
import { AGAIN, type Decision, halts, waits } from '../decision.ts';
import { type EngineParts, LOOK_PAUSE, TROUBLE_PAUSE } from '../engine-parts.ts';
import type { DistributionCounts } from '../services.ts';
import {
  decideAfterLook,
  type EarlierLooks,
  judgeScan,
  type MintReading,
  NO_LOOKS,
  type ScanToJudge,
  type ScanVerdict,
  tellScan,
} from './judge-scan.ts';
import { beginScan, type HolderScan, isOfOneSlot, readMintAt, scanOn } from './scan-holders.ts';

/** `witness`: undefined without a second node. */
export interface LookParts extends Pick<EngineParts, 'witnessSaid' | 'clock'> {
  readonly chain: Pick<Chain, 'tokenAccounts' | 'accountsAt'>;
  readonly witness: Pick<Chain, 'accountsAt'> | undefined;
  readonly counts: Pick<DistributionCounts, 'scanned'>;
}

/** State between two steps. `scan` may be dropped at any time. */
export interface LookMemory {
  scan: HolderScan | undefined;
  looks: LooksSoFar;
}

export interface LooksSoFar {
  readonly earlier: EarlierLooks;
  /** True if the next scan requests all accounts in one answer. */
  readonly inOneAnswer: boolean;
  /** The second node's reading of the mint before the current scan. */
  readonly witnessBefore: MintReading | undefined;
  /** Number of times the chain node was behind that reading. */
  readonly behindWitness: number;
  /** Consecutive requests that the second node has not answered. */
  readonly witnessSilent: number;
  /** Sums of the accepted scan. */
  readonly sums: ScanSums | undefined;
}

export const NOT_LOOKED: LooksSoFar = {
  earlier: NO_LOOKS,
  inOneAnswer: false,
  witnessBefore: undefined,
  behindWitness: 0,
  witnessSilent: 0,
  sums: undefined,
};

/** A decision, or the accepted scan. */
type HoldersLook = Decision | { readonly scan: HolderScan; readonly sums: ScanSums };

/** Maximum number of retries while the chain node is behind the second node. */
const MOST_BEHIND = 5;
/** Unanswered requests to the second node after which a scan is accepted without it. */
const MOST_SILENCES = 3;

/**
 * Performs one step: reads a page or the mint, or judges the scan. `since`: slot that the token's own history has reached; lists
 * from earlier slots do not count.
 */
export async function lookAtHolders(
  parts: LookParts,
  mint: string,
  memory: LookMemory,
  since = 0n,
): Promise<HoldersLook> {
  const { looks } = memory;
  if (memory.scan === undefined) {
    memory.scan = beginScan(mint, looks);
    const witnessBefore = await readingOf(parts, mint);
    memory.looks = { ...looks, sums: undefined, witnessBefore, behindWitness: 0, witnessSilent: 0 };
    return AGAIN;
  }
  const { scan } = memory;
  if (scan.mintAfter !== undefined) return judge(parts, mint, memory, scan);
  try {
    // The scan starts at or after the second node's reading, so that this reading bounds the scan too.
    const least = scan.newest === 0n ? leastOf(since, looks.witnessBefore) : undefined;
    memory.scan = await scanOn(parts.chain, mint, scan, least);
    if (memory.scan === undefined) {
      parts.counts.scanned('inconsistent');
      memory.looks = { ...looks, inOneAnswer: true };
    }
    return AGAIN;
  } catch (error) {
    return afterFailure(memory, scan, error);
  }
}

function leastOf(since: bigint, witnessBefore: MintReading | undefined): bigint | undefined {
  if (witnessBefore !== undefined && witnessBefore.slot > since) return witnessBefore.slot;
  return since === 0n ? undefined : since;
}

function afterFailure(memory: LookMemory, scan: HolderScan, error: unknown): HoldersLook {
  if (!(error instanceof ChainUnavailable || error instanceof ChainAnswerInvalid)) throw error;
  const { looks } = memory;
  // Only the mint is unread. If the node lags slightly, retry instead of reading a million accounts again.
  if (scan.isRead && error instanceof ChainUnavailable)
    return waits(
      waitFor('chain-unavailable', 'The chain node does not show the mint after the scan.', error.message),
      LOOK_PAUSE,
    );
  if (scan.newest === 0n && looks.witnessBefore !== undefined && !scan.inOneAnswer) {
    // One node is often slightly ahead of the other. If that persists, the second node sets only a lower bound.
    const behindWitness = looks.behindWitness + 1;
    memory.looks = {
      ...looks,
      behindWitness,
      witnessBefore: behindWitness < MOST_BEHIND ? looks.witnessBefore : undefined,
    };
    return waits(
      waitFor('chain-unavailable', 'The chain node is behind the second node.', error.message),
      LOOK_PAUSE,
    );
  }
  if (!scan.inOneAnswer) throw error;
  memory.scan = undefined;
  memory.looks = { ...looks, inOneAnswer: false };
  return waits(
    waitFor(
      'unconfirmed',
      'The token is traded while its holders are read, and the chain node does not return all of them in one answer.',
      error.message,
    ),
    TROUBLE_PAUSE,
  );
}

async function judge(
  parts: LookParts,
  mint: string,
  memory: LookMemory,
  scan: HolderScan,
): Promise<HoldersLook> {
  const { looks } = memory;
  const { collector, mintBefore, mintAfter, slots, inOneAnswer } = scan;
  if (looks.sums !== undefined) return { scan, sums: looks.sums };
  if (mintBefore === undefined || mintAfter === undefined)
    throw new Error('the scan has no reading of the mint');
  const figures = { balances: collector.balances(), withheld: collector.withheld() };
  const judged: ScanToJudge = { ...figures, before: mintBefore, after: mintAfter };
  const verdict = judgeScan(judged);
  const look = { verdict, isOfOneSlot: isOfOneSlot(scan), inOneAnswer, at: parts.clock.now().getTime() };
  const next = decideAfterLook(looks.earlier, look);
  if (verdict.verdict === 'over' && !look.isOfOneSlot) parts.counts.scanned('inconsistent');
  else if (verdict.verdict === 'over' || verdict.verdict === 'short') parts.counts.scanned('disagrees');
  if (next === undefined && verdict.verdict === 'adds-up') {
    const word = await wordOf(parts, mint, memory, { ...figures, slot: slots[1] });
    if (typeof word === 'object') return word;
    parts.counts.scanned('complete');
    const sums = recordedSums(judged, verdict.slack, { inOneAnswer, witness: word });
    memory.looks = { ...NOT_LOOKED, sums };
    return { scan, sums };
  }
  memory.scan = undefined;
  if (next === undefined) {
    memory.looks = NOT_LOOKED;
    return halts('SCAN_DISAGREES', tellScan(judged, verdict));
  }
  memory.looks = { ...looks, earlier: next.looks, inOneAnswer: next.inOneAnswer };
  return next.pause === 0 ? AGAIN : waits(waitsFor(judged, verdict), next.pause);
}

function waitsFor(judged: ScanToJudge, verdict: ScanVerdict): Wait {
  return verdict.verdict === 'withdrawn'
    ? waitFor('finality', 'A withdrawal of the tax landed while the holders were read.')
    : waitFor('unconfirmed', tellScan(judged, verdict));
}

/** Verdict of the second node on the scan, or a wait; undefined without a second node. */
async function wordOf(
  parts: LookParts,
  mint: string,
  memory: LookMemory,
  scan: Pick<ScanToJudge, 'balances' | 'withheld'> & { readonly slot: bigint },
): Promise<ScanSums['witness'] | HoldersLook> {
  if (parts.witness === undefined) return undefined;
  const { looks } = memory;
  const { balances, withheld, slot } = scan;
  let after: MintReading;
  try {
    after = await readMintAt(parts.witness, mint, slot);
  } catch (error) {
    const detail = silenceIn(error);
    // Not reported through `witnessSaid`: a silent witness does not block payments here.
    const witnessSilent = looks.witnessSilent + 1;
    if (witnessSilent >= MOST_SILENCES) return 'silent';
    memory.looks = { ...looks, witnessSilent };
    return waits(waitFor('unconfirmed', `The second node ${detail}.`), TROUBLE_PAUSE);
  }
  // A reading from a later slot than the scan's sets no upper bound.
  const isBefore = looks.witnessBefore !== undefined && looks.witnessBefore.slot <= slot;
  const judged = { balances, withheld, before: isBefore ? looks.witnessBefore : undefined, after };
  const verdict = judgeScan(judged);
  if (verdict.verdict === 'adds-up') {
    parts.witnessSaid({ state: 'agrees', detail: undefined });
    return 'agrees';
  }
  memory.scan = undefined;
  if (verdict.verdict === 'withdrawn') return waits(waitsFor(judged, verdict), TROUBLE_PAUSE);
  const detail = `shows a mint that does not match the accounts. ${tellScan(judged, verdict)}`;
  parts.witnessSaid({ state: 'disagrees', detail });
  return waits(waitFor('unconfirmed', `The second node ${detail}`), TROUBLE_PAUSE);
}

/** Undefined without a second node, or if it does not respond. */
async function readingOf({ witness }: LookParts, mint: string): Promise<MintReading | undefined> {
  if (witness === undefined) return undefined;
  try {
    return await readMintAt(witness, mint);
  } catch (error) {
    silenceIn(error);
    return undefined;
  }
}

function recordedSums(
  { balances, withheld, before, after }: ScanToJudge,
  slack: bigint,
  { inOneAnswer, witness }: { readonly inOneAnswer: boolean; readonly witness: ScanSums['witness'] },
): ScanSums {
  const digits = (reading: MintReading) => ({
    slot: reading.slot.toString(),
    supply: reading.supply.toString(),
    withheld: reading.withheld.toString(),
  });
  return {
    balances: balances.toString(),
    withheld: withheld.toString(),
    mint: [digits(before ?? after), digits(after)],
    slack: slack.toString(),
    inOneAnswer,
    ...(witness === undefined ? {} : { witness }),
  };
}
