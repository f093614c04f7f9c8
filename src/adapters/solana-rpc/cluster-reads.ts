/** Asks the nodes of a cluster: one of them once, or those that are well one after the other, until one answers or the time is over. */
import { setTimeout as sleep } from 'node:timers/promises';
import pTimeout from 'p-timeout';
import { type Chain, ChainAnswerInvalid, ChainUnavailable } from '../../kernel/ports/chain.ts';
import { type ChainNodeMeter, outcomeOf } from '../../kernel/ports/chain-node-meter.ts';
import {
  afterAnswer,
  afterError,
  type Cluster,
  type ClusterNode,
  chooseNode,
  decideRetry,
  isForeign,
  type KnownNode,
  lagsOf,
  MOST_ATTEMPTS,
} from './cluster-nodes.ts';

/** Milliseconds for one read with all its attempts. */
export const READ_WITHIN = 10_000;
/** Milliseconds between two looks at all nodes. */
const LOOK_EVERY = 10_000;

export interface ClusterReads {
  /** One node, once; `milliseconds` may be infinite. */
  attempt<Answer>(
    node: KnownNode,
    name: string,
    milliseconds: number,
    call: (chain: Chain) => Promise<Answer>,
  ): Promise<Answer>;
  read<Answer>(
    name: string,
    call: (chain: Chain, node: KnownNode) => Promise<Answer>,
    options?: {
      /** Milliseconds; ten seconds unless given. */
      readonly within?: number;
      /** Asked only if all others fail. */
      readonly notFirst?: KnownNode | undefined;
    },
  ): Promise<Answer>;
}

export function createClusterReads(cluster: Cluster, meter: ChainNodeMeter | undefined): ClusterReads {
  const attempt: ClusterReads['attempt'] = async (node, name, milliseconds, call) => {
    let problem: unknown;
    let isSlow = false;
    try {
      const answering = learnGenesis(cluster, node).then(() => call(node.chain));
      const found = await pTimeout(answering, {
        milliseconds: Math.max(1, milliseconds),
        fallback() {
          isSlow = true;
          throw late(node);
        },
      });
      node.health = afterAnswer(node.health);
      return found;
    } catch (error) {
      problem = error;
      node.health = afterError(node.health, error, isSlow, performance.now());
      throw error;
    } finally {
      meter?.called(node.host, name, outcomeOf(problem));
    }
  };

  const lookAtAll = createLooks(cluster, attempt);

  const read: ClusterReads['read'] = async (name, call, { within = READ_WITHIN, notFirst } = {}) => {
    const until = performance.now() + within;
    const asked = new Set<KnownNode>(notFirst === undefined ? [] : [notFirst]);
    let senseless = 0;
    lookAtAll();
    for (let attempts = 1; ; attempts++) {
      const node = usableNode(cluster, asked);
      const left = until - performance.now();
      // A node that hangs must leave time for another attempt.
      const share = attempts === MOST_ATTEMPTS ? left : left * 0.6;
      try {
        return await attempt(node, name, share, (chain) => call(chain, node));
      } catch (error) {
        if (error instanceof ChainAnswerInvalid) senseless += 1;
        const { nodes } = cluster;
        const isNewNext = nodes.some(
          (each) => !isForeign(cluster, each) && each !== node && !asked.has(each),
        );
        asked.add(node);
        const pause = decideRetry(
          { error, attempts, senseless, nodes: nodes.length, isNewNext, left: until - performance.now() },
          Math.random(),
        );
        if (pause === undefined) throw error;
        if (pause > 0) await sleep(pause);
        // A busy process wakes up late.
        if (performance.now() >= until) throw error;
      }
    }
  };

  return { attempt, read };
}

/** Nodes that rest are tried, and those that are behind are found, without anyone waiting for it. */
function createLooks(cluster: Cluster, attempt: ClusterReads['attempt']): () => void {
  let lookedAt = performance.now();
  return () => {
    if (!cluster.hasSeveral || performance.now() - lookedAt < LOOK_EVERY) return;
    lookedAt = performance.now();
    const due = cluster.nodes.filter(
      (node) => !isForeign(cluster, node) && node.health.restUntil <= performance.now(),
    );
    const looks = due.map(async (node) => ({
      node,
      slot: (await attempt(node, 'tip', READ_WITHIN, (chain) => chain.tip('confirmed'))).slot,
    }));
    void Promise.allSettled(looks).then((results) => {
      const tips = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
      for (const { node, isBehind } of lagsOf(tips)) node.health = { ...node.health, isBehind };
    });
  };
}

/** The node to be asked next; throws where all are of another chain. */
export function usableNode(cluster: Cluster, asked: ReadonlySet<KnownNode> = new Set()): KnownNode {
  const node = chooseNode(cluster, asked);
  if (node === undefined) throw new ChainUnavailable('no node of CHAIN_URL is one of this chain');
  return node;
}

/** No node is asked anything before it has said that it is one of this cluster. */
async function learnGenesis(cluster: Cluster, node: KnownNode): Promise<void> {
  if (!cluster.hasSeveral || node.genesis !== undefined) return;
  const found = await node.chain.genesisHash();
  cluster.genesis ??= found;
  node.genesis = found;
  if (isForeign(cluster, node))
    throw new ChainUnavailable(`the chain node at ${node.host} is one of another chain (genesis ${found})`);
}

export function late({ host }: ClusterNode): ChainUnavailable {
  return new ChainUnavailable(`the chain node at ${host} does not answer in time`);
}
