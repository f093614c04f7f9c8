/** Layout of a ledger record: the amounts of one owner in one kind, and the reason. 82 bytes. */

/** Kinds in the order in which the records of one owner are stored. `debt`: owed in the asset that the run does not pay. */
export const KINDS = ['costs', 'developer', 'holder', 'debt'] as const;
export type Kind = (typeof KINDS)[number];

/** Stored by their index in this list: only append to it. */
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

/** Reasons for which the chain refuses a recipient. Stored by name in events, by index in files: only append to the list. */
export const REFUSALS = [
  'frozen',
  'needs-memo',
  'under-rent-floor',
  'read-only',
  'closed',
  'not-an-account-of-the-mint',
  'unknown',
] as const;

/** Amounts are in base units of the token (`balance`, `basis`) or of the paid asset. */
export interface RecordFields {
  readonly kind: Kind;
  readonly reason: Reason;
  /** View of the 32 bytes of the address. */
  readonly owner: Uint8Array;
  /** Total of all accounts of the owner at the run's scan. */
  readonly balance: bigint;
  /** Basis of the owner's weight; 0 for an excluded owner, so that every share can be computed from the file alone. */
  readonly basis: bigint;
  readonly share: bigint;
  readonly owedBefore: bigint;
  /** Amount to pay in this run; afterwards, `owedBefore + share - planned` is owed. */
  readonly planned: bigint;
  /** Amount paid by all earlier runs. */
  readonly paidBefore: bigint;
}

export const RECORD_SIZE = 82;
export const OWNER_SIZE = 32;
export const KIND_AT = OWNER_SIZE;
export const REASON_AT = 33;
export const AMOUNTS_AT = 34;
export const AMOUNTS = ['balance', 'basis', 'share', 'owedBefore', 'planned', 'paidBefore'] as const;

/** Throws a RangeError for bytes that no version up to this one wrote. */
export function readRecord(bytes: Uint8Array): RecordFields {
  if (bytes.length !== RECORD_SIZE)
    throw new RangeError(`a record must have ${RECORD_SIZE} bytes, not ${bytes.length}`);
  const [kind, reason] = [KINDS[bytes[KIND_AT] ?? -1], REASONS[bytes[REASON_AT] ?? -1]];
  if (kind === undefined || reason === undefined)
    throw new RangeError('the kind or reason of a record is unknown');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const amount = (index: number) => view.getBigUint64(AMOUNTS_AT + 8 * index, true);
  return {
    kind,
    reason,
    owner: bytes.subarray(0, OWNER_SIZE),
    balance: amount(0),
    basis: amount(1),
    share: amount(2),
    owedBefore: amount(3),
    planned: amount(4),
    paidBefore: amount(5),
  };
}
