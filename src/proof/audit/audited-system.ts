/** Inputs of an audit, and their bounds. */
import type { LogReader } from '../../kernel/ports/log-reader.ts';
import type { AuditNode } from './chain/audit-node.ts';
import type { CheckGroup } from './checks.ts';
import type { CheckNotes } from './report.ts';

/** Called at irregular intervals. */
export type Progress = (what: CheckGroup, done: number, whole: number) => void;

export interface AuditedSystem {
  readonly log: LogReader;
  /** Absent: the checks against the chain are skipped. */
  readonly node?: AuditNode;
  /** Returns the bytes of a ledger file; undefined if the file does not exist. Absent: the checks of ledgers are skipped. */
  readonly file?: (sha256: string) => Promise<Uint8Array | undefined>;
  /** Checks of other modules. */
  readonly further?: readonly FurtherCheck[];
}

/** Check implemented by another module: of the transparency log or the read models. */
export interface FurtherCheck {
  readonly group: CheckGroup;
  readonly check: string;
  readonly proves: string;
  /** Reason why the check cannot run on a part of the log; absent if it can. */
  readonly needsWholeLog?: string;
  /** Reason why the check cannot run at all; absent if it can. */
  readonly skipped?: string;
  /** Thrown errors are reported as "not checked". Call `skipped` with one sentence per skipped part. */
  run(notes: CheckNotes, skipped: (sentence: string) => void): Promise<void>;
}
