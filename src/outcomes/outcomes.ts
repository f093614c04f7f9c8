/**
 * Messages to subscribers, by family. Members with the same name in the event are copied with their schema. Messages never
 * contain an operator's reason, signed bytes, or private data of a creator.
 */
import { Type } from '@sinclair/typebox';
import { Uuid } from '../kernel/runtime/ids.ts';
import { distributionEvents, HALT_CODES, SKIP_REASONS } from '../streams/distribution.ts';
import { distributionRunEvents } from '../streams/distribution-run.ts';
import { SettingsView, settingsView } from '../streams/distribution-settings.ts';
import { draftEvents } from '../streams/draft-events.ts';
import { featuredListEvents } from '../streams/featured-list.ts';
import { launchEvents } from '../streams/launch.ts';
import { percentFromBasisPoints } from '../streams/percent.ts';
import { PromotionPurchase } from '../streams/purposes/promotion-purchase.ts';
import { TokenCreation } from '../streams/purposes/token-creation.ts';
import { Launch } from '../streams/purposes/token-launch.ts';
import { tokenEvents } from '../streams/token.ts';
import { Address, Amount, orNull } from '../streams/value-types.ts';
import { defineOutcome, picked } from './levy-outcome.ts';

interface About<Ids> {
  readonly data: Ids;
}
const ofToken = {
  audience: 'public',
  subject: ({ data }: About<{ readonly tokenId: string }>) => data.tokenId,
  hiddenWith: ({ data }: About<{ readonly tokenId: string }>) => data.tokenId,
} as const;
const ofRun = { ...ofToken, subject: ({ data }: About<{ readonly runId: string }>) => data.runId } as const;
const ofSubmission = {
  audience: 'creators',
  subject: ({ data }: About<{ readonly transactionId: string }>) => data.transactionId,
} as const;

/** Code of an extensible list. */
const openCode = (codes: readonly string[]) =>
  Type.String({
    description: `${codes.map((code) => `\`${code}\``).join(', ')}. More codes may be added.`,
    examples: codes.slice(0, 1),
  });

const opened = picked(
  distributionEvents.RunOpened,
  'tokenId',
  'runId',
  'number',
  'asset',
  'dueAt',
  'requested',
);
const allotted = picked(
  distributionRunEvents.RunAllotted,
  ...(['tokenId', 'runId', 'asset', 'ledger', 'root', 'records', 'payments', 'payAfter'] as const),
);
const closed = picked(
  distributionEvents.RunClosed,
  ...(['tokenId', 'runId', 'number', 'asset', 'amounts', 'paidDebts', 'paidTo'] as const),
);
const halted = picked(distributionEvents.DistributionHalted, 'tokenId', 'runId');
const skipped = picked(distributionEvents.RunSkipped, 'tokenId', 'dueAt', 'detail');

const distributions = [
  defineOutcome({
    ...ofRun,
    name: 'distributions.allotted',
    summary: 'A run has computed and recorded its payments. It pays none of them before `payAfter`.',
    of: 'RunAllotted',
    data: Type.Object({ ...allotted.data.properties, mintAddress: Address }),
    dataOf: (event) => ({ ...allotted.dataOf(event), mintAddress: event.data.mint }),
  }),
  defineOutcome({
    ...ofRun,
    name: 'distributions.collected',
    summary: 'A run has collected the tax, in base units of the token.',
    of: 'TaxCollected',
    ...picked(distributionRunEvents.TaxCollected, 'tokenId', 'runId', 'collected'),
  }),
  defineOutcome({
    ...ofRun,
    name: 'distributions.completed',
    summary: 'A run is closed: all its payments are final.',
    of: 'RunClosed',
    data: Type.Object({
      ...closed.data.properties,
      /** Successful payments to holders, to the developer and to the distributor; one wallet may receive several. */
      payments: Type.Integer({ minimum: 0, examples: [1_002] }),
      /** Holders that were paid, each counted once. */
      walletsPaid: Type.Integer({ minimum: 0, examples: [1_000] }),
    }),
    dataOf: (event) => ({
      ...closed.dataOf(event),
      payments: event.data.walletsPaid,
      walletsPaid: event.data.paidTo.holdersPaid,
    }),
  }),
  defineOutcome({
    ...ofToken,
    name: 'distributions.configured',
    summary:
      "The settings of a token's distribution changed; `settings` has the new values of those that changed. The " +
      "creator's chat group is never included.",
    of: 'DistributionSettingsUpdated',
    data: Type.Object({
      tokenId: Uuid,
      settings: Type.Partial(Type.Omit(SettingsView, ['telegramGroupId'])),
    }),
    // A change of private settings only is not published.
    concernsPublic: ({ data: { to } }) => Object.keys(to).some((name) => name !== 'telegramGroupId'),
    dataOf({ data: { tokenId, to } }) {
      const { telegramGroupId: _private, ...settings } = settingsView(to);
      return { tokenId, settings };
    },
  }),
  defineOutcome({
    ...ofToken,
    name: 'distributions.halted',
    summary:
      "A token's distribution was halted, by an operator or because a check failed. No payment is lost.",
    of: 'DistributionHalted',
    data: Type.Object({ ...halted.data.properties, code: openCode(HALT_CODES) }),
    dataOf: (event) => ({ ...halted.dataOf(event), code: event.data.code }),
  }),
  defineOutcome({
    ...ofRun,
    name: 'distributions.paid',
    summary: 'Payment transactions of a run are final; more may follow. The run lists them.',
    of: 'BatchesSettled',
    ...picked(distributionRunEvents.BatchesSettled, 'tokenId', 'runId'),
  }),
  defineOutcome({
    ...ofToken,
    name: 'distributions.resumed',
    summary: 'A halted distribution of a token was resumed.',
    of: 'DistributionResumed',
    ...picked(distributionEvents.DistributionResumed, 'tokenId'),
  }),
  defineOutcome({
    ...ofToken,
    name: 'distributions.skipped',
    summary:
      'A due run was not opened. While `code` applies, later runs are skipped too, without further messages.',
    of: 'RunSkipped',
    data: Type.Object({ ...skipped.data.properties, code: openCode(SKIP_REASONS) }),
    dataOf: (event) => ({ ...skipped.dataOf(event), code: event.data.reason }),
  }),
  defineOutcome({
    ...ofRun,
    name: 'distributions.split',
    summary:
      'A run has burned and sold its parts of the tax. The amounts for the developer and the holders are fixed.',
    of: 'TaxSplit',
    ...picked(distributionRunEvents.TaxSplit, 'tokenId', 'runId'),
  }),
  defineOutcome({
    ...ofRun,
    name: 'distributions.started',
    summary: "A run of a token's distribution started; see `GET /distribution/{tokenId}/runs/{runId}`.",
    of: 'RunOpened',
    data: Type.Object({ ...opened.data.properties, mintAddress: Address }),
    dataOf: (event) => ({ ...opened.dataOf(event), mintAddress: event.data.mint }),
  }),
];

const launched = picked(launchEvents.LaunchStarted, 'signature', 'startedAt');
const launch = picked(Launch, 'tokenId', 'mintAddress', 'poolAddress', 'targetMarketCap');

const launches = [
  defineOutcome({
    ...ofToken,
    name: 'launches.completed',
    summary: 'A launch reached its target market cap; the price may fall below it again.',
    of: 'LaunchCompleted',
    ...picked(
      launchEvents.LaunchCompleted,
      ...(['tokenId', 'mintAddress', 'poolAddress', 'marketCap', 'tokensSold', 'solCollected'] as const),
    ),
  }),
  defineOutcome({
    audience: 'public',
    name: 'launches.started',
    summary: 'A token went up for sale on the launch venue; its liquidity is locked permanently.',
    of: 'LaunchStarted',
    data: Type.Object({ ...launch.data.properties, ...launched.data.properties }),
    subject: ({ data }) => data.launch.tokenId,
    hiddenWith: ({ data }) => data.launch.tokenId,
    dataOf: (event) => ({ ...launch.dataOf({ data: event.data.launch }), ...launched.dataOf(event) }),
  }),
];

const started = picked(featuredListEvents.PromotionStarted, 'signature', 'startsAt', 'endsAt');
const purchase = picked(PromotionPurchase, 'promotionId', 'tokenId', 'mintAddress', 'price');

const promotions = [
  defineOutcome({
    ...ofToken,
    name: 'promotions.ended',
    summary: 'A promotion was removed from the featured list before its end.',
    of: 'PromotionEnded',
    ...picked(featuredListEvents.PromotionEnded, 'promotionId', 'tokenId', 'endedAt'),
    subject: ({ data }) => data.promotionId,
  }),
  defineOutcome({
    audience: 'public',
    name: 'promotions.started',
    summary:
      'A promotion on the featured list was paid for. It starts at `startsAt`, which may be in the future.',
    of: 'PromotionStarted',
    data: Type.Object({ ...purchase.data.properties, ...started.data.properties }),
    subject: ({ data }) => data.promotion.promotionId,
    hiddenWith: ({ data }) => data.promotion.tokenId,
    dataOf: (event) => ({ ...purchase.dataOf({ data: event.data.promotion }), ...started.dataOf(event) }),
  }),
];

const submissions = [
  defineOutcome({
    ...ofSubmission,
    name: 'submissions.accepted',
    summary:
      'A signed transaction was accepted. The service sends it until its outcome is decided or the deadline has passed.',
    of: 'SubmissionAccepted',
    ...picked(draftEvents.SubmissionAccepted, 'transactionId', 'signature', 'deadline'),
  }),
  defineOutcome({
    ...ofSubmission,
    name: 'submissions.confirmed',
    summary: 'An accepted transaction is confirmed on the chain.',
    of: 'SubmissionConfirmed',
    ...picked(draftEvents.SubmissionConfirmed, 'transactionId', 'signature', 'slot'),
  }),
  defineOutcome({
    ...ofSubmission,
    name: 'submissions.dropped',
    summary: 'A fork of the chain dropped a confirmed transaction; it is sent again.',
    of: 'SubmissionDropped',
    ...picked(draftEvents.SubmissionDropped, 'transactionId'),
  }),
  defineOutcome({
    ...ofSubmission,
    name: 'submissions.failed',
    summary: 'An accepted transaction can no longer land, or has landed and failed.',
    of: 'SubmissionFailed',
    data: Type.Object({
      transactionId: Uuid,
      code: Type.String({ examples: ['CHAIN_REJECTED'] }),
      message: Type.String({ examples: ['The chain refused the transaction.'] }),
      logs: Type.Array(Type.String(), { examples: [['Program log: Error: insufficient funds']] }),
    }),
    dataOf: ({ data: { transactionId, code, message, logs } }) => ({ transactionId, code, message, logs }),
  }),
  defineOutcome({
    ...ofSubmission,
    name: 'submissions.finalized',
    summary: 'A transaction is final: no fork can revert it.',
    of: 'SubmissionFinalized',
    ...picked(draftEvents.SubmissionFinalized, 'transactionId', 'signature', 'slot'),
  }),
  defineOutcome({
    ...ofSubmission,
    name: 'submissions.overdue',
    summary:
      'The deadline of an accepted transaction has passed. The service sends its own transaction, which invalidates it.',
    of: 'SubmissionOverdue',
    ...picked(draftEvents.SubmissionOverdue, 'transactionId', 'advanceSignature'),
  }),
];

const created = picked(tokenEvents.TokenCreated, 'creator', 'signature');
// Changes of private settings are not published, so the creation does not publish settings either.
const token = picked(
  TokenCreation,
  ...([
    'tokenId',
    'mintAddress',
    'name',
    'symbol',
    'description',
    'imageUri',
    'twitter',
    'telegram',
  ] as const),
  ...(['website', 'decimals', 'supply', 'transferFeeAdjustable', 'distributionWallet', 'partner'] as const),
);
const Rate = {
  transferFeePercent: Type.Number({ examples: [3.5] }),
  /** Maximum tax of one transfer, in base units; null if only the percentage applies. */
  transferFeeMaximum: orNull(Amount, { examples: [null] }),
};
const rateOf = ({
  basisPoints,
  maximum,
}: {
  readonly basisPoints: number;
  readonly maximum: string | null;
}) => ({
  transferFeePercent: percentFromBasisPoints(basisPoints),
  transferFeeMaximum: maximum,
});

const tokens = [
  defineOutcome({
    audience: 'public',
    name: 'tokens.created',
    summary: 'A token was created; its transaction is confirmed on the chain.',
    of: 'TokenCreated',
    data: Type.Object({
      ...token.data.properties,
      transferFeePercent: Rate.transferFeePercent,
      ...created.data.properties,
    }),
    subject: ({ data }) => data.token.tokenId,
    hiddenWith: ({ data }) => data.token.tokenId,
    dataOf: (event) => ({
      ...token.dataOf({ data: event.data.token }),
      transferFeePercent: percentFromBasisPoints(event.data.token.transferFeeBasisPoints),
      ...created.dataOf(event),
    }),
  }),
  defineOutcome({
    audience: 'public',
    name: 'tokens.hidden',
    summary:
      'A token is hidden; stop showing it. No other events of the token are sent until `tokens.shown`.',
    of: 'TokenHidden',
    subject: ({ data }) => data.tokenId,
    ...picked(tokenEvents.TokenHidden, 'tokenId'),
  }),
  defineOutcome({
    ...ofToken,
    name: 'tokens.reverted',
    summary: 'A fork of the chain reverted the creation: the token does not exist. Rare.',
    of: 'TokenCreationReverted',
    ...picked(tokenEvents.TokenCreationReverted, 'tokenId'),
  }),
  defineOutcome({
    ...ofToken,
    name: 'tokens.shown',
    summary: 'A hidden token is visible again. Fetch it, since events in between were not sent.',
    of: 'TokenShown',
    ...picked(tokenEvents.TokenShown, 'tokenId'),
  }),
  defineOutcome({
    ...ofToken,
    name: 'tokens.transfer-fee-changed',
    summary: "The tax on a token's transfers was changed, or a pending change became valid.",
    of: 'TransferFeeChanged',
    data: Type.Object({
      tokenId: Uuid,
      ...Rate,
      /** Null if no change is pending. */
      pending: Type.Union([
        Type.Object({ ...Rate, fromEpoch: Type.String({ ...Amount, examples: ['812'] }) }),
        Type.Null(),
      ]),
    }),
    dataOf: ({ data: { tokenId, pending, ...rate } }) => ({
      tokenId,
      ...rateOf(rate),
      pending: pending && { ...rateOf(pending), fromEpoch: pending.fromEpoch },
    }),
  }),
];

export const outcomes = [...distributions, ...launches, ...promotions, ...submissions, ...tokens];
