/** Between the service's addresses, numbers and instructions, and those of web3.js and spl-token. */
import { PublicKey, type TransactionInstruction } from '@solana/web3.js';
import { addressBytes, addressOf, type Instruction } from 'levy-solana-wire';

/** Cached by key: a PublicKey encodes its address anew on each request. */
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

/** Addresses in base58 in the place of keys. */
type Plain<Value> = Value extends PublicKey ? string : Value extends PublicKey[] ? readonly string[] : Value;

/**
 * The instruction that a function of spl-token creates, with addresses in base58. Throws a TypeError for an invalid address and
 * a RangeError for a number that its field cannot hold: spl-token would truncate an amount.
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

/** Returns the value. Throws a RangeError if a field of the given bits cannot hold it: spl-token would truncate it. */
export function fitting<Value extends number | bigint>(value: Value, bits: 8 | 16 | 32 | 64): Value {
  const isWhole = typeof value === 'bigint' || Number.isSafeInteger(value);
  if (!isWhole || value < 0 || value >= 2n ** BigInt(bits))
    throw new RangeError(`${value} is not a u${bits}`);
  return value;
}

/** For the fields of web3.js that take numbers alone. Throws a RangeError where it would not be exact. */
export function asNumber(value: bigint): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number) || number < 0) throw new RangeError(`${value} is not an exact whole number`);
  return number;
}
