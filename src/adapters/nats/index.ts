/** NATS JetStream adapter: the bus on which outcomes are published. */

import type { Technology } from '../../kernel/ports/technology.ts';
import { natsAddress } from '../../operations/config/nats-address.ts';

export const nats = {
  publisher: {
    schemes: ['nats', 'tls'],

    async open({ url, ...settings }) {
      const { createNatsPublisher } = await import('./publisher.ts');
      return createNatsPublisher({ ...settings, address: natsAddress.parse(url) });
    },
  },
} satisfies Technology;
