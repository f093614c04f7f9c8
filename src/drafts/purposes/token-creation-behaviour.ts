/** Drafts that create a token: the mint's key signs with the creator, and the token exists once the transaction is confirmed. */
import { SYSTEM_PROGRAM } from 'levy-solana-wire';
import type { TokenCreation } from '../../streams/purposes/token-creation.ts';
import {
  TokenCreated,
  TokenCreationReverted,
  type TokenEvent,
  type TokenState,
  token,
} from '../../streams/token.ts';
import { claimWallet } from '../claim-wallet.ts';
import type { DraftOf, LandedDraft, PurposeBehaviour } from './purpose-behaviour.ts';

export const tokenCreation: PurposeBehaviour<TokenCreation> = {
  kind: 'token-creation',

  // Only the mint's key can create a program-owned account at its address; a balance alone proves nothing, since anyone can
  // send lamports there.
  traces: ({ subject }) => ({
    addresses: [subject.mintAddress],
    made: ([mint]) => ({ kind: mint !== undefined && mint.owner !== SYSTEM_PROGRAM ? 'yes' : 'no' }),
  }),

  signers: (keyring, transactionId) => [keyring.mint(transactionId)],

  async claim({ transactionId, creator, subject: { walletId } }, { executor }, cause) {
    await claimWallet(executor, { walletId, transactionId, creator }, cause);
  },

  async record(landed, { executor }, cause) {
    await executor.execute(
      token,
      landed.subject.tokenId,
      cause,
      (state) => decideTokenCreated(state, landed),
      { trust: 'cached' },
    );
  },

  async recorded({ subject: { tokenId } }, { executor }) {
    const { state, events } = await executor.load(token, tokenId, { trust: 'cached' });
    return state?.exists ? events.findLast((event) => event.type === 'TokenCreated') : undefined;
  },

  async revert(gone, { executor }, cause) {
    await executor.execute(token, gone.subject.tokenId, cause, (state) => decideTokenReverted(state, gone));
  },
};

function decideTokenCreated(
  state: TokenState,
  { transactionId, creator, subject, landed: { signature } }: LandedDraft<TokenCreation>,
): readonly TokenEvent[] {
  return state?.exists ? [] : [TokenCreated({ creator, transactionId, signature, token: subject })];
}

function decideTokenReverted(
  state: TokenState,
  { transactionId, subject: { tokenId } }: Pick<DraftOf<TokenCreation>, 'transactionId' | 'subject'>,
): readonly TokenEvent[] {
  return state?.exists ? [TokenCreationReverted({ tokenId, transactionId })] : [];
}
