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
    distributor: DISTRIBUTOR,
    tokens: TOKENS,
    otherwise: 'payment-refused',
    what: 'a payment',
  });
}

const custom = (Custom: number) => ({ InstructionError: [0, { Custom }] });
const anything = calling(TOKEN_PROGRAM, TILL, KEY);

test.each([
  ['"InsufficientFundsForFee"', anything, 'distributor-out-of-sol'],
  ['"AccountNotFound"', anything, 'distributor-out-of-sol'],
  [{ InsufficientFundsForRent: { account_index: 0 } }, anything, 'distributor-out-of-sol'],
  [{ InsufficientFundsForRent: { account_index: 2 } }, anything, 'payment-refused'],
  [custom(1), transfer(DISTRIBUTOR), 'distributor-out-of-sol'],
  [custom(1), transfer(KEY), 'payer-out-of-sol'],
  [custom(0), transfer(DISTRIBUTOR), 'payment-refused'],
  [custom(1), calling(ASSOCIATED_TOKEN_PROGRAM, DISTRIBUTOR), 'distributor-out-of-sol'],
  [custom(2), calling(ASSOCIATED_TOKEN_PROGRAM, DISTRIBUTOR), 'payment-refused'],
  [custom(1), calling(TOKEN_2022_PROGRAM, TOKENS, KEY), 'tokens-short'],
  // As the withdrawal of the tax names them: the mint, where it goes, and who may.
  [custom(1), calling(TOKEN_2022_PROGRAM, 'mint', TOKENS, KEY), 'payment-refused'],
  [custom(1), calling(TOKEN_PROGRAM, TILL, TILL, KEY), 'guard-refuses'],
  [custom(1), anything, 'till-short'],
  [custom(17), calling(TOKEN_2022_PROGRAM, TOKENS, KEY), 'account-frozen'],
  [custom(32), calling(TOKEN_2022_PROGRAM, TOKENS, KEY), 'tax-changed'],
  [custom(4), anything, 'payment-refused'],
  [custom(6_002), calling(VENUE, TILL), 'market-refuses'],
  [{ InstructionError: [7, { Custom: 1 }] }, anything, 'payment-refused'],
  ['"BlockhashNotFound"', anything, 'payment-refused'],
  ['not JSON', anything, 'payment-refused'],
])('%j of %o is %s', (error, instruction, code) => {
  const wait = explain(error, instruction);
  expect(wait.code).toBe(code);
  expect(wait.error).toBe(typeof error === 'string' ? error : JSON.stringify(error));
});

test('the account that lacks SOL is named, and what it lacks', () => {
  expect(explain(custom(1), transfer(KEY)).detail).toBe(
    `${KEY} does not hold 42 lamports that a payment needs.`,
  );
  expect(explain(custom(1), transfer(DISTRIBUTOR)).detail).toBe(
    'The distributor distributor does not hold 42 lamports that a payment needs.',
  );
});
