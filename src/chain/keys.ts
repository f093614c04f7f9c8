/** Every key of the service, derived from one master seed; no private key is ever stored. */
import { hkdfSync, type KeyObject } from 'node:crypto';
import { addressOf, importSeed, sign } from 'levy-solana-wire';

const MASTER_SEED_SIZE = 32;

export interface KeyPair {
  /** The public key in base58. */
  readonly address: string;
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  /** The raw 64 bytes that wallets import: seed, then public key. */
  readonly secretKey: Uint8Array;
  /** The 64 bytes of an Ed25519 signature. */
  sign(message: Uint8Array): Uint8Array;
}

/**
 * The keys of one master seed. Each is `HKDF-SHA256(seed, salt = "", info = path, 32 bytes)` with the path's UTF-8
 * text as info. For key pairs the 32 bytes are the Ed25519 seed (RFC 8032).
 *
 * | path                                             | use                                                      |
 * |--------------------------------------------------|----------------------------------------------------------|
 * | `levy/v1/fee-payer`                              | pays for nonce accounts and advances                     |
 * | `levy/v1/nonce-authority`                        | signs nonce advances, holds nothing                      |
 * | `levy/v1/nonce-account/<index>`                  | the nonce accounts, counted from 0                       |
 * | `levy/v1/mint/<transactionId>`                   | the mint of a creation draft                             |
 * | `levy/v1/position/<transactionId>`               | the mint of the position that a launch creates           |
 * | `levy/v1/draft/<transactionId>`                  | signs the memo of a draft that creates no account        |
 * | `levy/v1/distribution-wallet/<walletId>`         | collects one token's withheld tax                        |
 * | `levy/v1/mint-secret-envelope/<transactionId>`   | 32 bytes: seed of the envelope of a mint's secret key    |
 * | `levy/v1/partner-key/<keyId>`                    | 32 bytes, encoded as text: a partner's key               |
 * | `levy/v1/distributor`                            | pays for distributions, pays out of pots, holds no tax   |
 * | `levy/v1/distributor/<runId>`                    | pays out of a wallet's own tokens in one run             |
 * | `levy/v1/treasury`                               | receives promotion payments on the local chain           |
 * | `levy/v1/desk`                                   | buys collected tax for SOL, if the desk is open          |
 * | `levy/v1/log-key`                                | signs checkpoints of the transparency log, holds nothing |
 * | `levy/v1/scan-moment`                            | 32 bytes that make the times of scans unpredictable      |
 * | `levy/v1/sign-in-challenge`                      | 32 bytes that authenticate sign-in challenges            |
 * | `levy/v1/fingerprint`                            | 32 bytes that identify the seed and reveal nothing of it |
 *
 * Ids are lower-case UUIDs; other texts throw a TypeError, because they would silently yield a different key.
 */
export type Keyring = ReturnType<typeof createKeyring>;

/** Addresses of the service, which are never paid as holder or developer. */
export function serviceAddresses(keyring: Keyring): readonly string[] {
  const { feePayer, nonceAuthority, treasury, distributor, desk, logKey } = keyring;
  return [feePayer, nonceAuthority, treasury, distributor, desk, logKey].map(({ address }) => address);
}

/** Throws a TypeError if the seed does not have 32 bytes. */
export function createKeyring(seed: Uint8Array) {
  if (seed.length !== MASTER_SEED_SIZE)
    throw new TypeError(`the master seed must have 32 bytes, but has ${seed.length}`);
  const masterSeed = Uint8Array.from(seed);
  const derive = (path: string) => new Uint8Array(hkdfSync('sha256', masterSeed, '', `levy/v1/${path}`, 32));
  const nonceAccounts = new Map<number, KeyPair>();
  return {
    /** 64 hex digits; safe to store and to show. */
    fingerprint: Buffer.from(derive('fingerprint')).toString('hex'),
    feePayer: createKeyPair(derive('fee-payer')),
    nonceAuthority: createKeyPair(derive('nonce-authority')),
    treasury: createKeyPair(derive('treasury')),
    distributor: createKeyPair(derive('distributor')),
    desk: createKeyPair(derive('desk')),
    logKey: createKeyPair(derive('log-key')),
    nonceAccount(index: number): KeyPair {
      const known = nonceAccounts.get(index);
      if (known !== undefined) return known;
      if (!Number.isSafeInteger(index) || index < 0) throw new TypeError(`not an index: ${index}`);
      const account = createKeyPair(derive(`nonce-account/${index}`));
      nonceAccounts.set(index, account);
      return account;
    },
    mint: (transactionId: string) => createKeyPair(derive(`mint/${requireId(transactionId)}`)),
    position: (transactionId: string) => createKeyPair(derive(`position/${requireId(transactionId)}`)),
    /** Signs drafts without a mint or position, so that the chain's history of the key shows if they landed. */
    draft: (transactionId: string) => createKeyPair(derive(`draft/${requireId(transactionId)}`)),
    distributionWallet: (walletId: string) =>
      createKeyPair(derive(`distribution-wallet/${requireId(walletId)}`)),
    /** Delegate of one run that pays in the token itself. */
    distributorOfRun: (runId: string) => createKeyPair(derive(`distributor/${requireId(runId)}`)),
    scanMoment: derive('scan-moment'),
    signInChallenge: derive('sign-in-challenge'),
    mintSecretEnvelope: (transactionId: string) => derive(`mint-secret-envelope/${requireId(transactionId)}`),
    partnerKey: (keyId: string) => derive(`partner-key/${requireId(keyId)}`),
  };
}

/** Key pair of an Ed25519 seed (32 bytes). */
export function createKeyPair(seed: Uint8Array): KeyPair {
  return new SeededKeyPair(seed);
}

/** Secrets are private fields, so that logging or serializing a key pair does not reveal them. */
class SeededKeyPair implements KeyPair {
  readonly address: string;
  readonly publicKey: Uint8Array;
  readonly #seed: Uint8Array;
  readonly #privateKey: KeyObject;

  constructor(seed: Uint8Array) {
    this.#seed = Uint8Array.from(seed);
    const { privateKey, publicKey } = importSeed(this.#seed);
    this.#privateKey = privateKey;
    this.publicKey = publicKey;
    this.address = addressOf(this.publicKey);
  }

  get secretKey(): Uint8Array {
    const bytes = new Uint8Array(64);
    bytes.set(this.#seed, 0);
    bytes.set(this.publicKey, 32);
    return bytes;
  }

  sign(message: Uint8Array): Uint8Array {
    return sign(this.#privateKey, message);
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

function requireId(id: string): string {
  if (!UUID.test(id)) throw new TypeError(`not a UUID in lower case: ${id.slice(0, 64)}`);
  return id;
}
