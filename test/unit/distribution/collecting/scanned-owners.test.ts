// One balance for each owner, from all accounts of a token.

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { addressBytes, addressOf, TOKEN_2022_PROGRAM } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import { createKeyPair } from '../../../../src/chain/keys.ts';
import {
  createOwnerCollector,
  type ScannedOwners,
} from '../../../../src/distribution/collecting/scanned-owners.ts';

const addresses = Array.from(
  { length: 40 },
  (_, index) => createKeyPair(new Uint8Array(32).fill(index + 1)).address,
);
const at = (index: number) => addresses[index] ?? '';

/** An associated account has another extension before the withheld tax. */
function account(address: string, owner: string, amount: bigint, withheld = 0n, associated = true) {
  const data = Buffer.alloc(associated ? 182 : 178);
  data.set(addressBytes(owner), 32);
  data.writeBigUInt64LE(amount, 64);
  data[108] = 1;
  data[165] = 2;
  const feeAt = associated ? 170 : 166;
  if (associated) data.writeUInt16LE(7, 166);
  data.writeUInt16LE(2, feeAt);
  data.writeUInt16LE(8, feeAt + 2);
  data.writeBigUInt64LE(withheld, feeAt + 4);
  return { address, account: { owner: TOKEN_2022_PROGRAM, lamports: 1n, data } };
}

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
  test('adds up the accounts of each owner, sorted by owner', () => {
    const collector = createOwnerCollector();
    collector.add({ accounts: [account(at(0), at(10), 5n), account(at(1), at(11), 7n)] });
    collector.add({ accounts: [account(at(2), at(10), 6n, 0n, false)] });
    const found = finished(collector.finish());
    expect(new Map(balancesOf(found))).toEqual(
      new Map([
        [at(10), 11n],
        [at(11), 7n],
      ]),
    );
    const sorted = balancesOf(found).map(([owner]) => Buffer.from(addressBytes(owner)).toString('hex'));
    expect(sorted).toEqual([...sorted].sort());
  });

  test('counts an account that comes again as it came last', () => {
    const collector = createOwnerCollector();
    collector.add({ accounts: [account(at(0), at(10), 5n), account(at(1), at(11), 7n)] });
    collector.add({ accounts: [account(at(0), at(10), 2n), account(at(1), at(11), 10n)] });
    expect(new Map(balancesOf(finished(collector.finish())))).toEqual(
      new Map([
        [at(10), 2n],
        [at(11), 10n],
      ]),
    );
  });

  test('knows where tax is withheld, and who has an account like the associated one', () => {
    const collector = createOwnerCollector();
    collector.add({
      accounts: [account(at(0), at(10), 5n, 3n), account(at(1), at(11), 7n, 0n, false)],
    });
    expect(collector.withheld()).toBe(3n);
    expect(collector.addressesWithWithheld(0, 10)).toEqual([at(0)]);
    const { count, ownerAt, hasAssociatedAt } = finished(collector.finish());
    expect(count).toBe(2);
    const isFirst = addressOf(ownerAt(0)) === at(10);
    expect([hasAssociatedAt(0), hasAssociatedAt(1)]).toEqual(isFirst ? [true, false] : [false, true]);
    expect(() => ownerAt(2)).toThrow('no owner 2');
  });

  test('finds thousands of owners, and all addresses with withheld tax', () => {
    const count = 9_000;
    const addressFor = (kind: number, number: number) => {
      const bytes = createHash('sha256').update(`${kind} ${number}`).digest();
      return addressOf(bytes);
    };
    const collector = createOwnerCollector();
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
    const found = balancesOf(finished(collector.finish()));
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
        const collector = createOwnerCollector();
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
