/** The bytes of a record from its fields: the service writes records from columns alone. */
import { addressBytes } from 'levy-solana-wire';
import {
  AMOUNTS,
  AMOUNTS_AT,
  KIND_AT,
  KINDS,
  type LedgerRecord,
  REASONS,
  RECORD_SIZE,
} from '../../src/distribution/ledger/ledger-record.ts';

const REASON_AT = KIND_AT + 1;

export function encodeRecord(record: LedgerRecord): Uint8Array {
  const bytes = Buffer.alloc(RECORD_SIZE);
  bytes.set(addressBytes(record.owner));
  bytes[KIND_AT] = KINDS.indexOf(record.kind);
  bytes[REASON_AT] = REASONS.indexOf(record.reason);
  for (const [index, name] of AMOUNTS.entries()) bytes.writeBigUInt64LE(record[name], AMOUNTS_AT + 8 * index);
  return bytes;
}
