/** Bytes as the driver gives them, copied: they belong to a buffer that it shares with other documents. */
import type { Binary } from 'mongodb';

export function bytesOf(stored: Binary | Uint8Array): Uint8Array {
  return Uint8Array.from(stored instanceof Uint8Array ? stored : stored.value());
}
