import * as spl from '@solana/spl-token';
import * as splMetadata from '@solana/spl-token-metadata';
import { ComputeBudgetProgram, PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js';
import type { Instruction } from 'levy-solana-wire';
import { addressOf, associatedTokenAddress, TOKEN_2022_PROGRAM, unsigned } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import { createKeyPair } from '../../../src/chain/keys.ts';
import {
  computeUnitLimitInstruction,
  computeUnitPriceInstruction,
  createAccountInstruction,
} from '../../../src/chain/system-instructions.ts';
import * as token from '../../../src/chain/token-instructions.ts';

const numbered = (fill: number) => createKeyPair(new Uint8Array(32).fill(fill)).address;
const creator = numbered(1);
const mint = numbered(2);
const wallet = numbered(3);
const tokenAccount = numbered(4);
const key = (address: string) => new PublicKey(address);
const program = spl.TOKEN_2022_PROGRAM_ID;
const maximum = 2n ** 64n - 1n;

function asInstruction({ programId, keys, data }: TransactionInstruction): Instruction {
  return {
    program: programId.toBase58(),
    accounts: keys.map(({ pubkey, isSigner, isWritable }) => ({
      address: pubkey.toBase58(),
      signer: isSigner,
      writable: isWritable,
    })),
    data: Uint8Array.from(data),
  };
}

function expectEqual(ours: Instruction, theirs: TransactionInstruction): void {
  expect({ ...ours, data: Uint8Array.from(ours.data) }).toEqual(asInstruction(theirs));
}

describe('instructions are byte for byte those of the Solana libraries', () => {
  test('create account', () => {
    for (const lamports of [0, 1, 5_000_000_000]) {
      expectEqual(
        createAccountInstruction({
          from: creator,
          newAccount: mint,
          lamports: BigInt(lamports),
          space: 346,
          owner: TOKEN_2022_PROGRAM,
        }),
        SystemProgram.createAccount({
          fromPubkey: key(creator),
          newAccountPubkey: key(mint),
          lamports,
          space: 346,
          programId: program,
        }),
      );
    }
  });

  test('compute budget', () => {
    for (const units of [0, 60_000, 1_400_000]) {
      expectEqual(computeUnitLimitInstruction(units), ComputeBudgetProgram.setComputeUnitLimit({ units }));
    }
    for (const microLamports of [0n, 1n, 2n ** 53n + 1n, maximum]) {
      expectEqual(
        computeUnitPriceInstruction(microLamports),
        ComputeBudgetProgram.setComputeUnitPrice({ microLamports }),
      );
    }
  });

  test('transfer fee, fixed and adjustable', () => {
    for (const authority of [null, creator]) {
      for (const basisPoints of [0, 1, 255, 256, 10_000]) {
        expectEqual(
          token.initializeTransferFeeConfig({
            mint,
            configAuthority: authority,
            withdrawWithheldAuthority: wallet,
            basisPoints,
            maximumFee: maximum,
          }),
          spl.createInitializeTransferFeeConfigInstruction(
            key(mint),
            authority === null ? null : key(authority),
            key(wallet),
            basisPoints,
            maximum,
            program,
          ),
        );
      }
    }
  });

  test('metadata pointer', () => {
    expectEqual(
      token.initializeMetadataPointer(mint),
      spl.createInitializeMetadataPointerInstruction(key(mint), null, key(mint), program),
    );
  });

  test('mint', () => {
    for (const decimals of [0, 6, 9]) {
      expectEqual(
        token.initializeMint(mint, decimals, creator),
        spl.createInitializeMint2Instruction(key(mint), decimals, key(creator), null, program),
      );
    }
  });

  test('metadata, with characters of several bytes', () => {
    for (const name of ['Plain', 'Ünïcödé 税 🪙', '']) {
      const texts = { name, symbol: '税', uri: 'https://levy.example/ü' };
      expectEqual(
        token.initializeMetadata({ mint, updateAuthority: creator, mintAuthority: wallet, ...texts }),
        splMetadata.createInitializeInstruction({
          programId: program,
          metadata: key(mint),
          updateAuthority: key(creator),
          mint: key(mint),
          mintAuthority: key(wallet),
          ...texts,
        }),
      );
    }
  });

  test('giving up the metadata authority', () => {
    expectEqual(
      token.giveUpMetadataAuthority(mint, creator),
      splMetadata.createUpdateAuthorityInstruction({
        programId: program,
        metadata: key(mint),
        oldAuthority: key(creator),
        newAuthority: null,
      }),
    );
  });

  test('associated token account', () => {
    expectEqual(
      token.createAssociatedTokenAccount({ payer: creator, tokenAccount, owner: wallet, mint }),
      spl.createAssociatedTokenAccountInstruction(
        key(creator),
        key(tokenAccount),
        key(wallet),
        key(mint),
        program,
      ),
    );
  });

  test('minting', () => {
    for (const amount of [0n, 1n, maximum]) {
      expectEqual(
        token.mintTo(mint, tokenAccount, creator, amount),
        spl.createMintToInstruction(key(mint), key(tokenAccount), key(creator), amount, [], program),
      );
    }
  });

  test('giving up the mint authority', () => {
    expectEqual(
      token.giveUpMintAuthority(mint, creator),
      spl.createSetAuthorityInstruction(
        key(mint),
        key(creator),
        spl.AuthorityType.MintTokens,
        null,
        [],
        program,
      ),
    );
  });
});

describe('associated token addresses', () => {
  test('are those that spl-token derives, for wallets and for vaults off the curve', () => {
    for (let fill = 0; fill < 40; fill += 1) {
      const owner = addressOf(new Uint8Array(32).fill(fill));
      const expected = spl.getAssociatedTokenAddressSync(key(mint), key(owner), true, program);
      expect(associatedTokenAddress(owner, mint)).toBe(expected.toBase58());
    }
  });
});

describe('numbers in instruction data', () => {
  test('that do not fit are refused and never wrap around', () => {
    expect(unsigned(65_535, 2)).toEqual(Uint8Array.of(255, 255));
    expect(() => unsigned(65_536, 2)).toThrow(RangeError);
    expect(() => unsigned(-1, 8)).toThrow(RangeError);
    expect(() => unsigned(1.5, 8)).toThrow(RangeError);
    expect(() => unsigned(maximum + 1n, 8)).toThrow(RangeError);
    expect(() => token.mintTo(mint, tokenAccount, creator, maximum + 1n)).toThrow(RangeError);
  });
});
