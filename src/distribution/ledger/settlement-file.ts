/**
 * The settlement of a run as a file, written when the run is closed: which transaction paid whom, and whom the chain
 * refused.
 *
 *     4 bytes      the length of the header, little-endian
 *     header       JSON in UTF-8: the allotment that it settles, sums, pots and the other transactions
 *     90 bytes     a transaction that paid a stretch of payments, and so on
 *     5 bytes      a refused payment, and so on
 *
 * Payments are numbered by asset from 0, in the order of the allotment's records. Transactions and refusals are sorted by
 * asset (SOL first) and number, so that one payment is found by binary search. `docs/reference/ledger-files.md` describes
 * it for outsiders.
 */
import { type Static, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { base58, fromBase58 } from 'levy-solana-wire';
import { REWARD_ASSETS, RewardAsset, Sha256 } from '../../streams/distribution.ts';
import { REFUSALS, type Refusal } from '../../streams/distribution-run.ts';
import { Address, Amount, Signature, U128, Uuid } from '../../streams/values.ts';
import { headerPiece, LedgerInvalid, type ReadRange, readFully, readHeader } from './read-range.ts';

const Count = Type.Integer({ minimum: 0 });

const Settled = Type.Object({
  /** What the allotment planned. */
  payments: Count,
  /** Transactions that paid some of them. */
  batches: Count,
  /** Payments that they made, and their sum. */
  paid: Count,
  sum: Amount,
  refused: Count,
});

export const SettlementHeader = Type.Object({
  format: Type.Literal('levy-settlement-1'),
  runId: Uuid,
  tokenId: Uuid,
  mint: Address,
  /** The SHA-256 of the allotment file, and its Merkle root. */
  allotment: Sha256,
  root: Sha256,
  sol: Settled,
  token: Settled,
  /** What was owed and what was left undivided when the run was over, by asset. */
  owedAfter: Type.Object({ sol: U128, token: U128 }),
  dustAfter: Type.Object({ sol: Amount, token: Amount }),
  /** The till that the run left, and what it held without its rent; lamports. */
  tillAfter: Type.Object({ address: Address, lamports: Amount }),
  /** The accounts that paid, in the order in which transactions name them. */
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
/** Thousands of pots and signatures. */
const LONGEST_HEADER = 4 * 1024 * 1024;
const WHAT = 'settlement';

/** pot u16, from u32, to u32, signature, slot u64, sum u64; little-endian. */
const BATCH_SIZE = 90;
const FROM_AT = 2;
const TO_AT = 6;
const SIGNATURE_AT = 10;
const SIGNATURE_SIZE = 64;
const SLOT_AT = 74;
const SUM_AT = 82;

/** number u32, reason u8: a place in `REFUSALS`. */
const REFUSAL_SIZE = 5;
const REFUSAL_AT = 4;

/** A transaction that landed. It paid all payments of its stretch but those that are refused. */
export interface LandedBatch {
  /** The pot's place in the header's list. */
  readonly pot: number;
  readonly from: number;
  /** Behind the last. */
  readonly to: number;
  readonly signature: string;
  readonly slot: bigint;
  /** What it paid. */
  readonly sum: bigint;
}

export interface RefusedPayment {
  readonly asset: RewardAsset;
  readonly number: number;
  readonly refusal: Refusal;
}

export interface SettlementWriter {
  /** The first piece of the file. */
  readonly begin: Uint8Array;
  /** The next transactions, by asset and number; throws a RangeError for another order or an overlap. */
  landed(batches: readonly LandedBatch[]): Uint8Array;
  /** The next refusals, by asset and number, after all transactions; throws a RangeError for another order. */
  refused(refusals: readonly RefusedPayment[]): Uint8Array;
  /** Throws a RangeError unless the header says what transactions and refusals say. */
  end(): void;
}

/** Writes piece by piece: the whole file is never in memory. */
export function createSettlementWriter(header: SettlementHeader): SettlementWriter {
  const written = { batches: [0, 0], covered: [0, 0], paid: [0n, 0n], refused: [0, 0], left: [0, 0] };
  /** The stretches that were written, by asset, and the place of the one in which the last refusal was looked for. */
  const stretches: (readonly [number, number])[][] = [[], []];
  const sought = [0, 0];
  let [asset, next] = [0, 0];
  let [refusedAsset, nextRefused] = [0, 0];

  function write(batch: LandedBatch, target: Buffer): void {
    const { pot, from, to, signature, slot, sum } = batch;
    const place = REWARD_ASSETS.indexOf(header.pots[pot]?.asset ?? REWARD_ASSETS[0]);
    if (header.pots[pot] === undefined) throw new RangeError(`there is no pot ${pot}`);
    if (place < asset || (place === asset && from < next) || from >= to)
      throw new RangeError(`the transaction for ${from} to ${to} is not behind the one before it`);
    [asset, next] = [place, to];
    if (to > header[REWARD_ASSETS[place] ?? 'sol'].payments)
      throw new RangeError(`there is no payment ${to - 1}`);
    const bytes = fromBase58(signature);
    if (bytes?.length !== SIGNATURE_SIZE) throw new RangeError(`${signature} is no signature`);
    target.writeUInt16LE(pot, 0);
    target.writeUInt32LE(from, FROM_AT);
    target.writeUInt32LE(to, TO_AT);
    target.set(bytes, SIGNATURE_AT);
    target.writeBigUInt64LE(slot, SLOT_AT);
    target.writeBigUInt64LE(sum, SUM_AT);
    add(written.batches, place, 1);
    add(written.covered, place, to - from);
    written.paid[place] = (written.paid[place] ?? 0n) + sum;
    stretches[place]?.push([from, to]);
  }

  /** Whether the refused payment lies in a stretch that was paid, which then left it out. */
  function isLeftOut(place: number, number: number): boolean {
    const own = stretches[place] ?? [];
    let at = sought[place] ?? 0;
    while ((own[at]?.[1] ?? Number.POSITIVE_INFINITY) <= number) at += 1;
    sought[place] = at;
    return (own[at]?.[0] ?? Number.POSITIVE_INFINITY) <= number;
  }

  return {
    begin: headerPiece(header).piece,
    landed(batches) {
      const bytes = Buffer.alloc(batches.length * BATCH_SIZE);
      for (const [index, batch] of batches.entries()) write(batch, bytes.subarray(index * BATCH_SIZE));
      return bytes;
    },
    refused(refusals) {
      const bytes = Buffer.alloc(refusals.length * REFUSAL_SIZE);
      for (const [index, { asset: own, number, refusal }] of refusals.entries()) {
        const place = REWARD_ASSETS.indexOf(own);
        if (place < refusedAsset || (place === refusedAsset && number < nextRefused))
          throw new RangeError(`the refusal of ${number} is not behind the one before it`);
        if (number >= header[own].payments) throw new RangeError(`there is no payment ${number}`);
        [refusedAsset, nextRefused] = [place, number + 1];
        bytes.writeUInt32LE(number, index * REFUSAL_SIZE);
        bytes[index * REFUSAL_SIZE + REFUSAL_AT] = REFUSALS.indexOf(refusal);
        add(written.refused, place, 1);
        if (isLeftOut(place, number)) add(written.left, place, 1);
      }
      return bytes;
    },
    end() {
      for (const [place, each] of REWARD_ASSETS.entries()) {
        const said = header[each];
        const found = {
          batches: written.batches[place],
          paid: (written.covered[place] ?? 0) - (written.left[place] ?? 0),
          sum: `${written.paid[place]}`,
          refused: written.refused[place],
        };
        for (const [name, value] of Object.entries(found))
          if (said[name as keyof typeof found] !== value)
            throw new RangeError(`the header says ${name} ${said[name as keyof typeof found]}, not ${value}`);
      }
    },
  };
}

export type PaymentOutcome =
  | { readonly status: 'paid'; readonly signature: string; readonly slot: bigint }
  | { readonly status: 'refused'; readonly refusal: Refusal }
  /** Neither: the next run owes it. */
  | { readonly status: 'unpaid' };

/** What became of a stretch of payments, in columns. */
export interface StretchOutcomes {
  /** 1 where it was paid. */
  readonly paid: Uint8Array;
  of(number: number): PaymentOutcome;
}

export interface SettlementReader {
  readonly header: SettlementHeader;
  /** In bytes, roughly what this reader keeps in memory. */
  readonly weight: number;
  outcomeOf(asset: RewardAsset, number: number): Promise<PaymentOutcome>;
  /** Of `count` payments from `from` on; reads what concerns them. */
  outcomes(asset: RewardAsset, from: number, count: number): Promise<StretchOutcomes>;
  /** Transactions from `index` on, at most `count`, in the order of the file. */
  batches(index: number, count: number): Promise<readonly LandedBatch[]>;
}

/** Throws `LedgerInvalid` for a file that is no settlement, or is cut off. */
export async function openSettlement(read: ReadRange): Promise<SettlementReader> {
  const { header, text, end: batchesAt } = await readHeader(read, WHAT, LONGEST_HEADER, headerCheck);
  const allBatches = header.sol.batches + header.token.batches;
  const refusalsAt = batchesAt + allBatches * BATCH_SIZE;
  const firstBatch = { sol: 0, token: header.sol.batches };
  const firstRefusal = { sol: 0, token: header.sol.refused };

  const entry = (at: number, size: number, index: number, count: number): Promise<Buffer> =>
    readFully(read, WHAT, at + index * size, count * size);

  /** The first of the entries from `low` to before `high` whose number at `numberAt` is above the given one. */
  async function firstAbove(
    number: number,
    { at, size, numberAt }: { readonly at: number; readonly size: number; readonly numberAt: number },
    [first, end]: readonly [number, number],
  ): Promise<number> {
    let [low, high] = [first, end];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((await entry(at, size, middle, 1)).readUInt32LE(numberAt) > number) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  const batches = { at: batchesAt, size: BATCH_SIZE, numberAt: FROM_AT };
  const refusals = { at: refusalsAt, size: REFUSAL_SIZE, numberAt: 0 };

  async function outcomes(asset: RewardAsset, from: number, count: number): Promise<StretchOutcomes> {
    const paid = new Uint8Array(count);
    const end = from + count;
    const ownBatches = [firstBatch[asset], firstBatch[asset] + header[asset].batches] as const;
    const ownRefusals = [firstRefusal[asset], firstRefusal[asset] + header[asset].refused] as const;
    // The last that begins at or before the first payment may reach over it.
    const begin = Math.max(ownBatches[0], (await firstAbove(from, batches, ownBatches)) - 1);
    const stop = await firstAbove(end - 1, batches, [begin, ownBatches[1]]);
    const landed = await entry(batchesAt, BATCH_SIZE, begin, stop - begin);
    for (let at = 0; at < landed.length; at += BATCH_SIZE) {
      const [first, last] = [landed.readUInt32LE(at + FROM_AT), landed.readUInt32LE(at + TO_AT)];
      paid.fill(1, Math.max(0, first - from), Math.max(0, Math.min(count, last - from)));
    }
    const firstRefused = from === 0 ? ownRefusals[0] : await firstAbove(from - 1, refusals, ownRefusals);
    const lastRefused = await firstAbove(end - 1, refusals, [firstRefused, ownRefusals[1]]);
    const refused = await entry(refusalsAt, REFUSAL_SIZE, firstRefused, lastRefused - firstRefused);
    const reasons = new Map<number, Refusal>();
    for (let at = 0; at < refused.length; at += REFUSAL_SIZE) {
      const number = refused.readUInt32LE(at);
      const refusal = REFUSALS[refused[at + REFUSAL_AT] ?? -1];
      if (refusal === undefined) throw new LedgerInvalid(`the refusal of payment ${number} is unknown`);
      paid[number - from] = 0;
      reasons.set(number, refusal);
    }
    let latest: LandedBatch | undefined;
    return {
      paid,
      of(number) {
        const refusal = reasons.get(number);
        if (refusal !== undefined) return { status: 'refused', refusal };
        if (paid[number - from] !== 1) return { status: 'unpaid' };
        // Neighbours are paid together, and a signature in base58 takes longer than everything else.
        if (latest === undefined || number < latest.from || number >= latest.to)
          latest = batchOver(landed, number);
        return { status: 'paid', signature: latest.signature, slot: latest.slot };
      },
    };
  }

  return {
    header,
    weight: text.length,
    outcomes,
    async outcomeOf(asset, number) {
      return (await outcomes(asset, number, 1)).of(number);
    },
    async batches(index, count) {
      const wanted = Math.max(0, Math.min(count, allBatches - index));
      const bytes = await entry(batchesAt, BATCH_SIZE, index, wanted);
      return Array.from({ length: wanted }, (_, place) => decodeBatch(bytes, place * BATCH_SIZE));
    },
  };
}

function batchOver(batches: Buffer, number: number): LandedBatch {
  let [low, high] = [0, batches.length / BATCH_SIZE - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (batches.readUInt32LE(middle * BATCH_SIZE + FROM_AT) > number) high = middle - 1;
    else low = middle;
  }
  return decodeBatch(batches, low * BATCH_SIZE);
}

function decodeBatch(bytes: Buffer, at: number): LandedBatch {
  return {
    pot: bytes.readUInt16LE(at),
    from: bytes.readUInt32LE(at + FROM_AT),
    to: bytes.readUInt32LE(at + TO_AT),
    signature: base58(bytes.subarray(at + SIGNATURE_AT, at + SIGNATURE_AT + SIGNATURE_SIZE)),
    slot: bytes.readBigUInt64LE(at + SLOT_AT),
    sum: bytes.readBigUInt64LE(at + SUM_AT),
  };
}

function add(counts: number[], place: number, more: number): void {
  counts[place] = (counts[place] ?? 0) + more;
}
