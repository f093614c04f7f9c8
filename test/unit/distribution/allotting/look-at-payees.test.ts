// Looks at the accounts of those who would be paid: what is kept, and who is looked at again.
import { addressBytes, LOADER_V2, SYSTEM_PROGRAM } from 'levy-solana-wire';
import { expect, test } from 'vitest';
import { createPayeeLooks } from '../../../../src/distribution/allotting/look-at-payees.ts';
import { type Chain, ChainUnavailable } from '../../../../src/kernel/ports/chain.ts';
import { numberedOwner } from '../../../support/scanned.ts';

const ownerAt = (row: number) => addressBytes(numberedOwner(row));
const account = (owner: string) => ({ owner, lamports: 1n, data: new Uint8Array() });

/** A node that shows these rows' accounts, from one slot to the next. */
function nodeOf(shown: { readonly [row: number]: string }, options: { readonly fails?: boolean } = {}) {
  const calls: number[][] = [];
  const chain: Pick<Chain, 'accountsAt'> = {
    async accountsAt(addresses) {
      const rows = addresses.map((address) => Buffer.from(addressBytes(address)).readUInt32BE());
      calls.push(rows);
      const slot = BigInt(499 + calls.length);
      if (options.fails) throw new ChainUnavailable('the node does not answer');
      return {
        slot,
        accounts: rows.map((row) => (shown[row] === undefined ? undefined : account(shown[row]))),
      };
    },
  };
  return { chain, calls };
}

test('the first slot that showed an account stays, whatever is looked at later', async () => {
  const looks = createPayeeLooks();
  expect(looks.since).toBeUndefined();
  const { chain } = nodeOf({ 0: SYSTEM_PROGRAM, 1: LOADER_V2 });
  await looks.look(chain, ownerAt, Uint8Array.of(1, 0), 42n);
  await looks.look(chain, ownerAt, Uint8Array.of(0, 1), 42n);
  expect([looks.since, looks.verdictOf(0), looks.verdictOf(1)]).toEqual([500n, 'wallet', 'program']);
});

test('nobody is looked at again: neither a wallet nor who was missing three times', async () => {
  const looks = createPayeeLooks();
  const { chain, calls } = nodeOf({ 0: SYSTEM_PROGRAM });
  await looks.look(chain, ownerAt, Uint8Array.of(1, 1), 42n);
  expect(calls).toEqual([[0, 1], [1], [1]]);
  await looks.look(chain, ownerAt, Uint8Array.of(1, 1), 42n);
  expect(calls).toHaveLength(3);
  expect(looks.verdictOf(1)).toBe('absent');
});

test('what was seen stays when more rows are asked for', async () => {
  const looks = createPayeeLooks();
  const { chain, calls } = nodeOf({ 1: LOADER_V2 });
  await looks.look(chain, ownerAt, Uint8Array.of(1), 42n);
  await looks.look(chain, ownerAt, Uint8Array.of(1, 1), 42n);
  expect(calls).toEqual([[0], [0], [0], [1]]);
  expect([looks.verdictOf(0), looks.verdictOf(1)]).toEqual(['absent', 'program']);
});

test('a node that fails is not asked on: the calls that are under way are the last', async () => {
  const looks = createPayeeLooks();
  const { chain, calls } = nodeOf({}, { fails: true });
  await expect(looks.look(chain, ownerAt, new Uint8Array(950).fill(1), 42n)).rejects.toThrow(
    ChainUnavailable,
  );
  expect(calls).toHaveLength(4);
});
