/** The layout of a record of a run's ledger: what one owner gets in one capacity, and why. 82 bytes, the same for all. */

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

/** Why the chain refuses a recipient. Stored by name in events, by place in files: only ever add at the end. */
export const REFUSALS = [
  'frozen',
  'needs-memo',
  'under-rent-floor',
  'read-only',
  'closed',
  'not-an-account-of-the-mint',
  'unknown',
] as const;

/** Amounts in base units of the token (`balance`, `basis`) or of the asset that is paid. */
export interface RecordFields {
  readonly kind: Kind;
  readonly reason: Reason;
  /** The 32 bytes of the address; a view. */
  readonly owner: Uint8Array;
  /** Over all accounts of the owner, when the run looked. */
  readonly balance: bigint;
  /** Basis of the owner's weight; 0 for an excluded owner, so that every share can be computed from the file alone. */
  readonly basis: bigint;
  readonly share: bigint;
  readonly owedBefore: bigint;
  /** To be paid by this run; what is owed afterwards is `owedBefore + share - planned`. */
  readonly planned: bigint;
  /** Paid by all earlier runs. */
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
    throw new RangeError(`a record has ${RECORD_SIZE} bytes, not ${bytes.length}`);
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
