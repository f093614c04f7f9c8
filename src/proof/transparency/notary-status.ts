/** Status of the notary, and the reason of a permanent stop. */

import { NoteInvalid } from 'levy-transparency-log';
import type { WitnessStatus } from './cosigners.ts';
import { LogFilesDamaged } from './log-files.ts';
import type { LogChange } from './recorded-order.ts';

export const NOTARY_TROUBLES = ['log', 'record', 'restored', 'notary', 'witness'] as const;

export interface NotaryTrouble {
  /**
   * - `log`: the log does not match the signed tree.
   * - `record`: the notary's own files are damaged or inconsistent.
   * - `restored`: log and files come from a backup, and more may have been signed since.
   * - `notary`: another notary writes the same log.
   * - `witness`: at least half of the witnesses have signed another tree.
   */
  readonly kind: (typeof NOTARY_TROUBLES)[number];
  readonly message: string;
  readonly since: string;
  readonly event?: Pick<LogChange, 'eventId' | 'stream' | 'revision'>;
}

export interface NotaryStatus {
  /** `comparing` the log with the signed tree after startup, then `signing`; `stopped` permanently. */
  readonly state: 'comparing' | 'signing' | 'stopped';
  readonly origin: string;
  /** `size`: entries of the tree. `compared`: number of recorded entries found in the log since startup. */
  readonly size: number;
  readonly compared: number;
  readonly published:
    | {
        readonly size: number /** ISO 8601; undefined if that was before startup. */;
        readonly at: string | undefined;
      }
    | undefined;
  /** Time since which entries are missing from the published checkpoint (ISO 8601). */
  readonly unpublishedSince: string | undefined;
  /** Current failure, which is retried. */
  readonly error: string | undefined;
  readonly trouble: NotaryTrouble | undefined;
  readonly witnesses: readonly WitnessStatus[];
}

/** The notary signs nothing more until an operator intervenes. */
export class NotaryStopped extends Error {
  override readonly name = 'NotaryStopped';
  readonly kind: NotaryTrouble['kind'];
  readonly change: LogChange | undefined;
  constructor(kind: NotaryTrouble['kind'], message: string, change?: LogChange) {
    super(message);
    this.kind = kind;
    this.change = change;
  }
}

/** Undefined for a problem that a retry may solve. */
export function finalProblem(problem: unknown): NotaryStopped | undefined {
  if (problem instanceof NotaryStopped) return problem;
  if (problem instanceof LogFilesDamaged || problem instanceof NoteInvalid)
    return new NotaryStopped('record', problem.message);
  return undefined;
}

export function troubleOf({ kind, message, change }: NotaryStopped, since: string): NotaryTrouble {
  return {
    kind,
    message,
    since,
    ...(change && { event: { eventId: change.eventId, stream: change.stream, revision: change.revision } }),
  };
}
