/**
 * Scans a token's holders until a scan is believed: one that adds up to the mint's supply, and that the second node, where
 * there is one, does not contradict. Opening a run, the run itself and previews all look through this.
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

/** State kept between two steps. `scan` may be dropped at any time. */
export interface LookMemory {
  scan: HolderScan | undefined;
  looks: LooksSoFar;
}

export interface LooksSoFar {
  readonly earlier: EarlierLooks;
  /** True if the next scan requests all accounts in one answer. */
  readonly inOneAnswer: boolean;
  /** The second node's reading of the mint before the present scan. */
  readonly witnessBefore: MintReading | undefined;
  /** So often the chain node was behind that reading. */
  readonly behindWitness: number;
  /** So often in a row the second node has not answered. */
  readonly witnessSilent: number;
  /** Sums of the scan that is believed. */
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

/** `disagreedAt` of the memory says since when lists do not add up, where that is what a wait is for. */
type HoldersLook = Decision | { readonly scan: HolderScan; readonly sums: ScanSums };

/** The chain node is asked so often to come to where the second node was. */
const MOST_BEHIND = 5;
/** Number of silences after which a scan is accepted without the second node. */
const MOST_SILENCES = 3;

/**
 * One step: a page, a reading of the mint, or what follows from them. `since`: a slot that the token's own history has reached,
 * before which no list counts.
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
    // Read by the chain node behind the second one's reading, so that that one bounds the scan too.
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
  // Everything is read but the mint behind it: a node that is a moment behind is no reason to read a million accounts again.
  if (scan.isRead && error instanceof ChainUnavailable)
    return waits(
      waitFor('chain-unavailable', 'The chain node does not show the mint behind the scan.', error.message),
      LOOK_PAUSE,
    );
  if (scan.newest === 0n && looks.witnessBefore !== undefined && !scan.inOneAnswer) {
    // One is often a moment ahead of the other. Where it stays so, the second one bounds the scan from below alone.
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
      'The token is traded while its holders are read, and the chain node does not give all of them in one answer.',
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
  if (mintBefore === undefined || mintAfter === undefined) throw new Error('a scan ends with the mint');
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

/** Verdict of the second node on the scan, undefined without a second node; or a wait. */
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
    // Not said as its word about the books: it keeps nobody from being paid.
    const witnessSilent = looks.witnessSilent + 1;
    if (witnessSilent >= MOST_SILENCES) return 'silent';
    memory.looks = { ...looks, witnessSilent };
    return waits(waitFor('unconfirmed', `The second node ${detail}.`), TROUBLE_PAUSE);
  }
  // A reading of a later slot than the scan's bounds nothing from above.
  const isBefore = looks.witnessBefore !== undefined && looks.witnessBefore.slot <= slot;
  const judged = { balances, withheld, before: isBefore ? looks.witnessBefore : undefined, after };
  const verdict = judgeScan(judged);
  if (verdict.verdict === 'adds-up') {
    parts.witnessSaid({ state: 'agrees', detail: undefined });
    return 'agrees';
  }
  memory.scan = undefined;
  if (verdict.verdict === 'withdrawn') return waits(waitsFor(judged, verdict), TROUBLE_PAUSE);
  const detail = `shows another mint than the accounts add up to. ${tellScan(judged, verdict)}`;
  parts.witnessSaid({ state: 'disagrees', detail });
  return waits(waitFor('unconfirmed', `The second node ${detail}`), TROUBLE_PAUSE);
}

/** Undefined where there is no second node, or it does not answer. */
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
