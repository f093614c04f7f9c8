/**
 * One document per run of a token's distribution: what it was opened with, what it has done so far, and where its files
 * are. Payments are in those files; the document grows with the pots, never with the holders.
 */
import type { CarriedOver, LinkPurpose, RewardAsset, RunAmounts } from '../streams/distribution.ts';
import type { SplitTax, WitnessWord } from '../streams/distribution-run.ts';
import { type SettingsView, settingsView } from '../streams/distribution-settings.ts';
import { defineProjection } from './define-projection.ts';

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
  /** Payments that the chain has shown at `finalized`. */
  readonly payments: number;
  /** Signatures by what they were for, in the order in which they landed. */
  readonly transactions: { readonly [Part in LinkPurpose | 'withdraw']: readonly string[] };
  /** What the second node said last instead of vouching for the books; null where nothing was waited for. */
  readonly witness: { readonly word: WitnessWord; readonly since: string } | null;
  readonly closed: {
    readonly amounts: RunAmounts;
    /** Paid in the other asset. */
    readonly paidDebts: string;
    readonly walletsPaid: number;
    /** Lamports. */
    readonly fees: string;
    readonly settlementSha256: string | null;
  } | null;
};

const byRun = (event: { readonly data: { readonly runId: string } }): string => event.data.runId;

export const distributionRuns = defineProjection<DistributionRunDocument>({
  name: 'distribution_runs',
  version: 2,
  readsFrom: 2,
  indexes: { token: ({ tokenId }) => [tokenId] },
  on: {
    RunOpened: {
      key: byRun,
      apply(_none, { data, metadata: { occurredAt } }) {
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
          transactions: { withdraw: [], begin: [], split: [], open: [], close: [] },
          witness: null,
          closed: null,
        };
      },
    },
    TaxCollected: {
      key: byRun,
      apply: (document, { data: { collected, withdraw } }) =>
        document && {
          ...document,
          collected,
          transactions: { ...document.transactions, withdraw },
        },
    },
    TaxSplit: {
      key: byRun,
      apply: (document, { data: { runId: _run, tokenId: _token, ...split } }) =>
        document && { ...document, split },
    },
    RunAllotted: {
      key: byRun,
      apply(document, { data }) {
        if (document === undefined) return undefined;
        const { ledger, root, records, shares, dust, payments, pots, payAfter } = data;
        return {
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
      },
    },
    LinksLanded: {
      key: byRun,
      apply(document, { data: { purpose, links } }) {
        if (document === undefined) return undefined;
        const signatures = links.map(({ signature }) => signature);
        const before = document.transactions;
        return {
          ...document,
          transactions: { ...before, [purpose]: [...before[purpose], ...signatures] },
        };
      },
    },
    BatchesSettled: {
      key: byRun,
      apply(document, { data: { batches } }) {
        if (document === undefined) return undefined;
        const left = new Map(batches.map((batch) => [batch.pot, batch.left]));
        const landed = batches.reduce((sum, { from, to, without }) => sum + to - from - without.length, 0);
        return {
          ...document,
          pots: document.pots.map((pot, number) => ({ ...pot, left: left.get(number) ?? pot.left })),
          payments: document.payments + landed,
        };
      },
    },
    WitnessAwaited: {
      key: byRun,
      apply: (document, { data: { witness }, metadata: { occurredAt } }) =>
        document && { ...document, witness: { word: witness, since: occurredAt } },
    },
    RunClosed: {
      key: byRun,
      apply: (document, { data }) =>
        document && {
          ...document,
          closedAt: data.closedAt,
          closed: {
            amounts: data.amounts,
            paidDebts: data.paidDebts,
            walletsPaid: data.walletsPaid,
            fees: data.fees,
            settlementSha256: data.carried.settlement,
          },
        },
    },
  },
});
