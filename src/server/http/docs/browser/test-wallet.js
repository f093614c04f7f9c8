/** A wallet whose key is made in this tab and ends with it: for trying the service out, never for anything of worth. */
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
/** In a transaction the byte that counts its signatures; in its message, the header before the keys. */
const [COUNT, HEADER, KEY, SIGNATURE] = [1, 4, 32, 64];

export async function makeTestWallet() {
  if (crypto.subtle === undefined)
    throw new Error('Browsers make keys only on pages that come over https, or from this machine.');
  const { publicKey, privateKey } = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify']);
  const walletAddress = base58(new Uint8Array(await crypto.subtle.exportKey('raw', publicKey)));
  const sign = async (bytes) => new Uint8Array(await crypto.subtle.sign('Ed25519', privateKey, bytes));
  return {
    walletAddress,
    sign,
    /** From base64 to base64. Rejects what does not ask for this wallet's signature. */
    async signTransaction(text) {
      const transaction = bytesOf(text);
      const signers = transaction[0] ?? 0;
      const message = transaction.subarray(COUNT + SIGNATURE * signers);
      const keys = Array.from({ length: signers }, (_, index) =>
        base58(message.subarray(HEADER + KEY * index, HEADER + KEY * (index + 1))),
      );
      const mine = keys.indexOf(walletAddress);
      if (mine < 0) throw new Error('This transaction does not ask for a signature of the test wallet.');
      transaction.set(await sign(message), COUNT + SIGNATURE * mine);
      return btoa(String.fromCharCode(...transaction));
    },
  };
}

function bytesOf(text) {
  // An answer's quotation marks are easily copied along.
  const base64 = text.replace(/^"|"$/g, '');
  if (!/^[A-Za-z0-9+/]+=*$/.test(base64)) throw new Error('This is not a transaction in base64.');
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

export function base58(bytes) {
  let number = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  let text = '';
  for (; number > 0n; number /= 58n) text = ALPHABET[Number(number % 58n)] + text;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return '1'.repeat(zeros < 0 ? bytes.length : zeros) + text;
}
