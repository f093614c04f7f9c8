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

export class StandInLog {
  records: StoredRecord[] = [];
  /** Called after each append. */
  readonly waiting = new Set<() => void>();
  #end = 0n;

  constructor() {
    // A database begins with records of its own.
    this.write('$settings-stand-in', 'any', [textRecord('$Settings', '{}')]);
  }

  lastRevision(stream: string): number | undefined {
    return this.records.findLast((record) => record.stream === stream)?.revision;
  }

  /** Equal ids at the equal expected revision are the same append; at any other they count as new events. */
  write(stream: string, expected: Expected, events: readonly Appended[]): Outcome {
    const size = events.reduce(
      (sum, { data, metadata, type }) => sum + data.length + metadata.length + 2 * Buffer.byteLength(type),
      0,
    );
    if (size > LARGEST_BATCH) return { kind: 'too-large' };
    const actual = this.lastRevision(stream);
    const last = actual ?? -1;
    const expectedLast = expected === 'any' ? last : expected === 'none' ? -1 : expected;
    if (expected === 'any' || expectedLast === last) {
      for (const [index, event] of events.entries()) {
        this.records.push({ ...event, stream, revision: last + 1 + index, position: this.#end });
        this.#end += HEADER + BigInt(event.data.length + event.metadata.length);
      }
      for (const wake of [...this.waiting]) wake();
      return this.#success(stream, last + events.length);
    }
    const written = this.records.filter(
      ({ stream: name, revision }) =>
        name === stream && revision > expectedLast && revision <= expectedLast + events.length,
    );
    const isSame =
      written.length === events.length && written.every(({ id }, index) => id === events[index]?.id);
    if (isSame) return this.#success(stream, expectedLast + events.length);
    return { kind: 'wrong-version', actual };
  }

  /** The records of a stream that `$maxCount` has not hidden. */
  stream(name: string): readonly StoredRecord[] {
    const all = this.records.filter(({ stream }) => stream === name);
    const count = this.#keptCount(name);
    return count === undefined ? all : all.slice(-count);
  }

  #keptCount(name: string): number | undefined {
    const metadata = this.records.findLast(({ stream }) => stream === `$$${name}`);
    return metadata && JSON.parse(metadata.data.toString()).$maxCount;
  }

  #success(stream: string, revision: number): Outcome {
    const record = this.stream(stream).find((each) => each.revision === revision);
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
