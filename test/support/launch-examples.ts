/** A launch that fits every schema, for tests that only need one. */
import { DraftIssued, type IssuedDraft } from '../../src/streams/draft-events.ts';
import { LaunchCompleted, LaunchStarted, type StartedLaunch } from '../../src/streams/launch.ts';
import type { Launch } from '../../src/streams/purposes/token-launch.ts';
import { addresses, ids, signatures } from './domain-examples.ts';

export const launchTransactionId = ids.otherTransactionId;

export const launchSubject: Launch = {
  kind: 'launch',
  tokenId: ids.tokenId,
  mintAddress: addresses.mint,
  poolAddress: addresses.otherNonceAccount,
  positionMint: addresses.nonceAccount,
  positionAddress: addresses.distributionWallet,
  tokenAmount: '800000000000000',
  targetMarketCap: '400000000000',
  startRatio: 16,
  sqrtMinPrice: '92233720368547759',
  sqrtMaxPrice: '79226673521066979257578248091',
  liquidity: '71204432124601764374708896505280',
  supply: '1000000000000000',
  decimals: 6,
  expectedAt: '2026-05-04T10:00:00.000Z',
};

export const issuedLaunchDraft: IssuedDraft = {
  transactionId: launchTransactionId,
  creator: addresses.creator,
  message: 'AgAC',
  lifetime: { kind: 'recent-blockhash', blockhash: addresses.nonceValue, lastValidBlockHeight: '1150' },
  cost: '24745841',
  expiresAt: '2026-05-04T10:01:00.000Z',
  subject: launchSubject,
};

export const startedLaunch: StartedLaunch = {
  transactionId: launchTransactionId,
  signature: signatures.second,
  creator: addresses.creator,
  launch: launchSubject,
  startedAt: '2026-05-04T10:00:20.000Z',
};

export const launchDraftIssued = DraftIssued(issuedLaunchDraft);
export const launchStarted = LaunchStarted(startedLaunch);
/** At a price above the target. */
export const launchCompleted = LaunchCompleted({
  mintAddress: launchSubject.mintAddress,
  poolAddress: launchSubject.poolAddress,
  tokenId: ids.tokenId,
  sqrtPrice: '368934881474191033',
  marketCap: '400000000000',
  tokensSold: '579000000000000',
  solCollected: '57900000000',
});
