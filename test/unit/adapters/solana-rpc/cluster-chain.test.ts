/** The time that a read has, with all its attempts. */
import { afterEach, expect, test, vi } from 'vitest';
import { createClusterChain } from '../../../../src/adapters/solana-rpc/cluster-chain.ts';
import { type Chain, ChainUnavailable } from '../../../../src/kernel/ports/chain.ts';

afterEach(() => vi.restoreAllMocks());

test('a read whose time ends while it pauses fails with what the node said, and asks no more', async () => {
  const started = performance.now();
  let now = started;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  let asked = 0;
  const chain = createClusterChain({
    nodes: [
      {
        host: 'node',
        chain: {
          epoch: async () => {
            asked += 1;
            // A process that is busy wakes up long after its pause.
            setImmediate(() => {
              now = started + 60_000;
            });
            throw new ChainUnavailable('the node is down');
          },
        } as Partial<Chain> as Chain,
      },
    ],
  });
  await expect(chain.epoch()).rejects.toThrow(new ChainUnavailable('the node is down'));
  expect(asked).toBe(1);
});
