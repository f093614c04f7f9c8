/** Recomputes an allotment from the balances and verdicts in its ledger, the previous ledger, and the run's recorded terms. */
import { createHash } from 'node:crypto';
import { allotRun } from '../../../distribution/allotting/allot-run.ts';
import type { OwnerVerdict } from '../../../distribution/allotting/judge-owner.ts';
import type { PayeeVerdicts } from '../../../distribution/allotting/payee-verdicts.ts';
import type { ScannedOwners } from '../../../distribution/collecting/scanned-owners.ts';
import { AGAIN, type Decision } from '../../../distribution/decision.ts';
import type { AllotmentHeader } from '../../../distribution/ledger/allotment-file.ts';
import {
  AMOUNTS,
  decodeRecord,
  KIND_AT,
  KINDS,
  OWNER_SIZE,
  REASONS,
  RECORD_SIZE,
} from '../../../distribution/ledger/ledger-record.ts';
import { decideAllot } from '../../../distribution/run/steps/allot.ts';
import type { RunView } from '../../../distribution/view.ts';
import type { AllottedRun } from '../../../streams/distribution-run.ts';
import type { Finding } from '../finding.ts';
import type { AuditedLedgers } from './audited-ledgers.ts';

interface AllottedAgain {
  /** Decision that the current rules give. */
  readonly decision: Decision;
  readonly header: AllotmentHeader;
  /** Rows that differ from the rows of the file. */
  readonly rows: readonly DifferingRow[];
}

type DifferingRow = Pick<Finding, 'expected' | 'found' | 'account'>;

/** Maximum number of rows listed per differing ledger. */
const MAX_ROWS = 100;
/** Byte offset of the header's JSON, after its length. */
const HEADER_AT = 4;
const [BALANCE_AT, REASON_AT] = [KIND_AT + 2, KIND_AT + 1];
const HOLDER = KINDS.indexOf('holder');
const NO_ACCOUNT = REASONS.indexOf('no-account');

export async function allotAgain(
  recorded: AllottedRun,
  { open, run, token }: RunView,
  ledgers: AuditedLedgers,
): Promise<AllottedAgain> {
  const file = await ledgers.allotment(recorded.ledger);
  const { header } = file;
  const rows = bufferOf(await file.bytes(0, header.records));
  const { ledger, settlement } = open.carried;
  const previous =
    ledger === null ? undefined : await ledgers.ofRun({ ledger, settlement: settlement ?? undefined });
  if (run.split === undefined) return { decision: AGAIN, header, rows: [] };
  const differing: DifferingRow[] = [];
  const rentFloor = BigInt(recorded.rentFloor);
  const again = await allotRun(
    {
      chain: {
        async accountsAt() {
          throw new Error('unexpected read of the chain: the ledger has all verdicts');
        },
      },
      blobs: { put: (pieces) => compareFile(pieces, rows, differing) },
      yieldToOthers: async () => undefined,
    },
    {
      token,
      open,
      split: run.split,
      scanned: scannedIn(rows),
      slots: recorded.slots,
      sums: header.scan,
      previous,
      rentFloor,
      verdicts: verdictsIn(rows, BigInt(header.payeesSeenSince)),
    },
  );
  if (again === undefined) throw new Error('the ledger lacks verdicts');
  const { pots, payAfter } = recorded;
  const facts = { written: again, rentFloor, pots, payAfter: new Date(payAfter) };
  return { decision: decideAllot({ open }, facts), header, rows: differing };
}

/** SHA-256 of a file, in hex, from its pieces. */
export function sha256Of(pieces: Iterable<Uint8Array>): string {
  const hash = createHash('sha256');
  for (const piece of pieces) hash.update(piece);
  return hash.digest('hex');
}

/** Rebuilds the scan from the ledger: owners found by the scan, and owners left over from earlier runs, whose balance is 0. */
function scannedIn(rows: Buffer): ScannedOwners {
  const holders: number[] = [];
  const withoutAccount = new Set<number>();
  for (let at = 0; at < rows.length; at += RECORD_SIZE) {
    // Each owner has one record as a holder; its other records are adjacent.
    if (rows[at + KIND_AT] === HOLDER) holders.push(at);
    if (rows[at + REASON_AT] === NO_ACCOUNT) withoutAccount.add(at);
  }
  const ownerAt = (at: number) => rows.subarray(at, at + OWNER_SIZE);
  const hasAccount = (at: number) => {
    let first = at;
    while (first > 0 && ownerAt(first - RECORD_SIZE).equals(ownerAt(at))) first -= RECORD_SIZE;
    for (let own = first; own < rows.length && ownerAt(own).equals(ownerAt(at)); own += RECORD_SIZE)
      if (withoutAccount.has(own)) return false;
    return true;
  };
  const place = (index: number) => holders[index] ?? 0;
  return {
    count: holders.length,
    ownerAt: (index) => ownerAt(place(index)),
    balanceAt: (index) => rows.readBigUInt64LE(place(index) + BALANCE_AT),
    hasAssociatedAt: (index) => hasAccount(place(index)),
  };
}

const VERDICTS: { readonly [reason: string]: OwnerVerdict } = {
  program: 'program',
  sysvar: 'sysvar',
  'program-owned': 'program-owned',
  'under-rent-floor': 'absent',
};

/** Verdicts derived from the recorded reasons; the check of the chain compares them with the accounts. */
function verdictsIn(rows: Buffer, since: bigint): PayeeVerdicts {
  return {
    since,
    open: 0,
    verdictOf: (row) => VERDICTS[REASONS[rows[row * RECORD_SIZE + REASON_AT] ?? 0] ?? ''] ?? 'wallet',
    read: async () => undefined,
    confirm: async () => undefined,
  };
}

/** Consumes the recomputed file and resolves with its SHA-256. Adds the rows that differ to `differing`. */
async function compareFile(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  recorded: Buffer,
  differing: DifferingRow[],
): Promise<string> {
  const hash = createHash('sha256');
  const count = recorded.length / RECORD_SIZE;
  let header: { readonly records: number } | undefined;
  let at = 0;
  for await (const piece of pieces) {
    hash.update(piece);
    if (header === undefined) {
      header = JSON.parse(bufferOf(piece).subarray(HEADER_AT).toString()) as { readonly records: number };
      if (header.records !== count)
        differing.push({ expected: `${header.records} rows`, found: `${count} rows` });
      continue;
    }
    if (header.records !== count) continue;
    // Stop after the rows: the hashes of the tree follow them.
    for (let row = 0; row < piece.length && at < recorded.length; row += RECORD_SIZE, at += RECORD_SIZE) {
      const own = bufferOf(piece).subarray(row, row + RECORD_SIZE);
      const other = recorded.subarray(at, at + RECORD_SIZE);
      if (differing.length === MAX_ROWS || own.equals(other)) continue;
      differing.push({ expected: textOf(own), found: textOf(other), account: decodeRecord(own).owner });
    }
  }
  return hash.digest('hex');
}

function bufferOf({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}

function textOf(row: Buffer): string {
  if (row.length === 0) return 'no row';
  const { owner: _owner, kind, reason, ...amounts } = decodeRecord(row);
  return [kind, reason, ...AMOUNTS.map((name) => `${name} ${amounts[name]}`)].join(', ');
}
