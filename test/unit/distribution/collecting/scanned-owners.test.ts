// One balance for each owner, from all accounts of a token.

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

function balancesOf({ count, owners, balances }: ScannedOwners) {
  return Array.from(
    { length: count },
    (_, index) => [addressOf(owners.subarray(index * 32, index * 32 + 32)), balances.get(index)] as const,
  );
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
    const { owners, hasAssociated } = finished(collector.finish());
    const first = addressOf(owners.subarray(0, 32));
    expect([...hasAssociated]).toEqual(first === at(10) ? [1, 0] : [0, 1]);
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
