/** Planned payments of a run by number, in the order of its allotment file: 40 bytes each, without objects. */
import { addressOf, associatedTokenAddress } from 'levy-solana-wire';
import type { RewardAsset } from '../../streams/distribution.ts';
import type { PlannedBatch } from '../../streams/distribution-run.ts';
import { type AmountColumn, createAmountColumn } from '../amounts/amount-column.ts';
import { type AllotmentReader, isPayment } from '../ledger/allotment-file.ts';
import {
  AMOUNTS,
  AMOUNTS_AT,
  assetOf,
  KIND_AT,
  KINDS,
  OWNER_SIZE,
  RECORD_SIZE,
} from '../ledger/ledger-record.ts';
import type { Payment } from '../once/meter.ts';

export type PaymentBook = Awaited<ReturnType<typeof readPaymentBook>>;

type Batch = Pick<PlannedBatch, 'from' | 'to' | 'without'>;

export interface NamedPayment {
  readonly number: number;
  readonly kind: 'costs' | 'developer';
  readonly amount: bigint;
}

interface Column {
  readonly owners: Uint8Array;
  readonly amounts: AmountColumn;
  length: number;
}

const RECORDS_PER_READ = 4_096;
const PLANNED_AT = AMOUNTS_AT + 8 * AMOUNTS.indexOf('planned');

/** Reads the whole file once, in pieces. */
export async function readPaymentBook(
  allotment: Pick<AllotmentReader, 'header' | 'bytes'>,
  mint: string,
  rest: () => Promise<void>,
) {
  const { header } = allotment;
  const columnFor = (length: number): Column => ({
    owners: new Uint8Array(length * OWNER_SIZE),
    amounts: createAmountColumn(length),
    length: 0,
  });
  const columns = {
    sol: columnFor(header.payments.sol.count),
    token: columnFor(header.payments.token.count),
  };
  const notToHolders: NamedPayment[] = [];
  for (let index = 0; index < header.records; index += RECORDS_PER_READ) {
    const bytes = Buffer.from(await allotment.bytes(index, RECORDS_PER_READ));
    for (let at = 0; at < bytes.length; at += RECORD_SIZE) {
      const record = bytes.subarray(at, at + RECORD_SIZE);
      if (!isPayment(record)) continue;
      const column = columns[assetOf(record[KIND_AT] ?? 0, header.asset)];
      column.owners.set(record.subarray(0, OWNER_SIZE), column.length * OWNER_SIZE);
      const amount = record.readBigUInt64LE(PLANNED_AT);
      column.amounts.set(column.length, amount);
      const kind = KINDS[record[KIND_AT] ?? -1];
      if (kind === 'costs' || kind === 'developer')
        notToHolders.push({ number: column.length, kind, amount });
      column.length += 1;
    }
    await rest();
  }

  const recipient = (asset: RewardAsset, number: number): string => {
    const owner = addressOf(columns[asset].owners.subarray(number * OWNER_SIZE, (number + 1) * OWNER_SIZE));
    return asset === 'sol' ? owner : associatedTokenAddress(owner, mint);
  };
  const numbersOf = ({ from, to, without }: Batch): readonly number[] => {
    const left = new Set(without);
    return Array.from({ length: to - from }, (_, index) => from + index).filter(
      (number) => !left.has(number),
    );
  };
  const sum = (asset: RewardAsset, from: number, to: number): bigint => {
    const { amounts } = columns[asset];
    let total = 0n;
    for (let number = from; number < to; number++) total += amounts.get(number);
    return total;
  };
  return {
    count: { sol: columns.sol.length, token: columns.token.length },
    /** Numbers of a batch's payments, in order. */
    numbersOf,
    /** Payments of a batch, in order; tokens go to the associated account. */
    paymentsOf: (asset: RewardAsset, batch: Batch): readonly Payment[] =>
      numbersOf(batch).map((number) => ({
        to: recipient(asset, number),
        amount: columns[asset].amounts.get(number),
      })),
    sum,
    /** Payments to the distributor and to developers in the run's asset, in order. All other payments go to holders. */
    notToHolders: notToHolders as readonly NamedPayment[],
    /** Sum of a batch, without addresses, whose derivation takes a thousand times as long. */
    sumOfBatch: (asset: RewardAsset, { from, to, without }: Batch): bigint =>
      without.reduce((left, number) => left - columns[asset].amounts.get(number), sum(asset, from, to)),
  };
}
