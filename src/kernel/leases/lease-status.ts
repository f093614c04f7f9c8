/** What operators see of a role in this process: its state, its holder, and what fails. Reports a failure once. */
import { messageOf } from '../runtime/message-of.ts';
import type { LeaseState as RecordedLease } from './lease.ts';
import type { LeaseState, LeaseStatus } from './lease-keeper.ts';

export interface LeaseStatusOptions {
  readonly name: string;
  /** ISO 8601. */
  readonly now: () => string;
  readonly report: (message: string, details: object) => void;
}

type Part = 'lease' | 'work';

export function createLeaseStatus({ name, now, report }: LeaseStatusOptions) {
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
        if (before !== undefined) report(`${part} recovered`, { name });
        setTrouble(part, undefined);
        return;
      }
      const message = messageOf(error);
      if (before === undefined) report(`${part} failed, retrying`, { name, error: message });
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
