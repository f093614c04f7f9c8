import { compileLegacyMessage, type Instruction, LIGHTHOUSE_PROGRAM, PACKET_SIZE } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import { compareWithIssued } from '../../../../src/chain/issued-message.ts';
import {
  computeUnitLimitInstruction,
  computeUnitPriceInstruction,
} from '../../../../src/chain/system-instructions.ts';
import { VENUE_PROGRAM } from '../../../../src/chain/venue/addresses.ts';
import { launchInstructions } from '../../../../src/chain/venue/venue-instructions.ts';
import { creator, launchInput, mint, position, terms } from './launch-example.ts';

const wallets = [creator.address, position.address];

/** Enough for the guard instructions that wallets add before they sign. */
const GUARD_ALLOWANCE = 160;

function instructionsOf(): readonly Instruction[] {
  return [
    computeUnitLimitInstruction(1_400_000),
    computeUnitPriceInstruction(1_000_000n),
    ...launchInstructions(launchInput),
  ];
}

function compile() {
  return compileLegacyMessage({
    payer: creator.address,
    instructions: instructionsOf(),
    recentBlockhash: mint.address,
  });
}

describe('the instructions of a launch', () => {
  test('are signed by the creator, who pays, and by the position that is made', () => {
    expect(compile().signers).toEqual(wallets);
    expect(wallets).toHaveLength(2);
  });

  test('fit one packet, and leave room for what wallets add', () => {
    expect(compile().transactionSize).toBeLessThanOrEqual(PACKET_SIZE - GUARD_ALLOWANCE);
  });

  test('lock the liquidity in the same transaction that makes the pool, and all of it', () => {
    const [initialize, lock] = launchInstructions(launchInput).filter(
      ({ program }) => program === VENUE_PROGRAM,
    );
    const liquidity = Buffer.alloc(16);
    liquidity.writeBigUInt64LE(terms.liquidity & (2n ** 64n - 1n));
    liquidity.writeBigUInt64LE(terms.liquidity >> 64n, 8);
    expect(Buffer.from(lock?.data ?? []).subarray(8)).toEqual(liquidity);
    expect(Buffer.from(initialize?.data ?? []).includes(liquidity)).toBe(true);
  });

  test('are what was issued also with the guards of a wallet, and with nothing else', () => {
    const { bytes } = compile();
    const withMore = (program: string) => {
      const [limit, ...rest] = instructionsOf();
      if (limit === undefined) throw new Error('it begins with its limit');
      const more = {
        program,
        accounts: [{ address: creator.address, signer: true, writable: true }],
        data: bytes,
      };
      const guard = { ...more, data: bytes.subarray(0, 20) };
      return compileLegacyMessage({
        payer: creator.address,
        instructions: [limit, guard, ...rest],
        recentBlockhash: mint.address,
      });
    };
    const guarded = withMore(LIGHTHOUSE_PROGRAM);
    expect(guarded.transactionSize).toBeLessThanOrEqual(PACKET_SIZE);
    expect(compareWithIssued(bytes, guarded.bytes, { mayPriceAnew: false })).toBeUndefined();
    expect(compareWithIssued(bytes, withMore(VENUE_PROGRAM).bytes, { mayPriceAnew: false })).toBeDefined();
  });

  test('are refused for numbers that their fields cannot hold', () => {
    for (const wrong of [-1n, 2n ** 128n]) {
      expect(() => launchInstructions({ ...launchInput, liquidity: wrong })).toThrow(RangeError);
    }
  });
});
