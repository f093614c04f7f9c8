/** An audit's report: the coverage, the findings, and the parts that could not be checked. */
import type { CheckGroup, CheckNames } from './checks.ts';
import { type Finding, type Findings, findingsInto, type Place } from './finding.ts';

/** Comparison that could not be made, so its result is unknown. */
export interface Unchecked extends CheckNames, Place {
  readonly what: string;
  readonly why: string;
}

export interface CheckReport extends CheckNames {
  /** The property that the check proves, in a sentence. */
  readonly proves: string;
  readonly outcome: 'held' | 'found' | 'unchecked' | 'skipped';
  /** Number of comparisons. */
  readonly checked: number;
  readonly found: number;
  readonly unchecked: number;
  /** Reason why the check was skipped. */
  readonly skipped?: string;
}

export interface AuditReport {
  readonly format: 'levy-audit-1';
  readonly outcome: 'held' | 'found' | 'unchecked';
  readonly begunAt: string;
  readonly seconds: number;
  readonly log: {
    /** Exclusive position; empty for the beginning. */
    readonly after: string;
    /** Position of the last event that was read. */
    readonly until: string;
    readonly events: number;
  };
  /** Null if no chain was read. */
  readonly chain: {
    readonly host: string;
    readonly genesisHash: string;
    /** First slot whose transactions the node still stores. */
    readonly firstSlot: string;
  } | null;
  readonly checks: readonly CheckReport[];
  /** The first `MAX_LISTED` findings of each check, with those about money first. */
  readonly findings: readonly (Finding & CheckNames)[];
  /** The first `MAX_LISTED` parts of each check that could not be checked. */
  readonly unchecked: readonly Unchecked[];
  /** Parts skipped because of `--since` or missing inputs, in sentences. */
  readonly skipped: readonly string[];
}

/** Records the results of one check. */
export interface CheckNotes extends Findings {
  checked(count?: number): void;
  /** Counts findings without listing them. */
  more(count: number): void;
  unchecked(what: string, why: string, place?: Place): void;
  skipped(why: string): void;
}

export interface Notebook {
  check(declared: CheckNames & { readonly proves: string }): CheckNotes;
  skipped(sentence: string): void;
  report(about: Pick<AuditReport, 'begunAt' | 'seconds' | 'log' | 'chain'>): AuditReport;
}

interface Notes extends CheckNames {
  readonly proves: string;
  checked: number;
  found: number;
  unchecked: number;
  skipped: string | undefined;
  readonly findings: (Finding & CheckNames)[];
  readonly uncheckedEntries: Unchecked[];
}

/** Maximum entries of a check in the report, so that its size is bounded; further entries are only counted. */
export const MAX_LISTED = 1_000;

export function createNotebook(): Notebook {
  const checks: Notes[] = [];
  const sentences: string[] = [];

  return {
    check({ group, check, proves }) {
      const names: CheckNames = { group, check };
      const notes: Notes = {
        ...names,
        proves,
        checked: 0,
        found: 0,
        unchecked: 0,
        skipped: undefined,
        findings: [],
        uncheckedEntries: [],
      };
      checks.push(notes);
      return {
        ...findingsInto((finding) => {
          notes.found += 1;
          if (notes.findings.length < MAX_LISTED) notes.findings.push({ ...names, ...finding });
        }),
        more(count) {
          notes.found += count;
        },
        checked(count = 1) {
          notes.checked += count;
        },
        unchecked(what, why, place = {}) {
          notes.unchecked += 1;
          if (notes.uncheckedEntries.length < MAX_LISTED)
            notes.uncheckedEntries.push({ ...names, what, why, ...place });
        },
        skipped(why) {
          notes.skipped = why;
        },
      };
    },
    skipped: (sentence) => void sentences.push(sentence),
    report(about) {
      const told = checks.map(reportOf);
      const outcomes = new Set(told.map(({ outcome }) => outcome));
      const byMoney = checks.toSorted((one, other) => MONEY_FIRST[one.group] - MONEY_FIRST[other.group]);
      return {
        format: 'levy-audit-1',
        outcome: outcomes.has('found') ? 'found' : outcomes.has('unchecked') ? 'unchecked' : 'held',
        ...about,
        checks: told,
        findings: byMoney.flatMap(({ findings }) => findings),
        unchecked: byMoney.flatMap(({ uncheckedEntries }) => uncheckedEntries),
        skipped: sentences,
      };
    },
  };
}

const MONEY_FIRST: { readonly [group in CheckGroup]: number } = {
  ledgers: 0,
  chain: 1,
  promises: 2,
  'read-models': 3,
  log: 4,
};

function reportOf({ skipped, findings: _told, uncheckedEntries: _places, ...notes }: Notes): CheckReport {
  const { found, unchecked } = notes;
  const outcome =
    found > 0 ? 'found' : unchecked > 0 ? 'unchecked' : skipped === undefined ? 'held' : 'skipped';
  return { ...notes, outcome, ...(skipped !== undefined && { skipped }) };
}

/** 0: all checks passed. 1: there are findings. 2: some comparisons could not be made. */
export function exitCodeOf({ outcome }: Pick<AuditReport, 'outcome'>): 0 | 1 | 2 {
  return outcome === 'held' ? 0 : outcome === 'found' ? 1 : 2;
}
