/**
 * Taxed tokens with many holders, as accounts of a local chain: mints, token accounts and the tax withheld in them.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import {
  addressBytes,
  addressOf,
  associatedTokenAddress,
  isOnCurve,
  TOKEN_2022_PROGRAM,
} from 'levy-solana-wire';

export interface TaxedToken {
  readonly mint: string;
  /**
   * Holders with associated accounts, which can be paid in the token itself. Deriving their addresses takes longest.
   */
  readonly hasAssociated: boolean;
  /** Collects the tax. */
  readonly wallet: string;
  readonly holders: number;
  /** Holders whose accounts contain withheld tax. */
  readonly taxed: number;
}

export const DECIMALS = 6;
export const BASIS_POINTS = 300;
const BALANCE = 1_000_000_000n;
/** Base units of tax per holder, wherever the tax is withheld. */
const TAX = 1_000_000n;
const MINT_SIZE = 278;
const ACCOUNT_SIZE = 182;
const RENT = 3_000_000;
const U64_MAX = 2n ** 64n - 1n;

export function supplyOf({ holders }: Pick<TaxedToken, 'holders'>): bigint {
  return BigInt(holders) * (BALANCE + TAX);
}

/** File with all accounts, in the format of `solana account --output json`. */
export async function writeTaxedTokens(file: string, tokens: readonly TaxedToken[]): Promise<void> {
  const stream = createWriteStream(file);
  let text = '[';
  let isFirst = true;
  const add = async (address: string, data: Buffer) => {
    const account = {
      lamports: RENT,
      data: [data.toString('base64'), 'base64'],
      owner: TOKEN_2022_PROGRAM,
      executable: false,
    };
    text += `${isFirst ? '' : ','}${JSON.stringify({ pubkey: address, account })}`;
    isFirst = false;
    if (text.length < 100_000) return;
    if (!stream.write(text)) await once(stream, 'drain');
    text = '';
  };
  for (const token of tokens) {
    await add(token.mint, mintData(token));
    const withheld = (TAX * BigInt(token.holders)) / BigInt(token.taxed);
    for (let number = 0; number < token.holders; number++) {
      const owner = ownerOf(number);
      const address = token.hasAssociated
        ? associatedTokenAddress(addressOf(owner), token.mint)
        : addressOf(hashOf(`${token.mint} ${number}`));
      await add(address, accountData(token.mint, owner, number < token.taxed ? withheld : 0n));
    }
  }
  stream.end(`${text}]`);
  await once(stream, 'finish');
}

const owners: Uint8Array[] = [];

/** Equal for all tokens. The first hash that is the address of a wallet, which is a point of the curve. */
function ownerOf(number: number): Uint8Array {
  for (let attempt = 0; owners[number] === undefined; attempt++) {
    const bytes = hashOf(`${number} ${attempt}`);
    if (isOnCurve(bytes)) owners[number] = bytes;
  }
  return owners[number] ?? new Uint8Array();
}

function hashOf(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}

function mintData(token: TaxedToken): Buffer {
  const data = Buffer.alloc(MINT_SIZE);
  data.writeBigUInt64LE(supplyOf(token), 36);
  data[44] = DECIMALS;
  data[45] = 1;
  data[165] = 1;
  // TransferFeeConfig, of 108 bytes.
  data.writeUInt16LE(1, 166);
  data.writeUInt16LE(108, 168);
  data.set(addressBytes(token.wallet), 170 + 32);
  for (const at of [170 + 72, 170 + 90]) {
    data.writeBigUInt64LE(U64_MAX, at + 8);
    data.writeUInt16LE(BASIS_POINTS, at + 16);
  }
  return data;
}

function accountData(mint: string, owner: Uint8Array, withheld: bigint): Buffer {
  const data = Buffer.alloc(ACCOUNT_SIZE);
  data.set(addressBytes(mint));
  data.set(owner, 32);
  data.writeBigUInt64LE(BALANCE, 64);
  data[108] = 1;
  data[165] = 2;
  // ImmutableOwner, and TransferFeeAmount of 8 bytes.
  data.writeUInt16LE(7, 166);
  data.writeUInt16LE(2, 170);
  data.writeUInt16LE(8, 172);
  data.writeBigUInt64LE(withheld, 174);
  return data;
}
