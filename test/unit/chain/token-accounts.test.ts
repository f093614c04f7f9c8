// The service reads accounts by spl-token, scans and the local chain by hand: both say the same of the same bytes.
import * as spl from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import fc from 'fast-check';
import * as wire from 'levy-solana-wire';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import { recorded } from '../../../packages/solana-wire/test/recorded-accounts.ts';
import { readMint, readTokenAccount, readTransferFeeConfig } from '../../../src/chain/token-accounts.ts';

const key = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => new PublicKey(bytes));
const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const tag = fc.constantFrom<0 | 1>(0, 1);
const byte = fc.integer({ min: 0, max: 255 });
const program = fc.constantFrom(TOKEN_PROGRAM, TOKEN_2022_PROGRAM);

const account = fc.record({
  mint: key,
  owner: key,
  amount: u64,
  delegateOption: tag,
  delegate: key,
  state: fc.constantFrom(0, 1, 2),
  isNativeOption: tag,
  isNative: u64,
  delegatedAmount: u64,
  closeAuthorityOption: tag,
  closeAuthority: key,
});

const mint = fc.record({
  mintAuthorityOption: tag,
  mintAuthority: key,
  supply: u64,
  decimals: byte,
  isInitialized: fc.boolean(),
  freezeAuthorityOption: tag,
  freezeAuthority: key,
});

const rate = fc.record({ epoch: u64, maximumFee: u64, transferFeeBasisPoints: fc.nat(65_535) });
const tax = fc.record({
  transferFeeConfigAuthority: key,
  withdrawWithheldAuthority: key,
  withheldAmount: u64,
  olderTransferFee: rate,
  newerTransferFee: rate,
});

function entry(type: spl.ExtensionType, value: Uint8Array): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16LE(type);
  head.writeUInt16LE(value.length, 2);
  return Buffer.concat([head, value]);
}

/** The plain part, padded to the size of an account, the type of account, and extensions. */
function extended(plain: Buffer, type: spl.AccountType, extensions: readonly Buffer[]): Buffer {
  return Buffer.concat([plain, Buffer.alloc(165 - plain.length), Buffer.of(type), ...extensions]);
}

/** Bytes as a list, since the readers give arrays of different kinds. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return [...value];
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, plain(field)]));
}

function expectSameAccount(given: { readonly owner: string; readonly data: Uint8Array }): void {
  const { extensions: _, ...expected } = { ...wire.readTokenAccount(given), extensions: [] };
  expect(plain({ ...readTokenAccount(given) })).toEqual(plain(expected));
}

describe('token accounts', () => {
  test('of both programs say what the hand-written reader says', () => {
    fc.assert(
      fc.property(account, program, (fields, owner) => {
        const data = Buffer.alloc(spl.ACCOUNT_SIZE);
        spl.AccountLayout.encode(fields, data);
        expectSameAccount({ owner, data });
        expect(readTokenAccount({ owner, data }) === undefined).toBe(fields.state === 0);
      }),
    );
  });

  test('say what is withheld in them, behind any other extension', () => {
    fc.assert(
      fc.property(account, u64, fc.uint8Array({ maxLength: 40 }), (fields, withheldAmount, other) => {
        const data = Buffer.alloc(spl.ACCOUNT_SIZE);
        spl.AccountLayout.encode({ ...fields, state: 1 }, data);
        const withheld = Buffer.alloc(spl.TRANSFER_FEE_AMOUNT_SIZE);
        spl.TransferFeeAmountLayout.encode({ withheldAmount }, withheld);
        const given = {
          owner: TOKEN_2022_PROGRAM,
          data: extended(data, spl.AccountType.Account, [
            entry(spl.ExtensionType.MemoTransfer, other),
            entry(spl.ExtensionType.TransferFeeAmount, withheld),
          ]),
        };
        expectSameAccount(given);
        expect(readTokenAccount(given)?.withheld).toBe(withheldAmount);
      }),
    );
  });
});

describe('mints', () => {
  test('of both programs say what the hand-written reader says', () => {
    fc.assert(
      fc.property(mint, program, (fields, owner) => {
        const data = Buffer.alloc(spl.MINT_SIZE);
        spl.MintLayout.encode(fields, data);
        expect(plain(readMint({ owner, data }))).toEqual(plain(wire.readMint({ owner, data })));
        expect(readMint({ owner, data }) !== undefined).toBe(fields.isInitialized);
      }),
    );
  });

  test('say who may change and collect their tax, and its two rates', () => {
    fc.assert(
      fc.property(mint, tax, (fields, config) => {
        const data = Buffer.alloc(spl.MINT_SIZE);
        spl.MintLayout.encode({ ...fields, isInitialized: true }, data);
        const value = Buffer.alloc(spl.TRANSFER_FEE_CONFIG_SIZE);
        spl.TransferFeeConfigLayout.encode(config, value);
        const given = {
          owner: TOKEN_2022_PROGRAM,
          data: extended(data, spl.AccountType.Mint, [entry(spl.ExtensionType.TransferFeeConfig, value)]),
        };
        expect(plain(readMint(given))).toEqual(plain(wire.readMint(given)));
        expect(plain(readTransferFeeConfig(value))).toEqual(plain(wire.readTransferFeeConfig(value)));
        expect(readMint(given)?.transferFees?.newer.epoch).toBe(config.newerTransferFee.epoch);
      }),
    );
  });

  test('have no tax where its extension has another size', () => {
    expect(readTransferFeeConfig(Buffer.alloc(spl.TRANSFER_FEE_CONFIG_SIZE - 1))).toBeUndefined();
    expect(readTransferFeeConfig(Buffer.alloc(spl.TRANSFER_FEE_CONFIG_SIZE + 1))).toBeUndefined();
  });
});

describe('recorded accounts', () => {
  const [recordedMint, recordedAccount] = [recorded('mint'), recorded('creator-token-account')];

  test('are told apart from one another, and from those of other programs', () => {
    expect(readMint(recordedAccount)).toBeUndefined();
    expect(readTokenAccount(recordedMint)).toBeUndefined();
    for (const owner of [SYSTEM_PROGRAM, 'nobody']) {
      expect(readMint({ ...recordedMint, owner })).toBeUndefined();
      expect(readTokenAccount({ ...recordedAccount, owner })).toBeUndefined();
    }
  });
});
