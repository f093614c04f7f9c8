/**
 * Says which records of a damaged allotment are not those that were recorded. The root in the log and the hashes of groups
 * in the file tell which groups are wrong; the allotment of the next run, which goes on from each wallet's sums, tells whose
 * records. Pure.
 */
import { hash } from 'node:crypto';
import type { Asset, BookedRecord } from '../booked-record.ts';
import { type AllotmentOfRun, recordsIn } from '../ledger-files.ts';

/** What the log says of the allotment. */
export interface RecordedAllotment {
  readonly root: string;
  readonly records: number;
  readonly asset: Asset;
}

const RECORD_SIZE = 82;
const LEAVES_PER_GROUP = 1_024;
const GROUP_SIZE = 72;
const HASH_SIZE = 32;
const MOST_WALLETS = 20;

/** A sentence for the finding. `next` is that of the run after it, where it is sound. */
export function damageIn(
  bytes: Uint8Array,
  recorded: RecordedAllotment,
  next: AllotmentOfRun | undefined,
): string {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const { records: count } = recorded;
  const groups = Math.ceil((count + 1) / LEAVES_PER_GROUP);
  const begin = file.length < 4 ? file.length : 4 + file.readUInt32LE();
  const tableAt = begin + count * RECORD_SIZE;
  if (file.length !== tableAt + groups * GROUP_SIZE)
    return `it has ${file.length} bytes, and its header and ${count} records need ${tableAt + groups * GROUP_SIZE}`;
  const hashes = Array.from({ length: groups }, (_, group) =>
    file.subarray(tableAt + group * GROUP_SIZE, tableAt + group * GROUP_SIZE + HASH_SIZE),
  );
  if (rootOf(hashes).toString('hex') !== recorded.root)
    return 'the hashes of its groups are not those of the recorded root: any of its records may be wrong';
  const wrong = hashes.flatMap((expected, group) => {
    const from = Math.max(0, group * LEAVES_PER_GROUP - 1);
    const to = Math.min(count, (group + 1) * LEAVES_PER_GROUP - 1);
    const leaves = group === 0 ? [leafOf(file.subarray(4, begin))] : [];
    for (let index = from; index < to; index += 1)
      leaves.push(leafOf(file.subarray(begin + index * RECORD_SIZE, begin + (index + 1) * RECORD_SIZE)));
    return rootOf(leaves).equals(expected) ? [] : [{ from, to }];
  });
  if (wrong.length === 0)
    return 'its records are the recorded ones: what differs are the owners and counts beside the hashes of its groups';
  const places = wrong.map(({ from, to }) => `${from} to ${to - 1}`).join(', ');
  const records = recordsIn(file.subarray(begin), count);
  const suspects = wrong.flatMap(({ from, to }) =>
    Array.from({ length: to - from }, (_, place) => records.at(from + place)).filter(
      (record) => record !== undefined,
    ),
  );
  const differing = next === undefined ? [] : walletsThatDiffer(suspects, recorded.asset, next);
  return `at least one of its records ${places} was changed, all others are the recorded ones; ${namesOf(differing)}`;
}

function namesOf(wallets: readonly string[]): string {
  if (wallets.length === 0) return 'the next run does not tell whose';
  const more = wallets.length > MOST_WALLETS ? ` and ${wallets.length - MOST_WALLETS} more` : '';
  return `the next run shows other sums of the wallets ${wallets.slice(0, MOST_WALLETS).join(', ')}${more}`;
}

/**
 * Whose records do not lead to those of the next run: what was paid is all that was planned for each payment or nothing of
 * it, and what was not paid is owed.
 */
export function walletsThatDiffer(
  records: readonly BookedRecord[],
  asset: Asset,
  next: Pick<AllotmentOfRun, 'asset' | 'records'>,
): readonly string[] {
  const suspects = new Set(records.map(({ owner }) => owner));
  const [before, after] = [sumsOf(records, asset, suspects), sumsOf(next.records, next.asset, suspects)];
  return [...suspects].filter((owner) =>
    (['sol', 'token'] as const).some((each) => {
      const own = before.get(`${owner} ${each}`) ?? NOTHING;
      const then = after.get(`${owner} ${each}`) ?? NOTHING;
      const paid = then.paidBefore - own.paidBefore;
      return own.owedBefore + own.share - paid !== then.owedBefore || !own.payable.has(paid);
    }),
  );
}

interface Sums {
  readonly owedBefore: bigint;
  readonly share: bigint;
  readonly paidBefore: bigint;
  /** All that may have been paid: each of its payments was made whole, or not at all. */
  readonly payable: ReadonlySet<bigint>;
}

const NOTHING: Sums = { owedBefore: 0n, share: 0n, paidBefore: 0n, payable: new Set([0n]) };

function sumsOf(
  records: Iterable<BookedRecord>,
  asset: Asset,
  owners: ReadonlySet<string>,
): ReadonlyMap<string, Sums> {
  const sums = new Map<string, Sums>();
  for (const { owner, kind, owedBefore, share, paidBefore, planned } of records) {
    if (!owners.has(owner)) continue;
    const own = kind === 'debt' ? otherThan(asset) : asset;
    const key = `${owner} ${own}`;
    const known = sums.get(key) ?? NOTHING;
    sums.set(key, {
      owedBefore: known.owedBefore + owedBefore,
      share: known.share + share,
      paidBefore: known.paidBefore + paidBefore,
      payable: new Set([...known.payable].flatMap((paid) => [paid, paid + planned])),
    });
  }
  return sums;
}

function otherThan(asset: Asset): Asset {
  return asset === 'sol' ? 'token' : 'sol';
}

function leafOf(bytes: Uint8Array): Buffer {
  return hashOf(0, bytes);
}

/** The root (RFC 6962) over hashes of leaves, or of equal subtrees with a smaller one last. */
function rootOf(hashes: readonly Buffer[]): Buffer {
  const [first = Buffer.alloc(0)] = hashes;
  if (hashes.length <= 1) return first;
  const split = 2 ** Math.floor(Math.log2(hashes.length - 1));
  return hashOf(1, rootOf(hashes.slice(0, split)), rootOf(hashes.slice(split)));
}

function hashOf(prefix: number, ...parts: readonly Uint8Array[]): Buffer {
  return hash('sha256', Buffer.concat([Uint8Array.of(prefix), ...parts]), 'buffer');
}
