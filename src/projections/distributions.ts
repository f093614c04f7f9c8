/**
 * Projection with one document per token: the state of its distribution, the totals of its closed runs, and its wait. The
 * progress of the open run is in the run's own document.
 */

import type { CarriedOver, HaltCode, SkipReason } from '../streams/distribution.ts';
import type { SettingsView } from '../streams/distribution-settings.ts';
import { afterBurn, type LastScan } from './last-scan.ts';
import { byToken, defineProjection, operatorName } from './levy-projection.ts';
import { type ClosedTotals, NO_CLOSED_RUNS, withClosedRun } from './recent-payments.ts';
import { type ByAsset, NOTHING } from './run-sums.ts';

export type DistributionDocument = {
  readonly tokenId: string;
  readonly mint: string;
  readonly decimals: number;
  readonly supply: string;
  readonly creator: string;
  /** Signature of the transaction that created the token. */
  readonly signature: string;
  readonly walletId: string;
  readonly distributionWallet: string;
  readonly createdAt: string;
  readonly rewardToken: string;
  readonly interval: SettingsView['distributionInterval'];
  readonly enabled: boolean;
  /** True while an operator hides the token from the public lists. */
  readonly hidden: boolean;
  readonly poolAddress: string | null;
  readonly state: 'idle' | 'running' | 'halted' | 'disabled';
  readonly openRunId: string | null;
  /** Number of opened runs. */
  readonly runs: number;
  /** Due time of the last run that was opened or skipped. */
  readonly lastDueAt: string | null;
  readonly lastOpenedAt: string | null;
  readonly lastClosedAt: string | null;
  readonly skipped: { readonly reason: SkipReason; readonly detail: string; readonly since: string } | null;
  /** Reason why the last run with tax to sell sold nothing; null if it sold. */
  readonly unsold: {
    readonly reason: string;
    /** Number of attempted sales. */
    readonly tries: number;
    readonly runId: string;
    readonly since: string;
  } | null;
  /** True if an operator has requested a run before it is due. */
  readonly requested: boolean;
  readonly halted: {
    readonly code: HaltCode;
    readonly reason: string;
    /** Name of the operator, or of the part of the service, that halted the distribution. */
    readonly by: string;
    readonly since: string;
  } | null;
  /** Withheld tax found by the last scan, in base units. */
  readonly withheld: { readonly amount: string; readonly slot: string; readonly at: string } | null;
  /** Result of the last scan; null before the first. */
  readonly scanned: LastScan | null;
  readonly totals: ClosedTotals & {
    /** Earned by wallets and not paid yet. */
    readonly owed: ByAsset;
    /** Remainders that could not be divided. */
    readonly dust: ByAsset;
  };
  /** Base units of collected tax that were neither sold nor paid. */
  readonly kept: CarriedOver['kept'];
};

export const distributions = defineProjection<DistributionDocument>({
  name: 'distributions',
  version: 2,
  indexes: {
    all: () => [''],
    state: ({ state }) => [state],
    halted: ({ halted }) => (halted === null ? [] : [halted.code]),
  },
  on: {
    TokenCreated: {
      key: ({ data }) => data.token.tokenId,
      apply: (_none, { data: { creator, signature, token }, metadata: { occurredAt } }) => ({
        tokenId: token.tokenId,
        mint: token.mintAddress,
        decimals: token.decimals,
        supply: token.supply,
        creator,
        signature,
        walletId: token.walletId,
        distributionWallet: token.distributionWallet,
        createdAt: occurredAt,
        rewardToken: token.rewardToken,
        interval: token.distributionInterval,
        enabled: true,
        hidden: false,
        poolAddress: null,
        state: 'idle',
        openRunId: null,
        runs: 0,
        lastDueAt: null,
        lastOpenedAt: null,
        lastClosedAt: null,
        skipped: null,
        unsold: null,
        requested: false,
        halted: null,
        withheld: null,
        scanned: null,
        totals: { ...NO_CLOSED_RUNS, owed: NOTHING, dust: NOTHING },
        kept: { developer: '0', holders: '0' },
      }),
    },
    TokenCreationReverted: { key: byToken, apply: () => undefined },
    DistributionSettingsUpdated: {
      key: byToken,
      apply: (document, { data: { to } }) =>
        document &&
        withState({
          ...document,
          rewardToken: to.rewardToken ?? document.rewardToken,
          interval: to.distributionInterval ?? document.interval,
          enabled: to.distributionEnabled ?? document.enabled,
        }),
    },
    TokenHidden: { key: byToken, apply: (document) => document && { ...document, hidden: true } },
    TokenShown: { key: byToken, apply: (document) => document && { ...document, hidden: false } },
    LaunchStarted: {
      key: ({ data }) => data.launch.tokenId,
      apply: (document, { data: { launch } }) => document && { ...document, poolAddress: launch.poolAddress },
    },
    RunOpened: {
      key: byToken,
      apply: (document, { data: { runId, number, dueAt }, metadata: { occurredAt } }) =>
        document &&
        withState({
          ...document,
          openRunId: runId,
          runs: number,
          lastDueAt: dueAt,
          lastOpenedAt: occurredAt,
          skipped: null,
          requested: false,
        }),
    },
    HoldersScanned: {
      key: byToken,
      apply: (document, { data, metadata: { occurredAt } }) =>
        document && {
          ...document,
          withheld: { amount: data.withheld, slot: data.slots[1], at: occurredAt },
          scanned: { owners: data.owners, supply: data.supply, at: occurredAt },
        },
    },
    TaxSplit: {
      key: byToken,
      apply: (document, { data: { runId, burned, unsold, tries }, metadata: { occurredAt } }) =>
        document && {
          ...document,
          scanned: afterBurn(document.scanned, burned, occurredAt),
          unsold: unsold === null ? null : { reason: unsold, tries, runId, since: occurredAt },
        },
    },
    RunClosed: {
      key: byToken,
      apply: (document, { data }) => {
        if (document === undefined) return undefined;
        const { carried, closedAt } = data;
        return withState({
          ...document,
          openRunId: null,
          lastClosedAt: closedAt,
          kept: carried.kept,
          totals: {
            ...withClosedRun(document.totals, data),
            owed: carried.owed,
            dust: carried.dust,
          },
        });
      },
    },
    RunSkipped: {
      key: byToken,
      apply: (document, { data: { dueAt, reason, detail }, metadata: { occurredAt } }) =>
        document && {
          ...document,
          lastDueAt: dueAt,
          skipped: { reason, detail, since: occurredAt },
          requested: false,
        },
    },
    RunRequested: { key: byToken, apply: (document) => document && { ...document, requested: true } },
    DistributionHalted: {
      key: byToken,
      apply: (document, { data: { code, reason }, metadata: { actor, occurredAt } }) =>
        document &&
        withState({
          ...document,
          halted: { code, reason, by: operatorName(actor), since: occurredAt },
        }),
    },
    DistributionResumed: {
      key: byToken,
      apply: (document) => document && withState({ ...document, halted: null }),
    },
  },
});

/** Derives the state from the other fields. */
function withState(document: DistributionDocument): DistributionDocument {
  return { ...document, state: stateOf(document) };
}

function stateOf({ halted, openRunId, enabled }: DistributionDocument): DistributionDocument['state'] {
  if (halted !== null) return 'halted';
  if (openRunId !== null) return 'running';
  return enabled ? 'idle' : 'disabled';
}
