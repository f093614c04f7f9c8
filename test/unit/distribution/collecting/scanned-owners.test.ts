// One balance for each owner, from all accounts of a token.

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { addressBytes, addressOf, TOKEN_PROGRAM } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import { createKeyPair } from '../../../../src/chain/keys.ts';
import {
  createOwnerCollector,
  type ScannedOwners,
} from '../../../../src/distribution/collecting/scanned-owners.ts';
import { listedAccount } from '../../../support/scanned.ts';

const addresses = Array.from(
  { length: 40 },
  (_, index) => createKeyPair(new Uint8Array(32).fill(index + 1)).address,
);
const at = (index: number) => addresses[index] ?? '';

const MINT = createKeyPair(new Uint8Array(32).fill(99)).address;

const account = (address: string, owner: string, amount: bigint, withheld = 0n, isAssociated = true) =>
  listedAccount(MINT, address, { owner, amount, withheld, isAssociated });

function finished(work: Generator<void, ScannedOwners>): ScannedOwners {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

function balancesOf({ count, ownerAt, balanceAt }: ScannedOwners) {
  return Array.from({ length: count }, (_, index) => [addressOf(ownerAt(index)), balanceAt(index)] as const);
}

describe('a scan', () => {
  test('adds up what all accounts hold and what is withheld, each account once', () => {
    const collector = createOwnerCollector(MINT);
    const page = [account(at(0), at(10), 5n, 3n), account(at(1), at(11), 7n, 4n)];
    collector.add({ accounts: [...page, ...page] });
    collector.add({ accounts: [account(at(0), at(10), 2n), account(at(2), at(10), 1n, 6n)] });
    expect([collector.accounts, collector.balances(), collector.withheld()]).toEqual([3, 10n, 10n]);
    expect(collector.withWithheld).toBe(2);
    expect(collector.addressesWithWithheld(0, 10)).toEqual([at(1), at(2)]);
    expect(new Map(balancesOf(finished(collector.finish())))).toEqual(
      new Map([
        [at(10), 3n],
        [at(11), 7n],
      ]),
    );
    expect(collector.balances()).toBe(10n);
  });

  test('gives an owner an account like the associated one, whichever of their accounts it is', () => {
    for (const isFirst of [true, false]) {
      const collector = createOwnerCollector(MINT);
      collector.add({
        accounts: [
          account(at(0), at(10), 5n, 0n, isFirst),
          account(at(1), at(10), 5n, 0n, !isFirst),
          account(at(2), at(10), 5n, 0n, false),
        ],
      });
      expect(finished(collector.finish()).hasAssociatedAt(0)).toBe(true);
    }
  });

  test('refuses an owner who would hold more than any supply: no node can have shown that of one mint', () => {
    const most = 2n ** 64n - 1n;
    const holding = (...amounts: readonly bigint[]) => {
      const collector = createOwnerCollector(MINT);
      collector.add({ accounts: amounts.map((amount, index) => account(at(index), at(10), amount)) });
      return finished(collector.finish()).balanceAt(0);
    };
    expect(holding(most - 1n, 1n)).toBe(most);
    expect(() => holding(most, 1n)).toThrow('the balance of an owner exceeds 64 bits');
  });

  test('tells accounts apart whose addresses agree but for one byte, or in their first characters', () => {
    const first = addressBytes(at(0));
    const nearly = Array.from({ length: 32 }, (_, index) =>
      addressOf(first.map((byte, place) => (place === index ? byte ^ 1 : byte))),
    );
    // As anybody can make them, with time: the same for 13 characters.
    const begun = [
      at(0),
      `${at(0).slice(0, 13)}${at(1).slice(13)}`,
      `${at(0).slice(0, 13)}${at(2).slice(13)}`,
    ]
      .map((text) => addressOf(Uint8Array.from(addressBytes(text))))
      .filter((text) => text.startsWith(at(0).slice(0, 13)));
    expect(begun).toHaveLength(3);
    const all = [...new Set([...begun, ...nearly])];
    const collector = createOwnerCollector(MINT);
    collector.add({ accounts: all.map((address) => account(address, at(10), 1n)) });
    expect([collector.accounts, collector.balances()]).toEqual([all.length, BigInt(all.length)]);
    expect(balancesOf(finished(collector.finish()))).toEqual([[at(10), BigInt(all.length)]]);
  });

  test('leaves out what is no account of the mint', () => {
    const own = account(at(0), at(10), 5n, 1n);
    const ofAnother = account(at(1), at(10), 7n);
    ofAnother.account.data.set(addressBytes(at(39)));
    const uninitialized = account(at(2), at(10), 7n);
    uninitialized.account.data[108] = 0;
    const tooShort = account(at(3), at(10), 7n);
    const collector = createOwnerCollector(MINT);
    collector.add({
      accounts: [
        ofAnother,
        uninitialized,
        { address: at(3), account: { ...tooShort.account, data: tooShort.account.data.subarray(0, 100) } },
        { address: at(4), account: { ...account(at(4), at(10), 7n).account, owner: TOKEN_PROGRAM } },
        { ...account(at(5), at(10), 7n), address: 'no address' },
        { address: at(6), account: { ...own.account, data: Buffer.alloc(0) } },
        own,
      ],
    });
    expect([collector.accounts, collector.balances(), collector.withheld()]).toEqual([1, 5n, 1n]);
  });

  test('knows where tax is withheld, and who has an account like the associated one', () => {
    const collector = createOwnerCollector(MINT);
    collector.add({
      accounts: [account(at(0), at(10), 5n, 3n), account(at(1), at(11), 7n, 0n, false)],
    });
    expect(collector.withheld()).toBe(3n);
    expect(collector.addressesWithWithheld(0, 10)).toEqual([at(0)]);
    const { count, ownerAt, hasAssociatedAt } = finished(collector.finish());
    expect(count).toBe(2);
    const isFirst = addressOf(ownerAt(0)) === at(10);
    expect([hasAssociatedAt(0), hasAssociatedAt(1)]).toEqual(isFirst ? [true, false] : [false, true]);
    expect(() => ownerAt(2)).toThrow('owner index 2 is out of range');
  });

  test('finds thousands of owners, and all addresses with withheld tax', () => {
    const count = 9_000;
    const addressFor = (kind: number, number: number) => {
      const bytes = createHash('sha256').update(`${kind} ${number}`).digest();
      return addressOf(bytes);
    };
    const collector = createOwnerCollector(MINT);
    // Every owner has two accounts, the second of them with tax.
    for (let number = 0; number < count; number++) {
      const owner = addressFor(1, number >> 1);
      collector.add({ accounts: [account(addressFor(2, number), owner, 1n, number % 2 === 0 ? 0n : 2n)] });
    }
    expect(collector.withheld()).toBe(BigInt(count));
    expect(collector.withWithheld).toBe(count / 2);
    expect(collector.addressesWithWithheld(4_090, 4_100)).toEqual(
      Array.from({ length: 10 }, (_, index) => addressFor(2, 2 * (4_090 + index) + 1)),
    );
    expect(collector.addressesWithWithheld(count / 2 - 1, count)).toHaveLength(1);
    const work = collector.finish();
    // Fourteen passes over all of them: others have a turn in between.
    for (let turn = 0; turn < 7; turn += 1) expect(work.next().done).toBe(false);
    const found = balancesOf(finished(work));
    expect(found).toHaveLength(count / 2);
    expect(found.every(([, amount]) => amount === 2n)).toBe(true);
    const sorted = found.map(([owner]) => Buffer.from(addressBytes(owner)).toString('hex'));
    expect(sorted).toEqual([...sorted].sort());
  });

  test('finds the same as a map of all accounts', () => {
    const entry = fc.record({
      account: fc.integer({ min: 0, max: 19 }),
      owner: fc.integer({ min: 20, max: 27 }),
      amount: fc.bigInt({ min: 0n, max: 1_000n }),
    });
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 60 }), (entries) => {
        const collector = createOwnerCollector(MINT);
        const last = new Map<number, { owner: number; amount: bigint }>();
        for (const one of entries) {
          collector.add({ accounts: [account(at(one.account), at(one.owner), one.amount)] });
          last.set(one.account, one);
        }
        const expected = new Map<string, bigint>();
        for (const { owner, amount } of last.values())
          expected.set(at(owner), (expected.get(at(owner)) ?? 0n) + amount);
        const found = balancesOf(finished(collector.finish())).filter(([, amount]) => amount > 0n);
        expect(new Map(found)).toEqual(new Map([...expected].filter(([, amount]) => amount > 0n)));
      }),
    );
  });
});
