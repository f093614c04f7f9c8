// What the audit says of an account is said of its whole history, however few entries a node gives at a time.
import { compileLegacyMessage, unsignedTransaction } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import type { Chain } from '../../../../src/kernel/ports/chain.ts';
import {
  createChainHistory,
  HistoryIncomplete,
} from '../../../../src/proof/audit/chain/landed-transactions.ts';
import { addresses } from '../../../support/domain-examples.ts';
import { historyEntry } from '../../../support/history-entry.ts';
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
  for await (const _past of history.of('the account'));
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
  await expect(readOf(forgets, chain.transaction)).rejects.toThrow(/does not continue after/);
});

describe('what a chain shows of an account', () => {
  const { creator, mint } = addresses;
  const instructions = [{ program: mint, accounts: [], data: Uint8Array.of(1) }];
  const recentBlockhash = addresses.nonceValue;
  const wire = Buffer.from(
    unsignedTransaction(compileLegacyMessage({ payer: creator, instructions, recentBlockhash }).bytes),
  );
  /** The node lists the newest first. */
  const NEWEST_FIRST = ['newest', 'failed', 'oldest'];
  const shown = { slot: 7, wire, fee: 5_000n, error: undefined, logs: [] };

  function historyOf(transactions: { readonly [signature: string]: object | undefined } = {}) {
    const asked: string[] = [];
    const account = { owner: mint, lamports: 1n, data: Buffer.alloc(0) };
    const all: { readonly [signature: string]: object | undefined } = {
      newest: shown,
      failed: { ...shown, error: '{"Custom":1}' },
      oldest: shown,
      ...transactions,
    };
    const history = createChainHistory({
      signaturesOf: async (_address, { before }) =>
        before === undefined
          ? NEWEST_FIRST.map((signature) => historyEntry(signature))
          : [historyEntry('oldest')],
      transaction: async (signature) => {
        asked.push(signature);
        return all[signature] as typeof shown | undefined;
      },
      accounts: async ([address]) => (address === 'account' ? [account] : [undefined]),
      accountsAt: async () => ({ accounts: [] }),
    });
    return { history, asked, account };
  }
  const signaturesIn = async (list: AsyncIterable<{ readonly signature: string }>) => {
    const found: string[] = [];
    for await (const { signature } of list) found.push(signature);
    return found;
  };

  test('is what landed, the oldest first', async () => {
    const { history } = historyOf();
    expect(await signaturesIn(history.of('account'))).toEqual(['oldest', 'newest']);
  });

  test('is a transaction with its payer and its instructions, unless it failed or is not there', async () => {
    const { history, asked } = historyOf();
    expect(await history.transaction('newest')).toEqual({
      signature: 'newest',
      fee: 5_000n,
      tokensAfter: undefined,
      payer: creator,
      signers: [creator],
      instructions: [{ program: mint, accounts: [], data: Buffer.of(1) }],
    });
    expect(await history.transaction('failed')).toBeUndefined();
    expect(await history.transaction('unknown')).toBeUndefined();
    await history.transaction('newest');
    expect(asked).toEqual(['newest', 'failed', 'unknown']);
  });

  test('is no transaction of bytes that are none', async () => {
    const { history } = historyOf({ failed: { ...shown, wire: Buffer.of(1) } });
    expect(await signaturesIn(history.of('account'))).toEqual(['oldest', 'newest']);
    expect(await history.transaction('failed')).toBeUndefined();
  });

  test('proves nothing where the node lists a transaction that it does not have', async () => {
    const { history } = historyOf({ failed: undefined });
    const read = signaturesIn(history.of('account'));
    await expect(read).rejects.toThrow(HistoryIncomplete);
    await expect(read).rejects.toThrow('lists transaction failed of account but does not store it');
  });
});
