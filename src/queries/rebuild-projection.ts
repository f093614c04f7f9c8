/** Rebuilds one read model from the whole log. Records nothing, since documents are derived from the log alone. */

import { Type } from '@sinclair/typebox';
import { queriesFor } from '../kernel/runtime/define-query.ts';
import { allProjections } from '../projections/index.ts';
import type { ProjectionServices } from './list-projections.ts';

const Name = Type.Union(
  allProjections.map(({ name }) => Type.Literal(name)),
  { title: 'ProjectionName', description: 'A read model of `GET /operator/projections`.' },
);

export const rebuildProjection = queriesFor<ProjectionServices>()({
  name: 'RebuildProjection',
  summary: 'Rebuild a read model',
  description:
    'Queries use the old documents, which are still updated, until the new ones have caught up. If each ' +
    'process has its own read models, this rebuilds those of the process that handles the call. If the processes share ' +
    'them, the writing process starts within about a second, even if another process takes over writing.',
  route: {
    method: 'POST',
    url: '/operator/projections/:name/rebuild',
    auth: 'operator',
    limit: 'operator',
    ignoresIdempotencyKey: true,
  },
  input: { params: Type.Object({ name: Name }) },
  output: Type.Object({
    started: Type.Boolean({ description: 'False if a build is already running.', examples: [true] }),
  }),
  rejections: ['STORE_UNAVAILABLE'],
  async answer({ params: { name } }, { services, call }) {
    return { started: await services.rebuildProjection(name, call.actor) };
  },
});
