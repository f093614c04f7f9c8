// What the audit says of an account is said of its whole history, however few entries a node gives at a time.
import { describe, expect, test } from 'vitest';
import type { Chain } from '../../../../src/kernel/ports/chain.ts';
import { createChainHistory } from '../../../../src/proof/audit/chain-history.ts';
import { scriptedHistory, strangers } from '../../../support/scripted-history.ts';

/** How many transactions of the account are read. */
async function readOf(
  chain: Pick<Chain, 'signaturesOf'>,
  transaction: Chain['transaction'],
): Promise<number> {
  let read = 0;
  const history = createChainHistory({
    ...chain,
    accounts: async () => [],
    accountsAt: async () => ({ accounts: [] }),
    async transaction(...asked) {
      read += 1;
      return transaction(...asked);
    },
  });
  for await (const _tried of history.tried('the account'));
  return read;
}

describe.each([0, 1, 2, 700, 2_300])('a history of %i transactions', (count) => {
  const { chain } = scriptedHistory(strangers(count));

  test('is read whole', async () => {
    expect(await readOf(chain, chain.transaction)).toBe(count);
  });

  test.each([2, 300])('is read whole from a node that gives at most %i at a time', async (most) => {
    const capped: Pick<Chain, 'signaturesOf'> = {
      signaturesOf: (address, asked) =>
        chain.signaturesOf(address, { ...asked, limit: Math.min(asked.limit, most) }),
    };
    expect(await readOf(capped, chain.transaction)).toBe(count);
  });
});

test('a node that has forgotten where its list stopped is no end of the history', async () => {
  const { chain } = scriptedHistory(strangers(700));
  let pages = 0;
  const forgets: Pick<Chain, 'signaturesOf'> = {
    async signaturesOf(address, asked) {
      pages += 1;
      return pages === 1 ? chain.signaturesOf(address, { ...asked, limit: 300 }) : [];
    },
  };
  await expect(readOf(forgets, chain.transaction)).rejects.toThrow(/does not know where its list/);
});
