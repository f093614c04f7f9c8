/** Parses the parameters of a call; invalid ones cause a real node's error (-32602). */
import { fromBase58 } from 'levy-solana-wire';
import { invalidParams } from './rpc-error.ts';

export type Commitment = 'processed' | 'confirmed' | 'finalized';
export type Params = readonly unknown[];
export type Config = Readonly<Record<string, unknown>>;

const COMMITMENTS = new Map<unknown, Commitment>([
  ['processed', 'processed'],
  ['confirmed', 'confirmed'],
  ['finalized', 'finalized'],
  // Aliases of old clients.
  ['recent', 'processed'],
  ['single', 'confirmed'],
  ['singleGossip', 'confirmed'],
  ['root', 'finalized'],
  ['max', 'finalized'],
]);

export function isConfig(value: unknown): value is Config {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Configuration object at an index; empty if it is absent or null. */
export function configAt(params: Params, index: number): Config {
  const value = params[index];
  if (value === undefined || value === null) return {};
  if (!isConfig(value)) throw invalidParams('Invalid params: expected a configuration object.');
  return value;
}

export function commitmentOf(config: Config): Commitment {
  const value = config.commitment;
  if (value === undefined || value === null) return 'finalized';
  const commitment = COMMITMENTS.get(value);
  if (commitment === undefined) {
    throw invalidParams(
      `Invalid params: unknown variant \`${String(value)}\`, expected one of \`processed\`, \`confirmed\`, \`finalized\`.`,
    );
  }
  return commitment;
}

export function stringAt(params: Params, index: number, name: string): string {
  const value = params[index];
  if (value === undefined) throw invalidParams(`Invalid params: missing field \`${name}\`.`);
  if (typeof value !== 'string') throw invalidParams(`Invalid params: invalid type, expected a string.`);
  return value;
}

/** Parses a count, slot or index: a whole number of at least 0. */
export function wholeNumber(value: unknown, name: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    throw invalidParams(`Invalid params: invalid type for \`${name}\`, expected u64.`);
  }
  return value;
}

export function optionalWholeNumber(value: unknown, name: string): number | undefined {
  return value === undefined || value === null ? undefined : wholeNumber(value, name);
}

export function stringList(value: unknown, maximum: number): readonly string[] {
  if (!Array.isArray(value)) throw invalidParams('Invalid params: invalid type, expected a sequence.');
  if (value.length > maximum) throw invalidParams(`Too many inputs provided; max ${maximum}`);
  return value.map((entry: unknown) => {
    if (typeof entry !== 'string') throw invalidParams('Invalid params: invalid type, expected a string.');
    return entry;
  });
}

/** Parses a base58 address of 32 bytes. */
export function addressBytes(text: unknown): Uint8Array {
  return fixedBase58(text, 32, 44);
}

/** Parses a base58 signature of 64 bytes. */
export function signatureBytes(text: unknown): Uint8Array {
  return fixedBase58(text, 64, 88);
}

function fixedBase58(text: unknown, size: number, maximumLength: number): Uint8Array {
  if (typeof text !== 'string') throw invalidParams('Invalid params: invalid type, expected a string.');
  if (text.length > maximumLength) throw invalidParams('Invalid param: WrongSize');
  const bytes = fromBase58(text);
  if (bytes === undefined) throw invalidParams('Invalid param: Invalid');
  if (bytes.length !== size) throw invalidParams('Invalid param: WrongSize');
  return bytes;
}

/** Strict base64: refuses text that does not encode back to itself. */
export function base64Bytes(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}
