/** What a transaction would do, instruction by instruction, as far as the console knows the programs; read from its bytes. */
import { base58 } from './bytes.ts';

export interface Told {
  readonly program: string;
  readonly action: string;
}

const SYSTEM: { readonly [tag: number]: string } = {
  0: 'opens an account, and pays its rent',
  2: 'transfers SOL',
  4: 'uses up the service’s nonce, so that this can land once',
};
const BUDGET: { readonly [tag: number]: string } = {
  2: 'limits the computing that is paid for',
  3: 'offers a price for it',
};
const TOKEN: { readonly [tag: number]: string } = {
  0: 'sets the mint up',
  6: 'gives up or hands on a right over the mint',
  7: 'mints the supply to you',
  14: 'mints the supply to you',
  20: 'sets the mint up',
  26: 'sets the tax on transfers',
  39: 'says where the metadata are',
  210: 'writes name, symbol and the address of the metadata',
  215: 'gives up the right to change the metadata',
  221: 'writes a field of the metadata',
};

const PROGRAMS: {
  readonly [address: string]: {
    readonly name: string;
    readonly actionOf: (data: Uint8Array) => string | undefined;
  };
} = {
  '11111111111111111111111111111111': { name: 'System', actionOf: ([tag = -1]) => SYSTEM[tag] },
  ComputeBudget111111111111111111111111111111: {
    name: 'Compute budget',
    actionOf: ([tag = -1]) => BUDGET[tag],
  },
  TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb: { name: 'Token-2022', actionOf: ([tag = -1]) => TOKEN[tag] },
  ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL: {
    name: 'Token accounts',
    actionOf: () => 'opens your account of the token',
  },
  MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr: { name: 'Memo', actionOf: () => 'writes a note' },
};

/** The instructions of a legacy transaction, signed or not. Throws a RangeError for bytes that are cut off. */
export function instructionsOf(wire: Uint8Array): readonly Told[] {
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
    return {
      program: program?.name ?? address,
      action: program?.actionOf(data) ?? 'does something that this page does not know',
    };
  });
}
