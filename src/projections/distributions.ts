/**
 * One document per token: how its distribution stands, what its runs have brought so far, and what it waits for. Its
 * totals are those of closed runs; what the open run has done is in that run's own document.
 */

import type { CarriedOver, HaltCode, RewardAsset, SkipReason } from '../streams/distribution.ts';
import type { SettingsView } from '../streams/distribution-settings.ts';
import { sum } from '../streams/sum-of-digits.ts';
import { defineProjection } from './define-projection.ts';
import { type LastScan, scanSeen, splitSeen } from './last-scan.ts';
import { addPaid, NOTHING_PAID, type PaidTotals, paidByRun } from './paid-totals.ts';

export type DistributionDocument = {
  readonly tokenId: string;
  readonly mint: string;
  readonly decimals: number;
  readonly supply: string;
  readonly creator: string;
  /** The signature of the transaction that created the token. */
  readonly signature: string;
  readonly walletId: string;
  readonly distributionWallet: string;
  readonly createdAt: string;
  readonly rewardToken: string;
  readonly interval: SettingsView['distributionInterval'];
  readonly enabled: boolean;
  /** While an operator keeps the token out of the public lists. */
  readonly hidden: boolean;
  readonly poolAddress: string | null;
  readonly state: 'idle' | 'running' | 'halted' | 'disabled';
  readonly openRunId: string | null;
  /** Runs that were opened. */
  readonly runs: number;
  /** When the last run was due that was opened or skipped. */
  readonly lastDueAt: string | null;
  readonly lastOpenedAt: string | null;
  readonly lastClosedAt: string | null;
  readonly skipped: { readonly reason: SkipReason; readonly detail: string; readonly since: string } | null;
  /** Why its last run that had tax to sell sold nothing; null if it sold. */
  readonly unsold: {
    readonly reason: string;
    /** Sales that were tried. */
    readonly tries: number;
    readonly runId: string;
    readonly since: string;
  } | null;
  /** An operator wants a run before it is due. */
  readonly requested: boolean;
  readonly halted: {
    readonly code: HaltCode;
    readonly reason: string;
    /** An operator's name, or the part of the service that halted it. */
    readonly by: string;
    readonly since: string;
  } | null;
  /** What the last scan found withheld, in base units. */
  readonly withheld: { readonly amount: string; readonly slot: string; readonly at: string } | null;
  /** Who and what the last scan found; null before the first. */
  readonly scanned: LastScan | null;
  readonly totals: DistributionTotals;
  /** Base units of collected tax that were not sold and not paid. */
  readonly kept: CarriedOver['kept'];
};

/** Digits of any length. Of the token where no other unit is said. */
export type DistributionTotals = {
  readonly collected: string;
  readonly burned: string;
  readonly sold: string;
  /** Lamports. */
  readonly proceeds: string;
  /** Lamports. */
  readonly paidSol: string;
  readonly paidToken: string;
  /** Everything that was paid, by what it was paid for. */
  readonly paidTo: PaidTotals;
  /** Payments to holders, where they were counted apart. */
  readonly holdersPaid: number;
  /** Lamports. */
  readonly owedSol: string;
  readonly owedToken: string;
  /** Lamports that could not be divided. */
  readonly dustSol: string;
  readonly dustToken: string;
  /** Lamports that runs have repaid to the distributor. */
  readonly costs: string;
  /** Lamports of fees that the distributor paid. */
  readonly fees: string;
};

const NOTHING: DistributionTotals = {
  collected: '0',
  burned: '0',
  sold: '0',
  proceeds: '0',
  paidSol: '0',
  paidToken: '0',
  paidTo: NOTHING_PAID,
  holdersPaid: 0,
  owedSol: '0',
  owedToken: '0',
  dustSol: '0',
  dustToken: '0',
  costs: '0',
  fees: '0',
};

const byToken = (event: { readonly data: { readonly tokenId: string } }): string => event.data.tokenId;

export const distributions = defineProjection<DistributionDocument>({
  name: 'distributions',
  version: 1,
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
        totals: NOTHING,
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
          scanned: scanSeen(data, occurredAt),
        },
    },
    TaxSplit: {
      key: byToken,
      apply: (document, { data: { runId, burned, unsold, tries }, metadata: { occurredAt } }) =>
        document && {
          ...document,
          scanned: document.scanned && splitSeen(document.scanned, burned, occurredAt),
          unsold: unsold === null ? null : { reason: unsold, tries, runId, since: occurredAt },
        },
    },
    RunClosed: {
      key: byToken,
      apply: (document, { data }) => {
        if (document === undefined) return undefined;
        const { amounts, asset, carried, closedAt, fees, paidDebts } = data;
        const { totals } = document;
        const paid = { [asset]: amounts.paid, [otherAsset(asset)]: paidDebts };
        return withState({
          ...document,
          openRunId: null,
          lastClosedAt: closedAt,
          kept: carried.kept,
          totals: {
            collected: sum(totals.collected, amounts.collected),
            burned: sum(totals.burned, amounts.burned),
            sold: sum(totals.sold, amounts.sold.developer, amounts.sold.holders),
            proceeds: sum(totals.proceeds, amounts.proceeds),
            paidSol: sum(totals.paidSol, paid.sol ?? '0'),
            paidToken: sum(totals.paidToken, paid.token ?? '0'),
            paidTo: addPaid(totals.paidTo, paidByRun(data)),
            holdersPaid: totals.holdersPaid + data.paidTo.holdersPaid,
            owedSol: carried.owed.sol,
            owedToken: carried.owed.token,
            dustSol: carried.dust.sol,
            dustToken: carried.dust.token,
            costs: sum(totals.costs, asset === 'sol' ? amounts.costs : '0'),
            fees: sum(totals.fees, fees),
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
          halted: { code, reason, by: actor.replace(/^operator:/, ''), since: occurredAt },
        }),
    },
    DistributionResumed: {
      key: byToken,
      apply: (document) => document && withState({ ...document, halted: null }),
    },
  },
});

/** With the state that follows from the rest. */
function withState(document: DistributionDocument): DistributionDocument {
  return { ...document, state: stateOf(document) };
}

function stateOf({ halted, openRunId, enabled }: DistributionDocument): DistributionDocument['state'] {
  if (halted !== null) return 'halted';
  if (openRunId !== null) return 'running';
  return enabled ? 'idle' : 'disabled';
}

function otherAsset(asset: RewardAsset): RewardAsset {
  return asset === 'sol' ? 'token' : 'sol';
}
