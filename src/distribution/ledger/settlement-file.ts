/**
 * Settlement file of a run, written when the run is closed: the transactions that paid, and the payments that the chain refused.
 *
 *     4 bytes      length of the header, little-endian
 *     header       JSON in UTF-8: the settled allotment, sums, pots and the other transactions
 *     90 bytes     per transaction, which paid a range of payments
 *     5 bytes      per refused payment
 *
 * Payments are numbered by asset from 0, in the order of the allotment's records. Transactions and refusals are sorted by
 * asset (SOL first) and number, for binary search. Public description: `docs/reference/ledger-files.md`.
 */
import { type Static, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { base58, fromBase58 } from 'levy-solana-wire';
import { Uuid } from '../../kernel/runtime/ids.ts';
import { REWARD_ASSETS, RewardAsset, Sha256 } from '../../streams/distribution.ts';
import { REFUSALS, type Refusal } from '../../streams/distribution-run.ts';
import { Address, Amount, Count, Signature, U128 } from '../../streams/value-types.ts';
import { headerChunk, LedgerInvalid, type ReadRange, readFully, readHeader } from './read-range.ts';

const Settled = Type.Object({
  /** Payments planned by the allotment. */
  payments: Count,
  /** Number of paying transactions. */
  batches: Count,
  /** Number of payments that were made, and their sum. */
  paid: Count,
  sum: Amount,
  refused: Count,
});

export const SettlementHeader = Type.Object({
  format: Type.Literal('levy-settlement-1'),
  runId: Uuid,
  tokenId: Uuid,
  mint: Address,
  /** SHA-256 and Merkle root of the allotment file. */
  allotment: Sha256,
  root: Sha256,
  sol: Settled,
  token: Settled,
  /** Owed and undivided amounts after the run, by asset. */
  owedAfter: Type.Object({ sol: U128, token: U128 }),
  dustAfter: Type.Object({ sol: Amount, token: Amount }),
  /** The till after the run, and its lamports without the rent. */
  tillAfter: Type.Object({ address: Address, lamports: Amount }),
  /** Accounts that paid; transactions refer to their index. */
  pots: Type.Array(Type.Object({ asset: RewardAsset, address: Address, allowance: Amount, left: Amount })),
  transactions: Type.Object({
    withdraw: Type.Array(Signature),
    split: Type.Array(Signature),
    open: Type.Array(Signature),
    close: Type.Array(Signature),
  }),
});

export type SettlementHeader = Static<typeof SettlementHeader>;

const headerCheck = TypeCompiler.Compile(SettlementHeader);
/** Maximum length of a header in bytes: enough for thousands of pots and signatures. */
const MAX_HEADER = 4 * 1024 * 1024;
const WHAT = 'settlement';

/** Layout: pot u16, from u32, to u32, signature, slot u64, sum u64; little-endian. */
const BATCH_SIZE = 90;
const FROM_AT = 2;
const TO_AT = 6;
const SIGNATURE_AT = 10;
const SIGNATURE_SIZE = 64;
const SLOT_AT = 74;
const SUM_AT = 82;

/** Layout: number u32, reason u8 (an index into `REFUSALS`). */
const REFUSAL_SIZE = 5;
const REFUSAL_AT = 4;

/** A landed transaction, which paid all payments of its range except the refused ones. */
export type LandedBatch = Readonly<ReturnType<typeof decodeBatch>>;

export interface RefusedPayment {
  readonly asset: RewardAsset;
  readonly number: number;
  readonly refusal: Refusal;
}

/** Initial totals of one asset. `sought`: index in `stretches` at which the search for the next refusal starts. */
function nothingWritten() {
  return { stretches: [] as (readonly [number, number])[], sought: 0, paid: 0, sum: 0n, refused: 0 };
}

/** Throws a RangeError unless entries are sorted by asset and number, without overlap. */
function createOrder(what: string) {
  let latest = { place: 0, next: 0 };
  return (asset: RewardAsset, from: number, next: number) => {
    const place = REWARD_ASSETS.indexOf(asset);
    if (place < latest.place || (place === latest.place && from < latest.next) || from >= next)
      throw new RangeError(`${what} ${from} is out of order`);
    latest = { place, next };
  };
}

/** Writes the file in pieces, so that it is never in memory as a whole. */
export function createSettlementWriter(header: SettlementHeader) {
  const written = { sol: nothingWritten(), token: nothingWritten() };
  const requireBatchBehind = createOrder('the transaction for');
  const requireRefusalBehind = createOrder('the refusal of');

  function write(batch: LandedBatch, target: Buffer): void {
    const { pot, from, to, signature, slot, sum } = batch;
    const asset = header.pots[pot]?.asset;
    if (asset === undefined) throw new RangeError(`pot index ${pot} is out of range`);
    requireBatchBehind(asset, from, to);
    if (to > header[asset].payments) throw new RangeError(`payment ${to - 1} is out of range`);
    const bytes = fromBase58(signature);
    if (bytes?.length !== SIGNATURE_SIZE) throw new RangeError(`${signature} is not a signature`);
    target.writeUInt16LE(pot, 0);
    target.writeUInt32LE(from, FROM_AT);
    target.writeUInt32LE(to, TO_AT);
    target.set(bytes, SIGNATURE_AT);
    target.writeBigUInt64LE(slot, SLOT_AT);
    target.writeBigUInt64LE(sum, SUM_AT);
    const own = written[asset];
    own.paid += to - from;
    own.sum += sum;
    own.stretches.push([from, to]);
  }

  return {
    /** The first piece of the file. */
    begin: headerChunk(header).piece,
    /** Writes the next transactions, by asset and number; throws a RangeError if they are out of order or overlap. */
    landed(batches: readonly LandedBatch[]) {
      const bytes = Buffer.alloc(batches.length * BATCH_SIZE);
      for (const [index, batch] of batches.entries()) write(batch, bytes.subarray(index * BATCH_SIZE));
      return bytes;
    },
    /** Writes the next refusals, by asset and number, after all transactions; throws a RangeError if they are out of order. */
    refused(refusals: readonly RefusedPayment[]) {
      const bytes = Buffer.alloc(refusals.length * REFUSAL_SIZE);
      for (const [index, { asset, number, refusal }] of refusals.entries()) {
        requireRefusalBehind(asset, number, number + 1);
        if (number >= header[asset].payments) throw new RangeError(`payment ${number} is out of range`);
        bytes.writeUInt32LE(number, index * REFUSAL_SIZE);
        bytes[index * REFUSAL_SIZE + REFUSAL_AT] = REFUSALS.indexOf(refusal);
        const own = written[asset];
        own.refused += 1;
        // A refused payment inside a range was counted as paid.
        while ((own.stretches[own.sought]?.[1] ?? Number.POSITIVE_INFINITY) <= number) own.sought += 1;
        if ((own.stretches[own.sought]?.[0] ?? Number.POSITIVE_INFINITY) <= number) own.paid -= 1;
      }
      return bytes;
    },
    /** Throws a RangeError if the header does not match the transactions and refusals. */
    end() {
      for (const asset of REWARD_ASSETS) {
        const { stretches, paid, sum, refused } = written[asset];
        const found = { batches: stretches.length, paid, sum: sum.toString(), refused };
        for (const [name, value] of Object.entries(found)) {
          const said = header[asset][name as keyof typeof found];
          if (said !== value)
            throw new RangeError(`the header has ${name} ${said}, but the entries have ${value}`);
        }
      }
    },
  };
}

export type PaymentOutcome =
  | { readonly status: 'paid'; readonly signature: string; readonly slot: bigint }
  | { readonly status: 'refused'; readonly refusal: Refusal }
  /** The payment was neither made nor refused. The next run owes it. */
  | { readonly status: 'unpaid' };

/** Outcomes of a range of payments, in columns. */
export interface RangeOutcomes {
  /** 1 if paid. */
  readonly paid: Uint8Array;
  of(number: number): PaymentOutcome;
}

/**
 * Holds the whole file in memory: about 1.5 MB for a million payments. Throws `LedgerInvalid` if the file is truncated or
 * not a settlement.
 */
export async function openSettlement(read: ReadRange) {
  const { header, text, end: batchesAt } = await readHeader(read, WHAT, MAX_HEADER, headerCheck);
  const { sol, token } = header;
  const batches = await readFully(read, WHAT, batchesAt, (sol.batches + token.batches) * BATCH_SIZE);
  const refusals = await readFully(
    read,
    WHAT,
    batchesAt + batches.length,
    (sol.refused + token.refused) * REFUSAL_SIZE,
  );
  const landed = {
    sol: batches.subarray(0, sol.batches * BATCH_SIZE),
    token: batches.subarray(sol.batches * BATCH_SIZE),
  };
  const refused = {
    sol: refusals.subarray(0, sol.refused * REFUSAL_SIZE),
    token: refusals.subarray(sol.refused * REFUSAL_SIZE),
  };

  return {
    header,
    /** Approximate memory of this reader, in bytes. */
    weight: text.length + batches.length + refusals.length,
    /** Outcomes of `count` payments from `from` on. Throws `LedgerInvalid` for an unknown refusal. */
    outcomes(asset: RewardAsset, from: number, count: number): RangeOutcomes {
      const end = from + count;
      const paid = new Uint8Array(count);
      const own = landed[asset];
      // The last transaction that starts at or before the first payment may cover it.
      const covering = Math.max(0, firstAbove(own, BATCH_SIZE, FROM_AT, from) - BATCH_SIZE);
      for (let at = covering; at < own.length && own.readUInt32LE(at + FROM_AT) < end; at += BATCH_SIZE) {
        const [first, last] = [own.readUInt32LE(at + FROM_AT), own.readUInt32LE(at + TO_AT)];
        paid.fill(1, Math.max(0, first - from), Math.max(0, Math.min(count, last - from)));
      }
      const reasons = refusalsIn(refused[asset], from, end);
      for (const number of reasons.keys()) paid[number - from] = 0;
      let latest: LandedBatch | undefined;
      return {
        paid,
        of(number) {
          const refusal = reasons.get(number);
          if (refusal !== undefined) return { status: 'refused', refusal };
          if (paid[number - from] !== 1) return { status: 'unpaid' };
          // Neighbours are usually paid by one transaction, and encoding its signature in base58 takes most of the time.
          if (latest === undefined || number < latest.from || number >= latest.to)
            latest = decodeBatch(own, firstAbove(own, BATCH_SIZE, FROM_AT, number) - BATCH_SIZE);
          return { status: 'paid', signature: latest.signature, slot: latest.slot };
        },
      };
    },
  };
}

/** Refusals of the payments from `from` to before `end`, by number. */
function refusalsIn(refusals: Buffer, from: number, end: number): ReadonlyMap<number, Refusal> {
  const reasons = new Map<number, Refusal>();
  for (let at = firstAbove(refusals, REFUSAL_SIZE, 0, from - 1); at < refusals.length; at += REFUSAL_SIZE) {
    const number = refusals.readUInt32LE(at);
    if (number >= end) break;
    const refusal = REFUSALS[refusals[at + REFUSAL_AT] ?? -1];
    if (refusal === undefined) throw new LedgerInvalid(`payment ${number} has an unknown refusal`);
    reasons.set(number, refusal);
  }
  return reasons;
}

/** Offset of the first entry above the given number; entries are sorted by number. */
function firstAbove(entries: Buffer, size: number, numberAt: number, number: number): number {
  let [low, high] = [0, entries.length / size];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (entries.readUInt32LE(middle * size + numberAt) > number) high = middle;
    else low = middle + 1;
  }
  return low * size;
}

function decodeBatch(bytes: Buffer, at: number) {
  return {
    /** Index of the pot in the header. */
    pot: bytes.readUInt16LE(at),
    from: bytes.readUInt32LE(at + FROM_AT),
    /** Exclusive end. */
    to: bytes.readUInt32LE(at + TO_AT),
    signature: base58(bytes.subarray(at + SIGNATURE_AT, at + SIGNATURE_AT + SIGNATURE_SIZE)),
    slot: bytes.readBigUInt64LE(at + SLOT_AT),
    /** Sum of the payments in the range. */
    sum: bytes.readBigUInt64LE(at + SUM_AT),
  };
}
