/** What an audit tells: what each check looked at, what it found, and what it could not look at. */
import { type Finding, type Findings, findingsInto, type Place } from './finding.ts';

export const CHECK_GROUPS = ['log', 'read-models', 'chain', 'ledgers', 'promises'] as const;
export type CheckGroup = (typeof CHECK_GROUPS)[number];

/** Findings that are told one by one; more are only counted, so that a log that is wrong throughout still has a report. */
const MOST_TOLD = 1_000;

export interface CheckNames {
  readonly group: CheckGroup;
  /** Unique in its group; stays the same from release to release. */
  readonly check: string;
}

/** Something that no answer was to be had about. It is neither right nor wrong. */
export interface NotLookedAt extends CheckNames, Place {
  readonly what: string;
  readonly why: string;
}

export interface CheckReport extends CheckNames {
  /** What it proves, in a sentence. */
  readonly proves: string;
  readonly outcome: 'held' | 'found' | 'could-not-look' | 'left-out';
  /** How many things were compared. */
  readonly looked: number;
  readonly found: number;
  readonly couldNotLook: number;
  /** Why it was left out. */
  readonly leftOut?: string;
}

export interface AuditReport {
  readonly format: 'levy-audit-1';
  readonly outcome: 'held' | 'found' | 'could-not-look';
  readonly begunAt: string;
  readonly seconds: number;
  readonly log: {
    /** Exclusive; empty for the beginning. */
    readonly after: string;
    /** The last position that was read. */
    readonly until: string;
    readonly events: number;
  };
  /** Null if no chain was looked at. */
  readonly chain: {
    readonly host: string;
    readonly genesisHash: string;
    /** The first slot of which the node still has transactions. */
    readonly firstSlot: string;
  } | null;
  readonly checks: readonly CheckReport[];
  readonly findings: readonly (Finding & CheckNames)[];
  /** How many more there are than `findings` tells. */
  readonly findingsNotTold: number;
  readonly couldNotLook: readonly NotLookedAt[];
  readonly couldNotLookNotTold: number;
  /** What `--since` and missing parts left out, in sentences. */
  readonly leftOut: readonly string[];
}

/** The notes of one check. */
export interface CheckNotes extends Findings {
  looked(count?: number): void;
  couldNotLook(what: string, why: string, place?: Place): void;
  leftOut(why: string): void;
}

export interface Notebook {
  check(names: CheckNames, proves: string): CheckNotes;
  leftOut(sentence: string): void;
  report(about: Pick<AuditReport, 'begunAt' | 'seconds' | 'log' | 'chain'>): AuditReport;
}

interface Notes extends CheckNames {
  readonly proves: string;
  looked: number;
  found: number;
  couldNotLook: number;
  leftOut: string | undefined;
}

export function createNotebook(): Notebook {
  const checks: Notes[] = [];
  const findings: (Finding & CheckNames)[] = [];
  const notLookedAt: NotLookedAt[] = [];
  const sentences: string[] = [];
  let [findingsNotTold, couldNotLookNotTold] = [0, 0];

  return {
    check({ group, check }, proves) {
      const notes: Notes = { group, check, proves, looked: 0, found: 0, couldNotLook: 0, leftOut: undefined };
      checks.push(notes);
      return {
        ...findingsInto(findings, (finding) => {
          notes.found += 1;
          if (findings.length < MOST_TOLD) findings.push({ group, check, ...finding });
          else findingsNotTold += 1;
        }),
        looked(count = 1) {
          notes.looked += count;
        },
        couldNotLook(what, why, place = {}) {
          notes.couldNotLook += 1;
          if (notLookedAt.length < MOST_TOLD) notLookedAt.push({ group, check, what, why, ...place });
          else couldNotLookNotTold += 1;
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
      return {
        format: 'levy-audit-1',
        outcome: outcomes.has('found') ? 'found' : outcomes.has('could-not-look') ? 'could-not-look' : 'held',
        ...about,
        checks: told,
        findings,
        findingsNotTold,
        couldNotLook: notLookedAt,
        couldNotLookNotTold,
        leftOut: sentences,
      };
    },
  };
}

function reportOf({ leftOut, ...notes }: Notes): CheckReport {
  const { found, couldNotLook } = notes;
  const outcome =
    found > 0 ? 'found' : couldNotLook > 0 ? 'could-not-look' : leftOut === undefined ? 'held' : 'left-out';
  return { ...notes, outcome, ...(leftOut === undefined ? {} : { leftOut }) };
}

/** 0: everything held. 1: something was found. 2: something could not be looked at. */
export function exitCodeOf({ outcome }: Pick<AuditReport, 'outcome'>): 0 | 1 | 2 {
  return outcome === 'held' ? 0 : outcome === 'found' ? 1 : 2;
}
