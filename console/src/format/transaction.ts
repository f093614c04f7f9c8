/** Describes the instructions of a transaction, for the programs that the console can decode. */
import { exactAmount, grouped, percentText, SOL_DECIMALS } from './amounts.ts';
import { base58 } from './bytes.ts';

export interface DecodedInstruction {
  readonly program: string;
  readonly action: string;
}

/** Description of an instruction: fixed, or derived from the data. */
type Action = string | ((data: Uint8Array) => string);

interface Actions {
  readonly [tag: number]: Action;
}

const SYSTEM: Actions = {
  0: 'opens an account, and pays its rent',
  2: transferOf,
  4: 'advances the service’s nonce, so that this transaction can land only once',
};
const BUDGET: Actions = {
  2: 'sets the compute limit',
  3: 'sets the compute price',
};
const TOKEN: Actions = {
  0: 'initializes the mint',
  6: 'revokes the right to mint more',
  7: 'mints the supply to you',
  14: 'mints the supply to you',
  20: 'initializes the mint',
  26: taxOf,
  39: 'sets the address of the metadata',
  210: metadataOf,
  215: 'revokes the right to change the metadata',
  221: 'writes a field of the metadata',
};

/** Meteora DAMM v2. An instruction tag has eight bytes; the first one is sufficient here. */
const VENUE: Actions = {
  20: poolOf,
  165: 'locks the liquidity permanently',
};

const PROGRAMS: {
  readonly [address: string]: {
    readonly name: string;
    readonly actionOf: (tag: number) => Action | undefined;
  };
} = {
  '11111111111111111111111111111111': { name: 'System', actionOf: (tag) => SYSTEM[tag] },
  ComputeBudget111111111111111111111111111111: { name: 'Compute budget', actionOf: (tag) => BUDGET[tag] },
  TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb: { name: 'Token-2022', actionOf: (tag) => TOKEN[tag] },
  TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA: {
    name: 'Token',
    actionOf: (tag) => (tag === 17 ? 'updates the balance of your wrapped SOL account' : undefined),
  },
  cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG: { name: 'Meteora DAMM v2', actionOf: (tag) => VENUE[tag] },
  ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL: {
    name: 'Token accounts',
    actionOf: () => 'opens your token account',
  },
  MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr: { name: 'Memo', actionOf: () => 'adds a memo' },
};

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  new DataView(buffer, byteOffset, byteLength);

function transferOf(data: Uint8Array): string {
  const lamports = viewOf(data).getBigUint64(4, true);
  return `transfers ${exactAmount(lamports.toString(), SOL_DECIMALS)} SOL`;
}

/** Decodes a transfer fee instruction. Part 0 (initialize) has two optional keys before the rate, part 5 (set) has none. */
function taxOf(data: Uint8Array): string {
  const [, part] = data;
  let at = 2;
  if (part === 0) for (let keys = 0; keys < 2; keys++) at += data[at] === 1 ? 33 : 1;
  return part === 0 || part === 5
    ? `sets the tax on transfers to ${percentText(viewOf(data).getUint16(at, true) / 100)}`
    : 'another instruction about the tax on transfers';
}

/** Tokens deposited into the pool, rounded up: liquidity × (upper - lower) / (lower × upper), all in Q64.64. */
function poolOf(data: Uint8Array): string {
  const number = (at: number) =>
    viewOf(data).getBigUint64(at, true) + (viewOf(data).getBigUint64(at + 8, true) << 64n);
  const [lower, upper, liquidity] = [number(39), number(55), number(72)];
  const divisor = lower * upper;
  const units = (liquidity * (upper - lower) + divisor - 1n) / divisor;
  return `opens the pool with ${grouped(units.toString())} base units of the token`;
}

/** Decodes length-prefixed strings. */
function metadataOf(data: Uint8Array): string {
  let at = 8;
  const text = () => {
    const length = viewOf(data).getUint32(at, true);
    at += 4 + length;
    return new TextDecoder().decode(data.subarray(at - length, at));
  };
  return `writes the name “${text()}”, the symbol “${text()}” and the address of the metadata`;
}

/** Decodes the instructions of a legacy transaction, signed or unsigned. Throws `RangeError` for truncated bytes. */
export function instructionsOf(wire: Uint8Array): readonly DecodedInstruction[] {
  let at = 0;
  const byte = (): number => {
    const value = wire[at++];
    if (value === undefined) throw new RangeError('the transaction is cut off');
    return value;
  };
  const length = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const next = byte();
      value |= (next & 0x7f) << shift;
      if (next < 0x80) return value;
    }
  };
  const take = (count: number): Uint8Array => {
    if (at + count > wire.length) throw new RangeError('the transaction is cut off');
    at += count;
    return wire.subarray(at - count, at);
  };
  take(64 * length());
  take(3);
  const keys = Array.from({ length: length() }, () => base58(take(32)));
  take(32);
  return Array.from({ length: length() }, () => {
    const address = keys[byte()] ?? '';
    take(length());
    const data = take(length());
    const program = PROGRAMS[address];
    const action = program?.actionOf(data[0] ?? -1) ?? 'an instruction unknown to this page';
    return { program: program?.name ?? address, action: typeof action === 'string' ? action : action(data) };
  });
}
