/** Reads bytes in order and never past their end; violations become failures with a reason. */

/**
 * `versioned` and `oversized` transactions are unsupported here. `unsanitary` ones are refused by every cluster, for
 * example because of an index out of range. With the other problems, the bytes are not a transaction.
 */
export type DecodeProblem =
  | 'oversized'
  | 'versioned'
  | 'truncated'
  | 'trailing-bytes'
  | 'malformed'
  | 'unsanitary';

export interface DecodeFailure {
  readonly ok: false;
  readonly problem: DecodeProblem;
  /** Sentence for the caller. */
  readonly reason: string;
}

class Undecodable extends Error {
  readonly failure: DecodeFailure;

  constructor(failure: DecodeFailure) {
    super(failure.reason);
    this.failure = failure;
  }
}

export function fail(problem: DecodeProblem, reason: string): never {
  throw new Undecodable({ ok: false, problem, reason });
}

/** Returns the result of `read`, or its decoding failure. */
export function decoding<T>(read: () => T): T | DecodeFailure {
  try {
    return read();
  } catch (error) {
    if (error instanceof Undecodable) return error.failure;
    throw error;
  }
}

export class ByteReader {
  readonly bytes: Uint8Array;
  #offset = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  get remaining(): number {
    return this.bytes.length - this.#offset;
  }

  byte(): number {
    const value = this.bytes[this.#offset];
    if (value === undefined) return endsTooEarly();
    this.#offset += 1;
    return value;
  }

  u16(): number {
    return this.byte() + this.byte() * 0x100;
  }

  u32(): number {
    return this.u16() + this.u16() * 0x10000;
  }

  u64(): bigint {
    return BigInt(this.u32()) + (BigInt(this.u32()) << 32n);
  }

  take(length: number): Uint8Array {
    if (length > this.remaining) return endsTooEarly();
    this.#offset += length;
    return this.bytes.subarray(this.#offset - length, this.#offset);
  }

  rest(): Uint8Array {
    return this.take(this.remaining);
  }

  /** Reads a length-prefixed list; `itemSize` is the minimum size of an item. */
  list<T>(itemSize: number, read: () => T): T[] {
    const count = this.compactU16();
    if (count * itemSize > this.remaining) return endsTooEarly();
    return this.times(count, read);
  }

  /** Uses a loop, because `Array.from` takes several times as long and transactions are decoded often. */
  times<T>(count: number, read: () => T): T[] {
    const items: T[] = [];
    for (let left = count; left > 0; left -= 1) items.push(read());
    return items;
  }

  /** Reads length-prefixed bytes. */
  byteList(): Uint8Array {
    return this.take(this.compactU16());
  }

  /**
   * Reads little-endian groups of seven bits, at most 16 bits. Only the shortest form is accepted, because other forms
   * do not serialize back.
   */
  compactU16(): number {
    let value = 0;
    for (let index = 0; index < 3; index += 1) {
      const byte = this.byte();
      if (byte === 0 && index > 0) fail('malformed', 'a length must have its shortest form');
      value |= (byte & 0x7f) << (7 * index);
      if (byte < 0x80) {
        if (value > 0xffff) fail('malformed', 'a length must be at most 65535');
        return value;
      }
    }
    return fail('malformed', 'a length must have at most 3 bytes');
  }

  end(): void {
    if (this.remaining > 0) fail('trailing-bytes', `${this.remaining} bytes after the end of the message`);
  }
}

function endsTooEarly(): never {
  return fail('truncated', 'the transaction ends too early');
}
