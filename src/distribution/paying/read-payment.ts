/** Reads a payment transaction off the chain: the value of the meter that it was guarded at, and whom it paid. */
import { addressOf, decodeTransaction, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from 'levy-solana-wire';
import type { PlannedPot } from '../../streams/distribution-run.ts';
import type { MeterValue, Payment } from '../once/meter.ts';

export interface LandedPayment {
  readonly value: MeterValue;
  readonly payments: readonly Payment[];
}

interface Move {
  readonly from: string;
  readonly to: string;
  readonly authority: string;
  readonly amount: bigint;
}

const BATCH = 255;
const TRANSFER = 3;
const UNWRAP_LAMPORTS = 45;
const SOME = 1;
const TRANSFER_FEE_EXTENSION = 26;
const TRANSFER_CHECKED_WITH_FEE = 1;

/**
 * Undefined for a transaction that does not begin with the guard of this pot, or is not signed by its delegate: the
 * token's account serves run after run, and an earlier one may have shown the same value.
 */
export function readPayment(
  wire: Uint8Array,
  { address, delegate, asset }: Pick<PlannedPot, 'address' | 'delegate' | 'asset'>,
): LandedPayment | undefined {
  const moves = asset === 'sol' ? solMoves(wire) : tokenMoves(wire);
  const [guard, ...rest] = moves ?? [];
  if (guard === undefined || guard.to !== address || rest.length === 0) return undefined;
  if (moves?.some(({ from, authority }) => from !== address || authority !== delegate)) return undefined;
  return { value: guard.amount, payments: rest.map(({ to, amount }) => ({ to, amount })) };
}

interface Step {
  readonly program: string;
  readonly accounts: readonly string[];
  readonly data: Buffer;
}

function stepsOf(wire: Uint8Array): readonly Step[] {
  const decoded = decodeTransaction(wire);
  if (!decoded.ok) return [];
  const { accountKeys, instructions } = decoded.transaction.message;
  const key = (index: number) => {
    const bytes = accountKeys[index];
    return bytes === undefined ? '' : addressOf(bytes);
  };
  return instructions.map(({ programIndex, accountIndexes, data }) => ({
    program: key(programIndex),
    accounts: Array.from(accountIndexes, key),
    data: Buffer.from(data),
  }));
}

/** The guard and the payments of one batch of the token program; undefined if the transaction is another. */
function solMoves(wire: Uint8Array): readonly Move[] | undefined {
  const [step, ...others] = stepsOf(wire);
  if (step === undefined || others.length > 0) return undefined;
  const { program, accounts, data } = step;
  if (program !== TOKEN_PROGRAM || data[0] !== BATCH) return undefined;
  const moves: Move[] = [];
  let account = 0;
  for (let at = 1; at + 2 <= data.length; ) {
    const [takes, length] = [data[at] ?? 0, data[at + 1] ?? 0];
    const body = data.subarray(at + 2, at + 2 + length);
    const move = solMove(body, accounts.slice(account, account + takes), moves.length === 0);
    if (move === undefined) return undefined;
    moves.push(move);
    account += takes;
    at += 2 + length;
  }
  return moves;
}

function solMove(data: Buffer, [from, to, authority]: readonly string[], isGuard: boolean): Move | undefined {
  if (from === undefined || to === undefined || authority === undefined) return undefined;
  if (isGuard)
    return data[0] === TRANSFER && data.length === 9
      ? { from, to, authority, amount: data.readBigUInt64LE(1) }
      : undefined;
  return data[0] === UNWRAP_LAMPORTS && data[1] === SOME && data.length === 10
    ? { from, to, authority, amount: data.readBigUInt64LE(2) }
    : undefined;
}

function tokenMoves(wire: Uint8Array): readonly Move[] | undefined {
  const moves: Move[] = [];
  for (const { program, accounts, data } of stepsOf(wire)) {
    const [from, , to, authority] = accounts;
    const isTransfer =
      program === TOKEN_2022_PROGRAM &&
      data[0] === TRANSFER_FEE_EXTENSION &&
      data[1] === TRANSFER_CHECKED_WITH_FEE &&
      data.length === 19;
    if (!isTransfer || from === undefined || to === undefined || authority === undefined) return undefined;
    moves.push({ from, to, authority, amount: data.readBigUInt64LE(2) });
  }
  return moves;
}
