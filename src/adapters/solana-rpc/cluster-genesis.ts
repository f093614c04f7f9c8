/** Which chain the nodes of a cluster are of: all are asked, and a start with nodes of several chains is refused. */
import pTimeout from 'p-timeout';
import { OperatorError } from '../../kernel/ports/errors.ts';
import { retry } from '../../kernel/runtime/retry.ts';
import {
  type Cluster,
  isWorthAnother,
  type KnownNode,
  MOST_SENSELESS,
  pauseBefore,
} from './cluster-nodes.ts';
import { type ClusterReads, late, READ_WITHIN } from './cluster-reads.ts';

export async function genesisOfAll(cluster: Cluster, read: ClusterReads['read']): Promise<string> {
  if (!cluster.hasSeveral) return read('genesisHash', (chain) => chain.genesisHash());
  const answers = await Promise.allSettled(
    cluster.nodes.map(async (node) => ({ host: node.host, genesis: await genesisOf(node) })),
  );
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  if (found.length === 0) throw answers.find((answer) => answer.status === 'rejected')?.reason;
  const verdict = decideGenesis(cluster.genesis, found);
  // After a refusal the cluster has no chain, and so no node of it is asked.
  for (const node of cluster.nodes)
    node.genesis = found.find(({ host }) => host === node.host)?.genesis ?? node.genesis;
  if ('refusal' in verdict) throw new OperatorError(verdict.refusal);
  cluster.genesis = verdict.ofCluster;
  return verdict.told;
}

export interface SaidGenesis {
  readonly host: string;
  readonly genesis: string;
}

/**
 * The cluster's chain, and the one that is told: nodes that all say another one are believed, which the service's own record then
 * refuses. Nodes that disagree are refused only as long as none was known.
 */
export function decideGenesis(
  known: string | undefined,
  said: readonly SaidGenesis[],
): { readonly ofCluster: string | undefined; readonly told: string } | { readonly refusal: string } {
  const [first] = said;
  if (first === undefined) throw new RangeError('no node has said its genesis');
  const ofCluster = known ?? first.genesis;
  const isOneOfUs = ({ genesis }: SaidGenesis) => genesis === ofCluster;
  if (known === undefined && !said.every(isOneOfUs)) {
    const list = said.map(({ host, genesis }) => `${host} (genesis ${genesis})`).join(', ');
    return {
      refusal: `CHAIN_URL names nodes of different chains: ${list}. Remove those of another chain.`,
    };
  }
  return { ofCluster, told: said.some(isOneOfUs) ? ofCluster : first.genesis };
}

function genesisOf(node: KnownNode): Promise<string> {
  const ask = () =>
    pTimeout(node.chain.genesisHash(), { milliseconds: READ_WITHIN / 2, message: late(node) });
  return retry(ask, {
    pauses: (earlier, error) => pauseBefore(earlier + 1, error, Math.random()),
    failed(error, earlier) {
      if (earlier + 1 >= MOST_SENSELESS || !isWorthAnother(error)) throw error;
    },
  });
}
