/**
 * Reads the two files of a run as docs/reference/ledger-files.md describes them to outsiders. Shares no code with the engine
 * that writes them: what both took from one place, both would have wrong.
 */
import { createHash } from 'node:crypto';
import { addressOf, base58 } from 'levy-solana-wire';
import type { Asset, BookedRecord } from './run-books.ts';

export class LedgerFileInvalid extends Error {
  override readonly name = 'LedgerFileInvalid';
}

export interface AllotmentOfRun {
  readonly asset: Asset;
  /** Of the Merkle tree over the header and all records; 64 hex digits. */
  readonly root: string;
  readonly records: readonly BookedRecord[];
}

/** Payments are numbered by asset from 0, in the order of the records. */
export interface SettledStretch {
  readonly asset: Asset;
  readonly pot: string;
  readonly from: number;
  /** Behind the last. */
  readonly to: number;
  /** Numbers that lie between the two and were not paid. */
  readonly without: readonly number[];
  readonly signature: string;
}

/** What a settlement says was paid, and what it leaves. */
export interface SettlementOfRun {
  readonly stretches: readonly SettledStretch[];
  readonly owedAfter: { readonly [asset in Asset]: bigint };
  readonly dustAfter: { readonly [asset in Asset]: bigint };
  /** The last till. */
  readonly till: string;
}

const RECORD_SIZE = 82;
const KINDS = ['costs', 'developer', 'holder', 'debt'] as const;
const [SHARE_AT, OWED_AT, PLANNED_AT, PAID_AT] = [50, 58, 66, 74];
const BATCH_SIZE = 90;
const REFUSAL_SIZE = 5;

/** Throws `LedgerFileInvalid` for bytes that are not the file of this name, or no allotment. */
export function readAllotment(sha256: string, bytes: Uint8Array | undefined): AllotmentOfRun {
  const { header, text, rest } = openFile(sha256, bytes);
  const { asset, records: count } = header;
  if ((asset !== 'sol' && asset !== 'token') || typeof count !== 'number')
    throw new LedgerFileInvalid(`the file ${sha256} is no allotment`);
  const leaves: Uint8Array[] = [text];
  const records: BookedRecord[] = [];
  for (let index = 0; index < count; index += 1) {
    const record = rest.subarray(index * RECORD_SIZE, (index + 1) * RECORD_SIZE);
    const kind = KINDS[record[32] ?? -1];
    if (record.length < RECORD_SIZE || kind === undefined)
      throw new LedgerFileInvalid(`the record ${index} of the allotment ${sha256} is cut off or unknown`);
    leaves.push(record);
    records.push({
      kind,
      owner: addressOf(record.subarray(0, 32)),
      share: record.readBigUInt64LE(SHARE_AT),
      owedBefore: record.readBigUInt64LE(OWED_AT),
      planned: record.readBigUInt64LE(PLANNED_AT),
      paidBefore: record.readBigUInt64LE(PAID_AT),
    });
  }
  return { asset, root: rootOf(leaves.map(leafHash)).toString('hex'), records };
}

/** Throws `LedgerFileInvalid` for bytes that are not the file of this name, or no settlement. */
export function readSettlement(sha256: string, bytes: Uint8Array | undefined): SettlementOfRun {
  const { header, rest } = openFile(sha256, bytes);
  const pots = listOf(header.pots).map(({ asset, address }) => ({ asset, address: String(address) }));
  const counted = (asset: Asset, name: 'batches' | 'refused'): number =>
    Number((header[asset] as { readonly [name: string]: unknown } | undefined)?.[name]);
  const batches = counted('sol', 'batches') + counted('token', 'batches');
  const refusalsAt = batches * BATCH_SIZE;
  const refused = { sol: [] as number[], token: [] as number[] };
  let at = refusalsAt;
  for (const asset of ['sol', 'token'] as const)
    for (let index = 0; index < counted(asset, 'refused'); index += 1, at += REFUSAL_SIZE)
      refused[asset].push(rest.readUInt32LE(at));
  if (Number.isNaN(at) || at !== rest.length)
    throw new LedgerFileInvalid(`the settlement ${sha256} has ${rest.length} bytes where ${at} are said`);
  const stretches = Array.from({ length: batches }, (_, index): SettledStretch => {
    const batch = rest.subarray(index * BATCH_SIZE, (index + 1) * BATCH_SIZE);
    const pot = pots[batch.readUInt16LE(0)];
    if (pot?.asset !== 'sol' && pot?.asset !== 'token')
      throw new LedgerFileInvalid(`a transaction of the settlement ${sha256} is of no pot`);
    const [from, to] = [batch.readUInt32LE(2), batch.readUInt32LE(6)];
    return {
      asset: pot.asset,
      pot: pot.address,
      from,
      to,
      without: refused[pot.asset].filter((number) => number >= from && number < to),
      signature: base58(batch.subarray(10, 74)),
    };
  });
  return {
    stretches,
    owedAfter: amountsOf(header.owedAfter),
    dustAfter: amountsOf(header.dustAfter),
    till: String((header.tillAfter as { readonly address?: unknown } | undefined)?.address),
  };
}

function amountsOf(value: unknown): { readonly [asset in Asset]: bigint } {
  const { sol, token } = Object(value) as { readonly [asset in Asset]?: unknown };
  return { sol: BigInt(String(sol)), token: BigInt(String(token)) };
}

interface OpenedFile {
  readonly header: { readonly [name: string]: unknown };
  readonly text: Uint8Array;
  readonly rest: Buffer;
}

function openFile(sha256: string, bytes: Uint8Array | undefined): OpenedFile {
  if (bytes === undefined) throw new LedgerFileInvalid(`the file ${sha256} is missing`);
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const found = createHash('sha256').update(file).digest('hex');
  if (found !== sha256) throw new LedgerFileInvalid(`the file ${sha256} has the SHA-256 ${found}`);
  const end = 4 + file.readUInt32LE();
  const text = file.subarray(4, end);
  return { header: JSON.parse(text.toString()), text, rest: file.subarray(end) };
}

function listOf(value: unknown): readonly { readonly [name: string]: unknown }[] {
  return Array.isArray(value) ? value : [];
}

function leafHash(leaf: Uint8Array): Buffer {
  return createHash('sha256').update(Uint8Array.of(0)).update(leaf).digest();
}

/** As in RFC 6962: the left part is the largest power of two that is smaller than the whole. */
function rootOf(leaves: readonly Buffer[]): Buffer {
  const [only] = leaves;
  if (only !== undefined && leaves.length === 1) return only;
  let left = 1;
  while (left * 2 < leaves.length) left *= 2;
  return createHash('sha256')
    .update(Uint8Array.of(1))
    .update(rootOf(leaves.slice(0, left)))
    .update(rootOf(leaves.slice(left)))
    .digest();
}
