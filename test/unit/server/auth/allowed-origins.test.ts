// Which pages are allowed: what is configured, what is compared, and what wallets show must not disagree.
import { describe, expect, test } from 'vitest';
import { createAllowedOrigins, problemWithOrigin } from '../../../../src/server/auth/allowed-origins.ts';
import { createSignIn, signInOrigin } from '../../../../src/server/auth/sign-in-challenge.ts';
import { addresses } from '../../../support/domain-examples.ts';

const CONFIGURED = [
  'https://app.example',
  'http://localhost:5173',
  'https://*.vercel.app',
  'https://*.x.example:8443',
];

describe('an origin', () => {
  const isAllowed = createAllowedOrigins(CONFIGURED);

  test.each([
    'https://app.example',
    'http://localhost:5173',
    'https://levy-git-main.vercel.app',
    'https://a.b.vercel.app',
    'https://xn--bcher-kva.vercel.app',
    'https://a.x.example:8443',
  ])('%s is allowed, and can be named in a sign-in message', (origin) => {
    expect(isAllowed(origin)).toBe(true);
    const signIn = createSignIn({ key: new Uint8Array(32), statement: 'Sign in.', chainId: 'mainnet' });
    const issued = signIn.issue({ walletAddress: addresses.creator, origin: signInOrigin(origin), now: 0 });
    expect(issued.challenge).toContain(`URI: ${origin}\n`);
  });

  test.each([
    'https://*.vercel.app',
    'https://vercel.app',
    'https://.vercel.app',
    'https://a.vercel.app.evil.example',
    'https://evil.example/.vercel.app',
    'https://evil.example?.vercel.app',
    'https://a@b.vercel.app',
    'https://A.vercel.app',
    'http://a.vercel.app',
    'https://a.vercel.app:8443',
    'https://a.x.example',
    'https://a..vercel.app',
    'https://evilvercel.app',
    'null',
    '',
  ])('%s is not', (origin) => {
    expect(isAllowed(origin)).toBe(false);
  });

  test('that is configured has no problem', () => {
    expect(CONFIGURED.map(problemWithOrigin)).toEqual([undefined, undefined, undefined, undefined]);
  });
});
