/** A projection that is live and has handled all, but for what a test changes. */
import type { ProjectionStatus } from '../../src/kernel/runtime/projection-target.ts';

export function projectionStatus(change: Partial<ProjectionStatus> = {}): ProjectionStatus {
  return {
    name: 'tokens',
    version: 1,
    isFileBacked: false,
    state: 'live',
    served: 1,
    isCurrent: true,
    position: '7',
    progress: undefined,
    lastEventAt: undefined,
    error: undefined,
    ...change,
  };
}
