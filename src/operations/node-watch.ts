/**
 * Checks whether the chain node keeps up with its chain: its slot moves on, its blocks are recent, and finality
 * follows. A node that answers may still be useless: nothing sent to it or read from it settles anything.
 */
import { type ChainClock, CLOCK_SYSVAR, decodeChainClock } from '../chain/clock-sysvar.ts';
import type { SlotTime } from '../drafts/slot-time.ts';
import { type Chain, ChainAnswerInvalid, type Commitment } from '../kernel/ports/chain.ts';
import type { ChainNodeStatus } from '../kernel/ports/chain-node-meter.ts';
import type { Clock } from '../kernel/runtime/clock.ts';
import { throttled } from '../kernel/runtime/throttle.ts';
import { type Watched, watched } from './readiness.ts';

/** Milliseconds for which a check is reused: readiness is public. */
const SEEN_FOR = 3_000;

/** State of the node. Times are Unix milliseconds. */
interface NodeObservation {
  readonly confirmed: ChainClock;
  readonly finalized: ChainClock;
  /** When the slot was seen for the first time. */
  readonly slotSince: number;
  /** Time that it took to answer. */
  readonly milliseconds: number;
}

export type NodeWatch = ReturnType<typeof createNodeWatch>;

export function createNodeWatch(chain: Pick<Chain, 'accounts'>, clock: Clock) {
  let before: NodeObservation | undefined;

  async function chainClock(commitment: Commitment): Promise<ChainClock> {
    const [account] = await chain.accounts([CLOCK_SYSVAR], commitment);
    const found = account && decodeChainClock(account.data);
    if (found === undefined) throw new ChainAnswerInvalid('the chain node does not show the clock');
    return found;
  }

  async function observe(): Promise<NodeObservation> {
    const started = performance.now();
    const [confirmed, finalized] = await Promise.all([chainClock('confirmed'), chainClock('finalized')]);
    const now = clock.now().getTime();
    // Behind one address there may be several nodes: only a slot that is newer than all before is progress.
    const stood = before !== undefined && confirmed.slot <= before.confirmed.slot ? before : undefined;
    before = {
      confirmed: stood?.confirmed ?? confirmed,
      finalized,
      slotSince: stood?.slotSince ?? now,
      milliseconds: Math.round(performance.now() - started),
    };
    return before;
  }

  /** At most three seconds old. Rejects when the node does not answer. */
  return { look: throttled(SEEN_FOR, clock, observe) };
}

/** Milliseconds that a node may take before it counts as one that does not keep up. */
interface NodeLimits {
  /** Without a new slot. */
  readonly stall: number;
  /** From a block's time to now, and from the latest final block to the latest block. */
  readonly lag: number;
}

/** The node's fault at a time, in words for operators; undefined if there is none. */
export function troubleOfNode(
  observation: NodeObservation,
  now: number,
  { stall, lag }: NodeLimits,
): string | undefined {
  const { stood, blockAge, finalityLag } = agesOf(observation, now);
  if (stood > stall) return `the node's slot has not changed for ${inSeconds(stood)} s`;
  if (blockAge > lag) return `the node's latest block is ${inSeconds(blockAge)} s old`;
  if (finalityLag > lag) return `the node's final block is ${inSeconds(finalityLag)} s behind its latest`;
  return undefined;
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

/** Milliseconds for which the genesis hash is kept: an address rarely changes to another chain. */
const GENESIS_SEEN_FOR = 60_000;

interface WatchedChainOptions {
  readonly chain: Pick<Chain, 'genesisHash'>;
  readonly genesisHash: string;
  readonly node: NodeWatch;
  readonly clock: Clock;
  readonly limits: NodeLimits;
  /** The chain's process, if it is ours. */
  readonly localChain: { status(): { readonly restarts: number } } | undefined;
  readonly nodes: () => readonly ChainNodeStatus[];
  readonly slotTime: SlotTime;
}

export function watchedChain(options: WatchedChainOptions): Watched {
  const { chain, genesisHash, node, clock, limits, localChain, nodes, slotTime } = options;
  const genesis = throttled(GENESIS_SEEN_FOR, clock, () => chain.genesisHash());

  return watched('chain', async () => {
    // Another chain's node may not be asked for anything else.
    if ((await genesis()) !== genesisHash)
      return { ok: false, details: { reason: 'the node is one of another chain' } };
    const observation = await node.look();
    const slot = slotTime.latest();
    const several = nodes();
    const now = clock.now().getTime();
    const reason = troubleOfNode(observation, now, limits);
    const { blockAge, finalBlockAge } = agesOf(observation, now);
    const count = localChain?.status().restarts;
    return {
      ok: reason === undefined,
      details: {
        milliseconds: observation.milliseconds,
        slot: observation.confirmed.slot.toString(),
        blockAgeSeconds: Math.floor(blockAge / 1_000),
        finalBlockAgeSeconds: Math.floor(finalBlockAge / 1_000),
        ...(slot === undefined ? {} : { slotMilliseconds: Math.round(slot) }),
        // Without their hosts: anybody may ask.
        ...(several.length > 1 && { nodes: several.map(({ state }) => state).join(', ') }),
        ...(count === undefined ? {} : { restarts: count }),
        ...(reason === undefined ? {} : { reason }),
      },
    };
  });
}
