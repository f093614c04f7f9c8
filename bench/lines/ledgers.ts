/** Looking a wallet up in the ledger of a run: at a million holders against a thousand, and what the next run takes over. */
import { randomBytes } from 'node:crypto';
import { addressOf, base58 } from 'levy-solana-wire';
import { openFileBlobStore } from '../../src/adapters/file/blob-store.ts';
import { type AmountColumn, createAmountColumn } from '../../src/distribution/amounts/amount-column.ts';
import { type AllotmentHeader, createAllotmentWriter } from '../../src/distribution/ledger/allotment-file.ts';
import { createLedgers } from '../../src/distribution/ledger/open-ledgers.ts';
import { encodeColumns, KINDS, REASONS, type RecordColumns } from '../../src/distribution/ledger/record.ts';
import { createRecordSums } from '../../src/distribution/ledger/record-sums.ts';
import type { RunFiles, RunLedger } from '../../src/distribution/ledger/run-ledger.ts';
import {
  createSettlementWriter,
  type LandedBatch,
  type SettlementHeader,
} from '../../src/distribution/ledger/settlement-file.ts';
import type { BlobStore } from '../../src/ports/blob-store.ts';
import { type Line, written } from '../measuring/line.ts';
import { inTemporaryFolder } from '../measuring/temporary-folder.ts';

const MANY = 1_000_000;
const FEW = 1_000;
const LOOK_UPS = 400;
const ROUNDS = 7;
const TARGET = { atMost: 1.5 };
const PAYMENT = 20_000;
const PAYMENTS_PER_BATCH = 61;
const RECORDS_PER_PIECE = 4_096;

export const ledgers: Line = () =>
  inTemporaryFolder(async (folder) => {
    const blobs = await openFileBlobStore(folder);
    try {
      const [many, few] = [await writeRun(blobs, MANY), await writeRun(blobs, FEW)];
      const opened = createLedgers(blobs);
      const medians: { readonly many: number; readonly few: number }[] = [];
      for (let round = 0; round < ROUNDS; round++)
        medians.push({
          many: await medianLookUp(() => opened.open(many.files), many.owners),
          few: await medianLookUp(() => opened.open(few.files), few.owners),
        });
      const [ofMany, ofFew] = [
        median(medians.map((each) => each.many)),
        median(medians.map((each) => each.few)),
      ];
      const carried = await carryOver(await opened.open(many.files));
      return [
        {
          what: `holders/:wallet from a run's files, p50 at ${MANY.toLocaleString('en-US')} holders / at ${FEW.toLocaleString('en-US')}`,
          ratio: median(medians.map((each) => each.many / each.few)),
          target: TARGET,
          figures: `${written(ofMany)} us, ${written(ofFew)} us`,
        },
        {
          what: `what the next run takes over of ${MANY.toLocaleString('en-US')} holders`,
          figures: `${written(carried)} us a holder`,
        },
      ];
    } finally {
      await blobs.close();
    }
  });

/** Owners are spread evenly, and all are paid. */
async function writeRun(
  blobs: BlobStore,
  count: number,
): Promise<{ readonly files: RunFiles; readonly owners: Uint8Array }> {
  const columns = columnsOf(count);
  const sums = createRecordSums('sol');
  for (let from = 0; from < count; from += RECORDS_PER_PIECE)
    sums.add(encodeColumns(columns, from, Math.min(count, from + RECORDS_PER_PIECE)));
  const header: AllotmentHeader = {
    format: 'levy-allotment-1',
    runId: '00000000-0000-4000-8000-000000000001',
    tokenId: '00000000-0000-5000-8000-000000000002',
    mint: addressOf(Buffer.alloc(32, 9)),
    asset: 'sol',
    slots: ['1', '2'],
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
  return { files: { ledger, settlement }, owners: columns.owners };
}

function columnsOf(count: number): RecordColumns {
  const owners = randomBytes(count * 32);
  const filled = (amount: bigint): AmountColumn => {
    const column = createAmountColumn(count);
    for (let index = 0; index < count; index++) column.set(index, amount);
    return column;
  };
  for (let index = 0; index < count; index++)
    owners.writeUInt32BE(Math.floor((index * 2 ** 32) / count), index * 32);
  return {
    owners,
    kinds: new Uint8Array(count).fill(KINDS.indexOf('holder')),
    reasons: new Uint8Array(count).fill(REASONS.indexOf('planned')),
    amounts: {
      balance: filled(1n),
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

/** Microseconds. */
async function medianLookUp(open: () => Promise<RunLedger>, owners: Uint8Array): Promise<number> {
  const times: number[] = [];
  for (let number = 0; number < LOOK_UPS; number++) {
    const index = Math.floor(Math.random() * (owners.length / 32));
    const wallet = addressOf(owners.subarray(index * 32, index * 32 + 32));
    const start = performance.now();
    const [payment] = await (await open()).paymentsOf(wallet);
    times.push((performance.now() - start) * 1_000);
    if (payment?.outcome.status !== 'paid') throw new Error(`${wallet} was paid`);
  }
  return median(times);
}

/** Microseconds a holder. */
async function carryOver(ledger: RunLedger): Promise<number> {
  let holders = 0;
  const start = performance.now();
  for await (const { count } of ledger.carriedOwners()) holders += count;
  return ((performance.now() - start) * 1_000) / holders;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}
