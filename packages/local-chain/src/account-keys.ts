/** Accounts of a message in the order of its indexes, including those from address lookup tables. */
import { isWritable, sameBytes, type WireMessage } from 'levy-solana-wire';
import { programKeys } from './program-keys.ts';
import type { ChainAccount } from './svm.ts';

export interface AccountKeys {
  readonly keys: readonly Uint8Array[];
  readonly loadedWritable: readonly Uint8Array[];
  readonly loadedReadonly: readonly Uint8Array[];
  isWritable(index: number): boolean;
}

/** Thrown if a lookup table is missing or does not match the message. `error` is the node's name for the problem. */
export class LookupFailed extends Error {
  readonly error: string;
  constructor(error: string) {
    super(error);
    this.error = error;
  }
}

const TABLE_HEADER = 56;

/** @throws LookupFailed */
export function resolveKeys(
  message: WireMessage,
  account: (address: Uint8Array) => ChainAccount | undefined,
): AccountKeys {
  const loadedWritable: Uint8Array[] = [];
  const loadedReadonly: Uint8Array[] = [];
  for (const lookup of message.lookups) {
    const table = account(lookup.table);
    if (table === undefined) throw new LookupFailed('AddressLookupTableNotFound');
    if (!sameBytes(table.owner, programKeys.lookupTable))
      throw new LookupFailed('InvalidAddressLookupTableOwner');
    if (table.data.length < TABLE_HEADER) throw new LookupFailed('InvalidAddressLookupTableData');
    for (const index of lookup.writableIndexes) loadedWritable.push(entry(table.data, index));
    for (const index of lookup.readonlyIndexes) loadedReadonly.push(entry(table.data, index));
  }
  return {
    keys: [...message.accountKeys, ...loadedWritable, ...loadedReadonly],
    loadedWritable,
    loadedReadonly,
    isWritable: (index) => isWritable(message, index, loadedWritable.length),
  };
}

function entry(table: Uint8Array, index: number): Uint8Array {
  const offset = TABLE_HEADER + index * 32;
  if (offset + 32 > table.length) throw new LookupFailed('InvalidAddressLookupTableIndex');
  return table.slice(offset, offset + 32);
}
