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

/** Number of halted distributions, by code. */
export const NONE_HALTED = {
  OPERATOR: 0,
  CHAIN_AHEAD_OF_LOG: 0,
  PAYMENT_UNKNOWN: 0,
  POT_MISSING: 0,
  BOOKS_DISAGREE: 0,
  CONTENT_MISMATCH: 0,
  LEDGER_CORRUPT: 0,
  SCAN_DISAGREES: 0,
};
