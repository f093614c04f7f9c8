/**
 * Both files of a run, read together: planned and actual payments by index or wallet, with proofs. Holds the settlement in
 * memory, and 72 bytes per 1,024 records of the allotment.
 */
import { addressBytes } from 'levy-solana-wire';
import type { BlobStore } from '../../kernel/ports/blob-store.ts';
import type { RewardAsset } from '../../streams/distribution.ts';
import type { Refusal } from '../../streams/distribution-run.ts';
import { createAmountColumn } from '../amounts/amount-column.ts';
import { isPayment, openAllotment, type ProvedRecord } from './allotment-file.ts';
import { AMOUNTS, AMOUNTS_AT, assetOf, KIND_AT, KINDS, RECORD_SIZE, type Reason } from './ledger-record.ts';
import { LedgerInvalid, LedgerMissing, type ReadRange } from './read-range.ts';
import { openSettlement, type PaymentOutcome, type RangeOutcomes } from './settlement-file.ts';

/** A record and its outcome. */
export type LedgerPayment = Awaited<ReturnType<RunLedger['payments']>>[number];
/** Columns that the next run carries over. */
export type CarriedOwners = ReturnType<typeof carriedFrom>;
export type RunLedger = Awaited<ReturnType<typeof openRunLedger>>;

export interface RunFiles {
  /** SHA-256 of the allotment. */
  readonly ledger: string;
  /** SHA-256 of the settlement; undefined while the run is open. */
  readonly settlement: string | undefined;
}

/** Records per read; few enough not to block other tasks. */
const RECORDS_PER_READ = 2_048;

/** Rejects with `LedgerInvalid` if a file is missing, damaged or belongs to another run. */
export async function openRunLedger(blobs: Pick<BlobStore, 'read'>, files: RunFiles) {
  const allotment = await openAllotment(rangeOf(blobs, files.ledger));
  const { header } = allotment;
  const root = allotment.root();
  const settlement =
    files.settlement === undefined ? undefined : await openSettlement(rangeOf(blobs, files.settlement));
  if (
    settlement !== undefined &&
    (settlement.header.root !== root || settlement.header.allotment !== files.ledger)
  )
    throw new LedgerInvalid(`the settlement ${files.settlement} belongs to another allotment`);

  /** Reads the outcomes of all payments among the records. */
  async function outcomesOf(first: number, records: Uint8Array): Promise<(record: Uint8Array) => Settled> {
    const next = { ...(await allotment.paymentsBefore(first)) };
    const counts = { sol: 0, token: 0 };
    for (let at = 0; at < records.length; at += RECORD_SIZE) {
      const record = records.subarray(at, at + RECORD_SIZE);
      if (isPayment(record)) counts[assetOf(record[KIND_AT] ?? 0, header.asset)] += 1;
    }
    const outcomesOfAsset = (asset: RewardAsset): RangeOutcomes =>
      settlement === undefined || counts[asset] === 0
        ? NOTHING_SETTLED
        : settlement.outcomes(asset, next[asset], counts[asset]);
    const from = { ...next };
    const outcomes = { sol: outcomesOfAsset('sol'), token: outcomesOfAsset('token') };
    return (record) => {
      if (!isPayment(record)) return NO_PAYMENT;
      const asset = assetOf(record[KIND_AT] ?? 0, header.asset);
      const number = next[asset]++;
      return {
        isPaid: outcomes[asset].paid[number - from[asset]] === 1,
        outcome: () => outcomes[asset].of(number),
      };
    };
  }

  async function settled(records: readonly ProvedRecord[]) {
    const [first] = records;
    if (first === undefined) return [];
    const outcomeOf = await outcomesOf(first.index, Buffer.concat(records.map(({ bytes }) => bytes)));
    return records.map(({ index, record, bytes }) => {
      const { isPaid, outcome: read } = outcomeOf(bytes);
      const { kind, owner: wallet, balance, share, owedBefore, planned, paidBefore } = record;
      const paid = isPaid ? planned : 0n;
      const outcome = read();
      const reason: Reason | Refusal = outcome.status === 'refused' ? outcome.refusal : record.reason;
      return {
        /** Record number from 0. */
        index,
        kind,
        wallet,
        /** Asset of the amounts. */
        asset: assetOf(KINDS.indexOf(kind), header.asset),
        balance,
        share,
        owedBefore,
        planned,
        /** Amount paid by this run; 0 while it is open. */
        paid,
        owedAfter: owedBefore + share - paid,
        /** Paid by this run and all earlier ones. */
        paidAfter: paidBefore + paid,
        /** Reason for the chain's refusal of the payment, otherwise the reason in the allotment. */
        reason,
        outcome,
      };
    });
  }

  return {
    allotment: header,
    /** Undefined while the run is open. */
    settlement: settlement?.header,
    root,
    /** Approximate memory in bytes. */
    weight: allotment.weight + (settlement?.weight ?? 0),
    /** Up to `count` payments from `index` on. */
    payments: async (index: number, count: number) => settled(await allotment.records(index, count)),
    /** One payment per capacity of the wallet; empty if the ledger does not contain it. */
    paymentsOf: async (wallet: string) => settled((await allotment.find(addressBytes(wallet))).found),
    /** Proves the record at `index` against the root. */
    prove: (index: number) => allotment.prove(index + 1),
    /** Proves that the wallet is not in the ledger; undefined if it is. */
    async proveAbsence(wallet: string) {
      const { found, place } = await allotment.find(addressBytes(wallet));
      if (found.length > 0) return undefined;
      return {
        // Leaf 0 is the header. So leaf `place` is the record before the position where the wallet would be, or the header.
        before: await allotment.prove(place),
        after: place < header.records ? await allotment.prove(place + 1) : undefined,
      };
    },
    /** All records in order, in columns. */
    async *carriedOwners() {
      for (let index = 0; index < header.records; index += RECORDS_PER_READ) {
        const bytes = await allotment.bytes(index, RECORDS_PER_READ);
        yield carriedFrom(bytes, await outcomesOf(index, bytes));
      }
    },
  };
}

interface Settled {
  readonly isPaid: boolean;
  readonly outcome: () => PaymentOutcome;
}

const UNPAID = { status: 'unpaid' } as const;
const NO_PAYMENT: Settled = { isPaid: false, outcome: () => UNPAID };
const NOTHING_SETTLED: RangeOutcomes = { paid: new Uint8Array(0), of: () => UNPAID };

function carriedFrom(bytes: Uint8Array, outcomeOf: (record: Uint8Array) => Settled) {
  const count = bytes.length / RECORD_SIZE;
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const carried = {
    count,
    /** 32 bytes each. */
    owners: new Uint8Array(count * KIND_AT),
    /** Indexes into `KINDS`. */
    kinds: new Uint8Array(count),
    balances: createAmountColumn(count),
    /** In the asset of the record's kind. */
    owedAfter: createAmountColumn(count),
    paidAfter: createAmountColumn(count),
  };
  for (let index = 0; index < count; index++) {
    const at = index * RECORD_SIZE;
    const amount = (name: (typeof AMOUNTS)[number]) =>
      view.readBigUInt64LE(at + AMOUNTS_AT + 8 * AMOUNTS.indexOf(name));
    const paid = outcomeOf(bytes.subarray(at, at + RECORD_SIZE)).isPaid ? amount('planned') : 0n;
    carried.owners.set(bytes.subarray(at, at + KIND_AT), index * KIND_AT);
    carried.kinds[index] = bytes[at + KIND_AT] ?? 0;
    carried.balances.set(index, amount('balance'));
    carried.owedAfter.set(index, amount('owedBefore') + amount('share') - paid);
    carried.paidAfter.set(index, amount('paidBefore') + paid);
  }
  return carried;
}

/** Rejects with `LedgerMissing` if the file does not exist. */
export function rangeOf(blobs: Pick<BlobStore, 'read'>, sha256: string): ReadRange {
  return async (offset, length) => {
    const bytes = await blobs.read(sha256, offset, length);
    if (bytes === undefined) throw new LedgerMissing(sha256);
    return bytes;
  };
}
