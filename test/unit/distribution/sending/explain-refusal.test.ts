/** What the chain's errors mean, by the instruction that failed; what is not known keeps its own code. */
import {
  ASSOCIATED_TOKEN_PROGRAM,
  type Instruction,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from 'levy-solana-wire';
import { expect, test } from 'vitest';
import { transferInstruction } from '../../../../src/chain/system-instructions.ts';
import { explainRefusal } from '../../../../src/distribution/sending/explain-refusal.ts';

const [DISTRIBUTOR, KEY, TOKENS, TILL, VENUE] = ['distributor', 'key', 'tokens', 'till', 'venue'];

const calling = (program: string, ...addresses: readonly string[]): Instruction => ({
  program,
  accounts: addresses.map((address) => ({ address, signer: false, writable: true })),
  data: new Uint8Array([3]),
});
const transfer = (from: string): Instruction => ({
  ...transferInstruction({ from: SYSTEM_PROGRAM, to: SYSTEM_PROGRAM, lamports: 42n }),
  accounts: [{ address: from, signer: true, writable: true }],
});

function explain(error: unknown, instruction: Instruction) {
  return explainRefusal(typeof error === 'string' ? error : JSON.stringify(error), {
    instructions: [instruction],
    token: { distributor: { address: DISTRIBUTOR }, tokens: TOKENS },
    what: 'a payment',
  });
}

const custom = (Custom: number) => ({ InstructionError: [0, { Custom }] });
const anything = calling(TOKEN_PROGRAM, TILL, KEY);

test.each([
  ['"InsufficientFundsForFee"', anything, 'The distributor distributor does not hold'],
  ['"AccountNotFound"', anything, 'The distributor distributor does not hold'],
  [{ InsufficientFundsForRent: { account_index: 0 } }, anything, 'The distributor distributor does not hold'],
  [{ InsufficientFundsForRent: { account_index: 2 } }, anything, 'The chain refuses a payment.'],
  [custom(1), transfer(DISTRIBUTOR), 'The distributor distributor does not hold'],
  [custom(1), transfer(KEY), 'does not hold the 0.000000042 SOL'],
  [custom(0), transfer(DISTRIBUTOR), 'The chain refuses a payment.'],
  [custom(1), calling(ASSOCIATED_TOKEN_PROGRAM, DISTRIBUTOR), 'The distributor distributor does not hold'],
  [custom(2), calling(ASSOCIATED_TOKEN_PROGRAM, DISTRIBUTOR), 'The chain refuses a payment.'],
  [custom(1), calling(TOKEN_2022_PROGRAM, TOKENS, KEY), 'holds or may spend fewer tokens'],
  // As the withdrawal of the tax names them: the mint, where it goes, and who may.
  [custom(1), calling(TOKEN_2022_PROGRAM, 'mint', TOKENS, KEY), 'The chain refuses a payment.'],
  [custom(1), calling(TOKEN_PROGRAM, TILL, TILL, KEY), 'holds less than a payment requires'],
  [custom(1), anything, 'holds less than a payment spends'],
  [custom(17), calling(TOKEN_2022_PROGRAM, TOKENS, KEY), 'is frozen'],
  [custom(32), calling(TOKEN_2022_PROGRAM, TOKENS, KEY), 'The tax of the token has changed'],
  [custom(4), anything, 'The chain refuses a payment.'],
  [custom(6_002), calling(VENUE, TILL), 'The program venue refuses'],
  [{ InstructionError: [7, { Custom: 1 }] }, anything, 'The chain refuses a payment.'],
  ['"BlockhashNotFound"', anything, 'The chain refuses a payment.'],
  ['not JSON', anything, 'The chain refuses a payment.'],
])('%j of %o: %s', (error, instruction, meaning) => {
  const wait = explain(error, instruction);
  expect(wait.detail).toContain(meaning);
  const isUnfunded = meaning.startsWith('The distributor');
  expect(wait.code).toBe(isUnfunded ? 'distributor-unfunded' : 'transaction-refused');
  expect(wait.error).toBe(typeof error === 'string' ? error : JSON.stringify(error));
});
