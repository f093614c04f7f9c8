/** The services that queries about events use. */
import type { EventFeed } from './feed/event-feed.ts';

export interface DeliveryServices {
  readonly eventFeed: EventFeed;
}
