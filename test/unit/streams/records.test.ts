// The streams of which little but their existence matters: tokens, sessions, sign-ins, uploads, the service itself.

import { describe, expect, test } from 'vitest';
import { FORMAT } from '../../../src/kernel/ports/errors.ts';
import { ImageStored, imageUpload } from '../../../src/streams/image-upload.ts';
import { ServiceInitialized, service } from '../../../src/streams/service.ts';
import { SessionRevoked, session } from '../../../src/streams/session.ts';
import { ChallengeUsed, signIn } from '../../../src/streams/sign-in.ts';
import { TokenCreationReverted, TokenHidden, TokenShown, token } from '../../../src/streams/token.ts';
import { addresses, ids, tokenCreated } from '../../support/domain-examples.ts';

describe('a token', () => {
  const { tokenId, transactionId } = ids;
  const reverted = TokenCreationReverted({ tokenId, transactionId });
  const created = token.evolve(token.initial, tokenCreated);

  test('exists once it is created', () => {
    expect(created).toMatchObject({ created: tokenCreated.data, exists: true, hidden: undefined });
  });

  test('does not exist after a fork took its creation back, and again when it landed after all', () => {
    const gone = token.evolve(created, reverted);
    expect(gone).toMatchObject({ created: tokenCreated.data, exists: false, hidden: undefined });
    expect(token.evolve(gone, tokenCreated)).toEqual(created);
  });

  test('is hidden until it is shown, or created anew', () => {
    const { tokenId: id } = ids;
    const hidden = token.evolve(created, TokenHidden({ tokenId: id, reason: 'a copy' }));
    expect(hidden).toMatchObject({ created: tokenCreated.data, exists: true, hidden: { reason: 'a copy' } });
    expect(token.evolve(hidden, TokenShown({ tokenId: id, reason: null }))).toEqual(created);
    expect(token.evolve(hidden, tokenCreated)).toEqual(created);
  });

  test('that was never created cannot be taken back, hidden or shown', () => {
    const { tokenId: id } = ids;
    for (const event of [
      reverted,
      TokenHidden({ tokenId: id, reason: 'a copy' }),
      TokenShown({ tokenId: id, reason: null }),
    ]) {
      expect(token.evolve(undefined, event)).toBeUndefined();
    }
  });
});

test('a session is revoked for good', () => {
  const revoked = session.evolve(session.initial, SessionRevoked({ expiresAt: '2026-05-05T10:00:00.000Z' }));
  expect([session.initial.revoked, revoked.revoked]).toEqual([false, true]);
});

test('a sign-in remembers the call that used its challenge', () => {
  const used = ChallengeUsed({ walletAddress: addresses.creator, attempt: ids.transactionId });
  expect(signIn.evolve(signIn.initial, used)).toEqual({ usedBy: ids.transactionId });
});

test('an upload remembers its content', () => {
  const stored = ImageStored({ cid: 'bafk', uploader: addresses.creator, byteLength: 1 });
  expect(imageUpload.evolve(imageUpload.initial, stored)).toEqual({ cid: 'bafk' });
});

test('the service remembers the seed and the chain that its log was begun with', () => {
  const begun = { format: FORMAT, seedFingerprint: 'f'.repeat(64), genesisHash: addresses.mint };
  expect(service.evolve(service.initial, ServiceInitialized(begun))).toEqual(begun);
});
