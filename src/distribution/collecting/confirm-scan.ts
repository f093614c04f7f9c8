/**
 * Scans a token's holders until a scan is accepted: it must add up to the mint's supply, and the second node, if any, must not
 * contradict it. Used to open a run, by the run itself and by previews.
 */
import { type Chain, ChainAnswerInvalid, ChainUnavailable } from '../../kernel/ports/chain.ts';
import { type Wait, waitFor } from '../../streams/distribution-wait.ts';
import type { ScanSums } from '../../streams/scan-sums.ts';
import { failureOfNode } from '../absences.ts';
import { AGAIN, type Decision, halts, waits } from '../decision.ts';
import { type EngineParts, READ_PAUSE, TROUBLE_PAUSE } from '../engine-parts.ts';
import type { DistributionCounts } from '../services.ts';
import { continueScan, type HolderScan, isOfOneSlot, newScan, readMintAt } from './holder-scan.ts';
import {
  decideNextScan,
  describeScan,
  type EarlierScans,
  judgeScan,
  type MintReading,
  NO_SCANS,
  type ScanToJudge,
  type ScanVerdict,
} from './judge-scan.ts';

/** `witness`: undefined without a second node. */
interface ScanParts extends Pick<EngineParts, 'onWitnessVerdict' | 'clock'> {
  readonly chain: Pick<Chain, 'tokenAccounts' | 'accountsAt'>;
  readonly witness: Pick<Chain, 'accountsAt'> | undefined;
  readonly counts: Pick<DistributionCounts, 'scanned'>;
}

/** State between two steps. `scan` may be dropped at any time. */
export interface ScanMemory {
  scan: HolderScan | undefined;
  attempts: ScanAttempts;
}

export interface ScanAttempts {
  readonly earlier: EarlierScans;
  /** True if the next scan requests all accounts in one response. */
  readonly inOneAnswer: boolean;
  /** The second node's reading of the mint, made before the current scan. */
  readonly witnessBefore: MintReading | undefined;
  /** Number of scans that were refused because the chain node was behind the second node's reading. */
  readonly behindWitness: number;
  /** Number of consecutive requests without a response from the second node. */
  readonly witnessSilent: number;
  /** Sums of the accepted scan. */
  readonly sums: ScanSums | undefined;
}

export const NO_ATTEMPTS: ScanAttempts = {
  earlier: NO_SCANS,
  inOneAnswer: false,
  witnessBefore: undefined,
  behindWitness: 0,
  witnessSilent: 0,
  sums: undefined,
};

/** A decision, or the accepted scan. */
type ScanProgress = Decision | { readonly scan: HolderScan; readonly sums: ScanSums };

/** Maximum number of retries while the chain node is behind the second node. */
const MAX_BEHIND = 5;
/** Unanswered requests to the second node after which a scan is accepted without it. */
const MAX_WITNESS_FAILURES = 3;

/**
 * Performs one step: reads a page or the mint, or judges the scan. `since`: slot that the token's own history has reached; lists
 * from earlier slots do not count.
 */
export async function scanHolders(
  parts: ScanParts,
  mint: string,
  memory: ScanMemory,
  since = 0n,
): Promise<ScanProgress> {
  const { attempts } = memory;
  if (memory.scan === undefined) {
    memory.scan = newScan(mint, attempts);
    const witnessBefore = await readingOf(parts, mint);
    memory.attempts = { ...attempts, sums: undefined, witnessBefore, behindWitness: 0, witnessSilent: 0 };
    return AGAIN;
  }
  const { scan } = memory;
  if (scan.mintAfter !== undefined) return judge(parts, mint, memory, scan);
  try {
    // The scan starts at or after the second node's reading, so that this reading bounds the scan too.
    const least = scan.newest === 0n ? minOf(since, attempts.witnessBefore) : undefined;
    memory.scan = await continueScan(parts.chain, mint, scan, least);
    if (memory.scan === undefined) {
      parts.counts.scanned('inconsistent');
      memory.attempts = { ...attempts, inOneAnswer: true };
    }
    return AGAIN;
  } catch (error) {
    return afterFailure(memory, scan, error);
  }
}

function minOf(since: bigint, witnessBefore: MintReading | undefined): bigint | undefined {
  if (witnessBefore !== undefined && witnessBefore.slot > since) return witnessBefore.slot;
  return since === 0n ? undefined : since;
}

function afterFailure(memory: ScanMemory, scan: HolderScan, error: unknown): ScanProgress {
  if (!(error instanceof ChainUnavailable || error instanceof ChainAnswerInvalid)) throw error;
  const { attempts } = memory;
  // Only the mint is unread. If the node lags slightly, retry instead of reading a million accounts again.
  if (scan.isRead && error instanceof ChainUnavailable)
    return waits(
      waitFor('chain-unavailable', 'The chain node does not show the mint after the scan.', error.message),
      READ_PAUSE,
    );
  if (scan.newest === 0n && attempts.witnessBefore !== undefined && !scan.inOneAnswer) {
    // One node is often slightly ahead of the other. If that persists, the second node sets only a lower bound.
    const behindWitness = attempts.behindWitness + 1;
    memory.attempts = {
      ...attempts,
      behindWitness,
      witnessBefore: behindWitness < MAX_BEHIND ? attempts.witnessBefore : undefined,
    };
    return waits(
      waitFor('chain-unavailable', 'The chain node is behind the second node.', error.message),
      READ_PAUSE,
    );
  }
  if (!scan.inOneAnswer) throw error;
  memory.scan = undefined;
  memory.attempts = { ...attempts, inOneAnswer: false };
  return waits(
    waitFor(
      'unconfirmed',
      'The token is traded while its holders are read, and the chain node does not return all of them in one response.',
      error.message,
    ),
    TROUBLE_PAUSE,
  );
}

async function judge(
  parts: ScanParts,
  mint: string,
  memory: ScanMemory,
  scan: HolderScan,
): Promise<ScanProgress> {
  const { attempts } = memory;
  const { collector, mintBefore, mintAfter, slots, inOneAnswer } = scan;
  if (attempts.sums !== undefined) return { scan, sums: attempts.sums };
  if (mintBefore === undefined || mintAfter === undefined)
    throw new Error('the scan has no reading of the mint');
  const figures = { balances: collector.balances(), withheld: collector.withheld() };
  const judged: ScanToJudge = { ...figures, before: mintBefore, after: mintAfter };
  const verdict = judgeScan(judged);
  const attempt = { verdict, isOfOneSlot: isOfOneSlot(scan), inOneAnswer, at: parts.clock.now().getTime() };
  const next = decideNextScan(attempts.earlier, attempt);
  if (verdict.verdict === 'over' && !attempt.isOfOneSlot) parts.counts.scanned('inconsistent');
  else if (verdict.verdict === 'over' || verdict.verdict === 'short') parts.counts.scanned('disagrees');
  if (next === undefined && verdict.verdict === 'adds-up') {
    const witnessVerdict = await verdictOfWitness(parts, mint, memory, { ...figures, slot: slots[1] });
    if (typeof witnessVerdict === 'object') return witnessVerdict;
    parts.counts.scanned('complete');
    const sums = recordedSums(judged, verdict.slack, { inOneAnswer, witness: witnessVerdict });
    memory.attempts = { ...NO_ATTEMPTS, sums };
    return { scan, sums };
  }
  memory.scan = undefined;
  if (next === undefined) {
    memory.attempts = NO_ATTEMPTS;
    return halts('SCAN_DISAGREES', describeScan(judged, verdict));
  }
  memory.attempts = { ...attempts, earlier: next.earlier, inOneAnswer: next.inOneAnswer };
  return next.pause === 0 ? AGAIN : waits(waitsFor(judged, verdict), next.pause);
}

function waitsFor(judged: ScanToJudge, verdict: ScanVerdict): Wait {
  return verdict.verdict === 'withdrawn'
    ? waitFor('finality', 'A withdrawal of the tax landed while the holders were read.')
    : waitFor('unconfirmed', describeScan(judged, verdict));
}

/** Verdict of the second node on the scan, or a wait; undefined without a second node. */
async function verdictOfWitness(
  parts: ScanParts,
  mint: string,
  memory: ScanMemory,
  scan: Pick<ScanToJudge, 'balances' | 'withheld'> & { readonly slot: bigint },
): Promise<ScanSums['witness'] | ScanProgress> {
  if (parts.witness === undefined) return undefined;
  const { attempts } = memory;
  const { balances, withheld, slot } = scan;
  let after: MintReading;
  try {
    after = await readMintAt(parts.witness, mint, slot);
  } catch (error) {
    const detail = failureOfNode(error);
    // Not reported through `onWitnessVerdict`: a silent witness does not block payments here.
    const witnessSilent = attempts.witnessSilent + 1;
    if (witnessSilent >= MAX_WITNESS_FAILURES) return 'silent';
    memory.attempts = { ...attempts, witnessSilent };
    return waits(waitFor('unconfirmed', `The second node ${detail}.`), TROUBLE_PAUSE);
  }
  // A reading from a later slot than the scan's sets no upper bound.
  const isBefore = attempts.witnessBefore !== undefined && attempts.witnessBefore.slot <= slot;
  const judged = { balances, withheld, before: isBefore ? attempts.witnessBefore : undefined, after };
  const verdict = judgeScan(judged);
  if (verdict.verdict === 'adds-up') {
    parts.onWitnessVerdict({ state: 'agrees', detail: undefined });
    return 'agrees';
  }
  memory.scan = undefined;
  if (verdict.verdict === 'withdrawn') return waits(waitsFor(judged, verdict), TROUBLE_PAUSE);
  const detail = `shows a mint that does not match the accounts. ${describeScan(judged, verdict)}`;
  parts.onWitnessVerdict({ state: 'disagrees', detail });
  return waits(waitFor('unconfirmed', `The second node ${detail}`), TROUBLE_PAUSE);
}

/** Undefined without a second node, or if it does not respond. */
async function readingOf({ witness }: ScanParts, mint: string): Promise<MintReading | undefined> {
  if (witness === undefined) return undefined;
  try {
    return await readMintAt(witness, mint);
  } catch (error) {
    failureOfNode(error);
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
