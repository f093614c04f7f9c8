/** Keys and addresses that tests can tell apart by a number. */
import { addressOf, importSeed, sign } from '../src/index.ts';

export const numbered = (number: number) => addressOf(new Uint8Array(32).fill(number));

export function numberedKey(number: number) {
  const { privateKey, publicKey } = importSeed(new Uint8Array(32).fill(number));
  return {
    publicKey,
    address: addressOf(publicKey),
    sign: (message: Uint8Array) => sign(privateKey, message),
  };
}
