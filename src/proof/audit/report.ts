/** An audit's report: the coverage, the findings, and the parts that could not be checked. */
import { categoryOf } from '../../kernel/ports/append-rules.ts';
import { streams } from '../../streams/index.ts';
import type { CheckGroup, CheckNames } from './checks.ts';
import { type Finding, type Findings, findingsInto, type Place } from './finding.ts';
import { createKeptByKind, type KeptByKind, kindOf } from './kept-by-kind.ts';

/** Comparison that could not be made, so its result is unknown. */
export interface NotLookedAt extends CheckNames, Place {
  readonly what: string;
  readonly why: string;
}

/** Number of omitted findings of one kind. */
export interface NotTold extends CheckNames {
  /** Shared sentence of the findings, with `…` for variable parts; the check's name if the sentence is not declared. */
  readonly what: string;
  readonly count: number;
}

export interface CheckReport extends CheckNames {
  /** The property that the check proves, in a sentence. */
  readonly proves: string;
  readonly outcome: 'held' | 'found' | 'could-not-look' | 'left-out';
  /** Number of comparisons. */
  readonly looked: number;
  readonly found: number;
  readonly couldNotLook: number;
  /** Reason why the check was skipped. */
  readonly leftOut?: string;
}

export interface AuditReport {
  readonly format: 'levy-audit-1';
  readonly outcome: 'held' | 'found' | 'could-not-look';
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
  readonly findingsNotTold: number;
  readonly findingsNotToldByKind: readonly NotTold[];
  readonly couldNotLook: readonly NotLookedAt[];
  readonly couldNotLookNotTold: number;
  readonly couldNotLookNotToldByKind: readonly NotTold[];
  /** Parts skipped because of `--since` or missing inputs, in sentences. */
  readonly leftOut: readonly string[];
}

/** Records the results of one check. */
export interface CheckNotes extends Findings {
  looked(count?: number): void;
  /** Counts findings of a kind without listing them. */
  more(kind: string, count: number): void;
  couldNotLook(what: string, why: string, place?: Place): void;
  leftOut(why: string): void;
}

export interface Notebook {
  check(declared: CheckNames & { readonly proves: string }): CheckNotes;
  leftOut(sentence: string): void;
  report(about: Pick<AuditReport, 'begunAt' | 'seconds' | 'log' | 'chain'>): AuditReport;
}

interface Notes extends CheckNames {
  readonly proves: string;
  looked: number;
  found: number;
  couldNotLook: number;
  leftOut: string | undefined;
  readonly findings: KeptByKind<Finding & CheckNames>;
  readonly notLookedAt: KeptByKind<NotLookedAt>;
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
        looked: 0,
        found: 0,
        couldNotLook: 0,
        leftOut: undefined,
        findings: createKeptByKind(),
        notLookedAt: createKeptByKind(),
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
        looked(count = 1) {
          notes.looked += count;
        },
        couldNotLook(what, why, place = {}) {
          notes.couldNotLook += 1;
          notes.notLookedAt.add({ ...names, what, why, ...place }, kindOf(names, what), aboutOf(place));
        },
        leftOut(why) {
          notes.leftOut = why;
        },
      };
    },
    leftOut: (sentence) => void sentences.push(sentence),
    report(about) {
      const told = checks.map(reportOf);
      const outcomes = new Set(told.map(({ outcome }) => outcome));
      const byMoney = checks.toSorted((one, other) => MONEY_FIRST[one.group] - MONEY_FIRST[other.group]);
      const findingsNotTold = byMoney.flatMap((notes) => notToldOf(notes, notes.findings));
      const couldNotLookNotTold = byMoney.flatMap((notes) => notToldOf(notes, notes.notLookedAt));
      return {
        format: 'levy-audit-1',
        outcome: outcomes.has('found') ? 'found' : outcomes.has('could-not-look') ? 'could-not-look' : 'held',
        ...about,
        checks: told,
        findings: byMoney.flatMap(({ findings }) => findings.kept()),
        findingsNotTold: sumOf(findingsNotTold),
        findingsNotToldByKind: findingsNotTold,
        couldNotLook: byMoney.flatMap(({ notLookedAt }) => notLookedAt.kept()),
        couldNotLookNotTold: sumOf(couldNotLookNotTold),
        couldNotLookNotToldByKind: couldNotLookNotTold,
        leftOut: sentences,
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

function notToldOf({ group, check }: Notes, kept: Pick<KeptByKind<unknown>, 'notKept'>): readonly NotTold[] {
  return [...kept.notKept()].map(([kind, count]) => ({
    group,
    check,
    what: kind === '' ? check : kind,
    count,
  }));
}

function sumOf(notTold: readonly NotTold[]): number {
  return notTold.reduce((sum, { count }) => sum + count, 0);
}

function reportOf({ leftOut, findings: _told, notLookedAt: _places, ...notes }: Notes): CheckReport {
  const { found, couldNotLook } = notes;
  const outcome =
    found > 0 ? 'found' : couldNotLook > 0 ? 'could-not-look' : leftOut === undefined ? 'held' : 'left-out';
  return { ...notes, outcome, ...(leftOut !== undefined && { leftOut }) };
}

/** 0: all checks passed. 1: there are findings. 2: some comparisons could not be made. */
export function exitCodeOf({ outcome }: Pick<AuditReport, 'outcome'>): 0 | 1 | 2 {
  return outcome === 'held' ? 0 : outcome === 'found' ? 1 : 2;
}
