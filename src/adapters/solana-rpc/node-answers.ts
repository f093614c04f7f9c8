/** Decodes node responses, checking only the members in use. Throws `ChainAnswerInvalid` for invalid responses. */
import { addressOf, decodeTransaction } from 'levy-solana-wire';
import {
  type ChainAccount,
  ChainAnswerInvalid,
  type HistoryEntry,
  type LandedTransaction,
  type SignatureStatus,
  type Simulation,
} from '../../kernel/ports/chain.ts';

/** Decodes a response that states its slot. */
export function atSlot(answer: unknown): { readonly slot: bigint; readonly value: unknown } {
  const { context, value } = fieldsOf(answer);
  const slot = fieldsOf(context).slot;
  if (!isSlot(slot)) throw senseless('a response without a slot');
  return { slot: BigInt(slot), value };
}

/** A list of the wrong length would assign results to the wrong requests. */
export function oneForEach(asked: readonly unknown[], answers: unknown): readonly unknown[] {
  if (!Array.isArray(answers)) throw senseless('no list of results');
  if (answers.length === asked.length) return answers;
  throw new ChainAnswerInvalid(
    `the chain node returned ${answers.length} results for ${asked.length} requested items`,
  );
}

/** Undefined if the account does not exist at the node. */
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
    throw senseless('an invalid account');
  }
  return { owner, lamports: BigInt(lamports), data: Buffer.from(data[0], 'base64') };
}

/** Undefined if the node does not have the signature. */
export function statusIn(answer: unknown): SignatureStatus | undefined {
  if (answer === null) return undefined;
  const { slot, err, confirmations, confirmationStatus } = fieldsOf(answer);
  if (!isSlot(slot) || !isOutcome(err)) throw senseless('an invalid signature status');
  return { slot, error: errorText(err), commitment: commitmentOf(confirmationStatus, confirmations) };
}

/** Nodes omit the status of transactions rooted long ago. */
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

export function slotIn(answer: unknown): bigint {
  if (!isSlot(answer)) throw senseless('no slot');
  return BigInt(answer);
}

export function lamportsIn(answer: unknown): bigint {
  if (isWhole(answer) && Number.isSafeInteger(answer)) return BigInt(answer);
  throw senseless('no valid amount of lamports');
}

export function textIn(answer: unknown): string {
  if (typeof answer !== 'string' || answer === '') throw senseless('no text');
  return answer;
}

export function pricesIn(answer: unknown): readonly bigint[] {
  return listIn(answer).map((each) => {
    const { prioritizationFee } = fieldsOf(each);
    if (!isWhole(prioritizationFee)) throw senseless('an invalid price');
    return BigInt(prioritizationFee);
  });
}

export function historyIn(answer: unknown): readonly HistoryEntry[] {
  return listIn(answer).map((each) => {
    const { signature, slot, err, memo, blockTime } = fieldsOf(each);
    if (!isSlot(slot) || !isOutcome(err)) throw senseless('an invalid history entry');
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
  if (!isOutcome(err)) throw senseless('no simulation outcome');
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
    throw senseless('an invalid transaction');
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

/** Token balances by address. Omits accounts from lookup tables, which the service does not use. */
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

/** True for null, which is success, and for error values; false for a missing member. */
function isOutcome(error: unknown): boolean {
  return error === null || typeof error === 'string' || typeof error === 'object';
}

function errorText(error: unknown): string | undefined {
  return error === null ? undefined : JSON.stringify(error);
}

/** Milliseconds: time of the oldest cluster's genesis (16 March 2020), and minimum average duration of a slot. */
const GENESIS = Date.UTC(2020, 2, 16);
const MIN_SLOT = 100;

/**
 * True if a chain can have reached this slot. Later reads require at least the newest slot seen, so accepting one absurd
 * slot would block them forever.
 */
export function isSlot(value: unknown): value is number {
  return isWhole(value) && value <= (Date.now() - GENESIS) / MIN_SLOT;
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
  return new ChainAnswerInvalid(`the chain node returned ${what}`);
}
