// Why a payment cannot happen twice, shown by the token program itself.
import {
  associatedTokenAddress,
  feeOfTransfer,
  seededAddress,
  TOKEN_PROGRAM,
  VERSION_1_SIZE,
} from 'levy-solana-wire';
import { beforeEach, describe, expect, test } from 'vitest';
import { createKeyPair, type KeyPair } from '../../../src/chain/keys.ts';
import { transferInstruction } from '../../../src/chain/system-instructions.ts';
import { closePot, type Payment, payFromPot } from '../../../src/distribution/once/meter.ts';
import { solAccountOf } from '../../../src/distribution/once/till-chain.ts';
import {
  approveDelegate,
  approveTokens,
  createAssociatedTokenAccount,
  syncNative,
  TOKEN_ACCOUNT_SIZE,
} from '../../support/token-instructions.ts';
import { openTokenMachine, type TokenMachine } from './token-machine.ts';

const key = (number: number): KeyPair => createKeyPair(new Uint8Array(32).fill(number));
const [wallet, distributor, stranger] = [key(1), key(2), key(3)];
const holders = Array.from({ length: 61 }, (_, index) => key(100 + index).address);
const potAddress = seededAddress(wallet.address, 'pot', TOKEN_PROGRAM);
const pot = {
  address: potAddress,
  owner: wallet.address,
  delegate: distributor.address,
  asset: { kind: 'sol' },
} as const;
const ALLOWANCE = 600_000_000n;
const U64_MAX = 2n ** 64n - 1n;

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
  machine.sign(payFromPot(pot, value, payments), [distributor]);
const to = (index: number, lamports = 2_000_000n): Payment => ({
  to: holders[index] ?? '',
  amount: lamports,
});

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

  test.each([
    ['some', 2_000_000n],
    ['nothing', ALLOWANCE],
  ])('cannot be repeated by feeding the pot, of which %s is left', (_what, amount) => {
    const first = pay(ALLOWANCE, [to(0, amount)]);
    const other = pay(ALLOWANCE, [to(1, amount)]);
    machine.send(first);
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

describe('payments of the token itself', () => {
  const [creator, mint] = [key(5), key(6)];
  const tokens = associatedTokenAddress(creator.address, mint.address);
  const accounts = holders.map((holder) => associatedTokenAddress(holder, mint.address));
  const TAX = 350;
  const taxOf = (amount: bigint) => feeOfTransfer({ basisPoints: TAX, maximumFee: U64_MAX }, amount);
  const run = (number: number) => key(50 + number);
  const potOf = (number: number, basisPoints = TAX) => ({
    address: tokens,
    owner: creator.address,
    delegate: run(number).address,
    asset: {
      kind: 'token' as const,
      mint: mint.address,
      decimals: 6,
      tax: { epoch: 0n, basisPoints, maximumFee: U64_MAX },
    },
  });
  const approve = (number: number, amount: bigint) =>
    machine.execute(
      [
        approveTokens({
          tokenAccount: tokens,
          owner: creator.address,
          delegate: run(number).address,
          amount,
        }),
      ],
      [distributor, creator],
    );
  const payTokens = (number: number, value: bigint, payments: readonly Payment[], basisPoints = TAX) =>
    machine.sign(payFromPot(potOf(number, basisPoints), value, payments), [distributor, run(number)]);
  const received = (index: number) => machine.tokenAccount(accounts[index] ?? '')?.amount;

  beforeEach(() => {
    machine.fund(creator.address, 10_000_000_000n);
    const terms = {
      creator: creator.address,
      mint: mint.address,
      distributionWallet: wallet.address,
      name: 'Levy Example',
      symbol: 'LEVY',
      uri: 'https://levy.example/metadata.json',
      decimals: 6,
      supply: 1_000_000_000_000n,
      transferFeeBasisPoints: TAX,
      transferFeeAdjustable: false,
      immutableMetadata: true,
    };
    machine.createToken(terms, [creator, mint]);
    for (let start = 0; start < accounts.length; start += 10) {
      const made = accounts.slice(start, start + 10).map((tokenAccount, index) =>
        createAssociatedTokenAccount({
          payer: distributor.address,
          tokenAccount,
          owner: holders[start + index] ?? '',
          mint: mint.address,
        }),
      );
      machine.execute(made, [distributor]);
    }
    approve(1, 1_000_000n);
  });

  test('fit 59 holders into one transaction, and are taxed as all transfers are', () => {
    const amount = 12_345n;
    const wire = payTokens(
      1,
      1_000_000n,
      accounts.slice(0, 59).map((to) => ({ to, amount })),
    );
    expect(wire.length).toBeLessThanOrEqual(VERSION_1_SIZE);
    expect(machine.send(wire).error).toBeUndefined();
    expect(accounts.slice(0, 59).map((_, index) => received(index))).toEqual(
      Array(59).fill(amount - taxOf(amount)),
    );
    expect(machine.tokenAccount(tokens)?.delegatedAmount).toBe(1_000_000n - 59n * amount);
  });

  test('land once for each value', () => {
    const [one, other] = [0, 1].map((index) =>
      payTokens(1, 1_000_000n, [{ to: accounts[index] ?? '', amount: 1_000n }]),
    ) as [Uint8Array, Uint8Array];
    expect(machine.send(one).error).toBeUndefined();
    expect(machine.send(other).error).toBeDefined();
    expect([received(0), received(1)]).toEqual([1_000n - taxOf(1_000n), 0n]);
  });

  test('of an earlier run cannot land once the delegate of a later run is approved', () => {
    const late = payTokens(1, 1_000_000n, [{ to: accounts[0] ?? '', amount: 1_000n }]);
    approve(2, 1_000_000n);
    expect(machine.send(late).error).toBeDefined();
    expect(received(0)).toBe(0n);
  });

  test('fail as a whole where the tax is another', () => {
    const outcome = machine.send(
      payTokens(1, 1_000_000n, [{ to: accounts[0] ?? '', amount: 1_000n }], TAX + 1),
    );
    expect(outcome.logs.join()).toContain('custom program error: 0x20');
    expect(received(0)).toBe(0n);
  });
});
