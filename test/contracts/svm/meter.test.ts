// Why a payment cannot happen twice, shown by the token program itself.
import { seededAddress, TOKEN_PROGRAM, VERSION_1_SIZE } from 'levy-solana-wire';
import { beforeEach, describe, expect, test } from 'vitest';
import { createKeyPair, type KeyPair } from '../../../src/chain/keys.ts';
import { transferInstruction } from '../../../src/chain/system-instructions.ts';
import {
  approveDelegate,
  syncNative,
  TOKEN_ACCOUNT_SIZE,
} from '../../../src/chain/wrapped-sol-instructions.ts';
import { closePot, type Payment, payFromPot } from '../../../src/distribution/meter.ts';
import { solAccountOf } from '../../../src/distribution/till-chain.ts';
import { openTokenMachine, type TokenMachine } from './token-machine.ts';

const key = (number: number): KeyPair => createKeyPair(new Uint8Array(32).fill(number));
const [wallet, distributor, stranger] = [key(1), key(2), key(3)];
const holders = Array.from({ length: 61 }, (_, index) => key(100 + index).address);
const potAddress = seededAddress(wallet.address, 'pot', TOKEN_PROGRAM);
const pot = { address: potAddress, owner: wallet.address, delegate: distributor.address };
const ALLOWANCE = 600_000_000n;

let machine: TokenMachine;

beforeEach(() => {
  machine = openTokenMachine();
  for (const { address } of [wallet, distributor, stranger]) machine.fund(address, 10_000_000_000n);
  machine.execute(
    [
      ...solAccountOf({
        address: potAddress,
        seed: 'pot',
        wallet: wallet.address,
        payer: distributor.address,
        rent: machine.rent(TOKEN_ACCOUNT_SIZE),
      }),
      transferInstruction({ from: distributor.address, to: potAddress, lamports: ALLOWANCE }),
      syncNative(potAddress),
      approveDelegate({
        account: potAddress,
        owner: wallet.address,
        delegate: distributor.address,
        lamports: ALLOWANCE,
      }),
    ],
    [distributor, wallet],
  );
});

const meter = () => machine.tokenAccount(potAddress)?.delegatedAmount;
const pay = (value: bigint, payments: readonly Payment[]) =>
  machine.sign([payFromPot(pot, value, payments)], [distributor]);
const to = (index: number, lamports = 2_000_000n): Payment => ({ to: holders[index] ?? '', lamports });

describe('payments from a pot', () => {
  test('reach every wallet and lower the meter by what was paid', () => {
    const outcome = machine.send(pay(ALLOWANCE, [to(0), to(1, 3_000_000n)]));
    expect(outcome.error).toBeUndefined();
    expect([machine.balance(holders[0] ?? ''), machine.balance(holders[1] ?? '')]).toEqual([
      2_000_000n,
      3_000_000n,
    ]);
    expect(meter()).toBe(ALLOWANCE - 5_000_000n);
  });

  test('fit 61 wallets into one transaction of version 1', () => {
    const wire = pay(
      ALLOWANCE,
      holders.map((_, index) => to(index)),
    );
    expect(wire.length).toBeLessThanOrEqual(VERSION_1_SIZE);
    expect(machine.send(wire).error).toBeUndefined();
    expect(holders.every((holder) => machine.balance(holder) === 2_000_000n)).toBe(true);
  });

  test.each([
    ['the same bytes again', (first: Uint8Array) => first],
    ['the same payments signed again', () => pay(ALLOWANCE, [to(0)])],
    ['other payments signed for the same value', () => pay(ALLOWANCE, [to(1)])],
  ])('land once for each value: %s', (_what, second) => {
    const first = pay(ALLOWANCE, [to(0)]);
    const again = second(first);
    expect(machine.send(first).error).toBeUndefined();
    const late = machine.send(again);
    expect(late.error).toBeDefined();
    expect([machine.balance(holders[0] ?? ''), machine.balance(holders[1] ?? '')]).toEqual([2_000_000n, 0n]);
    expect(meter()).toBe(ALLOWANCE - 2_000_000n);
  });

  test('cannot be repeated by feeding the pot', () => {
    const first = pay(ALLOWANCE, [to(0)]);
    const other = pay(ALLOWANCE, [to(1)]);
    machine.send(first);
    machine.execute(
      [
        transferInstruction({ from: stranger.address, to: potAddress, lamports: ALLOWANCE }),
        syncNative(potAddress),
      ],
      [stranger],
    );
    expect(machine.send(other).logs.join()).toContain('custom program error: 0x1');
    expect(machine.balance(holders[1] ?? '')).toBe(0n);
  });

  test('cannot follow the last one, when nothing is left', () => {
    const last = pay(ALLOWANCE, [to(0, ALLOWANCE)]);
    const other = pay(ALLOWANCE, [to(1, ALLOWANCE)]);
    expect(machine.send(last).error).toBeUndefined();
    machine.execute(
      [
        transferInstruction({ from: stranger.address, to: potAddress, lamports: ALLOWANCE }),
        syncNative(potAddress),
      ],
      [stranger],
    );
    expect(machine.send(other).error).toBeDefined();
    expect(machine.balance(holders[1] ?? '')).toBe(0n);
  });

  test('all fail where one fails, and leave the meter as it was', () => {
    // An account that would lie under the rent floor.
    const outcome = machine.send(pay(ALLOWANCE, [to(0), to(1, 1n)]));
    expect(outcome.error).toBeDefined();
    expect(machine.balance(holders[0] ?? '')).toBe(0n);
    expect(meter()).toBe(ALLOWANCE);
  });

  test('without the guard would land twice', () => {
    const unguarded = () => {
      const batch = payFromPot(pot, ALLOWANCE, [to(0)]);
      // The header of the batch's first instruction, and its nine bytes of data.
      const data = Buffer.concat([batch.data.subarray(0, 1), batch.data.subarray(1 + 2 + 9)]);
      return machine.sign([{ ...batch, accounts: batch.accounts.slice(3), data }], [distributor]);
    };
    expect(machine.send(unguarded()).error).toBeUndefined();
    expect(machine.send(unguarded()).error).toBeUndefined();
    expect(machine.balance(holders[0] ?? '')).toBe(4_000_000n);
  });

  test('are refused before they are signed where they would not move the meter, or exceed it', () => {
    expect(() => payFromPot(pot, ALLOWANCE, [])).toThrow('without a payment');
    expect(() => payFromPot(pot, ALLOWANCE, [to(0, 0n)])).toThrow('no payment');
    expect(() => payFromPot(pot, 10n, [to(0, 6n), to(1, 5n)])).toThrow('exceed the 10 lamports');
  });
});

describe('the close of a pot', () => {
  const close = (value: bigint) =>
    machine.sign([...closePot(pot, value, wallet.address)], [distributor, wallet]);

  test('fails after a payment that it did not know of', () => {
    const closing = close(ALLOWANCE);
    machine.send(pay(ALLOWANCE, [to(0)]));
    expect(machine.send(closing).error).toBeDefined();
    expect(machine.exists(potAddress)).toBe(true);
  });

  test('makes every payment fail that was signed before it', () => {
    const late = pay(ALLOWANCE, [to(0)]);
    expect(machine.send(close(ALLOWANCE)).error).toBeUndefined();
    expect(machine.exists(potAddress)).toBe(false);
    expect(machine.send(late).error).toBeDefined();
    expect(machine.balance(holders[0] ?? '')).toBe(0n);
  });

  test('needs no delegate when nothing is left', () => {
    machine.send(pay(ALLOWANCE, [to(0, ALLOWANCE)]));
    expect(closePot(pot, 0n, wallet.address)).toHaveLength(1);
    const closing = machine.sign([...closePot(pot, 0n, wallet.address)], [wallet]);
    expect(machine.send(closing).error).toBeUndefined();
    expect(machine.exists(potAddress)).toBe(false);
  });
});
