/** The groups of an audit's checks, and the name of each in its group. */
export type CheckGroup = 'log' | 'read-models' | 'chain' | 'ledgers' | 'promises';

export interface CheckNames {
  readonly group: CheckGroup;
  /** Unique in its group; stays the same from release to release. */
  readonly check: string;
}
