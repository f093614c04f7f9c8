/**
 * The writer's view of a filling's lists: it hands out ranks, and writes the blocks and headers of places that changed.
 * Every count is taken from the bits.
 */

import { LRUCache } from 'lru-cache';
import type { AnyBulkWriteOperation } from 'mongodb';
import { bytesOf } from './bytes.ts';
import {
  blockField,
  blockId,
  type Fill,
  headerId,
  type ListBlock,
  type ListHeader,
  type PlaceInList,
} from './layout.ts';
import { type Bits, BLOCK_RANKS, countMissing, emptyBits, setMissing } from './rank-bitmap.ts';
import { orConflict, WriteConflict } from './write-conflict.ts';

export interface ChangedPlace {
  readonly place: PlaceInList;
  readonly listed: boolean;
  /** Handed out by this commit: nothing says yet that it is missing. */
  readonly isNew: boolean;
}

export interface StoredLists {
  /** Makes the partitions known, so that `nextRank` can be called for them. */
  load(partitions: readonly Partition[]): Promise<void>;
  nextRank(list: string, partition: string): number;
  write(changed: readonly ChangedPlace[], always?: 'always'): Promise<void>;
}

export interface Partition {
  readonly list: string;
  readonly partition: string;
}

interface Header {
  next: number;
  missing: number;
  readonly counts: Map<string, number>;
  /** 0: not stored yet. */
  s: number;
}

interface Block {
  readonly bits: Bits;
  s: number;
}

/** Bounds what a writer remembers of one filling; a commit changes fewer. */
const HEADERS_KEPT = 8_192;
const BLOCKS_KEPT = 256;

export function createStoredLists({ lists }: Fill): StoredLists {
  const headers = new LRUCache<string, Header>({ max: HEADERS_KEPT });
  const blocks = new LRUCache<string, Block>({ max: BLOCKS_KEPT });
  /** Those of the commit that is being made: they must not be pushed out meanwhile. */
  let current = new Map<string, Header>();

  async function loadHeaders(ids: readonly string[]): Promise<Map<string, Header>> {
    const found = new Map<string, Header>();
    const unknown: string[] = [];
    for (const id of new Set(ids)) {
      const known = current.get(id) ?? headers.get(id);
      if (known === undefined) unknown.push(id);
      found.set(id, known ?? { next: 0, missing: 0, counts: new Map(), s: 0 });
    }
    if (unknown.length === 0) return found;
    for await (const document of lists.find({ _id: { $in: unknown } })) {
      const { _id, next, missing, blocks: counts, s } = document as ListHeader;
      found.set(_id, { next, missing, counts: new Map(Object.entries(counts)), s });
    }
    for (const id of unknown) headers.set(id, found.get(id));
    return found;
  }

  async function loadBlocks(ids: readonly string[]): Promise<Map<string, Block>> {
    const found = new Map<string, Block>();
    for (const id of new Set(ids)) found.set(id, blocks.get(id) ?? { bits: emptyBits(), s: 0 });
    const unknown = [...found.keys()].filter((id) => !blocks.has(id));
    if (unknown.length === 0) return found;
    for await (const document of lists.find({ _id: { $in: unknown } })) {
      const { _id, bits, s } = document as ListBlock;
      found.set(_id, { bits: bytesOf(bits), s });
    }
    for (const id of unknown) blocks.set(id, found.get(id));
    return found;
  }

  async function saved(operations: readonly AnyBulkWriteOperation<ListHeader | ListBlock>[]): Promise<void> {
    // Blocks come first: a header's counts are of bits that are there.
    const { insertedCount, matchedCount } = await orConflict(lists.bulkWrite(operations, { ordered: true }));
    if (insertedCount + matchedCount !== operations.length) throw new WriteConflict();
  }

  return {
    async load(partitions) {
      current = await loadHeaders(partitions.map(({ list, partition }) => headerId(list, partition)));
    },

    nextRank(list, partition) {
      const header = current.get(headerId(list, partition));
      if (header === undefined) throw new Error(`the list "${list}" was not loaded`);
      header.next += 1;
      return header.next - 1;
    },

    async write(changed, always) {
      if (changed.length === 0) return;
      const headerOf = await loadHeaders(changed.map(({ place }) => headerId(place.l, place.p)));
      // What was never listed, and what newly is, needs no bit.
      const inBlocks = changed.filter(({ isNew, listed }) => always !== undefined || !(isNew && listed));
      const numberOf = ({ place }: ChangedPlace) => Math.floor(place.r / BLOCK_RANKS);
      const idOf = (each: ChangedPlace) => blockId(each.place.l, each.place.p, numberOf(each));
      const blockOf = await loadBlocks(inBlocks.map(idOf));
      for (const each of inBlocks) {
        const bits = blockOf.get(idOf(each))?.bits;
        if (bits !== undefined) setMissing(bits, each.place.r % BLOCK_RANKS, !each.listed);
      }
      const counted = new Set<string>();
      for (const each of inBlocks) {
        const { place } = each;
        const block = blockOf.get(idOf(each));
        if (block === undefined || counted.has(idOf(each))) continue;
        counted.add(idOf(each));
        headerOf
          .get(headerId(place.l, place.p))
          ?.counts.set(blockField(numberOf(each)), countMissing(block.bits));
      }
      for (const { place } of changed) {
        const header = headerOf.get(headerId(place.l, place.p));
        if (header !== undefined && header.next <= place.r) header.next = place.r + 1;
      }
      await saved([
        ...[...blockOf].map(([_id, block]) =>
          savedAs(block, (s) => ({ _id, bits: Buffer.from(block.bits), s })),
        ),
        ...[...headerOf].map(([_id, header]) => {
          header.missing = [...header.counts.values()].reduce((sum, count) => sum + count, 0);
          const { next, missing, counts } = header;
          return savedAs(header, (s) => ({ _id, next, missing, blocks: Object.fromEntries(counts), s }));
        }),
      ]);
    },
  };
}

function savedAs(
  stored: { s: number },
  document: (s: number) => ListHeader | ListBlock,
): AnyBulkWriteOperation<ListHeader | ListBlock> {
  const before = stored.s;
  stored.s += 1;
  const replacement = document(stored.s);
  if (before === 0) return { insertOne: { document: replacement } };
  return { replaceOne: { filter: { _id: replacement._id, s: before }, replacement } };
}
