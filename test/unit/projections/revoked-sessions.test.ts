// The read model of revoked access tokens.
import { describe, test } from 'vitest';
import { revokedSessions } from '../../../src/projections/revoked-sessions.ts';
import { SessionRevoked } from '../../../src/streams/session.ts';
import { projectionSpec } from '../../support/projection-spec.ts';
import { happening } from '../../support/recorded-events.ts';

describe('revoked_sessions', () => {
  const spec = projectionSpec(revokedSessions);

  test('has a document under the token’s id, also where that has dashes', () => {
    const expiresAt = '2026-05-05T10:00:00.000Z';
    spec.given(happening('a-token-with-dashes', SessionRevoked({ expiresAt }))).gives({
      'a-token-with-dashes': { expiresAt },
    });
  });
});
