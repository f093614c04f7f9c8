/** What operators see of a role in this process: its state, its holder, and what fails. Reports a failure once. */
import type { Logger } from '../ports/logger.ts';
import { messageOf } from '../runtime/message-of.ts';
import type { LeaseState as RecordedLease } from './lease.ts';
import type { LeaseState, LeaseStatus } from './lease-keeper.ts';

export interface LeaseStatusOptions {
  readonly name: string;
  /** ISO 8601. */
  readonly now: () => string;
  readonly logger: Logger;
}

type Part = 'lease' | 'work';

export function createLeaseStatus({ name, now, logger }: LeaseStatusOptions) {
  const troubles: Record<Part, string | undefined> = { lease: undefined, work: undefined };
  let status: LeaseStatus = {
    name,
    state: 'waiting',
    since: now(),
    holder: undefined,
    term: undefined,
    error: undefined,
  };

  function setTrouble(part: Part, message: string | undefined): void {
    troubles[part] = message;
    status = { ...status, error: troubles.work ?? troubles.lease };
  }

  return {
    current: () => status,
    leaseFails: () => troubles.lease !== undefined,
    become(state: LeaseState): void {
      status = { ...status, state, since: now() };
    },
    /** Undefined: the part works again. */
    trouble(part: Part, error: unknown): void {
      const before = troubles[part];
      if (error === undefined) {
        if (before !== undefined) logger.warn({ name }, `${part} recovered`);
        setTrouble(part, undefined);
        return;
      }
      const message = messageOf(error);
      if (before === undefined) logger.warn({ name, error: message }, `${part} failed, retrying`);
      setTrouble(part, message);
    },
    /** Another process does the work now, so this process's error no longer matters. */
    leaveWorkToOthers: () => setTrouble('work', undefined),
    show(lease: RecordedLease): void {
      const held = lease?.isReleased === false ? lease : undefined;
      status = {
        ...status,
        holder: held && { id: held.holder, label: held.label },
        term: held?.term,
      };
    },
  };
}
