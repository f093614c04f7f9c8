// Which accounts a pool leases, on a chain and lists that a test keeps in memory: in turn, each to one draft, at the chain's value.
import { describe, expect, test } from 'vitest';
import { createKeyring } from '../../../../src/chain/keys.ts';
import { createNonceLeases } from '../../../../src/drafts/nonces/nonce-leases.ts';
import { createNonceOpening } from '../../../../src/drafts/nonces/nonce-opening.ts';
import { createNoncePool } from '../../../../src/drafts/nonces/nonce-pool.ts';
import type { Chain, ChainAccount } from '../../../../src/kernel/ports/chain.ts';
import type { ReadModel } from '../../../../src/kernel/ports/read-model.ts';
import { createEventCodec } from '../../../../src/kernel/runtime/event-codec.ts';
import { createExecutor } from '../../../../src/kernel/runtime/execute.ts';
import { deriveId } from '../../../../src/kernel/runtime/ids.ts';
import { streams } from '../../../../src/streams/index.ts';
import { NonceAccountOpened, nonceAccount } from '../../../../src/streams/nonce-account.ts';
import { causeOf, clock } from '../../../support/counter.ts';
import { addresses } from '../../../support/domain-examples.ts';
import { undecodableAt } from '../../../support/drafts-on-record.ts';
import { nonceAccountOf } from '../../../support/nonce-account-shown.ts';
import { temporaryEventStore } from '../../../support/temporary-event-store.ts';

const keyring = createKeyring(new Uint8Array(32).fill(7));
const FLOOR = 1_000n;
const [VALUE, NEXT] = [addresses.nonceValue, addresses.nextNonceValue];
const addressAt = (index: number) => keyring.nonceAccount(index).address;
const draftOf = (name: string) => deriveId('draft', name);

/** The accounts of these indexes are on the chain; what is sent makes the next one. */
async function poolOf(given: {
  readonly there?: number;
  readonly maximum?: number;
  readonly balance?: bigint;
  /** The index of an account whose stream cannot be decoded. */
  readonly damaged?: number;
  readonly whilePausing?: (times: number, finalized: Map<string, ChainAccount>) => void;
}) {
  const { there = 3, maximum = 3, balance = 10_000_000n } = given;
  const executor = createExecutor(await temporaryEventStore(), createEventCodec(streams), clock);
  const shown = new Map<string, ChainAccount>();
  /** Where what is final is something else. */
  const finalized = new Map<string, ChainAccount>();
  const node = { isAway: false, refusesToSend: false, readModelIsBehind: false };
  const pauses: number[] = [];
  const indexes = [...Array(maximum).keys()];
  for (const index of indexes.slice(0, there)) shown.set(addressAt(index), nonceAccountOf(VALUE));
  let sent = 0;
  const chain = {
    async accounts(asked: readonly string[], commitment: string) {
      if (node.isAway) throw new Error('the node is away');
      return asked.map(
        (address) => (commitment === 'finalized' ? finalized.get(address) : undefined) ?? shown.get(address),
      );
    },
    balance: async () => balance,
    rentExemption: async () => 5_000n,
    recentBlockhash: async () => ({ blockhash: addresses.mint, lastValidBlockHeight: 1n }),
    async send() {
      if (node.refusesToSend) throw new Error('the node is away');
      shown.set(addressAt(there + sent), nonceAccountOf(VALUE));
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
      if (node.readModelIsBehind) return [];
      const found = (await states()).filter(({ lease }) =>
        index === 'lease'
          ? lease === value
          : value === 'known' || (value === 'leased') === (lease !== undefined),
      );
      return found
        .map(({ lease, ...rest }) => ({
          ...rest,
          lease: lease === undefined ? null : { transactionId: lease },
        }))
        .toSorted((one, other) => (one.account < other.account ? -1 : 1))
        .filter(({ account }) => account > after)
        .slice(0, limit);
    },
    count: async (_collection: object, _index: string, value: string) =>
      (await states()).filter(({ lease }) => value === 'known' || lease !== undefined).length,
  } as unknown as ReadModel;
  const foreign: string[] = [];
  const foreignAdvances = { record: (account: string) => void foreign.push(account) };
  const parts = {
    executor,
    readModel,
    chain,
    keyring,
    foreignAdvances,
    maximum,
    floor: FLOOR,
    sharesFairly: true,
  };
  const pool = createNoncePool({
    ...parts,
    executor: given.damaged === undefined ? executor : undecodableAt(executor, addressAt(given.damaged)),
    async pause(milliseconds) {
      pauses.push(milliseconds);
      given.whilePausing?.(pauses.length, finalized);
    },
  });
  const leased = async () => (await states()).flatMap(({ lease }) => lease ?? []).toSorted();
  /** As another process records it. */
  const open = (index: number) =>
    executor.execute(nonceAccount, addressAt(index), causeOf(), () => [
      NonceAccountOpened({ account: addressAt(index), index, value: VALUE }),
    ]);
  return {
    pool,
    parts,
    executor,
    open,
    shown,
    finalized,
    node,
    pauses,
    states,
    leased,
    foreign,
    sentCount: () => sent,
  };
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

  test('gives the network that holds most no other while few are free, and new networks theirs', async () => {
    const at = await poolOf({ maximum: 6 });
    const from = (network: string | undefined, name: string) =>
      at.pool.lease(draftOf(name), causeOf(), network).then(
        () => 'leased',
        ({ code }: { code: string }) => code,
      );
    // At the same moment as well: of six, three are anybody's.
    const greedy = await Promise.all(
      ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => from('2001:db8:1::/48', name)),
    );
    expect(greedy.toSorted()).toEqual([...Array(3).fill('DRAFTS_EXHAUSTED'), ...Array(3).fill('leased')]);
    expect(await from('2001:db8:2::/48', 'g')).toBe('leased');
    expect(await from('2001:db8:1::/48', 'h')).toBe('DRAFTS_EXHAUSTED');
    expect(await from(undefined, 'of a partner')).toBe('leased');
    const [given] = await at.leased();
    const mine = greedy.indexOf('leased');
    expect(given).toBeDefined();
    // Its own draft gets its account again, and one that is over counts no more.
    expect(await from('2001:db8:1::/48', ['a', 'b', 'c', 'd', 'e', 'f'][mine] ?? '')).toBe('leased');
    for (const { account, lease } of await at.states()) {
      if (lease === undefined || lease === draftOf('g') || lease === draftOf('of a partner')) continue;
      await at.pool.giveBack({ account, transactionId: lease }, causeOf());
    }
    expect(await from('2001:db8:1::/48', 'h')).toBe('leased');
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
    at.shown.set(account, nonceAccountOf(NEXT));
    expect(await at.pool.lease(draftOf('a'), causeOf())).toMatchObject({ account, value: NEXT });
    // Nothing of this log has spent the value of a free account: another service of the seed has.
    expect(at.foreign).toEqual([account]);
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

describe('when a fork has taken the values of the free accounts', () => {
  /** Final blocks still show the former value, until so many pauses are over. */
  const forked = async (pausesUntilFinal: number) => {
    const at = await poolOf({
      there: 2,
      maximum: 2,
      whilePausing: (times, finalized) => {
        if (times >= pausesUntilFinal) finalized.clear();
      },
    });
    await at.pool.fill(2, causeOf());
    for (const index of [0, 1]) {
      at.shown.set(addressAt(index), nonceAccountOf(NEXT));
      at.finalized.set(addressAt(index), nonceAccountOf(VALUE));
    }
    return at;
  };

  test('a draft waits until their new values are final, and gets one of them', async () => {
    const at = await forked(3);
    expect(await at.pool.lease(draftOf('a'), causeOf())).toMatchObject({ value: NEXT });
    expect(at.pauses).toEqual([250, 250, 250]);
    expect(await at.leased()).toEqual([draftOf('a')]);
  });

  test('a draft is refused where they do not become final, which leaves them leased until they are tidied', async () => {
    const at = await forked(Number.POSITIVE_INFINITY);
    await expect(at.pool.lease(draftOf('a'), causeOf())).rejects.toMatchObject({
      code: 'DRAFTS_EXHAUSTED',
      retryAfterSeconds: 10,
    });
    expect(at.pauses).toHaveLength(80);
    expect(await at.leased()).toEqual([draftOf('a'), draftOf('a')]);
  });
});

describe('a lease', () => {
  test('that a draft has already is not used once its value is another: it gets another account', async () => {
    const at = await poolOf({ there: 2, maximum: 2 });
    await at.pool.fill(2, causeOf());
    const first = await at.pool.lease(draftOf('a'), causeOf());
    at.shown.set(first.account, nonceAccountOf(NEXT));
    const second = await at.pool.lease(draftOf('a'), causeOf());
    expect(second.account).not.toBe(first.account);
    expect(second.value).toBe(VALUE);
  });

  test('is given back where the chain does not tell whether its value is good', async () => {
    const at = await poolOf({});
    await at.pool.fill(3, causeOf());
    at.node.isAway = true;
    await expect(at.pool.lease(draftOf('a'), causeOf())).rejects.toThrow('the node is away');
    expect(await at.leased()).toEqual([]);
  });

  test('passes over an account whose stream cannot be decoded', async () => {
    const at = await poolOf({ there: 2, maximum: 2, damaged: 0 });
    for (const index of [0, 1]) await at.open(index);
    expect(await at.pool.lease(draftOf('a'), causeOf())).toMatchObject({ account: addressAt(1) });
    await expect(at.pool.lease(draftOf('b'), causeOf())).rejects.toMatchObject({ code: 'DRAFTS_EXHAUSTED' });
  });
});

describe('what another process has done meanwhile counts, whatever the read model shows', () => {
  const leases = (at: Awaited<ReturnType<typeof poolOf>>, shown: readonly string[]) =>
    createNonceLeases({
      ...at.parts,
      readModel: {
        count: async () => 0,
        find: async (_collection: object, _index: string, _value: string, { after = '' } = {}) =>
          shown.filter((account) => account > after).map((account) => ({ account })),
      } as unknown as ReadModel,
    });
  const inOrder = [addressAt(0), addressAt(1)].toSorted();
  const [first = '', second = ''] = inOrder;

  test('an account that another draft leases by now is not leased anew', async () => {
    const at = await poolOf({ there: 2, maximum: 2 });
    await at.pool.fill(2, causeOf());
    await leases(at, []).take(first, draftOf('other'), causeOf());
    expect(await leases(at, [first]).leaseAnew(draftOf('a'), causeOf())).toBeUndefined();
    expect(await at.leased()).toEqual([draftOf('other')]);
  });

  test('an account that is free no more is passed over for the next one', async () => {
    const at = await poolOf({ there: 2, maximum: 2 });
    await at.pool.fill(2, causeOf());
    await leases(at, []).take(first, draftOf('other'), causeOf());
    expect(await leases(at, inOrder).takeFree(draftOf('a'), causeOf())).toMatchObject({ account: second });
  });

  test('an account that the node does not show stays leased as it was', async () => {
    const at = await poolOf({ there: 1, maximum: 1 });
    await at.pool.fill(1, causeOf());
    await leases(at, []).take(addressAt(0), draftOf('a'), causeOf());
    at.shown.clear();
    await leases(at, []).refresh([addressAt(0)], draftOf('a'), causeOf());
    expect(await at.states()).toMatchObject([{ lease: draftOf('a'), value: VALUE }]);
  });

  test('a lease that an earlier attempt at the draft has made is not given back by a later one', async () => {
    const at = await poolOf({ there: 1, maximum: 1 });
    await at.pool.fill(1, causeOf());
    const account = addressAt(0);
    await leases(at, []).take(account, draftOf('a'), causeOf());
    const later = await leases(at, []).take(account, draftOf('a'), causeOf());
    await later?.giveBack();
    expect(await at.leased()).toEqual([draftOf('a')]);
  });
});

test('accounts that were opened go to one draft each while the read model does not show them yet', async () => {
  const at = await poolOf({ there: 0, maximum: 2 });
  at.node.readModelIsBehind = true;
  await at.pool.fill(2, causeOf());
  const lease = (name: string) => at.pool.lease(draftOf(name), causeOf());
  const accounts = [(await lease('a')).account, (await lease('b')).account];
  expect(accounts.toSorted()).toEqual([addressAt(0), addressAt(1)].toSorted());
  await expect(lease('c')).rejects.toMatchObject({ code: 'DRAFTS_EXHAUSTED' });
  expect(at.sentCount()).toBe(2);
});

describe('a pool is filled', () => {
  test('up to the number that is asked for, and not up to the most that are allowed', async () => {
    const at = await poolOf({ there: 3, maximum: 3 });
    for (const count of [1, 1, 2, 2]) {
      await at.pool.fill(count, causeOf());
      expect(await at.states()).toHaveLength(count);
    }
  });

  test('behind all accounts that are known, however many there are', async () => {
    const at = await poolOf({ there: 0, maximum: 1_003 });
    const known = Array.from({ length: 1_001 }, (_, index) => ({
      account: `known-${String(index).padStart(4, '0')}`,
      index,
    }));
    const pages: number[] = [];
    const opening = createNonceOpening({
      ...at.parts,
      pause: async () => undefined,
      chain: { ...at.parts.chain, accounts: async (asked) => asked.map(() => nonceAccountOf(VALUE)) },
      readModel: {
        async find(_collection: object, _index: string, _value: string, { limit = 0, ...rest } = {}) {
          const { after = '' } = rest as { after?: string };
          // Only what was recorded since the last time.
          expect('after' in rest).toBe(pages.length > 0);
          const page = known.filter(({ account }) => account > after).slice(0, limit);
          pages.push(page.length);
          return page;
        },
      } as unknown as ReadModel,
    });
    expect(await opening.open(causeOf())).toBe(addressAt(1_001));
    expect(pages).toEqual([1_000, 1]);
    expect(await opening.open(causeOf())).toBe(addressAt(1_002));
    expect(pages).toEqual([1_000, 1, 0]);
    // The read model never shows these two.
    expect(await opening.open(causeOf())).toBe(addressAt(1_001));
    expect(await opening.open(causeOf(), new Set([1_001, 1_002].map(addressAt)))).toBeUndefined();
  });
});

describe('an account that is being opened', () => {
  test('is opened again by the next call where it could not be', async () => {
    const at = await poolOf({ there: 0, maximum: 1 });
    at.node.refusesToSend = true;
    await expect(at.pool.lease(draftOf('a'), causeOf())).rejects.toThrow('the node is away');
    at.node.refusesToSend = false;
    expect(await at.pool.lease(draftOf('a'), causeOf())).toMatchObject({ account: addressAt(0) });
  });

  test('is waited for by those who may open no more, and goes to one of them', async () => {
    const at = await poolOf({ there: 0, maximum: 1 });
    const leases = await Promise.allSettled(
      ['a', 'b'].map((name) => at.pool.lease(draftOf(name), causeOf())),
    );
    expect(leases.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(at.sentCount()).toBe(1);
    expect(await at.leased()).toHaveLength(1);
  });

  test('is another one for each of two drafts where both may be opened', async () => {
    const at = await poolOf({ there: 0, maximum: 2 });
    const leases = await Promise.all(['a', 'b'].map((name) => at.pool.lease(draftOf(name), causeOf())));
    expect(new Set(leases.map(({ account }) => account)).size).toBe(2);
  });
});
