/**
 * Both files of a run, read together: what everybody was to get and got, by place or by wallet, with proofs. Nothing in it
 * grows with the run but 72 bytes for every 1,024 records.
 */
import { addressBytes } from 'levy-solana-wire';
import type { BlobStore } from '../../kernel/ports/blob-store.ts';
import type { RewardAsset } from '../../streams/distribution.ts';
import type { Refusal } from '../../streams/distribution-run.ts';
import { type AmountColumn, createAmountColumn } from '../amounts/amount-column.ts';
import {
  type AllotmentHeader,
  isPayment,
  type LeafProof,
  openAllotment,
  type ProvedRecord,
} from './allotment-file.ts';
import { LedgerInvalid, LedgerMissing, type ReadRange } from './read-range.ts';
import {
  AMOUNTS,
  AMOUNTS_AT,
  assetOf,
  KIND_AT,
  KINDS,
  type Kind,
  RECORD_SIZE,
  type Reason,
} from './record.ts';
import {
  openSettlement,
  type PaymentOutcome,
  type SettlementHeader,
  type StretchOutcomes,
} from './settlement-file.ts';

/** A record, and what became of it. */
export interface LedgerPayment {
  /** Among the records, from 0. */
  readonly index: number;
  readonly kind: Kind;
  readonly wallet: string;
  /** What it is counted and paid in. */
  readonly asset: RewardAsset;
  readonly balance: bigint;
  readonly share: bigint;
  readonly owedBefore: bigint;
  readonly planned: bigint;
  /** 0 while the run is open. */
  readonly paid: bigint;
  readonly owedAfter: bigint;
  /** By this run and all before it. */
  readonly paidAfter: bigint;
  /** Why the chain refused the payment, else what the allotment says. */
  readonly reason: Reason | Refusal;
  readonly outcome: PaymentOutcome;
}

/** A leaf beside the place where a wallet would stand; leaf 0 is the header. */
export interface Absence {
  readonly before: LeafProof;
  /** Undefined if the place is behind the last record. */
  readonly after: LeafProof | undefined;
}

/** What the next run takes over, in columns. */
export interface CarriedOwners {
  readonly count: number;
  /** 32 bytes each. */
  readonly owners: Uint8Array;
  /** Places in `KINDS`. */
  readonly kinds: Uint8Array;
  readonly balances: AmountColumn;
  /** In the asset that a record of the kind is paid in. */
  readonly owedAfter: AmountColumn;
  readonly paidAfter: AmountColumn;
}

export interface RunLedger {
  readonly allotment: AllotmentHeader;
  /** Undefined while the run is open. */
  readonly settlement: SettlementHeader | undefined;
  readonly root: string;
  /** In bytes, roughly what it keeps in memory. */
  readonly weight: number;
  /** From `index` on, at most `count`. */
  payments(index: number, count: number): Promise<readonly LedgerPayment[]>;
  /** One for each capacity in which the wallet stands in the ledger, none if it does not. */
  paymentsOf(wallet: string): Promise<readonly LedgerPayment[]>;
  /** Proves the record at `index` against the root. */
  prove(index: number): Promise<LeafProof>;
  /** Proves that the wallet is not in the ledger; undefined if it is. */
  proveAbsence(wallet: string): Promise<Absence | undefined>;
  /** All records, in their order. */
  carriedOwners(): AsyncGenerator<CarriedOwners>;
}

export interface RunFiles {
  /** The SHA-256 of the allotment. */
  readonly ledger: string;
  /** The SHA-256 of the settlement; undefined while the run is open. */
  readonly settlement: string | undefined;
}

/** Few enough that going through them holds up nothing else. */
const RECORDS_PER_READ = 2_048;

/** Rejects with `LedgerInvalid` where a file is missing, damaged or that of another run. */
export async function openRunLedger(blobs: Pick<BlobStore, 'read'>, files: RunFiles): Promise<RunLedger> {
  const allotment = await openAllotment(rangeOf(blobs, files.ledger));
  const { header } = allotment;
  const root = allotment.root();
  const settlement =
    files.settlement === undefined ? undefined : await openSettlement(rangeOf(blobs, files.settlement));
  if (
    settlement !== undefined &&
    (settlement.header.root !== root || settlement.header.allotment !== files.ledger)
  )
    throw new LedgerInvalid(`the settlement ${files.settlement} settles another allotment`);

  /** What became of all payments among the records. */
  async function outcomesOf(first: number, records: Uint8Array): Promise<(record: Uint8Array) => Settled> {
    const next = { ...(await allotment.paymentsBefore(first)) };
    const counts = { sol: 0, token: 0 };
    for (let at = 0; at < records.length; at += RECORD_SIZE) {
      const record = records.subarray(at, at + RECORD_SIZE);
      if (isPayment(record)) counts[assetOf(record[KIND_AT] ?? 0, header.asset)] += 1;
    }
    const read = async (asset: RewardAsset): Promise<StretchOutcomes> =>
      settlement === undefined || counts[asset] === 0
        ? NOTHING_SETTLED
        : settlement.outcomes(asset, next[asset], counts[asset]);
    const from = { ...next };
    const outcomes = { sol: await read('sol'), token: await read('token') };
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

  async function settled(records: readonly ProvedRecord[]): Promise<readonly LedgerPayment[]> {
    const [first] = records;
    if (first === undefined) return [];
    const outcomeOf = await outcomesOf(first.index, Buffer.concat(records.map(({ bytes }) => bytes)));
    return records.map(({ index, record, bytes }) => {
      const { isPaid, outcome: read } = outcomeOf(bytes);
      const { kind, owner: wallet, balance, share, owedBefore, planned, paidBefore } = record;
      const paid = isPaid ? planned : 0n;
      const outcome = read();
      return {
        index,
        kind,
        wallet,
        asset: assetOf(KINDS.indexOf(kind), header.asset),
        balance,
        share,
        owedBefore,
        planned,
        paid,
        owedAfter: owedBefore + share - paid,
        paidAfter: paidBefore + paid,
        reason: outcome.status === 'refused' ? outcome.refusal : record.reason,
        outcome,
      };
    });
  }

  return {
    allotment: header,
    settlement: settlement?.header,
    root,
    weight: allotment.weight + (settlement?.weight ?? 0),
    payments: async (index, count) => settled(await allotment.records(index, count)),
    paymentsOf: async (wallet) => settled((await allotment.find(addressBytes(wallet))).found),
    prove: (index) => allotment.prove(index + 1),
    async proveAbsence(wallet) {
      const { found, place } = await allotment.find(addressBytes(wallet));
      if (found.length > 0) return undefined;
      return {
        // The leaf before the record at `place`: the header stands before the first record.
        before: await allotment.prove(place),
        after: place < header.records ? await allotment.prove(place + 1) : undefined,
      };
    },
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
const NOTHING_SETTLED: StretchOutcomes = { paid: new Uint8Array(0), of: () => UNPAID };

function carriedFrom(bytes: Uint8Array, outcomeOf: (record: Uint8Array) => Settled): CarriedOwners {
  const count = bytes.length / RECORD_SIZE;
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const carried = {
    count,
    owners: new Uint8Array(count * KIND_AT),
    kinds: new Uint8Array(count),
    balances: createAmountColumn(count),
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

/** Rejects with `LedgerMissing` where there is no such file. */
export function rangeOf(blobs: Pick<BlobStore, 'read'>, sha256: string): ReadRange {
  return async (offset, length) => {
    const bytes = await blobs.read(sha256, offset, length);
    if (bytes === undefined) throw new LedgerMissing(sha256);
    return bytes;
  };
}
