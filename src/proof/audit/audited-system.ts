/** Inputs of an audit, and their bounds. */
import type { LogReader } from '../../kernel/ports/log-reader.ts';
import type { AuditNode } from './chain/audit-node.ts';
import type { CheckGroup } from './checks.ts';
import type { CheckNotes } from './report.ts';

/** Called now and then; nobody relies on how often. */
export type Progress = (what: CheckGroup, done: number, whole: number) => void;

export interface AuditedSystem {
  readonly log: LogReader;
  /** Absent: nothing is compared with the chain. */
  readonly node?: AuditNode;
  /** All bytes of a ledger file; undefined if it is not there. Absent: no ledger is read. */
  readonly file?: (sha256: string) => Promise<Uint8Array | undefined>;
  /** Checks that other parts of the service bring along. */
  readonly further?: readonly FurtherCheck[];
}

/** A check that another room makes: of the transparency log, of the read models. */
export interface FurtherCheck {
  readonly group: CheckGroup;
  readonly check: string;
  readonly proves: string;
  /** Why it cannot be made of a part of the log; absent where it can. */
  readonly needsWholeLog?: string;
  /** Why it cannot be made at all; absent where it can. */
  readonly leftOut?: string;
  /** An error that it throws is reported as "could not look". `leftOut` takes a sentence about anything that was skipped. */
  run(notes: CheckNotes, leftOut: (sentence: string) => void): Promise<void>;
}
