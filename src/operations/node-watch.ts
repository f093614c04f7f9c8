/**
 * Checks whether the chain node keeps up with its chain: its slot moves on, its blocks are recent, finality follows, and
 * it calls itself healthy. A node that answers may still be useless: nothing sent to it or read from it settles anything.
 */
import { type ChainClock, CLOCK_SYSVAR, decodeChainClock } from '../chain/clock-sysvar.ts';
import { type Chain, ChainAnswerInvalid, type Commitment } from '../kernel/ports/chain.ts';
import type { Clock } from '../kernel/runtime/clock.ts';
import { throttled } from '../kernel/runtime/throttle.ts';

/** Milliseconds for which a check is reused: readiness is public. */
const SEEN_FOR = 3_000;

/** What the node showed. Times are Unix milliseconds. */
export interface NodeObservation {
  readonly confirmed: ChainClock;
  readonly finalized: ChainClock;
  /** When the slot was seen for the first time. */
  readonly slotSince: number;
  /** As the node reports them itself; 0 if it calls itself healthy, 1 if unhealthy without a number. */
  readonly slotsBehind: number;
  /** How long it took to answer. */
  readonly milliseconds: number;
}

export interface NodeWatch {
  /** At most three seconds old. Rejects when the node does not answer. */
  look(): Promise<NodeObservation>;
}

export function createNodeWatch(chain: Pick<Chain, 'accounts' | 'slotsBehind'>, clock: Clock): NodeWatch {
  let before: NodeObservation | undefined;

  async function chainClock(commitment: Commitment): Promise<ChainClock> {
    const [account] = await chain.accounts([CLOCK_SYSVAR], commitment);
    const found = account && decodeChainClock(account.data);
    if (found === undefined) throw new ChainAnswerInvalid('the chain node does not show the clock');
    return found;
  }

  async function observe(): Promise<NodeObservation> {
    const started = performance.now();
    const [confirmed, finalized, slotsBehind] = await Promise.all([
      chainClock('confirmed'),
      chainClock('finalized'),
      // Some providers do not answer it; the clocks show whether the node answers at all.
      chain.slotsBehind().catch(() => 0),
    ]);
    const now = clock.now().getTime();
    // Behind one address there may be several nodes: only a slot that is newer than all before is progress.
    const stood = before !== undefined && confirmed.slot <= before.confirmed.slot ? before : undefined;
    before = {
      confirmed: stood?.confirmed ?? confirmed,
      finalized,
      slotSince: stood?.slotSince ?? now,
      slotsBehind,
      milliseconds: Math.round(performance.now() - started),
    };
    return before;
  }

  return { look: throttled(SEEN_FOR, clock, observe) };
}

/** Milliseconds that a node may take before it counts as one that does not keep up. */
export interface NodeLimits {
  /** Without a new slot. */
  readonly stall: number;
  /** From a block's time to now, and from the latest final block to the latest block. */
  readonly lag: number;
}

/** What is wrong with the node at a time, in words for operators; undefined if nothing is. */
export function troubleOfNode(
  observation: NodeObservation,
  now: number,
  { stall, lag }: NodeLimits,
): string | undefined {
  const { slotsBehind } = observation;
  const { stood, blockAge, finalityLag } = agesOf(observation, now);
  if (stood > stall) return `the node's slot has not changed for ${inSeconds(stood)} s`;
  if (blockAge > lag) return `the node's latest block is ${inSeconds(blockAge)} s old`;
  if (finalityLag > lag) return `the node's final block is ${inSeconds(finalityLag)} s behind its latest`;
  if (slotsBehind > 1) return `the node says that it is behind by ${slotsBehind} slots`;
  return slotsBehind > 0 ? 'the node says that it is unhealthy' : undefined;
}

/** In milliseconds. */
export function agesOf({ confirmed, finalized, slotSince }: NodeObservation, now: number) {
  return {
    /** Since when the slot has not changed. */
    stood: Math.max(0, now - slotSince),
    blockAge: Math.max(0, now - confirmed.time * 1_000),
    finalBlockAge: Math.max(0, now - finalized.time * 1_000),
    finalityLag: Math.max(0, (confirmed.time - finalized.time) * 1_000),
  };
}

function inSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1_000);
}
