import * as sdk from '@meteora-ag/cp-amm-sdk';
import { getAssociatedTokenAddressSync, NATIVE_MINT, TOKEN_2022_PROGRAM_ID } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import fc from 'fast-check';
import { addressOf } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import * as addresses from '../../../../src/chain/venue/addresses.ts';

const someAddress = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(addressOf);

describe("a launch's addresses", () => {
  test("are those of the venue's own SDK, for mints above and below that of SOL", () => {
    fc.assert(
      fc.property(someAddress, someAddress, someAddress, (mint, creator, positionMint) => {
        const key = new PublicKey(mint);
        const positionKey = new PublicKey(positionMint);
        const pool = sdk.deriveCustomizablePoolAddress(key, NATIVE_MINT);
        const creatorKey = new PublicKey(creator);
        const expected = {
          pool,
          tokenVault: sdk.deriveTokenVaultAddress(key, pool),
          solVault: sdk.deriveTokenVaultAddress(NATIVE_MINT, pool),
          position: sdk.derivePositionAddress(positionKey),
          positionTokenAccount: sdk.derivePositionNftAccount(positionKey),
          creatorTokenAccount: getAssociatedTokenAddressSync(key, creatorKey, true, TOKEN_2022_PROGRAM_ID),
          creatorSolAccount: getAssociatedTokenAddressSync(NATIVE_MINT, creatorKey, true),
        };
        expect(addresses.launchAddresses({ mint, creator, positionMint })).toEqual(
          Object.fromEntries(Object.entries(expected).map(([name, found]) => [name, found.toBase58()])),
        );
      }),
      { numRuns: 20 },
    );
  });

  test('rest on the program and the authorities that the SDK knows', () => {
    const eventAuthority = PublicKey.findProgramAddressSync(
      [Buffer.from('__event_authority')],
      sdk.CP_AMM_PROGRAM_ID,
    )[0];
    expect(addresses.VENUE_PROGRAM).toBe(sdk.CP_AMM_PROGRAM_ID.toBase58());
    expect(addresses.POOL_AUTHORITY).toBe(sdk.derivePoolAuthority().toBase58());
    expect(addresses.EVENT_AUTHORITY).toBe(eventAuthority.toBase58());
  });

  test.each(['mint', 'creator', 'positionMint'])('are refused for an invalid %s', (name) => {
    const valid = {
      mint: NATIVE_MINT.toBase58(),
      creator: sdk.CP_AMM_PROGRAM_ID.toBase58(),
      positionMint: NATIVE_MINT.toBase58(),
    };
    expect(() => addresses.launchAddresses({ ...valid, [name]: 'SOL' })).toThrow(TypeError);
  });
});
