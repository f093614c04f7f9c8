/** What a ledger says of one owner in one capacity. */

export type Asset = 'sol' | 'token';

export interface BookedRecord {
  readonly kind: 'costs' | 'developer' | 'holder' | 'debt';
  readonly owner: string;
  readonly share: bigint;
  readonly owedBefore: bigint;
  readonly planned: bigint;
  readonly paidBefore: bigint;
}

/** Records by their place. A list of objects is one; the records of a file are read off its bytes one by one. */
export interface RecordList extends Iterable<BookedRecord> {
  readonly length: number;
  at(index: number): BookedRecord | undefined;
}
