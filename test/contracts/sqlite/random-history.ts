// Made-up histories that are the same for the same seed: the lives of many drafts, crossing each other.
import { addressOf } from 'levy-solana-wire';
import { deriveId } from '../../../src/kernel/runtime/ids.ts';
import {
  DraftAbandoned,
  DraftExpired,
  DraftIssued,
  DraftSuperseded,
  SubmissionAccepted,
  SubmissionConfirmed,
  SubmissionDropped,
  SubmissionFailed,
  SubmissionFinalized,
} from '../../../src/streams/draft-events.ts';
import {
  NonceAccountOpened,
  NonceLeased,
  NonceRenewed,
  NonceReturned,
} from '../../../src/streams/nonce-account.ts';
import { SessionRevoked } from '../../../src/streams/session.ts';
import { TokenCreated, TokenCreationReverted } from '../../../src/streams/token.ts';
import {
  acceptedSubmission,
  addresses,
  issuedDraft,
  landedSubmission,
  signatures,
  submissionFailed,
  token,
} from '../../support/domain-examples.ts';
import { type Happening, happening } from '../../support/recorded-events.ts';

export type Random = (below: number) => number;

/** A generator of whole numbers (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Takes from each of the sequences in turn, at random, keeping the order within each. */
export function interleave<Item>(sequences: readonly (readonly Item[])[], random: Random): readonly Item[] {
  const left = sequences.map((sequence) => [...sequence]).filter((sequence) => sequence.length > 0);
  const woven: Item[] = [];
  while (left.length > 0) {
    const at = random(left.length);
    const next = left[at]?.shift();
    if (next !== undefined) woven.push(next);
    if (left[at]?.length === 0) left.splice(at, 1);
  }
  return woven;
}

export function randomHistory(seed: number, drafts: number): readonly Happening[] {
  const random = randomFrom(seed);
  const lives = Array.from({ length: drafts }, (_, index) => lifeOfDraft(index, random));
  return interleave(lives, random).map((each, index) => ({
    ...each,
    occurredAt: new Date(Date.UTC(2026, 4, 4) + index * 1_000).toISOString(),
  }));
}

function lifeOfDraft(index: number, random: Random): readonly Happening[] {
  const transactionId = deriveId('example draft', String(index));
  const tokenId = deriveId('example token', String(index));
  const account = addressOf(new Uint8Array(32).fill(index % 250, 0, 31).fill(1 + (index >> 8), 31));
  const creator = random(3) === 0 ? addresses.creator : addresses.otherCreator;
  const subject = { ...token, tokenId, name: `Token ${random(50)}`, symbol: `T${index}` };
  const landed = { ...landedSubmission, transactionId };
  const value = addresses.nonceValue;

  const opened = happening(account, NonceAccountOpened({ account, index, value }));
  const leased = happening(account, NonceLeased({ account, transactionId, value }));
  const returned = happening(account, NonceReturned({ account, transactionId }));
  const renewed = happening(
    account,
    NonceRenewed({ account, transactionId, value: addresses.nextNonceValue }),
  );
  const draftEvent = (event: Happening['event']) => happening(transactionId, event);
  const issued = draftEvent(DraftIssued({ ...issuedDraft, transactionId, creator, subject }));
  const accepted = draftEvent(SubmissionAccepted({ ...acceptedSubmission, transactionId }));
  const confirmed = draftEvent(SubmissionConfirmed(landed));
  const finalized = draftEvent(SubmissionFinalized({ ...landed, signature: signatures.first }));
  const failed = draftEvent(SubmissionFailed({ ...submissionFailed.data, transactionId }));
  const dropped = draftEvent(SubmissionDropped({ transactionId }));
  const created = happening(
    tokenId,
    TokenCreated({ transactionId, signature: landed.signature, creator, token: subject }),
  );
  const reverted = happening(tokenId, TokenCreationReverted({ tokenId, transactionId }));

  const started = [opened, leased];
  switch (random(7)) {
    case 0:
      return [...started, draftEvent(DraftAbandoned({ transactionId })), returned];
    case 1:
      return [...started, issued, draftEvent(DraftExpired({ transactionId })), returned];
    case 2:
      return [...started, issued, draftEvent(DraftSuperseded({ transactionId, by: tokenId })), returned];
    case 3:
      return [...started, issued, accepted, failed, renewed];
    case 4:
      return [...started, issued, accepted, confirmed, created, dropped, failed, reverted, renewed];
    case 5: {
      const session = happening(
        `session-${index}`,
        SessionRevoked({ expiresAt: '2026-05-05T00:00:00.000Z' }),
      );
      return [
        session,
        ...started,
        issued,
        accepted,
        confirmed,
        created,
        reverted,
        dropped,
        confirmed,
        created,
      ];
    }
    default:
      return [...started, issued, accepted, confirmed, created, finalized, renewed];
  }
}
