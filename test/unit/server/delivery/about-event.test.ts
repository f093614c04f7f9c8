// Which token an event is about, and whose: read once from the beginning of the token's or the draft's stream.
import { expect, test } from 'vitest';
import type { RecordedEvent } from '../../../../src/kernel/ports/event-store.ts';
import { createEventCodec } from '../../../../src/kernel/runtime/event-codec.ts';
import { createAboutEvent } from '../../../../src/server/delivery/outcome-events.ts';
import { DraftIssued, SubmissionAccepted } from '../../../../src/streams/draft-events.ts';
import { streams } from '../../../../src/streams/index.ts';
import { TokenCreated, TokenHidden } from '../../../../src/streams/token.ts';
import { acceptedSubmission, issuedDraft, tokenCreated } from '../../../support/domain-examples.ts';
import { happening, storedEvents } from '../../../support/recorded-events.ts';

const { decode } = createEventCodec(streams);
const tokenOfPartner = TokenCreated({
  ...tokenCreated.data,
  token: { ...tokenCreated.data.token, partner: 'acme' },
});
const { creator, token } = tokenOfPartner.data;
const { tokenId, mintAddress } = token;
const { transactionId } = issuedDraft;
const ofToken = storedEvents([
  happening(tokenId, tokenOfPartner),
  happening(tokenId, TokenHidden({ tokenId, reason: 'A copy.' })),
]);
const ofDraft = storedEvents([
  happening(transactionId, DraftIssued(issuedDraft)),
  happening(transactionId, SubmissionAccepted({ ...acceptedSubmission, transactionId })),
]);
const [created, hidden] = ofToken.map(decode);
const [, accepted] = ofDraft.map(decode);
if (created === undefined || hidden === undefined || accepted === undefined) throw new Error('no events');
const whole = { tokenId, mintAddress, creator, partner: 'acme' };

/** A log whose reads are counted. */
function log(events: readonly RecordedEvent[]) {
  const reads: string[] = [];
  const about = createAboutEvent({
    store: {
      async *read(stream) {
        reads.push(stream);
        yield* events.filter((event) => event.stream === stream);
      },
    },
    reader: { read: async (stored) => decode(stored) },
  });
  return { about, reads };
}

test('an event of a token names it by both ids, with a single look at its stream', async () => {
  const { about, reads } = log(ofToken);
  expect([await about(hidden), await about(hidden)]).toEqual([whole, whole]);
  expect(reads).toEqual([`token-${tokenId}`]);
});

test('a creation says it itself, and what comes after it needs no look', async () => {
  const { about, reads } = log([]);
  expect([await about(created), await about(hidden)]).toEqual([whole, whole]);
  expect(reads).toEqual([]);
});

test('a submission is about the token of its draft, and of the wallet that asked for it', async () => {
  const { about, reads } = log(ofDraft);
  const { tokenId: id, mintAddress: mint } = issuedDraft.subject;
  const expected = { tokenId: id, mintAddress: mint, creator: issuedDraft.creator };
  expect([await about(accepted), await about(accepted)]).toEqual([expected, expected]);
  expect(reads).toEqual([`draft-${transactionId}`]);
});

test('what begins with nothing that can be read is told without; a store that does not answer is asked again', async () => {
  expect(await log([]).about(hidden)).toEqual({});
  const nonsense = ofToken.map((event) => ({ ...event, data: {} }));
  expect(await log(nonsense).about(hidden)).toEqual({});
  let isAway = true;
  const about = createAboutEvent({
    store: {
      async *read() {
        if (isAway) throw new Error('no answer');
        yield* ofToken;
      },
    },
    reader: { read: async (stored) => decode(stored) },
  });
  await expect(about(hidden)).rejects.toThrow('no answer');
  isAway = false;
  expect(await about(hidden)).toEqual(whole);
});
