/** Fills one read model anew from the whole log. Nothing is recorded: the documents follow from the log alone. */

import { Type } from '@sinclair/typebox';
import { queriesFor } from '../kernel/runtime/define-query.ts';
import { keptProjections } from '../projections/index.ts';
import type { ProjectionServices } from './projection-status.ts';

const Name = Type.Union(
  keptProjections.map(({ name }) => Type.Literal(name)),
  { title: 'ProjectionName', description: 'A read model of `GET /operator/projections`.' },
);

export const rebuildProjection = queriesFor<ProjectionServices>()({
  name: 'RebuildProjection',
  summary: 'Rebuild a read model',
  description:
    'The documents that are there are read and kept up to date until the new ones have caught up. Where each process has read models of its own, this concerns those of the process that answers. Where all processes share theirs, the one that writes them begins within a second or so, also if another one takes over meanwhile.',
  route: {
    method: 'POST',
    url: '/operator/projections/:name/rebuild',
    auth: 'operator',
    limit: 'operator',
    ignoresIdempotencyKey: true,
  },
  input: { params: Type.Object({ name: Name }) },
  output: Type.Object({
    started: Type.Boolean({ description: 'False if it is being built already.', examples: [true] }),
  }),
  rejections: ['STORE_UNAVAILABLE'],
  async answer({ params: { name } }, { services, call }) {
    return { started: await services.rebuildProjection(name, call.actor) };
  },
});
