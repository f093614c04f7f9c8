/** A wallet of the Wallet Standard in a page, with the key of a test: a script that runs before the page's own. */
import type { Keypair } from '@solana/web3.js';

/**
 * While the page's `refusesToSign` is true, its user says no to transactions; while `hesitates` is, they do neither before
 * `answerLate` is called.
 * `showAccounts` takes the addresses that the wallet shows from then on, of its own key or others.
 */
export function standardWallet(keypair: Keypair, name = 'Sunny'): string {
  const [d, x] = [keypair.secretKey.slice(0, 32), keypair.secretKey.slice(32)].map((bytes) =>
    Buffer.from(bytes).toString('base64url'),
  );
  return `{
  const account = {
    address: '${keypair.publicKey.toBase58()}',
    publicKey: Uint8Array.from(${JSON.stringify([...keypair.publicKey.toBytes()])}),
    chains: ['solana:localnet'],
    features: ['solana:signMessage', 'solana:signTransaction'],
  };
  const key = crypto.subtle.importKey('jwk', ${JSON.stringify({ kty: 'OKP', crv: 'Ed25519', d, x })}, 'Ed25519', false, ['sign']);
  const sign = async (bytes) => new Uint8Array(await crypto.subtle.sign('Ed25519', await key, bytes));
  let accounts = [account];
  const listeners = [];
  window.showAccounts = (addresses) => {
    accounts = addresses.map((address) => (address === account.address ? account : { ...account, address }));
    for (const listener of listeners) listener({ accounts });
  };
  const wallet = {
    version: '1.0.0',
    name: '${name}',
    icon: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>',
    chains: ['solana:localnet'],
    accounts: [account],
    features: {
      'standard:connect': { version: '1.0.0', connect: async () => ({ accounts }) },
      'standard:events': { version: '1.0.0', on: (_event, listener) => listeners.push(listener) },
      'solana:signMessage': {
        version: '1.0.0',
        signMessage: async ({ message }) => [{ signedMessage: message, signature: await sign(message) }],
      },
      'solana:signTransaction': {
        version: '1.0.0',
        signTransaction: async ({ transaction }) => {
          if (window.hesitates) await new Promise((answer) => { window.answerLate = answer; });
          if (window.refusesToSign) throw new Error('The user said no.');
          const signed = transaction.slice();
          const message = transaction.subarray(1 + 64 * transaction[0]);
          for (let index = 0; index < transaction[0]; index++) {
            const signer = message.subarray(4 + 32 * index, 36 + 32 * index);
            if (signer.every((byte, at) => byte === account.publicKey[at]))
              signed.set(await sign(message), 1 + 64 * index);
          }
          return [{ signedTransaction: signed }];
        },
      },
    },
  };
  addEventListener('wallet-standard:app-ready', ({ detail }) => detail.register(wallet));
}`;
}
