/** The chain as readiness sees it: the right one, and a node that keeps up with it. */
import type { SlotTime } from '../drafts/slot-time.ts';
import type { Chain } from '../kernel/ports/chain.ts';
import type { ChainNodeStatus } from '../kernel/ports/chain-node-meter.ts';
import type { Clock } from '../kernel/runtime/clock.ts';
import { agesOf, type NodeLimits, type NodeWatch, troubleOfNode } from './node-watch.ts';
import { type Watched, watched } from './readiness.ts';

/** Milliseconds for which the genesis hash is kept: an address rarely changes to another chain. */
const GENESIS_SEEN_FOR = 60_000;

export interface WatchedChainOptions {
  readonly chain: Pick<Chain, 'genesisHash'>;
  readonly genesisHash: string;
  readonly node: NodeWatch;
  readonly clock: Clock;
  readonly limits: NodeLimits;
  /** How often the chain's process was restarted, if it is ours. */
  readonly restarts: () => number | undefined;
  readonly nodes: () => readonly ChainNodeStatus[];
  readonly slotTime: SlotTime;
}

export function watchedChain(options: WatchedChainOptions): Watched {
  const { chain, genesisHash, node, clock, limits, restarts, nodes, slotTime } = options;
  let asked: { readonly at: number; readonly found: string } | undefined;

  async function isRightChain(): Promise<boolean> {
    const now = clock.now().getTime();
    if (asked === undefined || now - asked.at >= GENESIS_SEEN_FOR) {
      asked = { at: now, found: await chain.genesisHash() };
    }
    return asked.found === genesisHash;
  }

  return watched('chain', async () => {
    // Another chain's node may not be asked for anything else.
    if (!(await isRightChain()))
      return { ok: false, details: { reason: 'the node is one of another chain' } };
    const observation = await node.look();
    const slot = slotTime.latest();
    const several = nodes();
    const now = clock.now().getTime();
    const reason = troubleOfNode(observation, now, limits);
    const { blockAge, finalBlockAge } = agesOf(observation, now);
    const count = restarts();
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
