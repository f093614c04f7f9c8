/** Drafts that create a token: the mint's key signs with the creator, and the token exists once it is confirmed. */
import type { TokenCreation } from '../../streams/purposes/token-creation.ts';
import { TokenCreated, TokenCreationReverted, token } from '../../streams/token.ts';
import { holdWallet } from '../wallet-holder.ts';
import type { PurposeBehaviour } from './purpose-behaviour.ts';

export const tokenCreation: PurposeBehaviour<TokenCreation> = {
  kind: 'token-creation',

  makesAccountOfKey: true,

  signers: (keyring, transactionId) => [keyring.mint(transactionId)],

  async claim({ transactionId, creator, subject: { walletId } }, { executor }, cause) {
    await holdWallet(executor, { walletId, transactionId, creator }, cause);
  },

  async record({ transactionId, creator, subject, landed: { signature } }, { executor }, cause) {
    await executor.execute(token, subject.tokenId, cause, (state) =>
      state?.exists ? [] : [TokenCreated({ creator, transactionId, signature, token: subject })],
    );
  },

  async recorded({ subject: { tokenId }, begunAt }, { executor }) {
    const { state } = await executor.load(token, tokenId);
    if (!state?.exists) return undefined;
    return (await executor.findLast(token, tokenId, { type: 'TokenCreated', after: begunAt })).event;
  },

  async revert({ transactionId, subject: { tokenId } }, { executor }, cause) {
    await executor.execute(token, tokenId, cause, (state) =>
      state?.exists ? [TokenCreationReverted({ tokenId, transactionId })] : [],
    );
  },
};
