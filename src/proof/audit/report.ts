/** An audit's report: the coverage, the findings, and the parts that could not be checked. */
import { categoryOf } from '../../kernel/ports/append-rules.ts';
import { streams } from '../../streams/index.ts';
import { type BoundedFindings, createBoundedFindings, kindOf } from './bounded-findings.ts';
import type { CheckGroup, CheckNames } from './checks.ts';
import { type Finding, type Findings, findingsInto, type Place } from './finding.ts';

/** Comparison that could not be made, so its result is unknown. */
export interface Unchecked extends CheckNames, Place {
  readonly what: string;
  readonly why: string;
}

/** Number of omitted findings of one kind. */
export interface Omitted extends CheckNames {
  /** Shared sentence of the findings, with `…` for variable parts; the check's name if the sentence is not declared. */
  readonly what: string;
  readonly count: number;
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
  /** Findings, with those about money first. */
  readonly findings: readonly (Finding & CheckNames)[];
  /** Number of findings that `findings` omits. */
  readonly findingsOmitted: number;
  readonly findingsOmittedByKind: readonly Omitted[];
  readonly unchecked: readonly Unchecked[];
  readonly uncheckedOmitted: number;
  readonly uncheckedOmittedByKind: readonly Omitted[];
  /** Parts skipped because of `--since` or missing inputs, in sentences. */
  readonly skipped: readonly string[];
}

/** Records the results of one check. */
export interface CheckNotes extends Findings {
  checked(count?: number): void;
  /** Counts findings of a kind without listing them. */
  more(kind: string, count: number): void;
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
  readonly findings: BoundedFindings<Finding & CheckNames>;
  readonly uncheckedEntries: BoundedFindings<Unchecked>;
}

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
        findings: createBoundedFindings(),
        uncheckedEntries: createBoundedFindings(),
      };
      checks.push(notes);
      return {
        ...findingsInto((finding) => {
          notes.found += 1;
          notes.findings.add({ ...names, ...finding }, kindOf(names, finding.what), aboutOf(finding));
        }),
        more(kind, count) {
          notes.found += count;
          notes.findings.count(kind, count);
        },
        checked(count = 1) {
          notes.checked += count;
        },
        unchecked(what, why, place = {}) {
          notes.unchecked += 1;
          notes.uncheckedEntries.add({ ...names, what, why, ...place }, kindOf(names, what), aboutOf(place));
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
      const findingsOmitted = byMoney.flatMap((notes) => omittedOf(notes, notes.findings));
      const uncheckedOmitted = byMoney.flatMap((notes) => omittedOf(notes, notes.uncheckedEntries));
      return {
        format: 'levy-audit-1',
        outcome: outcomes.has('found') ? 'found' : outcomes.has('unchecked') ? 'unchecked' : 'held',
        ...about,
        checks: told,
        findings: byMoney.flatMap(({ findings }) => findings.kept()),
        findingsOmitted: sumOf(findingsOmitted),
        findingsOmittedByKind: findingsOmitted,
        unchecked: byMoney.flatMap(({ uncheckedEntries }) => uncheckedEntries.kept()),
        uncheckedOmitted: sumOf(uncheckedOmitted),
        uncheckedOmittedByKind: uncheckedOmitted,
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

const OWN_CATEGORIES: ReadonlySet<string> = new Set(streams.map(({ category }) => category));

/**
 * Subject of a finding, among which the limit of a kind is divided. Events of other programs share one subject, so that they
 * cannot displace the service's own.
 */
function aboutOf({ tokenId, document, event }: Place): string {
  if (tokenId !== undefined) return tokenId;
  if (document !== undefined) return document.collection;
  const category = event && categoryOf(event.stream);
  return category !== undefined && OWN_CATEGORIES.has(category) ? category : '';
}

function omittedOf(
  { group, check }: Notes,
  kept: Pick<BoundedFindings<unknown>, 'notKept'>,
): readonly Omitted[] {
  return [...kept.notKept()].map(([kind, count]) => ({
    group,
    check,
    what: kind === '' ? check : kind,
    count,
  }));
}

function sumOf(notTold: readonly Omitted[]): number {
  return notTold.reduce((sum, { count }) => sum + count, 0);
}

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
