// The rules by which operators hide and show tokens.
import { describe, expect, test } from 'vitest';
import { hideToken, showToken } from '../../../src/commands/hide-token.ts';
import { readReason } from '../../../src/commands/operator-reason.ts';
import { deriveId } from '../../../src/kernel/runtime/ids.ts';
import { TokenCreationReverted, TokenHidden, TokenShown } from '../../../src/streams/token.ts';
import { commandSpec, rejectionOf } from '../../support/command-spec.ts';
import { addresses, ids, tokenCreated } from '../../support/domain-examples.ts';

const { tokenId, transactionId } = ids;
const params = { mintAddress: addresses.mint };
const reason = 'passes itself off as another token';
const hidden = TokenHidden({ tokenId, reason });
const shown = TokenShown({ tokenId, reason: null });
const reverted = TokenCreationReverted({ tokenId, transactionId });

describe('HideToken', () => {
  const spec = commandSpec(hideToken);
  const input = { params, body: { reason } };
  const facts = { reason };

  test('records that the token is hidden, and why', () => {
    spec.given(tokenCreated).when({ input, facts }).records(hidden);
    spec.given(tokenCreated, hidden, shown).when({ input, facts }).records(hidden);
  });

  test('records nothing for a token that is hidden for that reason', () => {
    spec.given(tokenCreated, hidden).when({ input, facts }).recordsNothing();
  });

  test('records another reason', () => {
    const other = 'asked for by its creator';
    spec
      .given(tokenCreated, hidden)
      .when({ input: { params, body: { reason: other } }, facts: { reason: other } })
      .records(TokenHidden({ tokenId, reason: other }));
  });

  test('knows no token that was never made, or was taken back', () => {
    spec.given().when({ input, facts }).rejects('TOKEN_NOT_FOUND');
    spec.given(tokenCreated, reverted).when({ input, facts }).rejects('TOKEN_NOT_FOUND');
  });

  test('begins anew with a token that was taken back while hidden, and landed after all', () => {
    spec.given(tokenCreated, hidden, reverted, tokenCreated).when({ input, facts }).records(hidden);
  });

  test('finds the token by its mint', () => {
    const caller = { commandId: transactionId, actor: 'operator:alice', tokenId: undefined };
    expect(hideToken.streamId({ ...input, query: {} }, caller)).toBe(deriveId('token', addresses.mint));
  });
});

describe('ShowToken', () => {
  const spec = commandSpec(showToken);

  test('records that the token is shown again, with a reason or none', () => {
    spec
      .given(tokenCreated, hidden)
      .when({ input: { params, body: {} }, facts: { reason: null } })
      .records(shown);
    spec
      .given(tokenCreated, hidden)
      .when({ input: { params, body: { reason } }, facts: { reason } })
      .records(TokenShown({ tokenId, reason }));
  });

  test('records nothing for a token that is not hidden', () => {
    const when = { input: { params, body: {} }, facts: { reason: null } };
    spec.given(tokenCreated).when(when).recordsNothing();
    spec.given(tokenCreated, hidden, shown).when(when).recordsNothing();
  });

  test('knows no token that was never made', () => {
    spec
      .given()
      .when({ input: { params, body: {} }, facts: { reason: null } })
      .rejects('TOKEN_NOT_FOUND');
  });
});

describe('a reason', () => {
  test('is kept without blanks around it, in any writing', () => {
    expect(readReason('  Fälschung: 偽物 🚫 ')).toBe('Fälschung: 偽物 🚫');
    expect(readReason('🚫'.repeat(500))).toHaveLength(1_000);
  });

  test.each(['', 'a\nb', 'a\u2028b', '\ud800', '🚫'.repeat(501)])('is refused as %j', (text) => {
    expect(rejectionOf(() => readReason(text))).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ path: ['reason'] }],
    });
  });
});
