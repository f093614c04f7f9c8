/**
 * Issues and verifies sign-in challenges without storing them: each is a Sign-In-With-Solana message whose nonce
 * contains an HMAC of the rest of the text. The caller must record used nonces, so that a challenge is accepted once.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import bs58 from 'bs58';
import { verify as verifySignature } from 'levy-solana-wire';
import { isWalletKey, parseAddress } from '../../chain/wallet-key.ts';
import { offchainMessages, openSignedEnvelope } from './offchain-message.ts';
import {
  readSignInMessage,
  type SignInChainId,
  type SignInMessage,
  signInInputOf,
  writeSignInMessage,
} from './sign-in-message.ts';

/** Page that requests the sign-in: its host with port, and its origin. */
export interface SignInOrigin {
  domain: string;
  uri: string;
}

export interface SignInOptions {
  /** 32 secret bytes, used only here. Challenges issued with another key are refused. */
  key: Uint8Array;
  /** Sentence that the wallet shows; letters, digits, spaces and URL punctuation. */
  statement: string;
  chainId: SignInChainId;
}

export type SignInResult =
  | {
      ok: true;
      /** Identifies the challenge. Record it as used until `expiresAt`. */
      nonce: string;
      /** ISO 8601, UTC. From then on the challenge is always refused. */
      expiresAt: string;
    }
  /** `why` is for the log only: a response must not tell a forger which check failed. */
  | { ok: false; why: string };

export type SignIn = ReturnType<typeof createSignIn>;

const LIFETIME_MS = 300_000;
/** Tolerated clock lead of another instance that issues challenges. */
const CLOCK_SKEW_MS = 30_000;
const NONCE_RANDOM_BYTES = 12;
const NONCE_MAC_BYTES = 16;
// Decoding base58 takes quadratic time; real messages and envelopes are shorter.
const MAX_INPUT_LENGTH = 2_048;

/** Origin as messages contain it: `https://app.example/path` gives `app.example` and `https://app.example`. */
export function signInOrigin(url: string): SignInOrigin {
  const { host, origin } = new URL(url);
  return { domain: host, uri: origin };
}

export function createSignIn({ key, statement, chainId }: SignInOptions) {
  const secret = Buffer.from(key);

  /** The HMAC covers the text with only the random part as nonce, so every other field and their order. */
  function nonceFor(fields: Omit<SignInMessage, 'nonce'>, random: Uint8Array): string {
    const covered = writeSignInMessage({ ...fields, nonce: bs58.encode(random) });
    const mac = createHmac('sha256', secret).update(covered, 'utf8').digest().subarray(0, NONCE_MAC_BYTES);
    return bs58.encode(Buffer.concat([random, mac]));
  }

  function isOurs({ nonce, ...fields }: SignInMessage): boolean {
    const bytes = bs58.decodeUnsafe(nonce);
    if (bytes?.length !== NONCE_RANDOM_BYTES + NONCE_MAC_BYTES) return false;
    const expected = Buffer.from(nonceFor(fields, bytes.subarray(0, NONCE_RANDOM_BYTES)));
    const actual = Buffer.from(nonce);
    return expected.length === actual.length && timingSafeEqual(expected, actual);
  }

  return {
    /** Issues a challenge. `now` is in Unix milliseconds. The caller has checked the address and the origin. */
    issue({ walletAddress, origin, now }: { walletAddress: string; origin: SignInOrigin; now: number }) {
      const fields = {
        domain: origin.domain,
        uri: origin.uri,
        address: walletAddress,
        statement,
        chainId,
        issuedAt: now,
        expiresAt: now + LIFETIME_MS,
      };
      const nonce = nonceFor(fields, randomBytes(NONCE_RANDOM_BYTES));
      return {
        challenge: writeSignInMessage({ ...fields, nonce }),
        // From these fields, a wallet's `signIn` builds exactly the text of `challenge`.
        signInInput: signInInputOf({ ...fields, nonce }),
        expiresAt: new Date(fields.expiresAt).toISOString(),
      };
    },

    /**
     * Checks a signed challenge; never throws. `signature` is base58: the 64 bytes, or a whole signed envelope. With
     * `isAllowed`, challenges for other origins are refused even if this service issued them.
     */
    verify(attempt: {
      walletAddress: string;
      message: string;
      signature: string;
      now: number;
      isAllowed?: (origin: SignInOrigin) => boolean;
    }): SignInResult {
      const { walletAddress, message: text, signature, now, isAllowed } = attempt;
      if (text.length > MAX_INPUT_LENGTH || signature.length > MAX_INPUT_LENGTH)
        return refused('input too long');
      const wallet = parseAddress(walletAddress);
      if (wallet === undefined) return refused('not an address');
      const message = readSignInMessage(text);
      if (!message) return refused('not a sign-in message');
      if (message.statement !== statement || message.chainId !== chainId || !isOurs(message)) {
        return refused('not a challenge of this service');
      }
      if (message.address !== walletAddress) return refused('challenge of another wallet');
      if (isAllowed?.({ domain: message.domain, uri: message.uri }) === false) {
        return refused('origin no longer allowed');
      }
      if (now < message.issuedAt - CLOCK_SKEW_MS) return refused('issued in the future');
      if (now >= message.expiresAt) return refused('expired');
      // A small-order key has one signature that is valid for every message. The check takes a millisecond, so it runs only for
      // our own challenges.
      if (!isWalletKey(wallet)) return refused('not a wallet key');
      if (!isSignedBy(wallet, text, message.domain, signature)) return refused('signature does not match');
      return {
        ok: true,
        nonce: message.nonce,
        expiresAt: new Date(message.expiresAt).toISOString(),
      };
    },
  };
}

function refused(why: string): SignInResult {
  return { ok: false, why };
}

/** True if the wallet signed the text itself or one of its off-chain envelopes. */
function isSignedBy(wallet: Uint8Array, text: string, domain: string, signature: string): boolean {
  const bytes = bs58.decodeUnsafe(signature);
  if (!bytes) return false;
  const body = Buffer.from(text, 'utf8');
  if (bytes.length === 64) {
    if (verifySignature(wallet, body, bytes)) return true;
    for (const message of offchainMessages(body, wallet, domain)) {
      if (verifySignature(wallet, message, bytes)) return true;
    }
    return false;
  }
  const envelope = openSignedEnvelope(bytes);
  if (!envelope) return false;
  for (const message of offchainMessages(body, wallet, domain)) {
    if (message.equals(envelope.message)) return verifySignature(wallet, message, envelope.signature);
  }
  return false;
}
