/** The progress of every read model, for operators: behind or not, how far a rebuild is, stopped or not, and why. */

import { Type } from '@sinclair/typebox';
import { queriesFor } from '../kernel/runtime/define-query.ts';
import { rejection } from '../streams/rejections.ts';
import { type ProjectionServices, ProjectionView, projectionView } from './projection-status.ts';

export const listProjections = queriesFor<ProjectionServices>()({
  name: 'ListProjections',
  summary: 'List projections',
  description:
    'How far each read model has followed the log, whether it is being rebuilt, and why one stands still; all at once.',
  route: { method: 'GET', url: '/operator/projections', auth: 'operator', limit: 'operator' },
  input: {},
  output: Type.Object({
    head: Type.String({
      description: "The position of the log's last event.",
      examples: ['0000000000004711'],
    }),
    projections: Type.Array(ProjectionView),
  }),
  rejections: ['STORE_UNAVAILABLE'],
  async answer(_input, { services }) {
    const { head, lastConcerning, projections, extentOf } = await services
      .projections()
      .catch((cause: unknown) => {
        throw rejection('STORE_UNAVAILABLE', 'The event store does not answer; try again.', {
          retryAfterSeconds: 2,
          cause,
        });
      });
    return {
      head,
      projections: projections.map((status) => projectionView(status, lastConcerning, extentOf)),
    };
  },
});
