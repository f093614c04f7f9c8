/**
 * How drafts stay valid in the tests: on durable nonces, or, with LEVY_DRAFT_LIFETIME_KIND=recent-blockhash, on recent
 * blockhashes, on chains that have no nonces.
 */
import type { Environment } from './service.ts';

const KINDS = ['durable-nonce', 'recent-blockhash'] as const;

type DraftKind = (typeof KINDS)[number];

const draftKind = kindIn(process.env.LEVY_DRAFT_LIFETIME_KIND ?? 'durable-nonce');

/** Whether there are nonce accounts; tests about them are skipped otherwise. */
export const onNonces = draftKind === 'durable-nonce';

/** What a service of the kind is set up with, and a chain of its own. */
export const kindVariables: Environment = onNonces
  ? {}
  : {
      DRAFT_LIFETIME_KIND: draftKind,
      // Bytes end with their blockhash, after 150 slots.
      LOCAL_CHAIN_SLOT_MS: '100',
      // Only then is it known that something has not landed.
      SUBMIT_WAIT: '60s',
    };

/** Says how many tests of a file are skipped, because they are about nonce accounts. */
export function tellOfSkippedNonces(count: number): void {
  if (!onNonces)
    console.warn(
      `SKIPPED: ${count} tests of nonce accounts, because LEVY_DRAFT_LIFETIME_KIND is ${draftKind}`,
    );
}

function kindIn(given: string): DraftKind {
  const kind = KINDS.find((each) => each === given);
  if (kind !== undefined) return kind;
  throw new Error(`LEVY_DRAFT_LIFETIME_KIND is "${given}": it is one of ${KINDS.join(', ')}`);
}
