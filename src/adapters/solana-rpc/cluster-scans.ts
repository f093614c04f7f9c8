/** Scans of token accounts over a cluster: the node that gave the first page gives all, for a place in its list means nothing to others. */
import {
  type Chain,
  ChainBehind,
  ChainUnavailable,
  type TokenAccountPage,
} from '../../kernel/ports/chain.ts';
import { retry } from '../../kernel/runtime/retry.ts';
import { type Cluster, type KnownNode, MOST_ATTEMPTS, pauseBefore } from './cluster-nodes.ts';
import type { ClusterReads } from './cluster-reads.ts';

/** Scans are as long as the token has holders, and the reader of pages has limits of its own. */
const UNLIMITED = Number.POSITIVE_INFINITY;

export function createClusterScans(
  { nodes }: Cluster,
  { attempt, read }: ClusterReads,
): Chain['tokenAccounts'] {
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
