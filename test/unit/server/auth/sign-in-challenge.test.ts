/** Sign-in challenges: what the text looks like, who can answer one, and everything that is refused. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import {
  compileOffchainMessageEnvelope,
  createKeyPairSignerFromPrivateKeyBytes,
  getOffchainMessageEnvelopeEncoder,
  getProgramDerivedAddress,
  address as kitAddress,
  offchainMessageApplicationDomain,
  offchainMessageContentUtf8Of1232BytesMax,
  signOffchainMessageEnvelope,
} from '@solana/kit';
import bs58 from 'bs58';
import { describe, expect, test } from 'vitest';
import { offchainMessages } from '../../../../src/server/auth/offchain-message.ts';
import {
  createSignIn,
  type SignInResult,
  signInOrigin,
} from '../../../../src/server/auth/sign-in-challenge.ts';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const STATEMENT = 'Sign in to Levy. This costs nothing.';
const origin = signInOrigin('https://app.example:8443/launch?x=1');
const key = Buffer.alloc(32, 7);
const signIn = createSignIn({ key, statement: STATEMENT, chainId: 'localnet' });

interface Wallet {
  address: string;
  bytes: Uint8Array;
  seed: Uint8Array;
  secret: KeyObject;
}

function newWallet(): Wallet {
  const { privateKey } = generateKeyPairSync('ed25519');
  const jwk = privateKey.export({ format: 'jwk' });
  const bytes = Buffer.from(jwk.x ?? '', 'base64url');
  return {
    address: bs58.encode(bytes),
    bytes,
    seed: Buffer.from(jwk.d ?? '', 'base64url'),
    secret: privateKey,
  };
}

const wallet = newWallet();

function signText(text: string | Uint8Array, by: Wallet = wallet): string {
  return bs58.encode(sign(null, Buffer.from(text), by.secret));
}

function challenge(by: Wallet = wallet, now = NOW): string {
  return signIn.issue({ walletAddress: by.address, origin, now }).challenge;
}

function attempt(
  message: string,
  overrides: Partial<Parameters<typeof signIn.verify>[0]> = {},
): SignInResult {
  return signIn.verify({
    walletAddress: wallet.address,
    message,
    signature: signText(message),
    now: NOW,
    ...overrides,
  });
}

describe('issuing', () => {
  test('the text is a Sign-In-With-Solana message', () => {
    const { challenge: text, expiresAt } = signIn.issue({ walletAddress: wallet.address, origin, now: NOW });
    const nonce = /^Nonce: ([A-Za-z0-9]{8,})$/m.exec(text)?.[1];
    expect(nonce).toBeDefined();
    expect(text).toBe(
      [
        'app.example:8443 wants you to sign in with your Solana account:',
        wallet.address,
        '',
        STATEMENT,
        '',
        'URI: https://app.example:8443',
        'Version: 1',
        'Chain ID: localnet',
        `Nonce: ${nonce}`,
        'Issued At: 2026-03-01T12:00:00.000Z',
        'Expiration Time: 2026-03-01T12:05:00.000Z',
      ].join('\n'),
    );
    expect(expiresAt).toBe('2026-03-01T12:05:00.000Z');
  });

  test('a loopback page is an origin, by name and by IPv6 address', () => {
    for (const url of ['http://localhost:3000', 'http://[::1]:3000']) {
      const local = signInOrigin(url);
      const message = signIn.issue({ walletAddress: wallet.address, origin: local, now: NOW }).challenge;
      expect(attempt(message).ok).toBe(true);
    }
  });
});

describe('answering', () => {
  test('a signed challenge proves the wallet and names its nonce', () => {
    const message = challenge();
    expect(attempt(message)).toEqual({
      ok: true,
      nonce: /^Nonce: (.*)$/m.exec(message)?.[1],
      expiresAt: '2026-03-01T12:05:00.000Z',
    });
  });

  test('another instance with the same key accepts it', () => {
    const message = challenge();
    const other = createSignIn({ key: Buffer.from(key), statement: STATEMENT, chainId: 'localnet' });
    expect(
      other.verify({ walletAddress: wallet.address, message, signature: signText(message), now: NOW }).ok,
    ).toBe(true);
  });

  test('every off-chain envelope of this wallet is accepted, as a bare signature and as a whole envelope', () => {
    const message = challenge();
    const envelopes = [...offchainMessages(Buffer.from(message), wallet.bytes, origin.domain)];
    expect(envelopes).toHaveLength(11);
    for (const envelope of envelopes) {
      const signature = sign(null, envelope, wallet.secret);
      expect(attempt(message, { signature: bs58.encode(signature) }).ok).toBe(true);
      const whole = bs58.encode(Buffer.concat([Uint8Array.of(1), signature, envelope]));
      expect(attempt(message, { signature: whole }).ok).toBe(true);
    }
  });

  test('the legacy header has the bytes that solana-cli and old Ledger firmware write', () => {
    const text = Buffer.from('Test\nMessage');
    const [legacy] = offchainMessages(text, wallet.bytes, origin.domain);
    expect(legacy?.toString('latin1')).toBe('\xffsolana offchain\x00\x01\x0c\x00Test\nMessage');
  });

  test.each([
    0, 1,
  ] as const)('an envelope that @solana/kit makes, version %i, is accepted', async (version) => {
    const message = challenge();
    const signer = await createKeyPairSignerFromPrivateKeyBytes(wallet.seed);
    const requiredSignatories = [{ address: kitAddress(wallet.address) }];
    const compiled = compileOffchainMessageEnvelope(
      version === 0
        ? {
            version,
            requiredSignatories,
            applicationDomain: offchainMessageApplicationDomain('11111111111111111111111111111111'),
            content: offchainMessageContentUtf8Of1232BytesMax(message),
          }
        : { version, requiredSignatories, content: message },
    );
    const envelope = await signOffchainMessageEnvelope([signer.keyPair], compiled);
    const signature = envelope.signatures[signer.address];
    expect(attempt(message, { signature: bs58.encode(signature ?? new Uint8Array()) }).ok).toBe(true);
    const whole = getOffchainMessageEnvelopeEncoder().encode(envelope);
    expect(attempt(message, { signature: bs58.encode(new Uint8Array(whole)) }).ok).toBe(true);
  });

  test('a challenge is refused from the second on that it names as its end', () => {
    const message = challenge();
    const expiry = NOW + 300_000;
    expect(attempt(message, { now: expiry - 1 }).ok).toBe(true);
    expect(attempt(message, { now: expiry }).ok).toBe(false);
    expect(attempt(message, { now: expiry + 86_400_000 }).ok).toBe(false);
  });

  test('a clock that is behind by the skew is allowed, and no more', () => {
    const message = challenge();
    expect(attempt(message, { now: NOW - 30_000 }).ok).toBe(true);
    expect(attempt(message, { now: NOW - 30_001 }).ok).toBe(false);
  });

  test('an origin that is no longer allowed is refused', () => {
    const message = challenge();
    const asked: object[] = [];
    const isAllowed = (named: object) => asked.push(named) > 0;
    expect(attempt(message, { isAllowed }).ok).toBe(true);
    expect(asked).toEqual([origin]);
    expect(attempt(message, { isAllowed: () => false }).ok).toBe(false);
  });
});

describe('forging', () => {
  const changes: [string, (text: string) => string][] = [
    ['the domain', (text) => text.replace(/^app\.example/, 'evil.example')],
    ['the sentence of the first line', (text) => text.replace('Solana account', 'solana account')],
    ['the address', (text) => text.replace(wallet.address, newWallet().address)],
    ['the statement', (text) => text.replace('costs nothing', 'costs much')],
    ['the URI', (text) => text.replace('URI: https://app.example', 'URI: https://evil.example')],
    ['the scheme of the URI', (text) => text.replace('URI: https:', 'URI: http:')],
    ['the version', (text) => text.replace('Version: 1', 'Version: 2')],
    ['the chain', (text) => text.replace('localnet', 'mainnet')],
    [
      'the random part of the nonce',
      (text) => text.replace(/Nonce: ./, (m) => (m === 'Nonce: 5' ? 'Nonce: 6' : 'Nonce: 5')),
    ],
    [
      'the signed part of the nonce',
      (text) => text.replace(/.(?=\nIssued At)/, (c) => (c === 'x' ? 'y' : 'x')),
    ],
    [
      'the time of issue',
      (text) => text.replace('Issued At: 2026-03-01T12:00:00', 'Issued At: 2026-03-01T12:00:01'),
    ],
    ['the expiry', (text) => text.replace('Time: 2026-03-01T12:05', 'Time: 2026-03-01T12:59')],
    ['the way the expiry is written', (text) => text.replace('12:05:00.000Z', '12:05:00+00:00')],
    ['the end, by a line feed', (text) => `${text}\n`],
    ['the end, by one more field', (text) => `${text}\nRequest ID: 1`],
    ['the line ends', (text) => text.replaceAll('\n', '\r\n')],
    ['the order of two lines', (text) => text.replace(/(Version: 1)\n(Chain ID: localnet)/, '$2\n$1')],
    ['a blank line', (text) => text.replace('\n\nURI', '\nURI')],
    ['the start, by a space', (text) => ` ${text}`],
  ];

  test.each(changes)('changing %s is refused, though the wallet signed the changed text', (_what, change) => {
    const message = challenge();
    const changed = change(message);
    expect(changed).not.toBe(message);
    expect(attempt(changed).ok).toBe(false);
  });

  test('a nonce of as many bytes that is longer or shorter as text is refused like any other', () => {
    const SIGNED = 16;
    // The first random part behind which a signature decides how long the text is.
    const limit = 58n ** 38n;
    const random = limit >> BigInt(8 * SIGNED);
    const withSigned = (byte: string) =>
      bs58.encode(Buffer.from(random.toString(16).padStart(24, '0') + byte.repeat(SIGNED), 'hex'));
    const nonces = [withSigned('00'), withSigned('ff')];
    expect(nonces.map(({ length }) => length)).toEqual([38, 39]);
    for (const nonce of nonces)
      expect(attempt(challenge().replace(/^Nonce: .*$/m, `Nonce: ${nonce}`)).ok).toBe(false);
  });

  test('a challenge under another HMAC key, statement or chain is refused', () => {
    for (const options of [
      { key: Buffer.alloc(32, 8), statement: STATEMENT, chainId: 'localnet' },
      { key, statement: 'Sign in elsewhere', chainId: 'localnet' },
      { key, statement: STATEMENT, chainId: 'devnet' },
    ] as const) {
      const message = createSignIn(options).issue({
        walletAddress: wallet.address,
        origin,
        now: NOW,
      }).challenge;
      expect(attempt(message).ok).toBe(false);
    }
  });

  test("another wallet's challenge is refused, whoever signs it", () => {
    const other = newWallet();
    const message = challenge(other);
    expect(attempt(message).ok).toBe(false);
    expect(attempt(message, { signature: signText(message, other) }).ok).toBe(false);
    expect(attempt(challenge(), { walletAddress: other.address }).ok).toBe(false);
  });

  test("another wallet's signature is refused, bare and in an envelope", () => {
    const other = newWallet();
    const message = challenge();
    expect(attempt(message, { signature: signText(message, other) }).ok).toBe(false);
    for (const signer of [wallet.bytes, other.bytes]) {
      for (const envelope of offchainMessages(Buffer.from(message), signer, origin.domain)) {
        const signature = sign(null, envelope, other.secret);
        const whole = bs58.encode(Buffer.concat([Uint8Array.of(1), signature, envelope]));
        expect(attempt(message, { signature: whole }).ok).toBe(false);
      }
    }
  });

  test('an envelope around another text, with a second signer, or for another application is refused', () => {
    const message = challenge();
    const [, , , full] = offchainMessages(Buffer.from(message), wallet.bytes, origin.domain);
    const foreignDomain = Buffer.from(full ?? '');
    foreignDomain.fill(9, 17, 49);
    const secondSigner = Buffer.concat([
      Buffer.from('\xffsolana offchain\x01\x02', 'latin1'),
      wallet.bytes,
      newWallet().bytes,
      Buffer.from(message),
    ]);
    const [otherText] = offchainMessages(Buffer.from(challenge()), wallet.bytes, origin.domain);
    for (const envelope of [foreignDomain, secondSigner, otherText ?? Buffer.alloc(0)]) {
      const signature = sign(null, envelope, wallet.secret);
      expect(attempt(message, { signature: bs58.encode(signature) }).ok).toBe(false);
      const whole = Buffer.concat([Uint8Array.of(1), signature, envelope]);
      expect(attempt(message, { signature: bs58.encode(whole) }).ok).toBe(false);
    }
  });

  test('a signature of the wrong length, shape or alphabet is refused', () => {
    const message = challenge();
    const bytes = bs58.decode(signText(message));
    const wrong = [
      bs58.encode(bytes.subarray(0, 63)),
      bs58.encode(Buffer.concat([bytes, Uint8Array.of(0)])),
      bs58.encode(Buffer.concat([Uint8Array.of(1), bytes])),
      bs58.encode(Buffer.concat([Uint8Array.of(1), bytes, Buffer.from('\xffsolana offchain', 'latin1')])),
      bs58.encode(Buffer.alloc(64)),
      Buffer.from(bytes).toString('base64'),
      Buffer.from(bytes).toString('hex'),
      '0OIl',
      '',
    ];
    for (const signature of wrong) expect(attempt(message, { signature }).ok).toBe(false);
  });

  test('more than 2,048 characters are refused before they are decoded, which takes quadratic time', () => {
    const tooLong = { ok: false, why: 'input too long' };
    expect(attempt(challenge(), { signature: '1'.repeat(2_049) })).toEqual(tooLong);
    expect(attempt('x'.repeat(2_049), { signature: '1' })).toEqual(tooLong);
    expect(attempt(challenge(), { signature: '1'.repeat(2_048) })).not.toEqual(tooLong);
    expect(attempt('x'.repeat(2_048), { signature: '1' })).not.toEqual(tooLong);
  });

  test('keys for which anybody can sign are refused', () => {
    const identity = Buffer.alloc(32);
    identity[0] = 1;
    const zero = Buffer.alloc(32);
    const orderEight = Buffer.from('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05', 'hex');
    for (const bytes of [identity, zero, orderEight]) {
      const address = bs58.encode(bytes);
      const message = signIn.issue({ walletAddress: address, origin, now: NOW }).challenge;
      // R = the identity and S = 0 satisfies the equation for a key of order one, whatever the message.
      const forged = bs58.encode(Buffer.concat([identity, Buffer.alloc(32)]));
      expect(attempt(message, { walletAddress: address, signature: forged })).toEqual({
        ok: false,
        why: 'not a wallet key',
      });
    }
  });

  test('an address off the curve cannot sign in', async () => {
    const [derived] = await getProgramDerivedAddress({
      programAddress: kitAddress('11111111111111111111111111111111'),
      seeds: ['vault'],
    });
    const message = signIn.issue({ walletAddress: derived, origin, now: NOW }).challenge;
    expect(attempt(message, { walletAddress: derived })).toEqual({ ok: false, why: 'not a wallet key' });
  });
});
