// What drafts ask of the chain now and then: the fee payer's balance, the length of slots, and whether it has nonces at all.
import { Transaction } from '@solana/web3.js';
import { describe, expect, test } from 'vitest';
import { createFeePayer } from '../../../src/drafts/fee-payer.ts';
import { hasNonces } from '../../../src/drafts/nonce-support.ts';
import { createSlotTime } from '../../../src/drafts/slot-time.ts';
import type { Chain } from '../../../src/kernel/ports/chain.ts';
import { addresses } from '../../support/domain-examples.ts';

describe('the fee payer', () => {
  const [FLOOR, REFILL] = [1_000n, 100_000_000_000n];

  function payerWith(balance: bigint) {
    let now = 0;
    let lamports = balance;
    let looks = 0;
    const chain = {
      async balance(address: string) {
        expect(address).toBe(addresses.creator);
        looks += 1;
        return lamports;
      },
      async airdrop(address: string, amount: bigint) {
        expect(address).toBe(addresses.creator);
        lamports += amount;
      },
    } as unknown as Chain;
    const payer = createFeePayer({
      givesLamports: true,
      chain,
      clock: { now: () => new Date(now) },
      address: addresses.creator,
      floor: FLOOR,
    });
    return {
      ...payer,
      looks: () => looks,
      later: (milliseconds: number) => {
        now += milliseconds;
      },
      spend: (amount: bigint) => {
        lamports -= amount;
      },
    };
  }

  test('has the balance of the last five seconds', async () => {
    const payer = payerWith(50n);
    expect(await payer.balance()).toBe(50n);
    payer.spend(20n);
    payer.later(4_999);
    expect(await payer.balance()).toBe(50n);
    payer.later(1);
    expect(await payer.balance()).toBe(30n);
    expect(payer.looks()).toBe(2);
  });

  test('is refilled below ten times its floor and a tenth of a refill, and shows that at once', async () => {
    const enough = FLOOR * 10n + REFILL / 10n;
    const rich = payerWith(enough);
    await rich.refill();
    expect(await rich.balance()).toBe(enough);
    const poor = payerWith(enough - 1n);
    await poor.refill();
    expect(await poor.balance()).toBe(enough - 1n + REFILL);
  });
});

describe('the length of slots', () => {
  function slotTimeOf(answers: (number | undefined | Error)[]) {
    let now = 0;
    let looks = 0;
    const slotTime = createSlotTime(
      {
        async slotMilliseconds() {
          looks += 1;
          const answer = answers.shift();
          if (answer instanceof Error) throw answer;
          return answer;
        },
      },
      { now: () => new Date(now) },
    );
    return {
      ...slotTime,
      looks: () => looks,
      later: (milliseconds: number) => {
        now += milliseconds;
      },
    };
  }

  test('is measured once a minute', async () => {
    const slots = slotTimeOf([400, 250]);
    expect([await slots.measured(), await slots.measured()]).toEqual([400, 400]);
    slots.later(59_999);
    expect(await slots.measured()).toBe(400);
    slots.later(1);
    expect(await slots.measured()).toBe(250);
    expect(slots.looks()).toBe(2);
  });

  test('is as it was last where the chain is too young to tell, or its node does not answer', async () => {
    const slots = slotTimeOf([undefined, 400, undefined, new Error('away')]);
    const seen: (number | undefined)[] = [];
    for (let minute = 0; minute < 4; minute += 1) {
      seen.push(await slots.measured());
      slots.later(60_000);
    }
    expect(seen).toEqual([undefined, 400, 400, 400]);
  });

  test('is told at once as it was last, and measured for those who ask later', async () => {
    const slots = slotTimeOf([400]);
    expect(slots.latest()).toBeUndefined();
    await new Promise((resolve) => setImmediate(resolve));
    expect(slots.latest()).toBe(400);
  });
});

describe('whether a chain has durable nonces', () => {
  const LEADER = addresses.otherCreator;
  const REFUSED = '{"InstructionError":[1,"InvalidInstructionData"]}';

  /** `errors`: how a simulation ends, by who pays. */
  async function asked(
    errors: { readonly [payer: string]: string | undefined },
    feePayer: string | undefined,
  ) {
    const payers: string[] = [];
    const found = await hasNonces(
      {
        rentExemption: async (size) => (size === 80 ? 1_447_680n : 0n),
        slotLeader: async () => LEADER,
        async simulate(wire, how) {
          expect(how).toEqual({ anyBlockhash: true });
          const { feePayer: payer, instructions } = Transaction.from(wire);
          expect(instructions[0]?.data.readBigUInt64LE(4)).toBe(1_447_680n);
          payers.push(payer?.toBase58() ?? '');
          return { slot: 1n, error: errors[payers.at(-1) ?? ''], logs: [], unitsConsumed: 0 };
        },
      },
      feePayer,
    );
    return { found, payers };
  }
  const PAYER = addresses.creator;

  test.each([
    ['is shown by the fee payer, if that has lamports: it has', {}, true, [PAYER]],
    ['is shown by the fee payer, if that has lamports: it has not', { [PAYER]: REFUSED }, false, [PAYER]],
    [
      'is shown by who makes blocks, if the fee payer has none: it has',
      { [PAYER]: '"AccountNotFound"' },
      true,
      [PAYER, LEADER],
    ],
    [
      'is shown by who makes blocks, if the fee payer has none: it has not',
      { [PAYER]: '"AccountNotFound"', [LEADER]: REFUSED },
      false,
      [PAYER, LEADER],
    ],
    [
      'is told by nobody where neither has lamports',
      { [PAYER]: '"AccountNotFound"', [LEADER]: '"AccountNotFound"' },
      undefined,
      [PAYER, LEADER],
    ],
  ])('%s', async (_how, errors, found, payers) => {
    expect(await asked(errors, PAYER)).toEqual({ found, payers });
  });

  test('is shown by who makes blocks where no fee payer is known', async () => {
    expect(await asked({}, undefined)).toEqual({ found: true, payers: [LEADER] });
  });
});
