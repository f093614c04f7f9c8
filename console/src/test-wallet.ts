/** Test wallet for the embedded chain. The key exists in this tab only, so it must never hold anything of value. */
import { getWallets } from '@wallet-standard/app';
import type { Wallet, WalletAccount } from '@wallet-standard/base';
import { base58 } from './format/bytes.ts';
import { isTestWallet, TEST_WALLET } from './format/test-wallet-name.ts';
import { levy } from './service.ts';

const STORED = 'levy-test-wallet';
const CHAIN = 'solana:localnet';
/** Sizes in bytes: signature count (up to 127 signers), message header, key, signature. */
const [COUNT, HEADER, KEY, SIGNATURE] = [1, 4, 32, 64] as const;

const ICON =
  'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCAyMCAyMCI+PHJlY3QgeD0iMSIgeT0iNCIgd2lkdGg9IjE4IiBoZWlnaHQ9IjEzIiByeD0iMyIgZmlsbD0iIzlhNWIwMCIvPjxwYXRoIGQ9Ik00IDhoMTJ2Mkg0eiIgZmlsbD0iI2ZmZiIvPjwvc3ZnPg==';

interface Held {
  readonly account: WalletAccount;
  sign(bytes: Uint8Array): Promise<Uint8Array>;
}

let held: Promise<Held> | undefined;

export function offerTestWallet(): void {
  const registry = getWallets();
  if (!registry.get().some(isTestWallet)) registry.register(testWallet());
}

function testWallet(): Wallet {
  const sign = async (bytes: Uint8Array) => (await key()).sign(bytes);
  return {
    version: '1.0.0',
    name: TEST_WALLET,
    icon: ICON,
    chains: [CHAIN],
    accounts: [],
    features: {
      'standard:connect': {
        version: '1.0.0',
        connect: async () => ({ accounts: [(await key()).account] }),
      },
      'solana:signMessage': {
        version: '1.0.0',
        signMessage: async ({ message }: { readonly message: Uint8Array }) => [
          { signedMessage: message, signature: await sign(message) },
        ],
      },
      'solana:signTransaction': {
        version: '1.0.0',
        signTransaction: async ({ transaction }: { readonly transaction: Uint8Array }) => [
          { signedTransaction: await signed(transaction, await key()) },
        ],
      },
    },
  };
}

async function signed(transaction: Uint8Array, { account, sign }: Held): Promise<Uint8Array> {
  const signers = transaction[0] ?? 0;
  const message = transaction.subarray(COUNT + SIGNATURE * signers);
  const keys = Array.from({ length: signers }, (_, index) =>
    base58(message.subarray(HEADER + KEY * index, HEADER + KEY * (index + 1))),
  );
  const mine = keys.indexOf(account.address);
  if (mine < 0) throw new Error('the transaction does not require its signature');
  const copy = transaction.slice();
  copy.set(await sign(message), COUNT + SIGNATURE * mine);
  return copy;
}

/** Key of the tab, which survives reloads. */
function key(): Promise<Held> {
  held ??= heldKey().catch((error: unknown) => {
    held = undefined;
    throw error;
  });
  return held;
}

async function heldKey(): Promise<Held> {
  if (crypto.subtle === undefined)
    throw new Error('The test wallet requires HTTPS. Open the console over https:// or on localhost.');
  const stored = sessionStorage.getItem(STORED);
  const jwk: JsonWebKey = stored === null ? await newKey() : JSON.parse(stored);
  const privateKey = await crypto.subtle.importKey('jwk', jwk, 'Ed25519', false, ['sign']);
  const publicKey = Uint8Array.from(
    atob((jwk.x ?? '').replaceAll('-', '+').replaceAll('_', '/')),
    (character) => character.charCodeAt(0),
  );
  const account: WalletAccount = {
    address: base58(publicKey),
    publicKey,
    chains: [CHAIN],
    features: ['solana:signMessage', 'solana:signTransaction'],
  };
  // A wallet without SOL cannot pay fees, so request some from the faucet.
  if (stored === null) await levy.post('/faucet', { body: { walletAddress: account.address } });
  sessionStorage.setItem(STORED, JSON.stringify(jwk));
  return {
    account,
    sign: async (bytes) =>
      new Uint8Array(await crypto.subtle.sign('Ed25519', privateKey, Uint8Array.from(bytes))),
  };
}

async function newKey(): Promise<JsonWebKey> {
  const pair = (await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])) as CryptoKeyPair;
  const { kty, crv, d, x } = await crypto.subtle.exportKey('jwk', pair.privateKey);
  return { kty, crv, d, x } as JsonWebKey;
}

/** Address of a new key pair whose private key is discarded. */
export async function newAddress(): Promise<string> {
  const pair = (await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])) as CryptoKeyPair;
  return base58(new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey)));
}
