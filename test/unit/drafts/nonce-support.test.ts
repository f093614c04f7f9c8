// A simulated creation of an account, paid by any funded key, shows if the chain has durable nonces.
import { Transaction } from '@solana/web3.js';
import { describe, expect, test } from 'vitest';
import { hasNonces } from '../../../src/drafts/nonce-support.ts';
import { addresses } from '../../support/domain-examples.ts';

describe('whether a chain has durable nonces', () => {
  const LEADER = addresses.otherCreator;
  const REFUSED = '{"InstructionError":[1,"InvalidInstructionData"]}';

  /** `errors`: how a simulation ends, by who pays. */
  async function asked(
    errors: { readonly [payer: string]: string | undefined },
    feePayer: string | undefined,
  ) {
    const payers: string[] = [];
    const found = await hasNonces(
      {
        rentExemption: async (size) => (size === 80 ? 1_447_680n : 0n),
        slotLeader: async () => LEADER,
        async simulate(wire, how) {
          expect(how).toEqual({ anyBlockhash: true });
          const { feePayer: payer, instructions } = Transaction.from(wire);
          expect(instructions[0]?.data.readBigUInt64LE(4)).toBe(1_447_680n);
          payers.push(payer?.toBase58() ?? '');
          return { slot: 1n, error: errors[payers.at(-1) ?? ''], logs: [], unitsConsumed: 0 };
        },
      },
      feePayer,
    );
    return { found, payers };
  }
  const PAYER = addresses.creator;

  test.each([
    ['is shown by the fee payer, if that has lamports: it has', {}, true, [PAYER]],
    ['is shown by the fee payer, if that has lamports: it has not', { [PAYER]: REFUSED }, false, [PAYER]],
    [
      'is shown by who makes blocks, if the fee payer has none: it has',
      { [PAYER]: '"AccountNotFound"' },
      true,
      [PAYER, LEADER],
    ],
    [
      'is shown by who makes blocks, if the fee payer has none: it has not',
      { [PAYER]: '"AccountNotFound"', [LEADER]: REFUSED },
      false,
      [PAYER, LEADER],
    ],
    [
      'is told by nobody where neither has lamports',
      { [PAYER]: '"AccountNotFound"', [LEADER]: '"AccountNotFound"' },
      undefined,
      [PAYER, LEADER],
    ],
  ])('%s', async (_how, errors, found, payers) => {
    expect(await asked(errors, PAYER)).toEqual({ found, payers });
  });

  test('is shown by who makes blocks where no fee payer is known', async () => {
    expect(await asked({}, undefined)).toEqual({ found: true, payers: [LEADER] });
  });
});
