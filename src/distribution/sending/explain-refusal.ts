/**
 * Explains the chain's error for a transaction of the service by the instruction that failed: a lack of SOL, a change by others,
 * a frozen account. Pure.
 */

import {
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  type Instruction,
  MEMO_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from 'levy-solana-wire';
import { transferredLamports } from '../../chain/system-instructions.ts';
import { memberOf, parsedJson } from '../../kernel/runtime/bounded-input.ts';
import { type Wait, waitFor } from '../../streams/distribution-wait.ts';
import { inSol } from '../../streams/value-types.ts';
import type { DistributedToken } from '../distributed-token.ts';

interface RefusedTransaction {
  readonly instructions: readonly Instruction[];
  readonly token: Pick<DistributedToken, 'tokens'> & {
    readonly distributor: Pick<DistributedToken['distributor'], 'address'>;
  };
  /** Noun phrase for messages: `link 5`, `the withdrawal`, `a payment`. */
  readonly what: string;
}

/** Error codes of the token programs. */
const INSUFFICIENT_FUNDS = 1;
const ACCOUNT_FROZEN = 17;
const FEE_MISMATCH = 32;
/** Error code of the System program: the account has fewer lamports than the transfer. */
const NEGATIVE_LAMPORTS = 1;
/** The payer cannot pay the fee, or does not exist. */
const PAYER_ERRORS: readonly unknown[] = ['InsufficientFundsForFee', 'AccountNotFound'];

/** `error`: JSON text from the chain's port. */
export function explainRefusal(error: string, refused: RefusedTransaction): Wait {
  const parsed = parsedJson(error);
  const found =
    (isOfPayer(parsed) ? outOfSol(refused.token.distributor.address, refused, undefined) : undefined) ??
    explainInstruction(parsed, refused);
  const { code, detail } = found ?? refusedBecause(`The chain refuses ${refused.what}.`);
  return waitFor(code, detail, error);
}

type Meaning = Pick<Wait, 'code' | 'detail'>;

const refusedBecause = (detail: string): Meaning => ({ code: 'transaction-refused', detail });

function isOfPayer(parsed: unknown): boolean {
  // The first account of a transaction is its payer.
  return (
    PAYER_ERRORS.includes(parsed) ||
    memberOf(memberOf(parsed, 'InsufficientFundsForRent'), 'account_index') === 0
  );
}

function explainInstruction(parsed: unknown, refused: RefusedTransaction): Meaning | undefined {
  const failed = memberOf(parsed, 'InstructionError');
  if (!Array.isArray(failed)) return undefined;
  const [index, cause]: readonly unknown[] = failed;
  const instruction = typeof index === 'number' ? refused.instructions[index] : undefined;
  if (instruction === undefined) return undefined;
  const code = memberOf(cause, 'Custom');
  const { program, accounts } = instruction;
  if (program === SYSTEM_PROGRAM)
    return code === NEGATIVE_LAMPORTS ? shortTransfer(instruction, refused) : undefined;
  // This instruction creates an account; its first account pays.
  if (program === ASSOCIATED_TOKEN_PROGRAM)
    return code === NEGATIVE_LAMPORTS ? outOfSol(accounts[0]?.address ?? '', refused, undefined) : undefined;
  if (program !== TOKEN_PROGRAM && program !== TOKEN_2022_PROGRAM)
    return isVenue(program) ? refusedBecause(`The program ${program} refuses ${refused.what}.`) : undefined;
  if (code === ACCOUNT_FROZEN) return refusedBecause(`An account that ${refused.what} needs is frozen.`);
  if (code === FEE_MISMATCH)
    return refusedBecause(`The tax of the token has changed since ${refused.what} was built.`);
  return code === INSUFFICIENT_FUNDS ? shortOfTokens(instruction, refused) : undefined;
}

/** All other programs that the transactions call belong to markets. */
function isVenue(program: string): boolean {
  return program !== MEMO_PROGRAM && program !== COMPUTE_BUDGET_PROGRAM;
}

function shortTransfer({ accounts, data }: Instruction, refused: RefusedTransaction): Meaning | undefined {
  const lamports = transferredLamports(data);
  return lamports === undefined ? undefined : outOfSol(accounts[0]?.address ?? '', refused, lamports);
}

function outOfSol(
  address: string,
  { token: { distributor }, what }: RefusedTransaction,
  needed: bigint | undefined,
): Meaning {
  const much = needed === undefined ? 'the SOL' : `the ${inSol(needed)}`;
  if (address === distributor.address)
    return {
      code: 'distributor-unfunded',
      detail: `The distributor ${address} does not hold ${much} that ${what} needs.`,
    };
  return refusedBecause(`${address} does not hold ${much} that ${what} needs.`);
}

/** A transfer of an account to itself is a guard: it moves nothing and checks a balance. */
function shortOfTokens(
  { program, accounts }: Instruction,
  { token: { tokens }, what }: RefusedTransaction,
): Meaning | undefined {
  const from = accounts[0]?.address ?? '';
  if (program === TOKEN_2022_PROGRAM) {
    // The withdrawal of the tax names the mint first. Tills and pots belong to the other token program.
    if (from !== tokens) return undefined;
    return refusedBecause(
      `The wallet's account ${from} holds or may spend fewer tokens than ${what} requires.`,
    );
  }
  const isGuard = accounts.filter(({ address }) => address === from).length > 1;
  return isGuard
    ? refusedBecause(
        `${from} holds less than ${what} requires: a sale yields less than its minimum, or the till or the pot has changed.`,
      )
    : refusedBecause(`${from} holds less than ${what} spends.`);
}
