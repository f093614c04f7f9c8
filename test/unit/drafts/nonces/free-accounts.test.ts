// Free nonce accounts are used in turn, so that each rests as long as it can, and no two drafts of a process try the same.
import { describe, expect, test } from 'vitest';
import { createKeyring } from '../../../../src/chain/keys.ts';
import { createFreeAccounts } from '../../../../src/drafts/nonces/nonce-leases.ts';
import type { ReadModel } from '../../../../src/kernel/ports/read-model.ts';

const keyring = createKeyring(new Uint8Array(32).fill(7));
const FIRST_DRAFT = '00000000-0000-4000-8000-000000000000';

/** All of so many accounts are free, in the order of their addresses. */
function freeOf(count: number, known = count) {
  const addresses = [...Array(count).keys()].map((index) => keyring.nonceAccount(index).address).toSorted();
  const pages: number[] = [];
  const readModel = {
    async find(_collection: object, _index: string, state: string, { limit = 0, after = '' } = {}) {
      expect(state).toBe('free');
      const page = addresses.filter((account) => account > after).slice(0, limit);
      pages.push(page.length);
      return page.map((account) => ({ account }));
    },
    count: async () => known,
  } as unknown as ReadModel;
  const free = createFreeAccounts({ readModel, keyring });
  return { free, addresses, pages };
}

async function all(accounts: AsyncGenerator<string, void>): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const account of accounts) found.push(account);
  return found;
}

describe('accounts in turn', () => {
  test('begin at another place in each process, by the draft: not with those that another one has just used', async () => {
    const { free, addresses } = freeOf(4);
    const other = freeOf(4);
    const next = async (of: typeof free, transactionId: string) =>
      addresses.indexOf((await of.inTurn(transactionId).next()).value ?? '');
    const behind = (index: number) => (addresses.indexOf(keyring.nonceAccount(index).address) + 1) % 4;
    expect(await next(free, '00000001-0000-4000-8000-000000000000')).toBe(behind(1));
    expect(await next(other.free, '00000007-0000-4000-8000-000000000000')).toBe(behind(3));
  });

  test('are read a page at a time, and no page more than there is', async () => {
    const { free, pages } = freeOf(17, 0);
    await all(free.inTurn(FIRST_DRAFT));
    expect(pages.slice(0, 2)).toEqual([16, 1]);
  });
});

test('an account that this process is taking is given to no other draft, until it was taken or could not be', async () => {
  const { free, addresses } = freeOf(3);
  const [first = ''] = addresses;
  let goOn = () => {};
  const taking = free.whileTaking(
    first,
    () =>
      new Promise<string>((resolve) => {
        goOn = () => resolve('taken');
      }),
  );
  expect(await all(free.inTurn(FIRST_DRAFT))).not.toContain(first);
  goOn();
  expect(await taking).toBe('taken');
  expect(await all(free.inTurn(FIRST_DRAFT))).toContain(first);
  const refused = free.whileTaking(first, () => Promise.reject(new Error('no answer')));
  await expect(refused).rejects.toThrow('no answer');
  expect(await all(free.inTurn(FIRST_DRAFT))).toContain(first);
});
