/** Programs as files that the chain loads: the smallest one, which does nothing but end with a number, and any other. */

const TEXT_AT = 0x78;
const SECTION_HEADER_SIZE = 64;
const NAMES = Buffer.from('\0.text\0.shstrtab\0');
const NAMES_SECTION = 2;

/** The bytes of its ELF file. 0 is success, any other a custom error. */
export function tinyProgram(result: number): Buffer {
  const text = Buffer.alloc(16);
  // r0 = result; exit
  text[0] = 0xb7;
  text.writeInt32LE(result, 4);
  text[8] = 0x95;
  return programFile(text);
}

/** The ELF file of these instructions for version 0 of the virtual machine. */
export function programFile(text: Buffer): Buffer {
  const namesAt = TEXT_AT + text.length;
  const padding = Buffer.alloc((8 - (NAMES.length % 8)) % 8);
  const sectionsAt = namesAt + NAMES.length + padding.length;
  return Buffer.concat([
    fileHeader(sectionsAt),
    programHeader(text.length),
    text,
    NAMES,
    padding,
    Buffer.alloc(SECTION_HEADER_SIZE),
    // Program bits, to be loaded and run.
    sectionHeader({ name: 1, type: 1, flags: 0x6, address: TEXT_AT, at: TEXT_AT, size: text.length }),
    // A table of names, not loaded.
    sectionHeader({ name: 7, type: 3, flags: 0, address: 0, at: namesAt, size: NAMES.length }),
  ]);
}

function fileHeader(sectionsAt: number): Buffer {
  const header = Buffer.alloc(64);
  // 64 bits, little endian, version 1.
  header.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  // A shared object, for the machine that has number 247.
  header.writeUInt16LE(3, 16);
  header.writeUInt16LE(247, 18);
  header.writeUInt32LE(1, 20);
  header.writeBigUInt64LE(BigInt(TEXT_AT), 24);
  header.writeBigUInt64LE(64n, 32);
  header.writeBigUInt64LE(BigInt(sectionsAt), 40);
  const [headerSize, programHeaderSize, programHeaders, sectionHeaders] = [64, 56, 1, 3];
  [headerSize, programHeaderSize, programHeaders, SECTION_HEADER_SIZE, sectionHeaders, NAMES_SECTION].forEach(
    (value, index) => {
      header.writeUInt16LE(value, 52 + index * 2);
    },
  );
  return header;
}

function programHeader(size: number): Buffer {
  const header = Buffer.alloc(56);
  // To be loaded; readable and executable.
  header.writeUInt32LE(1, 0);
  header.writeUInt32LE(5, 4);
  [TEXT_AT, TEXT_AT, TEXT_AT, size, size, 0x1000].forEach((value, index) => {
    header.writeBigUInt64LE(BigInt(value), 8 + index * 8);
  });
  return header;
}

interface Section {
  readonly name: number;
  readonly type: number;
  readonly flags: number;
  readonly address: number;
  readonly at: number;
  readonly size: number;
}

function sectionHeader({ name, type, flags, address, at, size }: Section): Buffer {
  const header = Buffer.alloc(SECTION_HEADER_SIZE);
  header.writeUInt32LE(name, 0);
  header.writeUInt32LE(type, 4);
  [flags, address, at, size].forEach((value, index) => {
    header.writeBigUInt64LE(BigInt(value), 8 + index * 8);
  });
  header.writeBigUInt64LE(1n, 48);
  return header;
}
