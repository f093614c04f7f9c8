/** The document of a token's distribution as its creation makes it, but for what a test changes. */
import { type DistributionDocument, distributions } from '../../src/projections/distributions.ts';
import { tokenCreated } from './domain-examples.ts';
import { happening, recordedEvents } from './recorded-events.ts';

export function distributionDocument(
  tokenId: string,
  change: Partial<DistributionDocument> = {},
): DistributionDocument {
  const [event] = recordedEvents([happening(tokenId, tokenCreated)]);
  const made = event && distributions.on.TokenCreated?.apply(undefined, event);
  if (made === undefined) throw new Error('a created token has a document');
  return { ...(made as DistributionDocument), tokenId, ...change };
}
