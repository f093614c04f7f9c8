import { compileLegacyMessage, type Instruction, PACKET_SIZE } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import {
  computeUnitLimitInstruction,
  computeUnitPriceInstruction,
} from '../../../../src/chain/system-instructions.ts';
import { VENUE_PROGRAM } from '../../../../src/chain/venue/addresses.ts';
import { launchInstructions } from '../../../../src/chain/venue/venue-instructions.ts';
import { creator, launchInput, mint, terms } from './launch-example.ts';

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
});
