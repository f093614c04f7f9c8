// One launch for the tests that need a realistic one.

import type { Mint } from 'levy-solana-wire';
import { createKeyPair, createKeyring } from '../../../../src/chain/keys.ts';
import { launchAddresses } from '../../../../src/chain/venue/addresses.ts';
import type { IssuedLaunch } from '../../../../src/chain/venue/judge-launch.ts';
import { launchTerms } from '../../../../src/drafts/launches/plan-launch.ts';
import type { IssuedDraft } from '../../../../src/streams/draft-events.ts';
import { issuedLaunchDraft, launchSubject } from '../../../support/launch-examples.ts';

const transactionId = '0f8fad5b-d9cb-469f-a165-70867728950e';

export const keyring = createKeyring(new Uint8Array(32).fill(42));
export const creator = createKeyPair(new Uint8Array(32).fill(1));
export const buyer = createKeyPair(new Uint8Array(32).fill(2));
export const mint = keyring.mint(transactionId);
export const position = keyring.position(transactionId);
/** Of somebody else, who would have the pool's address. */
export const otherPosition = createKeyPair(new Uint8Array(32).fill(3));

export const tokenTerms = {
  creator: creator.address,
  mint: mint.address,
  distributionWallet: keyring.distributionWallet(transactionId).address,
  name: 'Levy Example',
  symbol: 'LEVY',
  uri: `https://levy.example/metadata/${mint.address}.json`,
  decimals: 6,
  supply: 1_000_000_000_000_000n,
  transferFeeBasisPoints: 350,
  transferFeeAdjustable: false,
  immutableMetadata: true,
};

const transferFee = {
  epoch: 0n,
  basisPoints: tokenTerms.transferFeeBasisPoints,
  maximumFee: 2n ** 64n - 1n,
};

/** As the chain shows the token's mint. */
export const mintState: Mint = {
  supply: tokenTerms.supply,
  decimals: tokenTerms.decimals,
  transferFees: { older: transferFee, newer: transferFee },
};

/** 80% of the supply, from 25 SOL of market cap to 400. */
export const parameters: Parameters<typeof launchTerms>[0] = {
  tokenAmount: 800_000_000_000_000n,
  targetMarketCap: 400_000_000_000n,
  startRatio: 16n,
};

export const terms = launchTerms(parameters, mintState);

export const launchInput = {
  creator: creator.address,
  mint: mint.address,
  positionMint: position.address,
  sqrtMinPrice: terms.sqrtMinPrice,
  sqrtMaxPrice: terms.sqrtMaxPrice,
  liquidity: terms.liquidity,
};

export const addresses = launchAddresses(launchInput);

export const issuedLaunch: IssuedLaunch = {
  creator: creator.address,
  mintAddress: mint.address,
  poolAddress: addresses.pool,
  positionMint: position.address,
  sqrtMinPrice: terms.sqrtMinPrice,
  sqrtMaxPrice: terms.sqrtMaxPrice,
  liquidity: terms.liquidity,
};

export const launchBasis = {
  supply: mintState.supply,
  decimals: mintState.decimals,
  sqrtMinPrice: terms.sqrtMinPrice,
  sqrtMaxPrice: terms.sqrtMaxPrice,
  liquidity: terms.liquidity,
  targetMarketCap: parameters.targetMarketCap,
};

const { creator: _creator, mintAddress, poolAddress, positionMint, ...amounts } = issuedLaunch;

/** The draft of the launch, whose accounts are recorded. */
export const recordedLaunchDraft: IssuedDraft = {
  ...issuedLaunchDraft,
  creator: creator.address,
  subject: {
    ...launchSubject,
    mintAddress,
    poolAddress,
    positionMint,
    sqrtMinPrice: amounts.sqrtMinPrice.toString(),
    sqrtMaxPrice: amounts.sqrtMaxPrice.toString(),
    liquidity: amounts.liquidity.toString(),
  },
};
