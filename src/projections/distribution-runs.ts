/**
 * One document per run of a token's distribution: what it was opened with, what it has done so far, and where its files
 * are. Payments are in those files; the document grows with the pots, never with the holders.
 */
import type { CarriedOver, LinkPurpose, RewardAsset } from '../streams/distribution.ts';
import type { ScannedHolders, SplitTax, WitnessWord } from '../streams/distribution-run.ts';
import { type SettingsView, settingsView } from '../streams/distribution-settings.ts';
import { recordedStep } from '../streams/distribution-step.ts';
import { linksFrom } from '../streams/link-paths.ts';
import type { PaidTo, RunAmounts } from '../streams/run-amounts.ts';
import { defineProjection } from './define-projection.ts';
import {
  type LandedTransaction,
  landed,
  movedTo,
  type RecordedWait,
  type RunProgress,
  type StepTaken,
  waitedUntil,
  waitingSince,
  withBatches,
} from './steps-taken.ts';

export type DistributionRunDocument = {
  readonly runId: string;
  readonly tokenId: string;
  readonly number: number;
  readonly mint: string;
  readonly asset: RewardAsset;
  readonly requested: boolean;
  readonly dueAt: string;
  readonly openedAt: string;
  /** Null while it is open. */
  readonly closedAt: string | null;
  readonly settings: Omit<SettingsView, 'telegramGroupId'>;
  readonly carried: Pick<CarriedOver, 'kept' | 'owed' | 'dust'>;
  readonly collected: string | null;
  readonly split: Omit<SplitTax, 'runId' | 'tokenId'> | null;
  /** What was laid down before anything was paid. */
  readonly allotted: {
    readonly sha256: string;
    readonly root: string;
    readonly records: number;
    readonly shares: string;
    readonly dust: string;
    /** In the asset that the run pays, without debts in the other. */
    readonly planned: string;
    readonly payAfter: string;
  } | null;
  readonly pots: readonly {
    readonly asset: RewardAsset;
    readonly address: string;
    readonly allowance: string;
    readonly left: string;
  }[];
  /** Payments that the chain has shown at `finalized`, whoever they went to. */
  readonly payments: number;
  /** Those that landed, but for the ones of payments, in the order in which that was recorded. */
  readonly transactions: readonly LandedTransaction[];
  /** What the holders' scan found; null before it. */
  readonly scanned: Pick<ScannedHolders, 'accounts' | 'owners' | 'withheld' | 'supply'> | null;
  /** In their order. The last is the one that the run is in, until it is closed. */
  readonly steps: readonly StepTaken[];
  /** As they were recorded: each reason once in a run, but for halts. */
  readonly waits: readonly RecordedWait[];
  /** What the second node said last instead of vouching for the books; null where nothing was waited for. */
  readonly witness: { readonly word: WitnessWord; readonly since: string } | null;
  /** Null when it is closed. */
  readonly progress: RunProgress | null;
  /** What its sale waits for, or waited for last; null where nothing was waited for. */
  readonly saleAwaited: { readonly reason: string; readonly since: string } | null;
  readonly closed: {
    readonly amounts: RunAmounts;
    /** Paid in the other asset. */
    readonly paidDebts: string;
    readonly paidTo: PaidTo;
    /** Lamports. */
    readonly fees: string;
    readonly settlementSha256: string | null;
  } | null;
};

const byRun = (event: { readonly data: { readonly runId: string } }): string => event.data.runId;

export const distributionRuns = defineProjection<DistributionRunDocument>({
  name: 'distribution_runs',
  version: 1,
  indexes: {
    token: ({ tokenId }) => [tokenId],
    /** Open runs only. */
    step: ({ progress, steps }) => (progress === null ? [] : steps.slice(-1).map(({ step }) => step)),
  },
  on: {
    RunOpened: {
      key: byRun,
      apply(_none, { data, metadata: { occurredAt } }) {
        const step = data.number === 1 ? 'begin' : 'scan';
        const { runId, tokenId, number, mint, asset, requested, dueAt, carried } = data;
        const { telegramGroupId: _private, ...settings } = settingsView({
          ...data.settings,
          telegramGroupId: null,
        });
        return {
          runId,
          tokenId,
          number,
          mint,
          asset,
          requested,
          dueAt,
          openedAt: occurredAt,
          closedAt: null,
          settings,
          carried: { kept: carried.kept, owed: carried.owed, dust: carried.dust },
          collected: null,
          split: null,
          allotted: null,
          pots: [],
          payments: 0,
          transactions: [],
          scanned: null,
          steps: movedTo([], step, occurredAt),
          waits: [],
          witness: null,
          progress: { movedAt: occurredAt, pending: null },
          saleAwaited: null,
          closed: null,
        };
      },
    },
    LinksRecorded: {
      key: byRun,
      apply: (document, { data: { purpose, links }, metadata: { occurredAt } }) =>
        document &&
        moved(document, occurredAt, {
          pending: {
            purpose,
            links: [
              ...(document.progress?.pending?.links ?? []),
              ...links.map(({ till, previous }) => ({ till, previous })),
            ],
          },
        }),
    },
    HoldersScanned: {
      key: byRun,
      apply: (document, { data: { accounts, owners, withheld, supply }, metadata: { occurredAt } }) =>
        document && moved({ ...document, scanned: { accounts, owners, withheld, supply } }, occurredAt),
    },
    ScanDisagreed: {
      key: byRun,
      apply: (document, { metadata: { occurredAt } }) =>
        document && thatWaits(document, 'unconfirmed', occurredAt),
    },
    TaxCollected: {
      key: byRun,
      apply: (document, { data: { collected, withdraw }, metadata: { occurredAt } }) =>
        document &&
        moved(
          {
            ...document,
            collected,
            transactions: [...document.transactions, ...landed('withdraw', withdraw, occurredAt)],
          },
          occurredAt,
        ),
    },
    CollectionCorrected: {
      key: byRun,
      apply: (document, { data: { collected }, metadata: { occurredAt } }) =>
        document && moved({ ...document, collected, split: null, allotted: null, pots: [] }, occurredAt),
    },
    SaleAwaited: {
      key: byRun,
      apply: (document, { data: { reason }, metadata: { occurredAt } }) =>
        document &&
        thatWaits(
          moved({ ...document, saleAwaited: { reason, since: occurredAt } }, occurredAt),
          reason,
          occurredAt,
        ),
    },
    TaxSplit: {
      key: byRun,
      apply: (document, { data: { runId: _run, tokenId: _token, ...split }, metadata: { occurredAt } }) =>
        document && moved({ ...document, split }, occurredAt),
    },
    RoundRecorded: {
      key: byRun,
      apply: (document, { metadata: { occurredAt } }) => document && moved(document, occurredAt),
    },
    BatchReplanned: {
      key: byRun,
      apply: (document, { metadata: { occurredAt } }) => document && moved(document, occurredAt),
    },
    RunAllotted: {
      key: byRun,
      apply(document, { data, metadata: { occurredAt } }) {
        if (document === undefined) return undefined;
        const { ledger, root, records, shares, dust, payments, pots, payAfter } = data;
        const allotted = {
          ...document,
          allotted: {
            sha256: ledger,
            root,
            records,
            shares,
            dust,
            planned: payments[document.asset].sum,
            payAfter,
          },
          pots: pots.map(({ asset, address, allowance }) => ({ asset, address, allowance, left: allowance })),
        };
        return moved(allotted, occurredAt);
      },
    },
    LinksLanded: {
      key: byRun,
      apply(document, { data: { purpose, links }, metadata: { occurredAt } }) {
        if (document === undefined) return undefined;
        const signatures = links.map(({ signature }) => signature);
        const transactions = [...document.transactions, ...landed(purpose, signatures, occurredAt)];
        const pending = document.progress?.pending;
        const left = linksFrom(links.at(-1)?.till ?? '', pending?.links ?? []);
        return moved({ ...document, transactions }, occurredAt, {
          pending: pending && left.length > 0 ? { ...pending, links: left } : null,
        });
      },
    },
    BatchesSettled: {
      key: byRun,
      apply(document, { data: { batches }, metadata: { occurredAt } }) {
        if (document === undefined) return undefined;
        const left = new Map(batches.map((batch) => [batch.pot, batch.left]));
        const paid = batches.reduce((sum, { from, to, without }) => sum + to - from - without.length, 0);
        const settled = {
          ...document,
          pots: document.pots.map((pot, number) => ({ ...pot, left: left.get(number) ?? pot.left })),
          payments: document.payments + paid,
          steps: withBatches(document.steps, batches.length),
        };
        return moved(settled, occurredAt);
      },
    },
    WitnessAwaited: {
      key: byRun,
      apply: (document, { data: { witness }, metadata: { occurredAt } }) =>
        document &&
        thatWaits(
          moved({ ...document, witness: { word: witness, since: occurredAt } }, occurredAt),
          'unconfirmed',
          occurredAt,
        ),
    },
    DistributionHalted: {
      key: ({ data: { runId } }) => runId ?? undefined,
      apply: (document, { metadata: { occurredAt } }) =>
        document && thatWaits(document, 'halted', occurredAt),
    },
    RunClosed: {
      key: byRun,
      apply: (document, { data }) =>
        document && {
          ...document,
          closedAt: data.closedAt,
          waits: waitedUntil(document.waits, data.closedAt),
          progress: null,
          closed: {
            amounts: data.amounts,
            paidDebts: data.paidDebts,
            paidTo: data.paidTo,
            fees: data.fees,
            settlementSha256: data.carried.settlement,
          },
        },
    },
  },
});

/** With the step that follows from what is recorded now. */
function moved(
  document: DistributionRunDocument,
  at: string,
  changed: Partial<Pick<RunProgress, 'pending'>> = {},
): DistributionRunDocument {
  if (document.progress === null) return document;
  const { pending } = { ...document.progress, ...changed };
  const { number, transactions, scanned, collected, split, allotted, pots, witness } = document;
  const hasLanded = (part: LinkPurpose) => transactions.some(({ purpose }) => purpose === part);
  const step = recordedStep({
    pendingPurpose: pending?.purpose,
    isBegun: number > 1 || hasLanded('begin'),
    isScanned: scanned !== null,
    isCollected: collected !== null,
    isSplit: split !== null,
    isAllotted: allotted !== null,
    left: pots.map(({ left }) => left),
    isOpened: hasLanded('open'),
    isClosing: witness !== null || hasLanded('close'),
  });
  return {
    ...document,
    steps: movedTo(document.steps, step, at),
    waits: waitedUntil(document.waits, at),
    progress: { movedAt: at, pending },
  };
}

/** One that waits has not moved. */
function thatWaits(document: DistributionRunDocument, code: string, at: string): DistributionRunDocument {
  if (document.progress === null) return document;
  return { ...document, waits: waitingSince(document.waits, code, at) };
}
