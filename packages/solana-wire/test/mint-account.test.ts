import { getTransferFeeConfig, TOKEN_2022_PROGRAM_ID, unpackAccount, unpackMint } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { recorded } from '../../../test/unit/chain/venue/recorded-accounts.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../src/address.ts';
import { decodeMint, decodeTokenAccount, feeOfTransfer } from '../src/mint-account.ts';

const mint = recorded('mint');
const tokenAccount = recorded('creator-token-account');

function info({ data, owner }: { readonly data: Uint8Array; readonly owner: string }) {
  return { data: Buffer.from(data), owner: new PublicKey(owner), lamports: 1, executable: false };
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
    expect(decodeMint(mint)).toEqual({
      supply: expected.supply,
      decimals: expected.decimals,
      transferFees: { older: fee(config.olderTransferFee), newer: fee(config.newerTransferFee) },
    });
  });

  test('are read as the SPL library reads them: a token account', () => {
    const expected = unpackAccount(PublicKey.default, info(tokenAccount), TOKEN_2022_PROGRAM_ID);
    expect(decodeTokenAccount(tokenAccount)).toEqual({
      mint: expected.mint.toBase58(),
      owner: expected.owner.toBase58(),
      amount: expected.amount,
      frozen: false,
    });
  });

  test('are told apart from one another, and from accounts of other programs', () => {
    expect(decodeMint(tokenAccount)).toBeUndefined();
    expect(decodeTokenAccount(mint)).toBeUndefined();
    expect(decodeMint({ ...mint, owner: TOKEN_PROGRAM })).toBeUndefined();
    expect(decodeTokenAccount({ ...tokenAccount, owner: TOKEN_PROGRAM })).toBeUndefined();
  });

  test('are not read before they are initialized', () => {
    const uninitialized = new Uint8Array(82);
    expect(decodeMint({ owner: TOKEN_2022_PROGRAM, data: uninitialized })).toBeUndefined();
    expect(decodeTokenAccount({ owner: TOKEN_2022_PROGRAM, data: new Uint8Array(165) })).toBeUndefined();
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
        decodeMint({ owner: TOKEN_2022_PROGRAM, data });
        decodeTokenAccount({ owner: TOKEN_2022_PROGRAM, data });
      }),
      { numRuns: 500 },
    );
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
