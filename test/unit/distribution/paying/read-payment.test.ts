// Reading payments off the chain: what the engine signed is read as it was meant, and nothing else is taken for a payment.
import { type Instruction, TOKEN_PROGRAM } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import {
  batchOf,
  taxedTransferInstruction,
  transferSol,
  unwrapLamports,
} from '../../../../src/chain/payment-instructions.ts';
import { transferInstruction } from '../../../../src/chain/system-instructions.ts';
import { payFromPot } from '../../../../src/distribution/once/meter.ts';
import { readPayment } from '../../../../src/distribution/paying/find-payment.ts';
import { keyOf, signed } from '../../../support/faulty-chain/token-world.ts';
import { closeSolAccount } from '../../../support/token-instructions.ts';

const [key, stranger] = [keyOf(6_301), keyOf(6_302)];
const address = keyOf(6_303).address;
const other = keyOf(6_304).address;
const mint = keyOf(6_305).address;
const delegate = key.address;
const PAYMENTS = [
  { to: keyOf(6_306).address, amount: 60n },
  { to: keyOf(6_307).address, amount: 2n ** 60n },
];
const VALUE = 2n ** 61n;
const tax = { epoch: 0n, basisPoints: 300, maximumFee: 1_000n };
const POTS = {
  sol: { address, owner: other, delegate, asset: { kind: 'sol' } },
  token: { address, owner: other, delegate, asset: { kind: 'token', mint, decimals: 6, tax } },
} as const;
type Asset = keyof typeof POTS;
const ASSETS: readonly Asset[] = ['sol', 'token'];

const wireOf = (instructions: readonly Instruction[], signer = key) => signed(instructions, [signer], mint);
const read = (
  asset: Asset,
  instructions: readonly Instruction[],
  from = { address, delegate },
  signer = key,
) => readPayment(wireOf(instructions, signer), { ...from, asset });

/** The moves of a batch, each of which a test may change. */
const move = (asset: Asset, to: string, amount: bigint, by: { from?: string; authority?: string } = {}) => {
  const { from = address, authority = delegate } = by;
  if (asset === 'token')
    return taxedTransferInstruction({ mint, decimals: 6, from, to, authority, amount, fee: 1n });
  return to === address
    ? transferSol({ from, to, authority, lamports: amount })
    : unwrapLamports({ from, to, authority, lamports: amount });
};
const together = (asset: Asset, moves: readonly Instruction[]) =>
  asset === 'sol' ? [batchOf(moves)] : moves;
const withData = (instruction: Instruction, change: (data: Buffer) => Uint8Array): Instruction => ({
  ...instruction,
  data: change(Buffer.from(instruction.data)),
});

describe.each(ASSETS)('a payment of %s', (asset) => {
  const guard = move(asset, address, VALUE);
  const pay = move(asset, other, 5n);

  test('is read as it was signed: the value that it was guarded at, and whom it paid how much', () => {
    expect(read(asset, payFromPot(POTS[asset], VALUE, PAYMENTS))).toEqual({
      value: VALUE,
      payments: PAYMENTS,
    });
  });

  test('is of its own pot and of no other, and of its own delegate', () => {
    const instructions = payFromPot(POTS[asset], VALUE, PAYMENTS);
    expect(read(asset, instructions, { address: other, delegate })).toBeUndefined();
    expect(read(asset, instructions, { address, delegate: other })).toBeUndefined();
  });

  test('moves nothing out of another account, and nothing by another authority', () => {
    expect(read(asset, together(asset, [guard, pay]))).toEqual({
      value: VALUE,
      payments: [{ to: other, amount: 5n }],
    });
    for (const by of [{ from: mint }, { authority: stranger.address }])
      for (const moves of [
        [guard, move(asset, other, 5n, by)],
        [move(asset, address, VALUE, by), pay],
      ]) {
        const signer = by.authority === undefined ? [key] : [key, stranger];
        const wire = signed(together(asset, moves), signer, mint);
        expect(readPayment(wire, { address, delegate, asset })).toBeUndefined();
      }
  });

  test('begins with the guard, and pays somebody', () => {
    expect(read(asset, together(asset, [guard]))).toBeUndefined();
    expect(read(asset, together(asset, [pay, guard]))).toBeUndefined();
  });

  test('is nothing with a foreign instruction in it', () => {
    const foreign = transferInstruction({ from: delegate, to: other, lamports: 1n });
    const instructions = together(asset, [guard, pay]);
    expect(read(asset, [...instructions, foreign])).toBeUndefined();
    expect(read(asset, [foreign, ...instructions])).toBeUndefined();
    expect(read(asset, [])).toBeUndefined();
  });

  test('is nothing where an amount has another length, or another command', () => {
    const changes: readonly ((data: Buffer) => Uint8Array)[] = [
      (data) => Buffer.concat([data, Buffer.alloc(1)]),
      (data) => data.subarray(0, -1),
      (data) => Buffer.concat([Buffer.of((data[0] ?? 0) + 1), data.subarray(1)]),
    ];
    for (const change of changes) {
      expect(read(asset, together(asset, [withData(guard, change), pay]))).toBeUndefined();
      expect(read(asset, together(asset, [guard, withData(pay, change)]))).toBeUndefined();
    }
  });

  test('is nothing where an account is missing', () => {
    const lacking = { ...pay, accounts: pay.accounts.slice(0, 2) };
    expect(read(asset, together(asset, [guard, lacking]))).toBeUndefined();
  });

  test('is nothing where the bytes are no transaction', () => {
    expect(readPayment(Uint8Array.of(1, 2, 3), { address, delegate, asset })).toBeUndefined();
  });
});

describe('a payment of lamports', () => {
  const guard = move('sol', address, VALUE);
  const pay = move('sol', other, 5n);

  test('is one batch of the token program, and no other instruction of it', () => {
    const close = closeSolAccount(address, other, delegate);
    expect(close.program).toBe(TOKEN_PROGRAM);
    expect(read('sol', [close])).toBeUndefined();
    expect(read('sol', [{ ...batchOf([guard, pay]), program: mint }])).toBeUndefined();
    expect(read('sol', [guard, pay])).toBeUndefined();
  });

  test('says how much it pays: all of an account is no amount', () => {
    const all = withData(pay, (data) => Buffer.concat([data.subarray(0, 1), Buffer.of(0), data.subarray(2)]));
    expect(read('sol', [batchOf([guard, all])])).toBeUndefined();
  });
});

describe('a payment of tokens', () => {
  test('is a transfer with the tax, by the program of taxed tokens', () => {
    const [guard, pay] = [move('token', address, VALUE), move('token', other, 5n)];
    expect(read('token', [guard, { ...pay, program: TOKEN_PROGRAM }])).toBeUndefined();
    const another = withData(pay, (data) =>
      Buffer.concat([data.subarray(0, 1), Buffer.of(2), data.subarray(2)]),
    );
    expect(read('token', [guard, another])).toBeUndefined();
  });
});
