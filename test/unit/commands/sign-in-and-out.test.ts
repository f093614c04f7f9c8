// The rules of sessions: a challenge is good for one use, and a token is revoked once.
import { describe, expect, test } from 'vitest';
import { signOut } from '../../../src/commands/sign-out.ts';
import { verifySignIn } from '../../../src/commands/verify-sign-in.ts';
import { SessionRevoked } from '../../../src/streams/session.ts';
import { ChallengeUsed } from '../../../src/streams/sign-in.ts';
import { commandSpec } from '../../support/command-spec.ts';
import { contextAfter } from '../../support/context-after.ts';
import { addresses, ids } from '../../support/domain-examples.ts';

describe('VerifySignIn', () => {
  const spec = commandSpec(verifySignIn);
  const walletAddress = addresses.creator;
  const body = { walletAddress, signature: 'signature', message: 'challenge' };
  const attempt = ids.transactionId;
  const used = ChallengeUsed({ walletAddress, attempt });

  test('uses the challenge up', () => {
    spec.given().when({ input: { body }, facts: { attempt } }).records(used);
  });

  test('refuses a challenge that another call used', () => {
    const other = { attempt: ids.otherTransactionId };
    spec.given(used).when({ input: { body }, facts: other }).rejects('SIGN_IN_FAILED');
  });

  test('lets the call that used the challenge find its own use after an unknown outcome', () => {
    spec.given(used).when({ input: { body }, facts: { attempt } }).recordsNothing();
  });

  test('takes no challenge that the wallet did not sign, and no signature that is not base58', async () => {
    const prepared = (ok: boolean, signature = 'signature') =>
      verifySignIn.prepare(
        { params: {}, query: {}, body: { ...body, signature } },
        contextAfter([], { signIn: { verify: () => ({ ok }) } }),
      );
    expect(await prepared(true)).toEqual({ attempt });
    await expect(prepared(false)).rejects.toMatchObject({ code: 'SIGN_IN_FAILED' });
    await expect(prepared(true, 'c2ln+0==')).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  test('names the stream after the challenge alone: another signature over it is the same use', () => {
    const caller = { commandId: attempt, actor: 'anonymous', tokenId: undefined };
    const streamOf = (signature: string, message: string) =>
      verifySignIn.streamId({ params: {}, query: {}, body: { ...body, signature, message } }, caller);
    expect(streamOf('one', 'challenge')).toBe(streamOf('two', 'challenge'));
    expect(streamOf('one', 'challenge')).not.toBe(streamOf('one', 'another challenge'));
  });
});

describe('SignOut', () => {
  const spec = commandSpec(signOut);
  const facts = { expiresAt: '2026-05-05T10:00:00.000Z' };

  test('revokes the token until it would have ended', () => {
    spec.given().when({ facts }).records(SessionRevoked(facts));
  });

  test('is known at once to the process that was called', async () => {
    const revoked: string[] = [];
    const revocations = { add: (tokenId: string) => revoked.push(tokenId) };
    const input = { params: {}, query: {}, body: undefined };
    const context = contextAfter([], { revocations }, { tokenId: 'one' });
    expect(await signOut.respond({ revoked: true }, input, context)).toEqual({ success: true });
    expect(revoked).toEqual(['one']);
  });

  test('records nothing for a token that is revoked', () => {
    spec
      .given(SessionRevoked(facts))
      .when({ facts: { expiresAt: '2026-05-06T10:00:00.000Z' } })
      .recordsNothing();
  });
});
