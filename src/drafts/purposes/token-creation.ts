/** Drafts that make a token: the mint's key signs with the creator, and the token exists once the transaction is confirmed. */
import type { TokenCreation } from '../../streams/draft-subjects.ts';
import { TokenCreated, TokenCreationReverted, type TokenEvent, token } from '../../streams/token.ts';
import type { PurposeDefinition } from './define-purpose.ts';

export const tokenCreation: PurposeDefinition<
  TokenCreation,
  Extract<TokenEvent, { type: 'TokenCreated' }>
> = {
  kind: 'token-creation',

  signers: (keyring, transactionId) => [keyring.mint(transactionId)],

  async record({ transactionId, creator, subject, landed: { signature } }, { executor }, cause) {
    await executor.execute(token, subject.tokenId, cause, (state) =>
      state?.exists ? [] : [TokenCreated({ creator, transactionId, signature, token: subject })],
    );
  },

  async recorded({ subject: { tokenId } }, { executor }) {
    const { state, events } = await executor.load(token, tokenId);
    return state?.exists ? events.findLast((event) => event.type === 'TokenCreated') : undefined;
  },

  async revert({ transactionId, subject: { tokenId } }, { executor }, cause) {
    await executor.execute(token, tokenId, cause, (state) =>
      state?.exists ? [TokenCreationReverted({ tokenId, transactionId })] : [],
    );
  },
};
