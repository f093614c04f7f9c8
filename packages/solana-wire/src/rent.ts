/** Rent of accounts from the Rent sysvar, within bounds, because a payer relies on the response of one node. */
import { SYSVAR_OWNER } from './program-ids.ts';

/** Bytes per account that the runtime adds to its data. */
const OVERHEAD = 128;
/** Lamports per byte. No cluster has ever required more, and proposals reduce it to a tenth at most. */
export const MAX_RENT_PER_BYTE = 6_960n;
const MIN_PER_BYTE = 348n;
const SYSVAR_SIZE = 17;

/** Lamports per byte of a rent-exempt account; undefined for another account, and for values out of bounds. */
export function rentPerByte(
  account: { readonly owner: string; readonly data: Uint8Array } | undefined,
): bigint | undefined {
  if (account?.owner !== SYSVAR_OWNER || account.data.length < SYSVAR_SIZE) return undefined;
  const { data } = account;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const product = Number(view.getBigUint64(0, true)) * view.getFloat64(8, true);
  if (!Number.isSafeInteger(product)) return undefined;
  const perByte = BigInt(product);
  return perByte >= MIN_PER_BYTE && perByte <= MAX_RENT_PER_BYTE ? perByte : undefined;
}

/** Minimum lamports of a rent-exempt account of this size. */
export function rentOf(byteLength: number, perByte: bigint): bigint {
  return BigInt(OVERHEAD + byteLength) * perByte;
}
