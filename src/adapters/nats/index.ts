/** NATS JetStream: the bus on which outcomes are published. */
import { natsAddress } from '../../config/nats-address.ts';
import type { Technology } from '../../ports/technology.ts';

export const nats = {
  publisher: {
    schemes: ['nats', 'tls'],

    async open({ url, ...settings }) {
      const { createNatsPublisher } = await import('./publisher.ts');
      return createNatsPublisher({ ...settings, address: natsAddress.parse(url) });
    },
  },
} satisfies Technology;
