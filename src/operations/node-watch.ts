/**
 * Checks whether the chain node keeps up with its chain: its slot advances, its blocks are recent, and finality
 * follows. A node may respond and still be useless, because transactions through it never settle.
 */
import { type ChainClock, CLOCK_SYSVAR, decodeChainClock } from '../chain/clock-sysvar.ts';
import type { SlotTime } from '../drafts/slot-time.ts';
import { type Chain, ChainAnswerInvalid, type Commitment } from '../kernel/ports/chain.ts';
import type { ChainNodeStatus } from '../kernel/ports/chain-node-meter.ts';
import type { Clock } from '../kernel/runtime/clock.ts';
import { throttled } from '../kernel/runtime/throttle.ts';
import { type Watched, watched } from './readiness.ts';

/** Lifetime in milliseconds of a cached check: readiness is public. */
const STATUS_TTL = 3_000;

/** State of the node. Times are Unix milliseconds. */
interface NodeObservation {
  readonly confirmed: ChainClock;
  readonly finalized: ChainClock;
  /** Time at which the slot was first seen. */
  readonly slotSince: number;
  /** Response time. */
  readonly milliseconds: number;
}

export type NodeWatch = ReturnType<typeof createNodeWatch>;

export function createNodeWatch(chain: Pick<Chain, 'accounts'>, clock: Clock) {
  let before: NodeObservation | undefined;

  async function chainClock(commitment: Commitment): Promise<ChainClock> {
    const [account] = await chain.accounts([CLOCK_SYSVAR], commitment);
    const found = account && decodeChainClock(account.data);
    if (found === undefined) throw new ChainAnswerInvalid('the chain node does not return the clock sysvar');
    return found;
  }

  async function observe(): Promise<NodeObservation> {
    const started = performance.now();
    const [confirmed, finalized] = await Promise.all([chainClock('confirmed'), chainClock('finalized')]);
    const now = clock.now().getTime();
    // One address may lead to several nodes: only a slot that is newer than all earlier ones is progress.
    const stood = before !== undefined && confirmed.slot <= before.confirmed.slot ? before : undefined;
    before = {
      confirmed: stood?.confirmed ?? confirmed,
      finalized,
      slotSince: stood?.slotSince ?? now,
      milliseconds: Math.round(performance.now() - started),
    };
    return before;
  }

  /** Result at most three seconds old. Rejects if the node does not respond. */
  return { look: throttled(STATUS_TTL, clock, observe) };
}

/** Limits in milliseconds, beyond which a node does not keep up. */
interface NodeLimits {
  /** Without a new slot. */
  readonly stall: number;
  /** Maximum age of the latest block, and of the latest final block relative to it. */
  readonly lag: number;
}

/** Returns the first fault of the node, for operators; undefined if it keeps up. */
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

/** Ages in milliseconds. */
export function agesOf({ confirmed, finalized, slotSince }: NodeObservation, now: number) {
  return {
    /** Time for which the slot has not changed. */
    stood: Math.max(0, now - slotSince),
    blockAge: Math.max(0, now - confirmed.time * 1_000),
    finalBlockAge: Math.max(0, now - finalized.time * 1_000),
    finalityLag: Math.max(0, (confirmed.time - finalized.time) * 1_000),
  };
}

function inSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1_000);
}

/** Lifetime in milliseconds of the cached genesis hash: an address rarely changes to another chain. */
const GENESIS_TTL = 60_000;

interface WatchedChainOptions {
  readonly chain: Pick<Chain, 'genesisHash'>;
  readonly genesisHash: string;
  readonly node: NodeWatch;
  readonly clock: Clock;
  readonly limits: NodeLimits;
  /** Present if this service runs the chain's process. */
  readonly localChain: { status(): { readonly restarts: number } } | undefined;
  readonly nodes: () => readonly ChainNodeStatus[];
  readonly slotTime: SlotTime;
}

export function watchedChain(options: WatchedChainOptions): Watched {
  const { chain, genesisHash, node, clock, limits, localChain, nodes, slotTime } = options;
  const genesis = throttled(GENESIS_TTL, clock, () => chain.genesisHash());

  return watched('chain', async () => {
    // No other call may be sent to a node of another chain.
    if ((await genesis()) !== genesisHash)
      return { ok: false, details: { reason: 'the node belongs to another chain' } };
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
        // Without their hosts, because readiness is public.
        ...(several.length > 1 && { nodes: several.map(({ state }) => state).join(', ') }),
        ...(count === undefined ? {} : { restarts: count }),
        ...(reason === undefined ? {} : { reason }),
      },
    };
  });
}
