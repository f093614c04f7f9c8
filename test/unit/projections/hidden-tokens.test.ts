// The read model of hidden tokens: which tokens the public is not told of.
import { describe, test } from 'vitest';
import { hiddenTokens } from '../../../src/projections/hidden-tokens.ts';
import { TokenHidden, TokenShown } from '../../../src/streams/token.ts';
import { ids, tokenCreated } from '../../support/domain-examples.ts';
import { projectionSpec } from '../../support/projection-spec.ts';
import { happening } from '../../support/recorded-events.ts';

const { tokenId } = ids;
const created = happening(tokenId, tokenCreated);
const hidden = happening(tokenId, TokenHidden({ tokenId, reason: 'A copy of another token.' }));
const shown = happening(tokenId, TokenShown({ tokenId, reason: null }));

describe('hidden tokens', () => {
  const { given } = projectionSpec(hiddenTokens);

  test('hold a token from when it is hidden', () => {
    given(created).gives({});
    given(created, hidden).gives({ [tokenId]: { tokenId } });
    given(created, hidden, hidden).gives({ [tokenId]: { tokenId } });
  });

  test('no longer hold one that is shown again, or created again', () => {
    given(created, hidden, shown).gives({});
    given(created, hidden, created).gives({});
    given(created, hidden, shown, hidden).gives({ [tokenId]: { tokenId } });
  });
});
