// Derived addresses are those that web3.js and spl-token derive, at a fraction of their time.
import * as spl from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressBytes, addressOf } from '../src/address.ts';
import { associatedTokenAddress, programAddress, seededAddress } from '../src/program-address.ts';
import { TOKEN_PROGRAM } from '../src/program-ids.ts';

const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 });
const address = bytes.map(addressOf);
const key = (text: string) => new PublicKey(addressBytes(text));

describe('derived addresses', () => {
  test('hold the tokens of wallets, and of vaults off the curve', () => {
    fc.assert(
      fc.property(address, address, fc.boolean(), (wallet, mint, isToken2022) => {
        const program = isToken2022 ? spl.TOKEN_2022_PROGRAM_ID : spl.TOKEN_PROGRAM_ID;
        const theirs = spl.getAssociatedTokenAddressSync(key(mint), key(wallet), true, program);
        const ours = isToken2022
          ? associatedTokenAddress(wallet, mint)
          : associatedTokenAddress(wallet, mint, TOKEN_PROGRAM);
        expect(ours).toBe(theirs.toBase58());
      }),
    );
  });

  test('belong to programs, by any seeds', () => {
    const seeds = fc.array(fc.uint8Array({ maxLength: 32 }), { maxLength: 6 });
    fc.assert(
      fc.property(seeds, address, (given, program) => {
        const [theirs] = PublicKey.findProgramAddressSync(given, key(program));
        expect(programAddress(given, program)).toBe(theirs.toBase58());
      }),
    );
  });

  test('are made by a key under a seed of at most 32 bytes', async () => {
    const seed = fc.string({ maxLength: 32 });
    await fc.assert(
      fc.asyncProperty(address, seed, address, async (base, text, program) => {
        const theirs = await PublicKey.createWithSeed(key(base), text, key(program));
        expect(seededAddress(base, text, program)).toBe(theirs.toBase58());
      }),
    );
    expect(() => seededAddress(TOKEN_PROGRAM, 's'.repeat(33), TOKEN_PROGRAM)).toThrow(RangeError);
  });
});
