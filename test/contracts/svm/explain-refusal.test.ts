// Errors of the chain's programs for a link that cannot land, and their explanations.
import type { Instruction } from 'levy-solana-wire';
import { beforeEach, expect, test } from 'vitest';
import { createKeyPair, type KeyPair } from '../../../src/chain/keys.ts';
import { transferSol, unwrapLamports } from '../../../src/chain/payment-instructions.ts';
import {
  linkInstructions,
  type TillAction,
  type TillLink,
  tillOf,
} from '../../../src/distribution/once/till-chain.ts';
import { explainRefusal } from '../../../src/distribution/sending/explain-refusal.ts';
import { TOKEN_ACCOUNT_SIZE } from '../../support/token-instructions.ts';
import { openTokenMachine, type TokenMachine } from './token-machine.ts';

const key = (number: number): KeyPair => createKeyPair(new Uint8Array(32).fill(number));
const [wallet, distributor, other] = [key(1), key(2), key(3)];

let machine: TokenMachine;
let rent: bigint;

beforeEach(() => {
  machine = openTokenMachine();
  rent = machine.rent(TOKEN_ACCOUNT_SIZE);
});

const genesis: TillLink = { wallet: wallet.address, number: 0, previous: undefined, actions: [] };
const withAction = (action: Omit<TillAction, 'content'>): TillLink => ({
  ...genesis,
  actions: [{ content: 'something', ...action }],
});
const instructionsOf = (link: TillLink) =>
  linkInstructions(link, distributor.address, { today: rent, ofPrevious: rent });

function refusalOf(instructions: readonly Instruction[]) {
  const { told } = machine.send(machine.sign(instructions, [distributor, wallet]));
  if (told === undefined) throw new Error('the chain took it');
  const wait = explainRefusal(told, {
    instructions,
    token: { distributor: { address: distributor.address }, tokens: other.address },
    what: 'link 5',
  });
  expect(wait.error).toBe(told);
  return wait;
}

test.each([0n, 4_000n, 900_000n, 2_000_000n])('a distributor with %s lamports is out of SOL', (held) => {
  if (held > 0n) machine.fund(distributor.address, held);
  expect(refusalOf(instructionsOf(genesis))).toMatchObject({
    code: 'distributor-unfunded',
    detail: expect.stringContaining(distributor.address),
  });
});

test('a till that holds less than is taken from it is said to, with its address', () => {
  machine.fund(distributor.address, 10_000_000_000n);
  const link = withAction({
    spend: (till) => [
      unwrapLamports({ from: till, to: other.address, authority: wallet.address, lamports: 5n }),
    ],
  });
  expect(refusalOf(instructionsOf(link))).toMatchObject({
    code: 'transaction-refused',
    detail: expect.stringContaining(tillOf(link).address),
  });
});

test('a sale that brings less than its minimum is refused by its guard', () => {
  machine.fund(distributor.address, 10_000_000_000n);
  const link = withAction({
    spend: (till) => [transferSol({ from: till, to: till, authority: wallet.address, lamports: 7n })],
  });
  expect(refusalOf(instructionsOf(link))).toMatchObject({ code: 'transaction-refused' });
});
