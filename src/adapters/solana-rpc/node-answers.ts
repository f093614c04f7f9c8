/** Reads what nodes answer: only what is used of it is checked. Throws `ChainAnswerInvalid` for what makes no sense. */
import { addressOf, decodeTransaction } from 'levy-solana-wire';
import {
  type ChainAccount,
  ChainAnswerInvalid,
  type HistoryEntry,
  type LandedTransaction,
  type SignatureStatus,
  type Simulation,
} from '../../kernel/ports/chain.ts';

/** Answers that say which slot they are of. */
export function atSlot(answer: unknown): { readonly slot: bigint; readonly value: unknown } {
  const { context, value } = fieldsOf(answer);
  const slot = fieldsOf(context).slot;
  if (!isSlot(slot)) throw senseless('an answer without its slot');
  return { slot: BigInt(slot), value };
}

/** A list of the wrong length would assign answers to the wrong requests. */
export function oneForEach(asked: readonly unknown[], answers: unknown): readonly unknown[] {
  if (!Array.isArray(answers)) throw senseless('no list of answers');
  if (answers.length === asked.length) return answers;
  throw new ChainAnswerInvalid(
    `the chain node gave ${answers.length} answers to ${asked.length} questions in one`,
  );
}

/** Undefined where the node shows none. */
export function accountIn(answer: unknown): ChainAccount | undefined {
  if (answer === null) return undefined;
  const { owner, lamports, data } = fieldsOf(answer);
  if (
    typeof owner !== 'string' ||
    !isWhole(lamports) ||
    !Array.isArray(data) ||
    typeof data[0] !== 'string' ||
    data[1] !== 'base64'
  ) {
    throw senseless('an account that makes no sense');
  }
  return { owner, lamports: BigInt(lamports), data: Buffer.from(data[0], 'base64') };
}

/** Undefined where the node does not know the signature. */
export function statusIn(answer: unknown): SignatureStatus | undefined {
  if (answer === null) return undefined;
  const { slot, err, confirmations, confirmationStatus } = fieldsOf(answer);
  if (!isSlot(slot) || !isOutcome(err)) throw senseless('the status of a signature that makes no sense');
  return { slot, error: errorText(err), commitment: commitmentOf(confirmationStatus, confirmations) };
}

/** Nodes omit the status for transactions rooted long ago. */
function commitmentOf(status: unknown, confirmations: unknown): SignatureStatus['commitment'] {
  if (status === 'confirmed' || status === 'finalized') return status;
  const isUntold = status === undefined || status === null;
  return isUntold && confirmations === null ? 'finalized' : 'processed';
}

export function blockhashIn(answer: unknown) {
  const { blockhash, lastValidBlockHeight } = fieldsOf(answer);
  if (typeof blockhash !== 'string' || !isWhole(lastValidBlockHeight)) throw senseless('no blockhash');
  return { blockhash, lastValidBlockHeight: BigInt(lastValidBlockHeight) };
}

export function epochIn(answer: unknown) {
  const { absoluteSlot, blockHeight, epoch } = fieldsOf(answer);
  if (!isSlot(absoluteSlot) || !isWhole(epoch)) throw senseless('no epoch');
  if (!isWhole(blockHeight)) throw senseless('no block height');
  return { slot: BigInt(absoluteSlot), blockHeight: BigInt(blockHeight), epoch: BigInt(epoch) };
}

export function lamportsIn(answer: unknown): bigint {
  if (isWhole(answer) && Number.isSafeInteger(answer)) return BigInt(answer);
  throw senseless('no amount of lamports');
}

export function textIn(answer: unknown): string {
  if (typeof answer !== 'string' || answer === '') throw senseless('no text');
  return answer;
}

export function pricesIn(answer: unknown): readonly bigint[] {
  return listIn(answer).map((each) => {
    const { prioritizationFee } = fieldsOf(each);
    if (!isWhole(prioritizationFee)) throw senseless('a price that makes no sense');
    return BigInt(prioritizationFee);
  });
}

export function historyIn(answer: unknown): readonly HistoryEntry[] {
  return listIn(answer).map((each) => {
    const { signature, slot, err, memo, blockTime } = fieldsOf(each);
    if (!isSlot(slot) || !isOutcome(err)) throw senseless('a transaction of a history that makes no sense');
    return {
      signature: textIn(signature),
      slot,
      error: errorText(err),
      memo: typeof memo === 'string' ? memo : undefined,
      blockTime: typeof blockTime === 'number' ? blockTime : undefined,
    };
  });
}

export function simulationIn({ slot, value }: ReturnType<typeof atSlot>): Simulation {
  const { err, logs, unitsConsumed } = fieldsOf(value);
  if (!isOutcome(err)) throw senseless('no outcome of a simulation');
  return {
    slot,
    error: errorText(err),
    logs: Array.isArray(logs) ? logs.map(String) : [],
    unitsConsumed: typeof unitsConsumed === 'number' ? unitsConsumed : 0,
  };
}

export function transactionIn(answer: unknown): LandedTransaction {
  const { slot, transaction, meta } = fieldsOf(answer);
  if (!isSlot(slot) || !Array.isArray(transaction) || typeof transaction[0] !== 'string' || !meta)
    throw senseless('a transaction that makes no sense');
  const { err, fee, logMessages, postTokenBalances } = fieldsOf(meta);
  const wire = new Uint8Array(Buffer.from(transaction[0], 'base64'));
  return {
    slot,
    wire,
    fee: lamportsIn(fee),
    error: errorText(err ?? null),
    logs: Array.isArray(logMessages) ? logMessages.map(String) : [],
    tokensAfter: Array.isArray(postTokenBalances) ? tokensIn(wire, postTokenBalances) : undefined,
  };
}

/** Indexed by address. Accounts of look-up tables are left out: none of ours is in one. */
function tokensIn(wire: Uint8Array, balances: readonly unknown[]): ReadonlyMap<string, bigint> {
  const decoded = decodeTransaction(wire);
  const keys = decoded.ok ? decoded.transaction.message.accountKeys : [];
  return new Map(
    balances.flatMap((each) => {
      const { accountIndex, uiTokenAmount } = fieldsOf(each);
      const { amount } = fieldsOf(uiTokenAmount);
      const key = typeof accountIndex === 'number' ? keys[accountIndex] : undefined;
      return key !== undefined && typeof amount === 'string' && /^\d{1,20}$/.test(amount)
        ? [[addressOf(key), BigInt(amount)] as const]
        : [];
    }),
  );
}

/** Null is success. What is left out is neither. */
function isOutcome(error: unknown): boolean {
  return error === null || typeof error === 'string' || typeof error === 'object';
}

function errorText(error: unknown): string | undefined {
  return error === null ? undefined : JSON.stringify(error);
}

/** When the oldest cluster began (16 March 2020), and the shortest time that its slots have ever taken together. Milliseconds. */
const GENESIS = Date.UTC(2020, 2, 16);
const SHORTEST_SLOT = 100;

/**
 * True if a chain can have reached it: later reads must not be from before the slots that were shown, so one absurd slot would
 * be waited for without end.
 */
export function isSlot(value: unknown): value is number {
  return isWhole(value) && value <= (Date.now() - GENESIS) / SHORTEST_SLOT;
}

function isWhole(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

function listIn(answer: unknown): readonly unknown[] {
  if (Array.isArray(answer)) return answer;
  throw senseless('no list');
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return Object(value) as Record<string, unknown>;
}

function senseless(what: string): ChainAnswerInvalid {
  return new ChainAnswerInvalid(`the chain node gave ${what}`);
}
