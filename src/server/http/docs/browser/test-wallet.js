/** Wallet with a key that exists only in this tab: for trials, never for anything of value. */
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
/** Sizes in bytes: signature count (up to 127 signers), message header, key, signature. */
const [COUNT, HEADER, KEY, SIGNATURE] = [1, 4, 32, 64];

export async function makeTestWallet() {
  if (crypto.subtle === undefined)
    throw new Error('The test wallet requires HTTPS. Open this page over https:// or on localhost.');
  const { publicKey, privateKey } = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify']);
  const walletAddress = base58(new Uint8Array(await crypto.subtle.exportKey('raw', publicKey)));
  const sign = async (bytes) => new Uint8Array(await crypto.subtle.sign('Ed25519', privateKey, bytes));
  return {
    walletAddress,
    sign,
    /** Signs a base64 transaction. Rejects a transaction that does not need this wallet's signature. */
    async signTransaction(text) {
      const transaction = bytesOf(text);
      const signers = transaction[0] ?? 0;
      const message = transaction.subarray(COUNT + SIGNATURE * signers);
      const keys = Array.from({ length: signers }, (_, index) =>
        base58(message.subarray(HEADER + KEY * index, HEADER + KEY * (index + 1))),
      );
      const mine = keys.indexOf(walletAddress);
      if (mine < 0) throw new Error('This transaction does not need a signature of the test wallet.');
      transaction.set(await sign(message), COUNT + SIGNATURE * mine);
      return btoa(String.fromCharCode(...transaction));
    },
  };
}

function bytesOf(text) {
  // Quotation marks are often copied along with the text of a response.
  const base64 = text.replace(/^"|"$/g, '');
  if (!/^[A-Za-z0-9+/]+=*$/.test(base64)) throw new Error('The transaction must be base64.');
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

export function base58(bytes) {
  let number = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  let text = '';
  for (; number > 0n; number /= 58n) text = ALPHABET[Number(number % 58n)] + text;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return '1'.repeat(zeros < 0 ? bytes.length : zeros) + text;
}
