// Which accounts a pool leases, on a chain and lists that a test keeps in memory: in turn, each to one draft, at the chain's value.
import { addressBytes } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import { createKeyring } from '../../../../src/chain/keys.ts';
import { createNoncePool } from '../../../../src/drafts/nonces/nonce-pool.ts';
import type { Chain } from '../../../../src/kernel/ports/chain.ts';
import type { ReadModel } from '../../../../src/kernel/ports/read-model.ts';
import { createEventCodec } from '../../../../src/kernel/runtime/event-codec.ts';
import { createExecutor } from '../../../../src/kernel/runtime/execute.ts';
import { deriveId } from '../../../../src/kernel/runtime/ids.ts';
import { streams } from '../../../../src/streams/index.ts';
import { nonceAccount } from '../../../../src/streams/nonce-account.ts';
import { causeOf, clock } from '../../../support/counter.ts';
import { addresses } from '../../../support/domain-examples.ts';
import { temporaryEventStore } from '../../../support/temporary-event-store.ts';

const keyring = createKeyring(new Uint8Array(32).fill(7));
const FLOOR = 1_000n;
const [VALUE, NEXT] = [addresses.nonceValue, addresses.nextNonceValue];
const draftOf = (name: string) => deriveId('draft', name);

function accountOf(value: string, authority: string = keyring.nonceAuthority.address) {
  const head = Buffer.from([1, 0, 0, 0, 1, 0, 0, 0]);
  const data = Buffer.concat([head, addressBytes(authority), addressBytes(value), Buffer.alloc(8)]);
  return { owner: addresses.mint, lamports: 1n, data: new Uint8Array(data) };
}

/** The accounts of these indexes are on the chain; what is sent makes the next one. */
async function poolOf(given: {
  readonly there?: number;
  readonly maximum?: number;
  readonly balance?: bigint;
}) {
  const { there = 3, maximum = 3, balance = 10_000_000n } = given;
  const executor = createExecutor(await temporaryEventStore(), createEventCodec(streams), clock);
  const shown = new Map<string, ReturnType<typeof accountOf>>();
  const indexes = [...Array(maximum).keys()];
  const addressAt = (index: number) => keyring.nonceAccount(index).address;
  for (const index of indexes.slice(0, there)) shown.set(addressAt(index), accountOf(VALUE));
  let sent = 0;
  const chain = {
    accounts: async (asked: readonly string[]) => asked.map((address) => shown.get(address)),
    balance: async () => balance,
    rentExemption: async () => 5_000n,
    recentBlockhash: async () => ({ blockhash: addresses.mint, lastValidBlockHeight: 1n }),
    async send() {
      shown.set(addressAt(there + sent), accountOf(VALUE));
      sent += 1;
    },
  } as unknown as Chain;
  const states = async () =>
    (
      await Promise.all(
        indexes.map(async (index) => {
          const account = addressAt(index);
          const { state } = await executor.load(nonceAccount, account);
          return state && { account, index, value: state.value, lease: state.lease };
        }),
      )
    ).flatMap((each) => each ?? []);
  const readModel = {
    async find(_collection: object, index: string, value: string, { after = '', limit = 1_000 } = {}) {
      const found = (await states()).filter(({ lease }) =>
        index === 'lease' ? lease === value : value === 'known' || lease === undefined,
      );
      return found
        .toSorted((one, other) => (one.account < other.account ? -1 : 1))
        .filter(({ account }) => account > after)
        .slice(0, limit);
    },
    count: async () => (await states()).length,
  } as unknown as ReadModel;
  const pool = createNoncePool({ executor, readModel, chain, keyring, maximum, floor: FLOOR });
  return { pool, shown, states, sentCount: () => sent };
}

describe('a pool of nonce accounts', () => {
  test('records each account that is there once, and creates what is missing', async () => {
    const at = await poolOf({ there: 2 });
    await at.pool.fill(3, causeOf());
    expect((await at.states()).map(({ value }) => value)).toEqual([VALUE, VALUE, VALUE]);
    expect(at.sentCount()).toBe(1);
    await at.pool.fill(9, causeOf());
    expect(at.sentCount()).toBe(1);
  });

  test('leases each account to one draft, all in turn, and opens no more than are allowed', async () => {
    const at = await poolOf({});
    await at.pool.fill(3, causeOf());
    const taken = [];
    for (const name of ['a', 'b', 'c']) taken.push(await at.pool.lease(draftOf(name), causeOf()));
    expect(new Set(taken.map(({ account }) => account)).size).toBe(3);
    await expect(at.pool.lease(draftOf('d'), causeOf())).rejects.toMatchObject({ code: 'DRAFTS_EXHAUSTED' });
    await at.pool.giveBack({ account: taken[1]?.account ?? '', transactionId: draftOf('b') }, causeOf());
    expect((await at.pool.lease(draftOf('d'), causeOf())).account).toBe(taken[1]?.account);
  });

  test('does not take at once the account that was just given back', async () => {
    const at = await poolOf({});
    await at.pool.fill(3, causeOf());
    const used = [];
    for (const name of ['a', 'b', 'c']) {
      const lease = await at.pool.lease(draftOf(name), causeOf());
      used.push(lease.account);
      await lease.giveBack();
    }
    expect(new Set(used).size).toBe(3);
  });

  test('gives a draft its account again, and keeps it then though the second attempt is given up', async () => {
    const at = await poolOf({});
    await at.pool.fill(3, causeOf());
    const first = await at.pool.lease(draftOf('a'), causeOf());
    const again = await at.pool.lease(draftOf('a'), causeOf());
    expect(again.account).toBe(first.account);
    await again.giveBack();
    await first.giveBack();
    expect((await at.states()).filter(({ lease }) => lease !== undefined)).toHaveLength(1);
  });

  test('leases no account whose value is not the chain’s: it gets the chain’s value first', async () => {
    const at = await poolOf({ there: 1, maximum: 1 });
    await at.pool.fill(1, causeOf());
    const account = keyring.nonceAccount(0).address;
    at.shown.set(account, accountOf(NEXT));
    expect(await at.pool.lease(draftOf('a'), causeOf())).toMatchObject({ account, value: NEXT });
  });

  test('opens no account that would bring the fee payer below its floor, and issues no draft below it', async () => {
    const poor = await poolOf({ there: 0, balance: FLOOR + 14_999n });
    await expect(poor.pool.lease(draftOf('a'), causeOf())).rejects.toMatchObject({
      code: 'SERVICE_UNFUNDED',
    });
    expect(poor.sentCount()).toBe(0);
    await poor.pool.requireFunded();
    const enough = await poolOf({ there: 0, balance: FLOOR + 15_000n });
    expect(await enough.pool.lease(draftOf('a'), causeOf())).toMatchObject({ value: VALUE });
    const below = await poolOf({ balance: FLOOR - 1n });
    await expect(below.pool.requireFunded()).rejects.toMatchObject({ code: 'SERVICE_UNFUNDED' });
  });
});
