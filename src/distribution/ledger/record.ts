/** One record of an allotment: what one owner gets by a run in one capacity, and why. 82 bytes, the same for all. */
import { addressBytes, addressOf } from 'levy-solana-wire';
import type { RewardAsset } from '../../streams/distribution.ts';
import type { AmountColumn } from '../amounts/amount-column.ts';

/** In the order in which records of one owner stand. `debt`: owed in the asset that the run does not pay. */
export const KINDS = ['costs', 'developer', 'holder', 'debt'] as const;
export type Kind = (typeof KINDS)[number];

/** Stored by their place in this list: only ever add at its end. */
export const REASONS = [
  'planned',
  'below-minimum-holding',
  'below-least-share',
  'below-minimum-payout',
  'no-account',
  'under-rent-floor',
  'excluded-by-creator',
  'excluded',
  'pool',
  'program-owned',
  'program',
  'sysvar',
] as const;
export type Reason = (typeof REASONS)[number];

/** Amounts in base units of the token (`balance`, `basis`) or of the asset that is paid. */
export interface LedgerRecord {
  readonly kind: Kind;
  readonly reason: Reason;
  readonly owner: string;
  /** Over all accounts of the owner, when the run looked. */
  readonly balance: bigint;
  /**
   * What the owner's weight is computed from; 0 for one who takes no part, so that every share can be computed from the
   * file alone.
   */
  readonly basis: bigint;
  readonly share: bigint;
  readonly owedBefore: bigint;
  /** To be paid by this run; what is owed afterwards is `owedBefore + share - planned`. */
  readonly planned: bigint;
  /** By all earlier runs. */
  readonly paidBefore: bigint;
}

const DEBT = KINDS.indexOf('debt');

export const RECORD_SIZE = 82;
export const OWNER_SIZE = 32;
const OWNER_AT = 0;
export const KIND_AT = 32;
const REASON_AT = 33;
export const AMOUNTS_AT = 34;
const FURTHER_AMOUNTS = ['basis', 'share', 'owedBefore', 'planned', 'paidBefore'] as const;
export const AMOUNTS = ['balance', ...FURTHER_AMOUNTS] as const;

/** Owner first, then kind: the order of the bytes is the order of the records. */
export function encodeRecord(record: LedgerRecord): Uint8Array {
  const bytes = Buffer.alloc(RECORD_SIZE);
  bytes.set(addressBytes(record.owner), OWNER_AT);
  bytes[KIND_AT] = KINDS.indexOf(record.kind);
  bytes[REASON_AT] = REASONS.indexOf(record.reason);
  AMOUNTS.forEach((name, index) => {
    bytes.writeBigUInt64LE(record[name], AMOUNTS_AT + 8 * index);
  });
  return bytes;
}

/** Throws a RangeError for bytes that no version up to this one wrote. */
export function decodeRecord(bytes: Uint8Array): LedgerRecord {
  if (bytes.length !== RECORD_SIZE)
    throw new RangeError(`a record has ${RECORD_SIZE} bytes, not ${bytes.length}`);
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const [kind, reason] = [KINDS[view[KIND_AT] ?? -1], REASONS[view[REASON_AT] ?? -1]];
  if (kind === undefined || reason === undefined)
    throw new RangeError('the kind or reason of a record is unknown');
  const amount = (index: number) => view.readBigUInt64LE(AMOUNTS_AT + 8 * index);
  return {
    kind,
    reason,
    owner: addressOf(view.subarray(OWNER_AT, KIND_AT)),
    balance: amount(0),
    basis: amount(1),
    share: amount(2),
    owedBefore: amount(3),
    planned: amount(4),
    paidBefore: amount(5),
  };
}

/** Negative if the first stands before the second, 0 for the same owner in the same capacity. */
export function compareRecords(one: Uint8Array, other: Uint8Array): number {
  return Buffer.compare(one.subarray(OWNER_AT, REASON_AT), other.subarray(OWNER_AT, REASON_AT));
}

/** The asset that a record of this kind (a place in `KINDS`) is paid in, by a run that pays `asset`. */
export function assetOf(kind: number, asset: RewardAsset): RewardAsset {
  if (kind !== DEBT) return asset;
  return asset === 'sol' ? 'token' : 'sol';
}

/** Columns of records: no object for each of a million. */
export interface RecordColumns {
  /** 32 bytes. */
  ownerAt(index: number): Uint8Array;
  balanceAt(index: number): bigint;
  /** Places in `KINDS` and `REASONS`. */
  readonly kinds: Uint8Array;
  readonly reasons: Uint8Array;
  readonly amounts: { readonly [name in (typeof FURTHER_AMOUNTS)[number]]: AmountColumn };
}

/** The records from `from` to before `to`, one after another. */
export function encodeColumns(columns: RecordColumns, from: number, to: number): Uint8Array {
  const bytes = Buffer.allocUnsafe((to - from) * RECORD_SIZE);
  const halves = FURTHER_AMOUNTS.map((name) => columns.amounts[name].halves);
  for (let index = from; index < to; index++) {
    const at = (index - from) * RECORD_SIZE;
    bytes.set(columns.ownerAt(index), at + OWNER_AT);
    bytes[at + KIND_AT] = columns.kinds[index] ?? 0;
    bytes[at + REASON_AT] = columns.reasons[index] ?? 0;
    bytes.writeBigUInt64LE(columns.balanceAt(index), at + AMOUNTS_AT);
    for (let column = 0; column < halves.length; column++) {
      const amountAt = at + AMOUNTS_AT + 8 * (column + 1);
      bytes.writeUInt32LE(halves[column]?.[2 * index] ?? 0, amountAt);
      bytes.writeUInt32LE(halves[column]?.[2 * index + 1] ?? 0, amountAt + 4);
    }
  }
  return bytes;
}

export function ownerOf(record: Uint8Array): Uint8Array {
  return record.subarray(OWNER_AT, KIND_AT);
}
