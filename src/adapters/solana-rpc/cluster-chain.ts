/**
 * Chain port on the nodes of one cluster. Reads go to the first healthy node, and are retried there or at the next one
 * within a time limit. Sends go to all nodes once, without retries, which the sender decides.
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
  MAX_ATTEMPTS,
  pauseBefore,
  stateOf,
  type TrackedNode,
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
  /** Node of the last `accountsAt` response. */
  let shownBy: TrackedNode | undefined;

  return {
    // Never cached, because an address may lead to another chain later.
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
    firstSlot: () => read('firstSlot', (chain) => chain.firstSlot()),
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

    // Sent to one node without retries, because a repeated airdrop would pay twice.
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

/** Timeout in milliseconds of a read with all its attempts. */
const READ_WITHIN = 10_000;
/** Milliseconds between two probes of all nodes. */
const PROBE_INTERVAL = 10_000;

type ClusterReads = ReturnType<typeof createClusterReads>;

/** `attempt` calls one node once; `read` tries healthy nodes serially, until one responds or the time is over. */
function createClusterReads(cluster: Cluster, meter: ChainNodeMeter | undefined) {
  /** Calls one node once; `milliseconds` may be infinite. */
  async function attempt<Answer>(
    node: TrackedNode,
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
          throw new ChainUnavailable(`the chain node at ${node.host} does not respond in time`);
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

  const probeAll = createProbes(cluster, attempt);

  /** `within`: milliseconds. The node `notFirst` is called only if all other nodes fail. */
  async function read<Answer>(
    name: string,
    call: (chain: Chain, node: TrackedNode) => Promise<Answer>,
    {
      within = READ_WITHIN,
      notFirst,
    }: { readonly within?: number; readonly notFirst?: TrackedNode | undefined } = {},
  ): Promise<Answer> {
    const until = performance.now() + within;
    const asked = new Set<TrackedNode>(notFirst === undefined ? [] : [notFirst]);
    let invalidAnswers = 0;
    probeAll();
    for (let attempts = 1; ; attempts++) {
      const node = usableNode(cluster, asked);
      const left = until - performance.now();
      // A node that hangs must leave time for another attempt.
      const share = attempts === MAX_ATTEMPTS ? left : left * 0.6;
      try {
        return await attempt(node, name, share, (chain) => call(chain, node));
      } catch (error) {
        if (error instanceof ChainAnswerInvalid) invalidAnswers += 1;
        const { nodes } = cluster;
        const isNewNext = nodes.some(
          (each) => !isForeign(cluster, each) && each !== node && !asked.has(each),
        );
        asked.add(node);
        const pause = decideRetry(
          {
            error,
            attempts,
            invalidAnswers,
            nodes: nodes.length,
            isNewNext,
            left: until - performance.now(),
          },
          Math.random(),
        );
        if (pause === undefined) throw error;
        if (pause > 0) await sleep(pause);
        // The timer of a busy process may fire late.
        if (performance.now() >= until) throw error;
      }
    }
  }

  return { attempt, read };
}

/**
 * Probes unhealthy nodes in the background. Healthy ones are probed too, so that the newest slot of all nodes is known;
 * responses from before it are rejected.
 */
function createProbes(cluster: Cluster, attempt: ClusterReads['attempt']) {
  let probedAt = performance.now();
  return () => {
    if (!cluster.hasSeveral || performance.now() - probedAt < PROBE_INTERVAL) return;
    probedAt = performance.now();
    for (const node of cluster.nodes)
      if (!isForeign(cluster, node) && node.health.suspendedUntil <= probedAt)
        attempt(node, 'tip', READ_WITHIN, (chain) => chain.tip('confirmed')).catch(() => undefined);
  };
}

/** Node for the next attempt; throws if all nodes belong to another chain. */
function usableNode(cluster: Cluster, asked: ReadonlySet<TrackedNode> = new Set()): TrackedNode {
  const node = chooseNode(cluster, asked);
  if (node === undefined) throw noneOfThisChain();
  return node;
}

function noneOfThisChain(): ChainUnavailable {
  return new ChainUnavailable('no node in CHAIN_URL belongs to this chain');
}

/** Identifies the node's chain before its first call. */
async function learnGenesis(cluster: Cluster, node: TrackedNode): Promise<void> {
  if (!cluster.hasSeveral || node.genesis !== undefined) return;
  learn(cluster, node, await node.chain.genesisHash());
}

/** The first response determines the cluster's chain. Throws for a node of another chain. */
function learn(cluster: Cluster, node: TrackedNode, found: string): void {
  cluster.genesis ??= found;
  node.genesis = found;
  if (isForeign(cluster, node))
    throw new ChainUnavailable(`the chain node at ${node.host} belongs to another chain (genesis ${found})`);
}

/** Scans take as long as the token has holders, and the page reader has its own limits. */
const UNLIMITED = Number.POSITIVE_INFINITY;

/** All pages come from the node of the first page, because a page key is invalid at other nodes. */
function createClusterScans({ nodes }: Cluster, { attempt, read }: ClusterReads): Chain['tokenAccounts'] {
  const paged = (node: TrackedNode, page: TokenAccountPage): TokenAccountPage => ({
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
    if (node === undefined)
      throw new ChainUnavailable('the node of this scan is no longer configured: start the scan again');
    const page = () =>
      attempt(node, 'tokenAccounts', UNLIMITED, (chain) =>
        chain.tokenAccounts(mint, { ...asked, after: place.join('/') }),
      );
    // If one address leads to several nodes, one may be behind the node of the first page.
    return retry(async () => paged(node, await page()), {
      pauses: (earlier, error) => pauseBefore(earlier + 1, error, Math.random()),
      failed(error, earlier) {
        if (!(error instanceof ChainBehind) || earlier + 1 === MAX_ATTEMPTS) throw error;
      },
    });
  };
}
