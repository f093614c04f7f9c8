/** What a page must know of the operator: asked once, and kept. */
import type { Venue } from '../drafts/launches/venue.ts';
import { queriesFor, TaggedAnswer } from '../kernel/runtime/define-query.ts';
import { entityTagOf } from '../kernel/runtime/entity-tag.ts';
import { PublicConfiguration } from '../views/public-configuration.ts';

export interface ConfigServices {
  /** All but what the chain says. */
  readonly publicConfiguration: Omit<PublicConfiguration, 'launches'> & {
    readonly launches: Omit<PublicConfiguration['launches'], 'available'>;
  };
  readonly venue: Pick<Venue, 'isThere'>;
}

export const getConfig = queriesFor<ConfigServices>()({
  name: 'GetConfig',
  summary: 'Get what a page must know of this service',
  description:
    "The operator's limits, prices, quotas, and what there is. It changes when the service starts with another configuration, so any " +
    'cache may keep it for five minutes; `If-None-Match` asks whether it has changed.',
  route: { method: 'GET', url: '/config', auth: 'none' },
  input: {},
  output: PublicConfiguration,
  tagged: true,
  rejections: [],
  async answer(_input, { services: { publicConfiguration, venue } }) {
    // A chain that does not answer must not keep a page from its limits.
    const available = await venue.isThere().catch(() => null);
    const answer = {
      ...publicConfiguration,
      launches: { ...publicConfiguration.launches, available },
    };
    return new TaggedAnswer(answer, entityTagOf(answer), available === null ? 'revalidated' : 'public');
  },
});
