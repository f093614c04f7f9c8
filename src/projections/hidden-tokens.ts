/** Projection with one document per token that an operator hides; removed when the token is shown again. */
import { defineProjection } from './levy-projection.ts';

type HiddenToken = { readonly tokenId: string };

export const hiddenTokens = defineProjection<HiddenToken>({
  name: 'hidden_tokens',
  version: 1,
  indexes: { all: () => [''] },
  on: {
    // A token that is created again after a fork reverted it is visible.
    TokenCreated: {
      key: ({ data }) => data.token.tokenId,
      apply: () => undefined,
    },
    TokenHidden: {
      key: ({ data }) => data.tokenId,
      apply: (_none, { data: { tokenId } }) => ({ tokenId }),
    },
    TokenShown: {
      key: ({ data }) => data.tokenId,
      apply: () => undefined,
    },
  },
});
