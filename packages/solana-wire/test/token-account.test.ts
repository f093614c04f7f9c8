import {
  ACCOUNT_SIZE,
  AccountLayout,
  calculateFee,
  getExtensionData,
  getExtensionTypes,
  getTransferFeeAmount,
  getTransferFeeConfig,
  MINT_SIZE,
  MintLayout,
  TOKEN_2022_PROGRAM_ID,
  unpackAccount,
  unpackMint,
} from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressBytes, addressOf } from '../src/address.ts';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../src/program-ids.ts';
import { isTokenProgram, readMint, readTokenAccount, tokenAccountFigures } from '../src/token-account.ts';
import { feeOfTransfer, readTransferFeeConfig } from '../src/transfer-fee.ts';
import { recorded } from './recorded-accounts.ts';

const mint = recorded('mint');
const tokenAccount = recorded('creator-token-account');

function info({ data, owner }: { readonly data: Uint8Array; readonly owner: string }) {
  return { data: Buffer.from(data), owner: new PublicKey(owner), lamports: 1, executable: false };
}

function extensionsOf({ tlvData }: { readonly tlvData: Buffer }) {
  return getExtensionTypes(tlvData).map((type) => ({ type, value: getExtensionData(type, tlvData) }));
}

describe('accounts of Token-2022', () => {
  test('are read as the SPL library reads them: a mint with a tax and metadata', () => {
    const expected = unpackMint(PublicKey.default, info(mint), TOKEN_2022_PROGRAM_ID);
    const config = getTransferFeeConfig(expected);
    if (config === null) throw new Error('the recorded mint has a tax');
    const fee = ({ epoch, maximumFee, transferFeeBasisPoints }: typeof config.olderTransferFee) => ({
      epoch,
      maximumFee,
      basisPoints: transferFeeBasisPoints,
    });
    expect(readMint(mint)).toEqual({
      supply: expected.supply,
      decimals: expected.decimals,
      mintAuthority: expected.mintAuthority?.toBytes(),
      freezeAuthority: expected.freezeAuthority?.toBytes(),
      transferFees: { older: fee(config.olderTransferFee), newer: fee(config.newerTransferFee) },
      extensions: extensionsOf(expected),
    });
    const extension = readMint(mint)?.extensions.find(({ type }) => type === 1);
    expect(extension && readTransferFeeConfig(extension.value)).toEqual({
      configAuthority: Buffer.from(config.transferFeeConfigAuthority.toBytes()),
      withdrawAuthority: Buffer.from(config.withdrawWithheldAuthority.toBytes()),
      withheldAmount: config.withheldAmount,
      older: fee(config.olderTransferFee),
      newer: fee(config.newerTransferFee),
    });
  });

  test('are read as the SPL library reads them: a token account', () => {
    const expected = unpackAccount(PublicKey.default, info(tokenAccount), TOKEN_2022_PROGRAM_ID);
    const read = readTokenAccount(tokenAccount);
    expect(read).toMatchObject({
      amount: expected.amount,
      delegate: undefined,
      state: 'initialized',
      nativeReserve: undefined,
      delegatedAmount: 0n,
      closeAuthority: undefined,
      extensions: extensionsOf(expected),
    });
    expect([read?.mint, read?.owner].map((key) => key && addressOf(key))).toEqual([
      expected.mint.toBase58(),
      expected.owner.toBase58(),
    ]);
  });

  test('are the same accounts when their owner is given in bytes', () => {
    const owner = addressBytes(TOKEN_2022_PROGRAM);
    expect(readMint({ ...mint, owner })).toEqual(readMint(mint));
    expect(readTokenAccount({ ...tokenAccount, owner })).toEqual(readTokenAccount(tokenAccount));
  });

  test('are told apart from one another, and from accounts of other programs', () => {
    expect(readMint(tokenAccount)).toBeUndefined();
    expect(readTokenAccount(mint)).toBeUndefined();
    expect(readMint({ ...mint, owner: TOKEN_PROGRAM })).toBeUndefined();
    expect(readTokenAccount({ ...tokenAccount, owner: TOKEN_PROGRAM })).toBeUndefined();
    expect(readMint({ ...mint, owner: SYSTEM_PROGRAM })).toBeUndefined();
    expect(readTokenAccount({ ...tokenAccount, owner: addressBytes(SYSTEM_PROGRAM) })).toBeUndefined();
    expect([TOKEN_PROGRAM, TOKEN_2022_PROGRAM, SYSTEM_PROGRAM].map(isTokenProgram)).toEqual([
      true,
      true,
      false,
    ]);
  });

  test('are not read before they are initialized', () => {
    const uninitialized = new Uint8Array(82);
    expect(readMint({ owner: TOKEN_2022_PROGRAM, data: uninitialized })).toBeUndefined();
    expect(readTokenAccount({ owner: TOKEN_2022_PROGRAM, data: new Uint8Array(165) })).toBeUndefined();
  });

  test('never make it throw, whatever their bytes are', () => {
    const anything = fc.uint8Array({ maxLength: 400 });
    const broken = fc
      .tuple(fc.constantFrom(mint.data, tokenAccount.data), fc.nat({ max: 600 }), fc.nat({ max: 255 }))
      .map(([data, at, byte]) => {
        const changed = Uint8Array.from(data.subarray(0, 82 + at));
        changed[at % changed.length] = byte;
        return changed;
      });
    fc.assert(
      fc.property(fc.oneof(anything, broken), (data) => {
        expect(() => readMint({ owner: TOKEN_2022_PROGRAM, data })).not.toThrow();
        expect(() => readTokenAccount({ owner: TOKEN_2022_PROGRAM, data })).not.toThrow();
      }),
      { numRuns: 500 },
    );
  });
});

describe('plain accounts of both token programs', () => {
  const key = (fill: number) => new PublicKey(new Uint8Array(32).fill(fill));

  function plainMint(frozenBy: 0 | 1): Buffer {
    const data = Buffer.alloc(MINT_SIZE);
    MintLayout.encode(
      {
        mintAuthorityOption: 1,
        mintAuthority: key(1),
        supply: 2n ** 63n + 5n,
        decimals: 9,
        isInitialized: true,
        freezeAuthorityOption: frozenBy,
        freezeAuthority: key(2),
      },
      data,
    );
    return data;
  }

  function plainAccount(state: number, options: 0 | 1): Buffer {
    const data = Buffer.alloc(ACCOUNT_SIZE);
    AccountLayout.encode(
      {
        mint: key(3),
        owner: key(4),
        amount: 2n ** 64n - 1n,
        delegateOption: options,
        delegate: key(5),
        state,
        isNativeOption: options,
        isNative: 2_039_280n,
        delegatedAmount: 7n,
        closeAuthorityOption: options,
        closeAuthority: key(6),
      },
      data,
    );
    return data;
  }

  const bytes = (fill: number) => Buffer.alloc(32, fill);

  test.each([TOKEN_PROGRAM, TOKEN_2022_PROGRAM])('are read field by field: %s', (owner) => {
    expect(readMint({ owner, data: plainMint(1) })).toEqual({
      mintAuthority: bytes(1),
      supply: 2n ** 63n + 5n,
      decimals: 9,
      freezeAuthority: bytes(2),
      transferFees: undefined,
      extensions: [],
    });
    expect(readMint({ owner, data: plainMint(0) })?.freezeAuthority).toBeUndefined();
    expect(readTokenAccount({ owner, data: plainAccount(2, 1) })).toEqual({
      mint: bytes(3),
      owner: bytes(4),
      amount: 2n ** 64n - 1n,
      delegate: bytes(5),
      state: 'frozen',
      nativeReserve: 2_039_280n,
      delegatedAmount: 7n,
      closeAuthority: bytes(6),
      withheld: 0n,
      extensions: [],
    });
    expect(readTokenAccount({ owner, data: plainAccount(1, 0) })).toMatchObject({
      delegate: undefined,
      state: 'initialized',
      nativeReserve: undefined,
      closeAuthority: undefined,
    });
    expect(readTokenAccount({ owner, data: plainAccount(0, 0) })).toBeUndefined();
    expect(readTokenAccount({ owner, data: plainAccount(3, 0) })).toBeUndefined();
  });

  test('of the older program have no extensions, whatever stands behind them', () => {
    for (const { data } of [mint, tokenAccount]) {
      expect(readMint({ owner: TOKEN_PROGRAM, data })).toBeUndefined();
      expect(readTokenAccount({ owner: TOKEN_PROGRAM, data })).toBeUndefined();
    }
  });

  test('are not taken out of a multisig account, which has a size of its own', () => {
    const data = new Uint8Array(355).fill(1);
    data[165] = 2;
    expect(readTokenAccount({ owner: TOKEN_2022_PROGRAM, data })).toBeUndefined();
    data[165] = 1;
    expect(readMint({ owner: TOKEN_2022_PROGRAM, data })).toBeUndefined();
  });
});

describe('the tax of a transfer', () => {
  test('is rounded up and never above the maximum', () => {
    const fee = { epoch: 0n, basisPoints: 100, maximumFee: 50n };
    expect([0n, 1n, 100n, 101n, 4_999n, 5_000n, 5_001n].map((amount) => feeOfTransfer(fee, amount))).toEqual([
      0n,
      1n,
      1n,
      2n,
      50n,
      50n,
      50n,
    ]);
  });
});

test('the tax of a transfer is what spl-token calculates', () => {
  const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
  fc.assert(
    fc.property(u64, u64, u64, fc.nat(10_000), (amount, epoch, maximumFee, basisPoints) => {
      const theirs = calculateFee({ epoch, maximumFee, transferFeeBasisPoints: basisPoints }, amount);
      expect(feeOfTransfer({ maximumFee, basisPoints }, amount)).toBe(theirs);
    }),
  );
});

describe('the figures of a taxed token’s account', () => {
  const IMMUTABLE_OWNER = [7, 0, 0, 0];
  const MEMO_TRANSFER = [8, 0, 1, 0, 1];
  const feeAmount = (withheld: bigint) => {
    const entry = Buffer.from([2, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    entry.writeBigUInt64LE(withheld, 4);
    return [...entry];
  };

  function account(amount: bigint, extensions: readonly (readonly number[])[], state = 1): Buffer {
    const data = Buffer.concat([Buffer.alloc(165), Buffer.from([2, ...extensions.flat()])]);
    data.fill(3, 0, 32).fill(4, 32, 64);
    data.writeBigUInt64LE(amount, 64);
    data[108] = state;
    return data;
  }

  const amounts = fc.oneof(
    fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    fc.constantFrom(0n, 2n ** 53n, 2n ** 64n - 1n),
  );

  test.each<[string, number, (withheld: bigint) => readonly (readonly number[])[]]>([
    ['a plain account', 178, (withheld) => [feeAmount(withheld)]],
    ['an associated account', 182, (withheld) => [IMMUTABLE_OWNER, feeAmount(withheld)]],
    [
      'one that its owner has extended',
      187,
      (withheld) => [IMMUTABLE_OWNER, feeAmount(withheld), MEMO_TRANSFER],
    ],
    ['one with the tax behind another extension', 183, (withheld) => [MEMO_TRANSFER, feeAmount(withheld)]],
  ])('are read from %s of %i bytes', (_name, size, extensions) => {
    fc.assert(
      fc.property(amounts, amounts, (amount, withheld) => {
        const data = account(amount, extensions(withheld));
        expect(data).toHaveLength(size);
        const owner = Buffer.alloc(32, 4);
        expect(tokenAccountFigures(data)).toEqual({ owner, amount, withheld });
        expect(readTokenAccount({ owner: TOKEN_2022_PROGRAM, data })).toMatchObject({
          owner,
          amount,
          withheld,
        });
      }),
    );
  });

  test('are those that the SPL library reads from a recorded account', () => {
    const expected = unpackAccount(PublicKey.default, info(tokenAccount), TOKEN_2022_PROGRAM_ID);
    expect(tokenAccountFigures(tokenAccount.data)).toMatchObject({
      amount: expected.amount,
      withheld: getTransferFeeAmount(expected)?.withheldAmount,
    });
  });

  test('count nothing as withheld where the account has no tax, or its extensions are cut off', () => {
    expect(tokenAccountFigures(account(5n, []))?.withheld).toBe(0n);
    expect(tokenAccountFigures(account(5n, []).subarray(0, 165))?.withheld).toBe(0n);
    expect(tokenAccountFigures(account(5n, [IMMUTABLE_OWNER]))?.withheld).toBe(0n);
    expect(tokenAccountFigures(account(5n, [feeAmount(9n)]).subarray(0, 177))?.withheld).toBe(0n);
  });

  test('are given for exactly the bytes that are a token account, and are the same', () => {
    const anything = fc.uint8Array({ maxLength: 400 });
    const broken = fc
      .tuple(
        fc.constantFrom(mint.data, tokenAccount.data, account(7n, [IMMUTABLE_OWNER, feeAmount(5n)])),
        fc.nat({ max: 400 }),
        fc.nat(),
        fc.nat({ max: 255 }),
      )
      .map(([data, length, at, byte]) => {
        const changed = Uint8Array.from(data.subarray(0, 1 + length));
        changed[at % changed.length] = byte;
        return changed;
      });
    fc.assert(
      fc.property(fc.oneof(anything, broken), (data) => {
        const read = readTokenAccount({ owner: TOKEN_2022_PROGRAM, data });
        const { owner, amount, withheld } = { ...read };
        const figures = tokenAccountFigures(data);
        expect(figures && { ...figures, owner: Buffer.from(figures.owner) }).toEqual(
          read && { owner, amount, withheld },
        );
      }),
      { numRuns: 500 },
    );
  });
});
