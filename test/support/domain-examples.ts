/** One creator, one wallet, one draft: values that fit every schema, for tests that only need some. */
import {
  type AcceptedSubmission,
  DraftIssued,
  type IssuedDraft,
  type LandedSubmission,
  SubmissionAccepted,
  SubmissionConfirmed,
  SubmissionFailed,
  SubmissionFinalized,
  SubmissionOverdue,
} from '../../src/streams/draft-events.ts';
import type { TokenCreation } from '../../src/streams/purposes/token-creation.ts';
import { TokenCreated } from '../../src/streams/token.ts';

export const ids = {
  transactionId: '0f8fad5b-d9cb-469f-a165-70867728950e',
  otherTransactionId: '1c9ed8d2-4a0b-4b5e-8f8c-8d4d0a3f6c11',
  walletId: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  tokenId: '3f2b9a54-54a7-5b0c-9d62-0d6c7f6f2a01',
} as const;

export const addresses = {
  creator: '9hSR6S7WPtxmTojgo6GG3k4yDPecgJY292j7xrsUGWBu',
  otherCreator: '4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi',
  mint: '8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR',
  distributionWallet: 'CktRuQ2mttgRGkXJtyksdKHjUdc2C4TgDzyB98oEzy8',
  nonceAccount: 'GgBaCs3NCBuZN12kCJgAW63ydqohFkHEdfdEXBPzLHq',
  otherNonceAccount: 'LbUiWL3xVV8hTFYBVdbTNrpDo41NKS6o3LHHuDzjfcY',
  nonceValue: 'QWmrqBqMJJwDLSmX4LdjoQvxYZTdwoKYmVyxLQPwkeC',
  nextNonceValue: 'USPzbRzfm3yyVSfdCHkDd6QPEuwfqg5rQv9WnJRQyrh',
} as const;

export const signatures = {
  first: '2'.repeat(88),
  second: '3'.repeat(88),
} as const;

export const token: TokenCreation = {
  kind: 'token-creation',
  tokenId: ids.tokenId,
  mintAddress: addresses.mint,
  walletId: ids.walletId,
  distributionWallet: addresses.distributionWallet,
  name: 'Levy Example',
  symbol: 'LEVY',
  description: 'An example.\nOn two lines.',
  imageCid: 'bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy',
  imageUri: 'https://levy.example/images/bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy.jpg',
  metadataUri: `https://levy.example/metadata/${addresses.mint}.json`,
  twitter: 'https://x.example/levy',
  telegram: '',
  website: 'https://levy.example',
  transferFeeBasisPoints: 123,
  burnBasisPoints: 1_050,
  developerFeeBasisPoints: 7,
  developerWallet: addresses.creator,
  distributionInterval: '1h',
  sellBasisPoints: 10_000,
  rewardToken: 'SOL',
  minimumHoldingRequirement: '0',
  decimals: 6,
  supply: '18446744073709551615',
  transferFeeAdjustable: false,
  immutableMetadata: true,
};

export const issuedDraft: IssuedDraft = {
  transactionId: ids.transactionId,
  creator: addresses.creator,
  message: 'AQAB',
  lifetime: {
    kind: 'durable-nonce',
    nonceAccount: addresses.nonceAccount,
    nonceValue: addresses.nonceValue,
  },
  cost: '5015000',
  expiresAt: '2026-05-04T10:05:00.000Z',
  subject: token,
};

export const acceptedSubmission: AcceptedSubmission = {
  transactionId: ids.transactionId,
  signature: signatures.first,
  signedTransaction: 'AgAC',
  deadline: '2026-05-04T10:03:00.000Z',
};

export const landedSubmission: LandedSubmission = {
  transactionId: ids.transactionId,
  signature: signatures.second,
  slot: '417',
};

export const draftIssued = DraftIssued(issuedDraft);
export const submissionAccepted = SubmissionAccepted(acceptedSubmission);
export const submissionOverdue = SubmissionOverdue({
  transactionId: ids.transactionId,
  advanceSignature: signatures.second,
  advanceTransaction: 'AgAD',
});
export const submissionConfirmed = SubmissionConfirmed(landedSubmission);
export const submissionFinalized = SubmissionFinalized(landedSubmission);
export const submissionFailed = SubmissionFailed({
  transactionId: ids.transactionId,
  code: 'CHAIN_REJECTED',
  message: 'The chain refused the transaction: {"InstructionError":[3,{"Custom":1}]}',
  logs: ['Program log: Error: insufficient funds'],
});
export const tokenCreated = TokenCreated({
  creator: addresses.creator,
  transactionId: ids.transactionId,
  signature: signatures.second,
  token,
});
