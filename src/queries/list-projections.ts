/** Returns the progress of every read model for operators: lag, rebuild progress, and the reason of a stop. */

import { type Static, Type } from '@sinclair/typebox';
import type { EventStore, Position } from '../kernel/ports/event-store.ts';
import { queriesFor } from '../kernel/runtime/define-query.ts';
import { storeUnavailableRejection } from '../kernel/runtime/execute.ts';
import type { ProjectionStatus } from '../kernel/runtime/projection-target.ts';
import { enumOf, orNull, Timestamp } from '../streams/value-types.ts';
import { undecodableFields } from '../views/quarantined-event.ts';

const Unit = enumOf('ProgressUnit', ['events', 'bytes']);

const Progress = Type.Object({
  /** Unit of `done`, `of` and `perSecond`: bytes if the store does not count events. */
  unit: Unit,
  done: Type.Integer({ examples: [412_000] }),
  of: Type.Integer({ examples: [1_500_000] }),
  percent: Type.Number({ minimum: 0, maximum: 100, examples: [27.4] }),
  perSecond: orNull(Type.Integer(), { examples: [30_000] }),
  /** Remaining seconds at the rate of the last seconds; null until measured. */
  secondsLeft: orNull(Type.Integer(), { examples: [37] }),
});

const ProjectionView = Type.Object({
  name: Type.String({ examples: ['tokens'] }),
  projectionVersion: Type.Integer({ examples: [2] }),
  state: enumOf('ProjectionState', ['building', 'live', 'failed']),
  /** Version that queries read; null while they return 503. */
  served: orNull(Type.Integer(), { examples: [1] }),
  /** True if queries reflect every write. */
  current: Type.Boolean(),
  /** Position up to which all events are handled. */
  position: Type.String({ examples: ['0000000000004711'] }),
  behind: Type.Boolean(),
  lag: Type.Object(
    { unit: Unit, count: Type.Integer({ minimum: 0, examples: [0] }) },
    {
      description: 'Number of unhandled events; bytes of the log if the store does not count events.',
    },
  ),
  /** Progress of a running build. */
  build: orNull(Progress),
  /** Time of the last handled event; null until this process has handled one. */
  lastEventAt: orNull(Timestamp),
  /** Reason of the stop, or the last error if the projection retries. */
  errorMessage: orNull(Type.String(), { examples: [null] }),
  blockedBy: orNull(Type.Object(undecodableFields), {
    description: 'Undecodable event that blocks the projection until the event is quarantined.',
    examples: [null],
  }),
});

export interface ProjectionServices {
  /** Reads the projections' positions and the end of the log. Rejects if the store does not respond. */
  readonly projections: () => Promise<{
    readonly head: Position;
    /** Position of the last event that any read model handles. */
    readonly lastConcerning: Position;
    readonly projections: readonly ProjectionStatus[];
    readonly extentOf: EventStore['extentOf'];
  }>;
  /** Starts a rebuild of a read model. False if one is already running. */
  readonly rebuildProjection: (name: string, actor: string) => Promise<boolean>;
}

export const listProjections = queriesFor<ProjectionServices>()({
  name: 'ListProjections',
  summary: 'List projections',
  description: 'Position, rebuild state and error of each read model, in one page.',
  route: { method: 'GET', url: '/operator/projections', auth: 'operator', limit: 'operator' },
  input: {},
  output: Type.Object({
    head: Type.String({
      description: "Position of the log's last event.",
      examples: ['0000000000004711'],
    }),
    projections: Type.Array(ProjectionView),
  }),
  rejections: ['STORE_UNAVAILABLE'],
  async answer(_input, { services }) {
    const { head, lastConcerning, projections, extentOf } = await services
      .projections()
      .catch((cause: unknown) => {
        throw storeUnavailableRejection(cause);
      });
    return {
      head,
      projections: projections.map((status) => projectionView(status, lastConcerning, extentOf)),
    };
  },
});

function projectionView(
  status: ProjectionStatus,
  lastConcerning: Position,
  extentOf: EventStore['extentOf'],
): Static<typeof ProjectionView> {
  const { name, version, state, served, isCurrent, position, progress, lastEventAt, error, blockedBy } =
    status;
  const { unit, amount } = extentOf(lastConcerning);
  return {
    name,
    projectionVersion: version,
    state,
    served: served ?? null,
    current: isCurrent,
    position,
    behind: position < lastConcerning,
    // A write may happen between the two reads.
    lag: { unit, count: Math.max(0, amount - extentOf(position).amount) },
    build: progress
      ? {
          ...progress,
          perSecond: progress.perSecond ?? null,
          secondsLeft: progress.secondsLeft ?? null,
        }
      : null,
    lastEventAt: lastEventAt ?? null,
    errorMessage: error ?? null,
    blockedBy: blockedBy ?? null,
  };
}
