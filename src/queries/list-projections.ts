/** The progress of every read model, for operators: behind or not, stopped or not, and why. */

import { Type } from '@sinclair/typebox';
import type { Position } from '../ports/event-store.ts';
import { queriesFor } from '../runtime/define-query.ts';
import type { ProjectionStatus } from '../runtime/projector.ts';
import { rejection } from '../streams/rejections.ts';
import { Timestamp } from '../streams/values.ts';
import { undecodableFields } from '../views/quarantined-event.ts';

interface ProjectionServices {
  /** The projections' positions, and the end of the log. Rejects while the store does not answer. */
  readonly projections: () => Promise<{
    readonly head: Position;
    readonly projections: readonly ProjectionStatus[];
  }>;
}

export const listProjections = queriesFor<ProjectionServices>()({
  name: 'ListProjections',
  summary: 'List projections',
  route: { method: 'GET', url: '/operator/projections', auth: 'operator', limit: 'operator' },
  input: {},
  output: Type.Object({
    head: Type.String({
      description: "The position of the log's last event.",
      examples: ['0000000000004711'],
    }),
    projections: Type.Array(
      Type.Object({
        name: Type.String({ examples: ['tokens'] }),
        version: Type.Integer({ examples: [2] }),
        state: Type.Union([Type.Literal('building'), Type.Literal('live'), Type.Literal('failed')]),
        /** Everything up to here has been handled. */
        position: Type.String({ examples: ['0000000000004711'] }),
        behind: Type.Boolean(),
        /** When the last handled event was recorded; null until one has been handled since the start. */
        lastEventAt: Type.Union([Timestamp, Type.Null()]),
        /** Why it has stopped, or the error after which it retries. */
        error: Type.Union([Type.String(), Type.Null()], { examples: [null] }),
        blockedBy: Type.Union([Type.Object(undecodableFields), Type.Null()], {
          description: 'The event that it cannot decode and waits at, until that is quarantined.',
          examples: [null],
        }),
      }),
    ),
  }),
  rejections: ['STORE_UNAVAILABLE'],
  async answer(_input, { services }) {
    const { head, projections } = await services.projections().catch((cause: unknown) => {
      throw rejection('STORE_UNAVAILABLE', 'The event store does not answer; try again.', {
        retryAfterSeconds: 2,
        cause,
      });
    });
    return {
      head,
      projections: projections.map(({ name, version, state, position, lastEventAt, error, blockedBy }) => ({
        name,
        version,
        state,
        position,
        behind: position < head,
        lastEventAt: lastEventAt ?? null,
        error: error ?? null,
        blockedBy: blockedBy ?? null,
      })),
    };
  },
});
