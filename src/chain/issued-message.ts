/** Compares the message that a wallet signed with the issued one, apart from guards that wallets add. */

import type { AccountMeta, Instruction } from 'levy-solana-wire';
import {
  addressOf,
  COMPUTE_BUDGET_PROGRAM,
  type CompiledInstruction,
  decodeLegacyMessage,
  LIGHTHOUSE_PROGRAM,
  type WireMessage,
} from 'levy-solana-wire';
import { priorityFee } from './durable-transaction.ts';

/** First byte of the compute-budget program's instructions. */
const SET_LIMIT = 2;
const SET_PRICE = 3;

/** Maximum priority fee in lamports; a wallet that sets more has most likely confused two units. */
const MAX_PRIORITY_FEE = 50_000_000n;
const PRICE_CHANGED = 'your wallet changed the priority fee';

interface ReadableMessage {
  readonly payer: string;
  readonly recentBlockhash: string;
  readonly accounts: ReadonlyMap<string, AccountMeta>;
  readonly instructions: readonly Instruction[];
}

/**
 * Messages are the same if their bytes are equal, or if they do the same to the same accounts and only Lighthouse instructions
 * were added after the first one, the nonce advance. Wallets that add these instructions recompile the message, so the order of
 * the accounts may differ. With `mayPriceAnew` the compute-unit price may differ and the limit may be higher, because many
 * wallets set both; `MAX_PRIORITY_FEE` bounds the fee. Lighthouse instructions may use the issued message's accounts, and
 * further accounts that neither sign nor are writable. Of the signers they may name only the payer.
 *
 * Returns the difference as a sentence for the caller; undefined if the messages are the same. Throws a TypeError if the issued
 * bytes are not a message.
 */
export function compareWithIssued(
  issuedBytes: Uint8Array,
  signedBytes: Uint8Array,
  { mayPriceAnew }: { readonly mayPriceAnew: boolean },
): string | undefined {
  if (Buffer.compare(issuedBytes, signedBytes) === 0) return undefined;
  const issuedMessage = decodeLegacyMessage(issuedBytes);
  if (!issuedMessage.ok) throw new TypeError(`the issued message cannot be read: ${issuedMessage.reason}`);
  const signedMessage = decodeLegacyMessage(signedBytes);
  if (!signedMessage.ok) return signedMessage.reason;

  const issued = readable(issuedMessage.message);
  const signed = readable(signedMessage.message);
  return (
    differentHeader(issued, signed) ??
    differentInstructions(issued, signed) ??
    differentPrice(issued, signed, mayPriceAnew)
  );
}

function differentHeader(issued: ReadableMessage, signed: ReadableMessage): string | undefined {
  if (signed.payer !== issued.payer) return 'the payer was changed';
  if (signed.recentBlockhash !== issued.recentBlockhash) {
    return `the blockhash was changed; the issued one is ${issued.recentBlockhash}`;
  }
  for (const [address, { signer, writable }] of issued.accounts) {
    const now = signed.accounts.get(address);
    if (now === undefined) return `account ${address} was removed`;
    if (now.signer !== signer) return `account ${address} ${signer ? 'no longer signs' : 'became a signer'}`;
    if (now.writable !== writable) return `account ${address} became ${writable ? 'readonly' : 'writable'}`;
  }
  const used = usedAddresses(signed);
  for (const { address, signer, writable } of signed.accounts.values()) {
    if (issued.accounts.has(address)) continue;
    if (signer) return `signer ${address} was added`;
    if (writable) return `writable account ${address} was added`;
    if (!used.has(address)) return `account ${address} was added and is not used`;
  }
  return undefined;
}

function differentInstructions(issued: ReadableMessage, signed: ReadableMessage): string | undefined {
  let matched = 0;
  for (const [index, instruction] of signed.instructions.entries()) {
    const expected = issued.instructions[matched];
    if (
      expected !== undefined &&
      (equalInstructions(expected, instruction) || areBothPrices(expected, instruction))
    ) {
      matched += 1;
      continue;
    }
    if (priceKindOf(instruction) !== undefined) return PRICE_CHANGED;
    if (matched === 0) return 'the first instruction differs from the issued one';
    if (instruction.program !== LIGHTHOUSE_PROGRAM) {
      return `instruction ${index} is neither an issued instruction nor a wallet guard`;
    }
    const foreign = instruction.accounts.find(({ address, signer }) => signer && address !== issued.payer);
    if (foreign !== undefined) return `a wallet guard names the signer ${foreign.address}`;
  }
  return matched < issued.instructions.length ? `issued instruction ${matched} is missing` : undefined;
}

/** Compares the prices, if both messages have one; undefined if the difference is allowed. */
function differentPrice(
  issued: ReadableMessage,
  signed: ReadableMessage,
  mayPriceAnew: boolean,
): string | undefined {
  const [before, after] = [priceIn(issued), priceIn(signed)];
  if (before === undefined || after === undefined) return undefined;
  if (after.limit === before.limit && after.price === before.price) return undefined;
  if (!mayPriceAnew) return `${PRICE_CHANGED}, but the service has signed the issued one`;
  if (after.limit < before.limit)
    return `${PRICE_CHANGED}: the compute-unit limit is lower than the issued one`;
  const fee = priorityFee(after);
  return fee > MAX_PRIORITY_FEE
    ? `${PRICE_CHANGED}: ${fee} lamports exceed the maximum of ${MAX_PRIORITY_FEE}`
    : undefined;
}

interface Price {
  readonly limit: number;
  /** Microlamports per compute unit. */
  readonly price: bigint;
}

/** Undefined unless the message sets both limit and price. */
function priceIn({ instructions }: ReadableMessage): Price | undefined {
  const dataOf = (kind: PriceKind) => instructions.find((each) => priceKindOf(each) === kind)?.data;
  const [limit, price] = [dataOf('limit'), dataOf('price')];
  if (limit === undefined || price === undefined) return undefined;
  return {
    limit: new DataView(limit.buffer, limit.byteOffset).getUint32(1, true),
    price: new DataView(price.buffer, price.byteOffset).getBigUint64(1, true),
  };
}

type PriceKind = 'limit' | 'price';

function priceKindOf({ program, data }: Instruction): PriceKind | undefined {
  if (program !== COMPUTE_BUDGET_PROGRAM) return undefined;
  if (data[0] === SET_LIMIT && data.length === 5) return 'limit';
  return data[0] === SET_PRICE && data.length === 9 ? 'price' : undefined;
}

function areBothPrices(one: Instruction, other: Instruction): boolean {
  const kind = priceKindOf(one);
  return kind !== undefined && kind === priceKindOf(other) && other.accounts.length === 0;
}

function equalInstructions(one: Instruction, other: Instruction): boolean {
  // Signer and writable flags apply to the whole message; `differentHeader` compares them.
  return (
    one.program === other.program &&
    one.accounts.length === other.accounts.length &&
    one.accounts.every(({ address }, index) => other.accounts[index]?.address === address) &&
    Buffer.compare(one.data, other.data) === 0
  );
}

function usedAddresses(message: ReadableMessage): Set<string> {
  const addresses = message.instructions.flatMap(({ program, accounts }) => [
    program,
    ...accounts.map(({ address }) => address),
  ]);
  return new Set([message.payer, ...addresses]);
}

function readable(message: WireMessage): ReadableMessage {
  const { requiredSignatures, readonlySigned, readonlyUnsigned, accountKeys } = message;
  const metas = accountKeys.map((key, index): AccountMeta => {
    const signer = index < requiredSignatures;
    const writable = signer
      ? index < requiredSignatures - readonlySigned
      : index < accountKeys.length - readonlyUnsigned;
    return { address: addressOf(key), signer, writable };
  });
  const at = (index: number): AccountMeta => {
    const meta = metas[index];
    if (meta === undefined) throw new RangeError(`account index ${index} is out of range`);
    return meta;
  };
  const instruction = ({ programIndex, accountIndexes, data }: CompiledInstruction): Instruction => ({
    program: at(programIndex).address,
    accounts: Array.from(accountIndexes, at),
    data,
  });
  return {
    payer: at(0).address,
    recentBlockhash: addressOf(message.recentBlockhash),
    accounts: new Map(metas.map((meta) => [meta.address, meta])),
    instructions: message.instructions.map(instruction),
  };
}
