/** Rent of accounts by the Rent sysvar, within bounds, because a payer relies on the answer of one node. */
import { SYSVAR_OWNER } from './program-ids.ts';

/** Bytes that the runtime counts for each account besides its data. */
const OVERHEAD = 128;
/** Lamports a byte: no cluster has ever taken more, and the proposals to lower it end at a tenth. */
export const MOST_RENT_PER_BYTE = 6_960n;
const LEAST_PER_BYTE = 348n;
const SYSVAR_SIZE = 17;

/** Lamports that each byte of an exempt account takes; undefined for what is no Rent sysvar, or is out of bounds. */
export function rentPerByte(
  account: { readonly owner: string; readonly data: Uint8Array } | undefined,
): bigint | undefined {
  if (account?.owner !== SYSVAR_OWNER || account.data.length < SYSVAR_SIZE) return undefined;
  const { data } = account;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const product = Number(view.getBigUint64(0, true)) * view.getFloat64(8, true);
  if (!Number.isSafeInteger(product)) return undefined;
  const perByte = BigInt(product);
  return perByte >= LEAST_PER_BYTE && perByte <= MOST_RENT_PER_BYTE ? perByte : undefined;
}

/** Lamports that an account of this size must hold to be exempt. */
export function rentOf(byteLength: number, perByte: bigint): bigint {
  return BigInt(OVERHEAD + byteLength) * perByte;
}
