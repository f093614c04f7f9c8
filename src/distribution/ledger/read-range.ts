/** Reads parts of a ledger file, independent of its storage. */

/** Reads bytes from `offset` on; returns fewer at the end of the file. */
export type ReadRange = (offset: number, length: number) => Promise<Uint8Array>;

/** The file is truncated, or its content is invalid. */
export class LedgerInvalid extends Error {
  override readonly name = 'LedgerInvalid';
}

/** The file is missing in the ledger store, until an operator restores it. */
export class LedgerMissing extends LedgerInvalid {
  readonly sha256: string;

  constructor(sha256: string) {
    super(`the ledger file ${sha256} is missing in the ledger store`);
    this.sha256 = sha256;
  }
}

/** Throws `LedgerInvalid` if the file is shorter. */
export async function readFully(
  read: ReadRange,
  what: string,
  offset: number,
  length: number,
): Promise<Buffer> {
  if (length === 0) return Buffer.alloc(0);
  const bytes = await read(offset, length);
  if (bytes.length !== length) throw new LedgerInvalid(`the ${what} is truncated`);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

const LENGTH_SIZE = 4;

/** Header of a file: its length in four bytes, little-endian, then JSON in UTF-8. */
export function headerChunk(header: object): { readonly piece: Uint8Array; readonly text: Uint8Array } {
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(LENGTH_SIZE);
  length.writeUInt32LE(text.length);
  return { piece: Buffer.concat([length, text]), text };
}

/** Throws `LedgerInvalid` if the header is invalid or longer than `longest` bytes. */
export async function readHeader<Header>(
  read: ReadRange,
  what: string,
  longest: number,
  check: { Check(value: unknown): value is Header },
): Promise<{ readonly header: Header; readonly text: Uint8Array; readonly end: number }> {
  const length = (await readFully(read, what, 0, LENGTH_SIZE)).readUInt32LE();
  if (length > longest) throw new LedgerInvalid(`the file is not the ${what} of a run`);
  const text = await readFully(read, what, LENGTH_SIZE, length);
  let header: unknown;
  try {
    header = JSON.parse(text.toString());
  } catch {
    throw new LedgerInvalid(`the header of the ${what} is not JSON`);
  }
  if (!check.Check(header)) throw new LedgerInvalid(`the header of the ${what} is invalid`);
  return { header, text, end: LENGTH_SIZE + length };
}
