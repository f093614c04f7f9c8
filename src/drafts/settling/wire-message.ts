/** The message in the bytes of a transaction that the service has checked. */
export function messageIn(wireBase64: string): Uint8Array {
  const wire = Buffer.from(wireBase64, 'base64');
  return wire.subarray(1 + (wire[0] ?? 0) * 64);
}
