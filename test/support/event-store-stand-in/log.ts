// The log of the stand-in for EventStoreDB: what was measured of the real one's appends and places, in memory.

export interface Appended {
  readonly id: string;
  readonly type: string;
  readonly data: Buffer;
  readonly metadata: Buffer;
}

export interface StoredRecord extends Appended {
  readonly stream: string;
  readonly revision: number;
  readonly position: bigint;
}

export type Expected = number | 'none' | 'any';

export type Outcome =
  | { readonly kind: 'success'; readonly revision: number; readonly position: bigint | undefined }
  | { readonly kind: 'wrong-version'; readonly actual: number | undefined }
  | { readonly kind: 'too-large' };

/** The bytes of a whole batch. */
const LARGEST_BATCH = 1_048_576;
/** The room that a record takes besides its data: places are bytes of a file. */
const HEADER = 113n;
/** The stream of a stream's own settings. */
const SETTINGS = '$$';

export class StandInLog {
  readonly records: StoredRecord[] = [];
  /** Called after each append. */
  readonly waiting = new Set<() => void>();
  /** Records of each stream, each at the index of its revision. */
  readonly #streams = new Map<string, StoredRecord[]>();
  readonly #keptCounts = new Map<string, number | undefined>();
  #end = 0n;

  constructor() {
    // A database begins with records of its own.
    this.write('$settings-stand-in', 'any', [textRecord('$Settings', '{}')]);
  }

  /** Equal ids at the equal expected revision are the same append; at any other they count as new events. */
  write(stream: string, expected: Expected, events: readonly Appended[]): Outcome {
    const size = events.reduce(
      (sum, { data, metadata, type }) => sum + data.length + metadata.length + 2 * Buffer.byteLength(type),
      0,
    );
    if (size > LARGEST_BATCH) return { kind: 'too-large' };
    const written = this.#streams.get(stream) ?? [];
    const last = written.length - 1;
    const expectedLast = expected === 'any' ? last : expected === 'none' ? -1 : expected;
    if (expectedLast === last) {
      this.#add(stream, written, events);
      for (const wake of [...this.waiting]) wake();
      return this.#success(stream, last + events.length);
    }
    const there = written.slice(expectedLast + 1, expectedLast + 1 + events.length);
    const isSame = there.length === events.length && there.every(({ id }, index) => id === events[index]?.id);
    if (isSame) return this.#success(stream, expectedLast + events.length);
    return { kind: 'wrong-version', actual: last === -1 ? undefined : last };
  }

  /** The records of a stream that `$maxCount` has not hidden. */
  stream(name: string): readonly StoredRecord[] {
    const all = this.#streams.get(name) ?? [];
    const count = this.#keptCounts.get(name);
    return count === undefined ? all : all.slice(-count);
  }

  /** The place in `records` of the first at or after a position; their number where there is none. */
  indexAt(position: bigint): number {
    let from = 0;
    let to = this.records.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      const found = this.records[middle];
      if (found !== undefined && found.position < position) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  #add(stream: string, written: StoredRecord[], events: readonly Appended[]): void {
    this.#streams.set(stream, written);
    for (const event of events) {
      const record = { ...event, stream, revision: written.length, position: this.#end };
      this.records.push(record);
      written.push(record);
      this.#end += HEADER + BigInt(event.data.length + event.metadata.length);
      if (stream.startsWith(SETTINGS))
        this.#keptCounts.set(stream.slice(SETTINGS.length), JSON.parse(event.data.toString()).$maxCount);
    }
  }

  #success(stream: string, revision: number): Outcome {
    const kept = this.stream(stream);
    const record = kept[revision - (kept[0]?.revision ?? 0)];
    return { kind: 'success', revision, position: record?.position };
  }
}

export function textRecord(
  type: string,
  data: string,
  { metadata = '{}', id }: { readonly metadata?: string; readonly id?: string } = {},
): Appended {
  const record = { type, data: Buffer.from(data), metadata: Buffer.from(metadata) };
  return { id: id ?? crypto.randomUUID(), ...record };
}
