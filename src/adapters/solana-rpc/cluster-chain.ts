/**
 * The Chain port over the nodes of one cluster. Reads go to the first node that is well, and are tried again, there or
 * at the next one, within a time; sends go to all nodes once, and are never repeated here: who sends decides about that.
 */
import { type Chain, ChainUnavailable } from '../../kernel/ports/chain.ts';
import type { ChainNodeMeter } from '../../kernel/ports/chain-node-meter.ts';
import { genesisOfAll } from './cluster-genesis.ts';
import {
  type Cluster,
  type ClusterNode,
  createCluster,
  isForeign,
  type KnownNode,
  stateOf,
} from './cluster-nodes.ts';
import { type ClusterReads, createClusterReads, READ_WITHIN, usableNode } from './cluster-reads.ts';
import { createClusterScans } from './cluster-scans.ts';

export interface ClusterChainOptions {
  readonly nodes: readonly ClusterNode[];
  readonly meter?: ChainNodeMeter | undefined;
}

export function createClusterChain({ nodes, meter }: ClusterChainOptions): Chain {
  const cluster = createCluster(nodes);
  const reads = createClusterReads(cluster, meter);
  const { read, attempt } = reads;
  meter?.watch(() => cluster.nodes.map((node) => ({ host: node.host, state: stateOf(cluster, node) })));
  /** By which accounts were shown last. */
  let shownBy: KnownNode | undefined;

  return {
    genesisHash: () => genesisOfAll(cluster, read),
    slotsBehind: () => read('slotsBehind', (chain) => chain.slotsBehind()),
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
  // A node that has not been heard of since the start may be one of another chain.
  const rightful = cluster.nodes.filter(
    (node) => !cluster.hasSeveral || (node.genesis !== undefined && !isForeign(cluster, node)),
  );
  if (rightful.length === 0) throw new ChainUnavailable('no node of CHAIN_URL has answered yet');
  const results = await Promise.allSettled(
    rightful.map((node) => attempt(node, 'send', READ_WITHIN, (chain) => chain.send(wire))),
  );
  if (results.some(({ status }) => status === 'fulfilled')) return;
  throw results.find((result) => result.status === 'rejected')?.reason;
}
