// Looks at the accounts of those who would be paid: what is kept, and who is looked at again.
import { addressBytes, LOADER_V2, SYSTEM_PROGRAM, TOKEN_PROGRAM } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import { createPayeeVerdicts } from '../../../../src/distribution/allotting/payee-verdicts.ts';
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
  const looks = createPayeeVerdicts();
  expect(looks.since).toBeUndefined();
  const { chain } = nodeOf({ 0: SYSTEM_PROGRAM, 1: LOADER_V2 });
  await looks.read(chain, ownerAt, Uint8Array.of(1, 0), 42n);
  await looks.read(chain, ownerAt, Uint8Array.of(0, 1), 42n);
  expect([looks.since, looks.verdictOf(0), looks.verdictOf(1)]).toEqual([500n, 'wallet', 'program']);
});

test('what was seen stays when more rows are asked for', async () => {
  const looks = createPayeeVerdicts();
  const { chain, calls } = nodeOf({ 1: LOADER_V2 });
  await looks.read(chain, ownerAt, Uint8Array.of(1), 42n);
  await looks.read(chain, ownerAt, Uint8Array.of(1, 1), 42n);
  expect(calls).toEqual([[0], [0], [0], [1]]);
  expect([looks.verdictOf(0), looks.verdictOf(1)]).toEqual(['absent', 'program']);
});

describe('a verdict that keeps an owner from being paid', () => {
  const [PAUSE, FIRST] = [10_000 / 19, Uint8Array.of(1)];

  /** Shows the owner of the only account that each answer shows, the last one from then on; a slot later each time. */
  function showing(...owners: readonly (string | undefined)[]) {
    let calls = 0;
    const chain: Pick<Chain, 'accountsAt'> = {
      async accountsAt(addresses, commitment, { atLeastSlot = 0n, maxData } = {}) {
        if (commitment !== 'finalized') throw new Error('a fork may take back what is not finalized');
        if (maxData !== 0) throw new Error('an account may have megabytes of data');
        const owner = owners[Math.min(calls, owners.length - 1)];
        calls += 1;
        const slot = atLeastSlot > BigInt(500 + calls) ? atLeastSlot : BigInt(500 + calls);
        return { slot, accounts: addresses.map(() => (owner === undefined ? undefined : account(owner))) };
      },
    };
    return { chain, calls: () => calls };
  }

  async function confirmed(
    chain: Pick<Chain, 'accountsAt'>,
    { witness }: { readonly witness?: Pick<Chain, 'accountsAt'> } = {},
  ) {
    const looks = createPayeeVerdicts();
    await looks.read(chain, ownerAt, FIRST, 42n);
    let reads = 0;
    while (looks.open > 0 && reads < 200)
      await looks.confirm({ chain, witness, clock: { now: () => new Date(PAUSE * reads++) } });
    return { verdict: looks.verdictOf(0), open: looks.open, reads };
  }

  test('is confirmed sooner where it only puts a payment off', async () => {
    expect(await confirmed(showing(TOKEN_PROGRAM).chain)).toEqual({
      verdict: 'program-owned',
      open: 0,
      reads: 3,
    });
  });

  test('is not confirmed by a node whose slot stands still: what is earned stays owed', async () => {
    const { chain } = showing(LOADER_V2);
    const still: typeof chain = {
      accountsAt: async (...asked) => ({ ...(await chain.accountsAt(...asked)), slot: 600n }),
    };
    expect(await confirmed(still)).toMatchObject({ verdict: 'program-owned', open: 0 });
  });

  test('needs the second node as well: while that one shows a wallet or does not answer, what is earned stays owed', async () => {
    const { chain } = showing(LOADER_V2);
    expect(await confirmed(chain, { witness: showing(LOADER_V2).chain })).toMatchObject({
      verdict: 'program',
    });
    const silent = nodeOf({}, { fails: true }).chain;
    for (const witness of [showing(SYSTEM_PROGRAM).chain, showing(undefined).chain, silent])
      expect(await confirmed(showing(LOADER_V2).chain, { witness })).toMatchObject({
        verdict: 'program-owned',
        open: 0,
      });
  });
});
