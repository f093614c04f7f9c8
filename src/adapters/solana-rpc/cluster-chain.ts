/**
 * The Chain port over the nodes of one cluster. Reads go to the first node that is well, and are tried again, there or
 * at the next one, within a time; sends go to all nodes once, and are never repeated here: who sends decides about that.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import pTimeout from 'p-timeout';
import {
  type Chain,
  ChainAnswerInvalid,
  ChainBehind,
  ChainUnavailable,
  type TokenAccountPage,
} from '../../kernel/ports/chain.ts';
import { type ChainNodeMeter, outcomeOf } from '../../kernel/ports/chain-node-meter.ts';
import { retry } from '../../kernel/runtime/retry.ts';
import {
  afterError,
  type Cluster,
  type ClusterNode,
  chooseNode,
  createCluster,
  decideRetry,
  isForeign,
  type KnownNode,
  MOST_ATTEMPTS,
  pauseBefore,
  stateOf,
  WELL,
} from './cluster-nodes.ts';

export function createClusterChain({
  nodes,
  meter,
}: {
  readonly nodes: readonly ClusterNode[];
  readonly meter?: ChainNodeMeter | undefined;
}): Chain {
  const cluster = createCluster(nodes);
  const reads = createClusterReads(cluster, meter);
  const { read, attempt } = reads;
  meter?.watch(() => cluster.nodes.map((node) => ({ host: node.host, state: stateOf(cluster, node) })));
  /** The node that showed accounts last. */
  let shownBy: KnownNode | undefined;

  return {
    // Asked anew each time: an address may lead to another chain one day.
    genesisHash: () =>
      read('genesisHash', async (chain, node) => {
        const found = await chain.genesisHash();
        if (cluster.hasSeveral) learn(cluster, node, found);
        return found;
      }),
    recentBlockhash: () => read('recentBlockhash', (chain) => chain.recentBlockhash()),
    tip: (...asked) => read('tip', (chain) => chain.tip(...asked)),
    slotMilliseconds: () => read('slotMilliseconds', (chain) => chain.slotMilliseconds()),
    slotLeader: () => read('slotLeader', (chain) => chain.slotLeader()),
    epoch: () => read('epoch', (chain) => chain.epoch()),
    accounts: (...asked) => read('accounts', (chain) => chain.accounts(...asked)),
    accountsAt: (addresses, commitment, { elsewhere = false, ...asked } = {}) =>
      read(
        'accountsAt',
        async (chain, node) => {
          const shown = await chain.accountsAt(addresses, commitment, asked);
          shownBy = node;
          return shown;
        },
        elsewhere ? { notFirst: shownBy } : {},
      ),
    balance: (address) => read('balance', (chain) => chain.balance(address)),
    rentExemption: (size) => read('rentExemption', (chain) => chain.rentExemption(size)),
    recentPrices: (writable) => read('recentPrices', (chain) => chain.recentPrices(writable)),
    simulate: (...asked) => read('simulate', (chain) => chain.simulate(...asked)),
    statuses: (signatures) => read('statuses', (chain) => chain.statuses(signatures)),
    signaturesOf: (...asked) => read('signaturesOf', (chain) => chain.signaturesOf(...asked)),
    transaction: (...asked) => read('transaction', (chain) => chain.transaction(...asked)),
    send: (wire) => sendToAll(cluster, reads, wire),
    tokenAccounts: createClusterScans(cluster, reads),

    // Asked of one node, once: lamports that are given twice are no repetition of a read.
    async airdrop(address, lamports) {
      const forEver = Number.POSITIVE_INFINITY;
      await attempt(usableNode(cluster), 'airdrop', forEver, (chain) => chain.airdrop(address, lamports));
    },
  };
}

async function sendToAll(cluster: Cluster, { attempt }: ClusterReads, wire: Uint8Array): Promise<void> {
  const rightful = cluster.nodes.filter((node) => !isForeign(cluster, node));
  if (rightful.length === 0) throw noneOfThisChain();
  const results = await Promise.allSettled(
    rightful.map((node) => attempt(node, 'send', READ_WITHIN, (chain) => chain.send(wire))),
  );
  if (results.some(({ status }) => status === 'fulfilled')) return;
  throw results.find((result) => result.status === 'rejected')?.reason;
}

/** Milliseconds for one read with all its attempts. */
const READ_WITHIN = 10_000;
/** Milliseconds between two looks at all nodes. */
const LOOK_EVERY = 10_000;

type ClusterReads = ReturnType<typeof createClusterReads>;

/** Asks one node once, or those that are well one after the other, until one answers or the time is over. */
function createClusterReads(cluster: Cluster, meter: ChainNodeMeter | undefined) {
  /** One node, once; `milliseconds` may be infinite. */
  async function attempt<Answer>(
    node: KnownNode,
    name: string,
    milliseconds: number,
    call: (chain: Chain) => Promise<Answer>,
  ): Promise<Answer> {
    let problem: unknown;
    let isSlow = false;
    try {
      const answering = learnGenesis(cluster, node).then(() => call(node.chain));
      const found = await pTimeout(answering, {
        milliseconds: Math.max(1, milliseconds),
        fallback() {
          isSlow = true;
          throw new ChainUnavailable(`the chain node at ${node.host} does not answer in time`);
        },
      });
      node.health = WELL;
      return found;
    } catch (error) {
      problem = error;
      node.health = afterError(node.health, error, isSlow, performance.now());
      throw error;
    } finally {
      meter?.called(node.host, name, outcomeOf(problem));
    }
  }

  const lookAtAll = createLooks(cluster, attempt);

  /** `within`: milliseconds. `notFirst` is asked only if all others fail. */
  async function read<Answer>(
    name: string,
    call: (chain: Chain, node: KnownNode) => Promise<Answer>,
    {
      within = READ_WITHIN,
      notFirst,
    }: { readonly within?: number; readonly notFirst?: KnownNode | undefined } = {},
  ): Promise<Answer> {
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
  }

  return { attempt, read };
}

/**
 * Nodes that rest are tried without anyone waiting for it. The others are asked too, so that the newest slot of any node is known:
 * an answer from before it is refused.
 */
function createLooks(cluster: Cluster, attempt: ClusterReads['attempt']) {
  let lookedAt = performance.now();
  return () => {
    if (!cluster.hasSeveral || performance.now() - lookedAt < LOOK_EVERY) return;
    lookedAt = performance.now();
    for (const node of cluster.nodes)
      if (!isForeign(cluster, node) && node.health.restUntil <= lookedAt)
        attempt(node, 'tip', READ_WITHIN, (chain) => chain.tip('confirmed')).catch(() => undefined);
  };
}

/** The node to be asked next; throws where all are of another chain. */
function usableNode(cluster: Cluster, asked: ReadonlySet<KnownNode> = new Set()): KnownNode {
  const node = chooseNode(cluster, asked);
  if (node === undefined) throw noneOfThisChain();
  return node;
}

function noneOfThisChain(): ChainUnavailable {
  return new ChainUnavailable('no node of CHAIN_URL is one of this chain');
}

/** No node is asked anything before it has said that it is one of this cluster. */
async function learnGenesis(cluster: Cluster, node: KnownNode): Promise<void> {
  if (!cluster.hasSeveral || node.genesis !== undefined) return;
  learn(cluster, node, await node.chain.genesisHash());
}

/** The first answer names the cluster's chain. Throws for a node of another one. */
function learn(cluster: Cluster, node: KnownNode, found: string): void {
  cluster.genesis ??= found;
  node.genesis = found;
  if (isForeign(cluster, node))
    throw new ChainUnavailable(`the chain node at ${node.host} is one of another chain (genesis ${found})`);
}

/** Scans are as long as the token has holders, and the reader of pages has limits of its own. */
const UNLIMITED = Number.POSITIVE_INFINITY;

/** The node that gave the first page gives all, for a place in its list means nothing to others. */
function createClusterScans({ nodes }: Cluster, { attempt, read }: ClusterReads): Chain['tokenAccounts'] {
  const paged = (node: KnownNode, page: TokenAccountPage): TokenAccountPage => ({
    ...page,
    next: page.next === undefined ? undefined : `${nodes.indexOf(node)}/${page.next}`,
  });

  return async (mint, asked = {}) => {
    const { after } = asked;
    if (after === undefined)
      return read(
        'tokenAccounts',
        async (chain, node) => paged(node, await chain.tokenAccounts(mint, asked)),
        { within: UNLIMITED },
      );
    const [number = '', ...place] = after.split('/');
    const node = nodes[Number(number)];
    if (node === undefined) throw new ChainUnavailable('this scan has to begin again');
    const page = () =>
      attempt(node, 'tokenAccounts', UNLIMITED, (chain) =>
        chain.tokenAccounts(mint, { ...asked, after: place.join('/') }),
      );
    // When one address leads to several nodes, one may be a moment behind the node that showed the first page.
    return retry(async () => paged(node, await page()), {
      pauses: (earlier, error) => pauseBefore(earlier + 1, error, Math.random()),
      failed(error, earlier) {
        if (!(error instanceof ChainBehind) || earlier + 1 === MOST_ATTEMPTS) throw error;
      },
    });
  };
}
