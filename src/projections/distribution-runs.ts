/**
 * Projection with one document per run of a token's distribution: its inputs, its progress, and its files. Payments are in
 * those files, so the document grows with the number of pots, not of holders.
 */
import type { Recorded } from '../kernel/runtime/event-codec.ts';
import {
  type CarriedOver,
  type LinkPurpose,
  linksFrom,
  type OpenedRun,
  type RecordedLink,
} from '../streams/distribution.ts';
import {
  type DistributionRunEvent,
  type DistributionRunState,
  distributionRun,
} from '../streams/distribution-run.ts';
import { type PublicSettings, settingsView } from '../streams/distribution-settings.ts';
import { recordedStep } from '../streams/distribution-step.ts';
import type { PaidTo, RunAmounts } from '../streams/run-amounts.ts';
import { defineProjection } from './levy-projection.ts';

type RecordedStep = ReturnType<typeof recordedStep>;

/** Step of a run; ends when the next one begins. */
export type StepTaken = {
  readonly step: RecordedStep;
  readonly begunAt: string;
  /** Payment transactions that are final. */
  readonly batches: number;
};

type RecordedWait = {
  readonly code: string;
  readonly since: string;
  /** Time of the next recorded event of the run. */
  readonly until: string | null;
};

type LandedTransaction = {
  readonly signature: string;
  readonly purpose: LinkPurpose | 'withdraw';
  /** Time of recording. */
  readonly at: string;
};

type RunProgress = {
  /** Time of the last recorded event. */
  readonly movedAt: string;
  /** Links that may be signed and have not landed. */
  readonly pending: {
    readonly purpose: LinkPurpose;
    readonly links: readonly Pick<RecordedLink, 'till' | 'previous'>[];
  } | null;
};

/** State without the fields that grow with the number of payments. */
type RunRecords = Omit<DistributionRunState, 'settled' | 'refused'>;

type Opened = 'runId' | 'tokenId' | 'number' | 'mint' | 'asset' | 'requested' | 'dueAt';

export type DistributionRunDocument = Readonly<Pick<OpenedRun, Opened>> & {
  readonly openedAt: string;
  /** Null while the run is open. */
  readonly closedAt: string | null;
  readonly settings: PublicSettings;
  readonly carried: Pick<CarriedOver, 'kept' | 'owed' | 'dust'>;
  /** State of the run's stream. */
  readonly records: RunRecords;
  /** Final payments, to any recipient. */
  readonly payments: number;
  /** Landed transactions except payments, in the order of recording. */
  readonly transactions: readonly LandedTransaction[];
  /** Steps in their order; the last is the current one until the run is closed. */
  readonly steps: readonly StepTaken[];
  /** Recorded waits: each reason once per run, except halts. */
  readonly waits: readonly RecordedWait[];
  /** Null after the run is closed. */
  readonly progress: RunProgress | null;
  readonly closed: {
    readonly amounts: RunAmounts;
    /** Amount paid in the asset other than `asset`. */
    readonly paidDebts: string;
    readonly paidTo: PaidTo;
    /** Lamports. */
    readonly fees: string;
    readonly settlementSha256: string | null;
  } | null;
};

const byRun = (event: { readonly data: { readonly runId: string } }): string => event.data.runId;

/** Folds an event of the run's stream. */
const ofRun = {
  key: byRun,
  apply: (document: DistributionRunDocument | undefined, event: Recorded<DistributionRunEvent>) =>
    document && withRecord(document, event),
};

export const distributionRuns = defineProjection<DistributionRunDocument>({
  name: 'distribution_runs',
  version: 1,
  indexes: {
    token: ({ tokenId }) => [tokenId],
    /** Index of open runs. */
    step: ({ progress, steps }) => (progress === null ? [] : steps.slice(-1).map(({ step }) => step)),
  },
  on: {
    RunOpened: {
      key: byRun,
      apply(_none, { data, metadata: { occurredAt } }) {
        const step = data.number === 1 ? 'begin' : 'scan';
        const { runId, tokenId, number, mint, asset, requested, dueAt, carried } = data;
        const opened = { runId, tokenId, number, mint, asset, requested, dueAt };
        return {
          ...opened,
          openedAt: occurredAt,
          closedAt: null,
          settings: settingsView(data.settings),
          carried: { kept: carried.kept, owed: carried.owed, dust: carried.dust },
          records: recordsOf(distributionRun.initial),
          payments: 0,
          transactions: [],
          steps: enterStep([], step, occurredAt),
          waits: [],
          progress: { movedAt: occurredAt, pending: null },
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
    HoldersScanned: ofRun,
    ScanDisagreed: {
      key: byRun,
      apply: (document, { metadata: { occurredAt } }) =>
        document && withWait(document, 'unconfirmed', occurredAt),
    },
    TaxCollected: {
      key: byRun,
      apply(document, event) {
        if (document === undefined) return undefined;
        const withdrawals = landed('withdraw', event.data.withdraw, event.metadata.occurredAt);
        return withRecord({ ...document, transactions: [...document.transactions, ...withdrawals] }, event);
      },
    },
    CollectionCorrected: ofRun,
    SaleAwaited: {
      key: byRun,
      apply: (document, event) =>
        document && withWait(withRecord(document, event), event.data.reason, event.metadata.occurredAt),
    },
    TaxSplit: ofRun,
    RunAllotted: ofRun,
    RoundRecorded: ofRun,
    BatchReplanned: ofRun,
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
      apply(document, event) {
        if (document === undefined) return undefined;
        const { batches } = event.data;
        const paid = batches.reduce((sum, { from, to, without }) => sum + to - from - without.length, 0);
        const { payments, steps } = document;
        const counted = { payments: payments + paid, steps: withBatches(steps, batches.length) };
        return withRecord({ ...document, ...counted }, event);
      },
    },
    WitnessAwaited: {
      key: byRun,
      apply: (document, event) =>
        document && withWait(withRecord(document, event), 'unconfirmed', event.metadata.occurredAt),
    },
    DistributionHalted: {
      key: ({ data: { runId } }) => runId ?? undefined,
      apply: (document, { metadata: { occurredAt } }) => document && withWait(document, 'halted', occurredAt),
    },
    RunClosed: {
      key: byRun,
      apply: (document, { data }) =>
        document && {
          ...document,
          closedAt: data.closedAt,
          waits: endWaits(document.waits, data.closedAt),
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

function withRecord(
  document: DistributionRunDocument,
  event: Recorded<DistributionRunEvent>,
): DistributionRunDocument {
  const state = distributionRun.evolve({ ...document.records, settled: [], refused: {} }, event);
  return moved({ ...document, records: recordsOf(state) }, event.metadata.occurredAt);
}

function recordsOf({ settled: _settled, refused: _refused, ...records }: DistributionRunState): RunRecords {
  return records;
}

/** Enters the step that the document implies. */
function moved(
  document: DistributionRunDocument,
  at: string,
  changed: Partial<Pick<RunProgress, 'pending'>> = {},
): DistributionRunDocument {
  if (document.progress === null) return document;
  const { pending } = { ...document.progress, ...changed };
  const { number, transactions, records } = document;
  const purposes = transactions.map(({ purpose }) => purpose);
  const isBegun = number > 1 || purposes.includes('begin');
  const step = recordedStep({ pendingPurpose: pending?.purpose, isBegun, landed: purposes }, records);
  return {
    ...document,
    steps: enterStep(document.steps, step, at),
    waits: endWaits(document.waits, at),
    progress: { movedAt: at, pending },
  };
}

/** A wait does not count as progress. */
function withWait(document: DistributionRunDocument, code: string, at: string): DistributionRunDocument {
  if (document.progress === null) return document;
  return { ...document, waits: startWait(document.waits, code, at) };
}

type Steps = readonly StepTaken[];
type Waits = readonly RecordedWait[];

function enterStep(steps: Steps, step: RecordedStep, at: string): Steps {
  return steps.at(-1)?.step === step ? steps : [...steps, { step, begunAt: at, batches: 0 }];
}

function withBatches(steps: Steps, count: number): Steps {
  const last = steps.at(-1);
  return last === undefined ? steps : [...steps.slice(0, -1), { ...last, batches: last.batches + count }];
}

function endWaits(waits: Waits, at: string): Waits {
  return waits.map((wait) => (wait.until === null ? { ...wait, until: at } : wait));
}

function startWait(waits: Waits, code: string, at: string): Waits {
  return [...endWaits(waits, at), { code, since: at, until: null }];
}

function landed(
  purpose: LandedTransaction['purpose'],
  signatures: readonly string[],
  at: string,
): readonly LandedTransaction[] {
  return signatures.map((signature) => ({ signature, purpose, at }));
}
