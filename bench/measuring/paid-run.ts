/** Files of a run of any size in which all holders are paid, written through the real writers. */
import { randomBytes } from 'node:crypto';
import { addressOf, base58 } from 'levy-solana-wire';
import { type AmountColumn, createAmountColumn } from '../../src/distribution/amounts/amount-column.ts';
import { type AllotmentHeader, createAllotmentWriter } from '../../src/distribution/ledger/allotment-file.ts';
import {
  createRecordSums,
  encodeColumns,
  KINDS,
  OWNER_SIZE,
  REASONS,
  type RecordColumns,
} from '../../src/distribution/ledger/ledger-record.ts';
import type { RunFiles } from '../../src/distribution/ledger/run-ledger.ts';
import {
  createSettlementWriter,
  type LandedBatch,
  type SettlementHeader,
} from '../../src/distribution/ledger/settlement-file.ts';
import type { BlobStore } from '../../src/kernel/ports/blob-store.ts';
import { SUMS } from './scan-sums.ts';

const PAYMENT = 20_000;
const PAYMENTS_PER_BATCH = 61;
const RECORDS_PER_PIECE = 4_096;

export interface PaidRun {
  readonly files: RunFiles & { readonly settlement: string };
  /** 32 bytes each, ascending. */
  readonly owners: Uint8Array;
  readonly header: AllotmentHeader;
  readonly root: string;
}

const EXAMPLE = {
  runId: '00000000-0000-4000-8000-000000000001',
  tokenId: '00000000-0000-5000-8000-000000000002',
  mint: addressOf(Buffer.alloc(32, 9)),
};

/** Owners are spread evenly over the addresses, and all are paid the same amount. */
export async function writePaidRun(
  blobs: BlobStore,
  count: number,
  identity: Pick<AllotmentHeader, 'runId' | 'tokenId' | 'mint'> = EXAMPLE,
): Promise<PaidRun> {
  const owners = ownersOf(count);
  const columns = columnsOf(owners);
  const sums = createRecordSums('sol');
  for (let from = 0; from < count; from += RECORDS_PER_PIECE)
    sums.add(encodeColumns(columns, from, Math.min(count, from + RECORDS_PER_PIECE)));
  const header: AllotmentHeader = {
    format: 'levy-allotment-1',
    ...identity,
    asset: 'sol',
    slots: ['1', '2'],
    payeesSeenSince: '2',
    scan: SUMS,
    records: count,
    previousRoot: null,
    model: 'proportional',
    minimumHolding: '0',
    leastShare: '1000',
    minimumPayout: '10000',
    divided: `${count * PAYMENT}`,
    sumOfWeights: `${count}`,
    payments: sums.payments(),
    sums: sums.sums(),
  };
  const writer = createAllotmentWriter(header);
  function* pieces() {
    yield writer.begin;
    for (let from = 0; from < count; from += RECORDS_PER_PIECE)
      yield writer.add(encodeColumns(columns, from, Math.min(count, from + RECORDS_PER_PIECE)));
    yield writer.end();
  }
  const ledger = await blobs.put(pieces());
  const settlement = await writeSettlement(blobs, { ledger, root: writer.root(), header });
  return { files: { ledger, settlement }, owners, header, root: writer.root() };
}

function ownersOf(count: number): Uint8Array {
  const owners = randomBytes(count * OWNER_SIZE);
  for (let index = 0; index < count; index++)
    owners.writeUInt32BE(Math.floor((index * 2 ** 32) / count), index * OWNER_SIZE);
  return owners;
}

function columnsOf(owners: Uint8Array): RecordColumns {
  const count = owners.length / OWNER_SIZE;
  const filled = (amount: bigint): AmountColumn => {
    const column = createAmountColumn(count);
    for (let index = 0; index < count; index++) column.set(index, amount);
    return column;
  };
  return {
    ownerAt: (index) => owners.subarray(index * OWNER_SIZE, (index + 1) * OWNER_SIZE),
    balanceAt: () => 1n,
    kinds: new Uint8Array(count).fill(KINDS.indexOf('holder')),
    reasons: new Uint8Array(count).fill(REASONS.indexOf('planned')),
    amounts: {
      basis: filled(1n),
      share: filled(BigInt(PAYMENT)),
      owedBefore: filled(0n),
      planned: filled(BigInt(PAYMENT)),
      paidBefore: filled(0n),
    },
  };
}

async function writeSettlement(
  blobs: BlobStore,
  {
    ledger,
    root,
    header: { runId, tokenId, mint, payments },
  }: { ledger: string; root: string; header: AllotmentHeader },
): Promise<string> {
  const { count, sum } = payments.sol;
  const batches = Math.ceil(count / PAYMENTS_PER_BATCH);
  const pot = addressOf(Buffer.alloc(32, 4));
  const header: SettlementHeader = {
    format: 'levy-settlement-1',
    runId,
    tokenId,
    mint,
    allotment: ledger,
    root,
    sol: { payments: count, batches, paid: count, sum, refused: 0 },
    token: { payments: 0, batches: 0, paid: 0, sum: '0', refused: 0 },
    owedAfter: { sol: '0', token: '0' },
    dustAfter: { sol: '0', token: '0' },
    tillAfter: { address: pot, lamports: '0' },
    pots: [{ asset: 'sol', address: pot, allowance: sum, left: '0' }],
    transactions: { withdraw: [], split: [], open: [], close: [] },
  };
  const writer = createSettlementWriter(header);
  function* pieces() {
    yield writer.begin;
    const signature = base58(randomBytes(64));
    for (let from = 0; from < count; from += PAYMENTS_PER_BATCH) {
      const to = Math.min(count, from + PAYMENTS_PER_BATCH);
      const batch: LandedBatch = {
        pot: 0,
        from,
        to,
        signature,
        slot: 1n,
        sum: BigInt((to - from) * PAYMENT),
      };
      yield writer.landed([batch]);
    }
    writer.end();
  }
  return blobs.put(pieces());
}
