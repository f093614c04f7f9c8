/** Converts addresses, numbers and instructions of the service to and from those of web3.js and spl-token. */
import { PublicKey, type TransactionInstruction } from '@solana/web3.js';
import { addressBytes, addressOf, type Instruction } from 'levy-solana-wire';

/** Addresses by key, because a PublicKey encodes its address again on each request. */
const addresses = new WeakMap<PublicKey, string>();

/** Throws a TypeError for an invalid address. */
export function publicKey(address: string): PublicKey {
  const key = new PublicKey(addressBytes(address));
  addresses.set(key, address);
  return key;
}

export function instructionOf({ programId, keys, data }: TransactionInstruction): Instruction {
  return {
    program: addressIn(programId),
    accounts: keys.map(({ pubkey, isSigner, isWritable }) => ({
      address: addressIn(pubkey),
      signer: isSigner,
      writable: isWritable,
    })),
    data,
  };
}

function addressIn(key: PublicKey): string {
  const known = addresses.get(key);
  if (known !== undefined) return known;
  const address = addressOf(key.toBytes());
  addresses.set(key, address);
  return address;
}

/** Replaces keys by addresses in base58. */
type Plain<Value> = Value extends PublicKey ? string : Value extends PublicKey[] ? readonly string[] : Value;

/**
 * Instruction created by a function of spl-token, with addresses in base58. Throws a TypeError for an invalid address and a
 * RangeError for a number that its field cannot hold, because spl-token would truncate an amount.
 */
export function tokenInstruction<Given extends readonly unknown[]>(
  create: (...given: Given) => TransactionInstruction,
  ...given: { readonly [Index in keyof Given]: Plain<Given[Index]> }
): Instruction {
  return instructionOf(create(...(given.map(asGiven) as unknown as Given)));
}

function asGiven(value: unknown): unknown {
  if (typeof value === 'string') return publicKey(value);
  if (Array.isArray(value)) return value.map(asGiven);
  if (typeof value === 'bigint') return fitting(value, 64);
  return typeof value === 'number' ? fitting(value, 32) : value;
}

/** Returns the value. Throws a RangeError if a field of the given bits cannot hold it, because spl-token would truncate it. */
export function fitting<Value extends number | bigint>(value: Value, bits: 8 | 16 | 32 | 64): Value {
  const isWhole = typeof value === 'bigint' || Number.isSafeInteger(value);
  if (!isWhole || value < 0 || value >= 2n ** BigInt(bits))
    throw new RangeError(`${value} is not a u${bits}`);
  return value;
}

/** Converts to a number for fields of web3.js. Throws a RangeError if the result would not be exact. */
export function asNumber(value: bigint): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number) || number < 0)
    throw new RangeError(`${value} is not an exact whole number`);
  return number;
}
