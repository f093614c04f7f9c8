/** Extensions of Token-2022 accounts and mints, in the form of a node's `jsonParsed`. */
import { base58, type Extension, readTransferFeeConfig, type TransferFee } from 'levy-solana-wire';
import type { Json } from './json.ts';

type Reader = (value: Buffer) => Json;

const ACCOUNT_STATES = ['uninitialized', 'initialized', 'frozen'];

const READERS = new Map<number, readonly [name: string, read: Reader | undefined]>([
  [1, ['transferFeeConfig', transferFeeConfig]],
  [2, ['transferFeeAmount', (value) => ({ withheldAmount: u64(value, 0) })]],
  [3, ['mintCloseAuthority', (value) => ({ closeAuthority: optionalKey(value, 0) })]],
  [6, ['defaultAccountState', (value) => ({ accountState: ACCOUNT_STATES[value[0] ?? 0] ?? null })]],
  [7, ['immutableOwner', undefined]],
  [8, ['memoTransfer', (value) => ({ requireIncomingTransferMemos: value[0] === 1 })]],
  [9, ['nonTransferable', undefined]],
  [11, ['cpiGuard', (value) => ({ lockCpi: value[0] === 1 })]],
  [12, ['permanentDelegate', (value) => ({ delegate: optionalKey(value, 0) })]],
  [13, ['nonTransferableAccount', undefined]],
  [
    14,
    ['transferHook', (value) => ({ authority: optionalKey(value, 0), programId: optionalKey(value, 32) })],
  ],
  [15, ['transferHookAccount', (value) => ({ transferring: value[0] === 1 })]],
  [18, ['metadataPointer', pointer('metadataAddress')]],
  [19, ['tokenMetadata', tokenMetadata]],
  [20, ['groupPointer', pointer('groupAddress')]],
  [22, ['groupMemberPointer', pointer('memberAddress')]],
  [26, ['pausableConfig', (value) => ({ authority: optionalKey(value, 0), paused: value[32] === 1 })]],
  [27, ['pausableAccount', undefined]],
]);

export function extensionJson(extension: Extension): Json {
  const reader = READERS.get(extension.type);
  if (reader === undefined) return { extension: 'unparseableExtension' };
  const [name, read] = reader;
  if (read === undefined) return { extension: name };
  try {
    return { extension: name, state: read(extension.value) };
  } catch {
    return { extension: 'unparseableExtension' };
  }
}

function pointer(target: string): Reader {
  return (value) => ({ authority: optionalKey(value, 0), [target]: optionalKey(value, 32) });
}

function transferFeeConfig(value: Buffer): Json {
  const config = readTransferFeeConfig(value);
  if (config === undefined) throw new RangeError('the transfer fee configuration has an unexpected size');
  return {
    transferFeeConfigAuthority: keyOrNull(config.configAuthority),
    withdrawWithheldAuthority: keyOrNull(config.withdrawAuthority),
    withheldAmount: config.withheldAmount,
    olderTransferFee: transferFee(config.older),
    newerTransferFee: transferFee(config.newer),
  };
}

function transferFee({ epoch, maximumFee, basisPoints }: TransferFee): Json {
  return { epoch, maximumFee, transferFeeBasisPoints: basisPoints };
}

function tokenMetadata(value: Buffer): Json {
  let offset = 64;
  const text = (): string => {
    const end = offset + 4 + value.readUInt32LE(offset);
    if (end > value.length) throw new RangeError('a text ends after the end of the data');
    const bytes = value.subarray(offset + 4, end);
    offset = end;
    return bytes.toString('utf8');
  };
  const [name, symbol, uri] = [text(), text(), text()];
  const count = value.readUInt32LE(offset);
  offset += 4;
  const additionalMetadata: Json[] = [];
  for (let index = 0; index < count; index += 1) additionalMetadata.push([text(), text()]);
  return {
    updateAuthority: optionalKey(value, 0),
    mint: base58(value.subarray(32, 64)),
    name,
    symbol,
    uri,
    additionalMetadata,
  };
}

function u64(value: Buffer, offset: number): bigint {
  return value.readBigUInt64LE(offset);
}

function optionalKey(value: Buffer, offset: number): string | null {
  const key = value.subarray(offset, offset + 32);
  if (key.length !== 32) throw new RangeError('a key ends after the end of the data');
  return keyOrNull(key);
}

/** An absent key is 32 zero bytes. */
function keyOrNull(key: Uint8Array): string | null {
  return key.every((byte) => byte === 0) ? null : base58(key);
}
