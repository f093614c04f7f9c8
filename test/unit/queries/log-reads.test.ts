// The operator's reads of the log itself: its events as they were recorded, and the state of a stream at one of them.
import { describe, expect, test } from 'vitest';
import { ChunkedAnswer } from '../../../src/kernel/runtime/define-query.ts';
import { getStreamState } from '../../../src/queries/get-stream-state.ts';
import { readLogPage } from '../../../src/queries/read-log.ts';
import { TokenHidden, TokenShown } from '../../../src/streams/token.ts';
import { ids, tokenCreated } from '../../support/domain-examples.ts';
import { type Asked, answering, querySpec } from '../../support/query-spec.ts';
import { appendRecorded, happening, storedEvents } from '../../support/recorded-events.ts';
import { temporaryEventStore, wholeLog } from '../../support/temporary-event-store.ts';

const { tokenId } = ids;
const stream = `token-${tokenId}`;
const reason = 'Impersonates another token.';
const history = storedEvents([
  happening(tokenId, tokenCreated),
  happening(tokenId, TokenHidden({ tokenId, reason })),
  happening(tokenId, TokenShown({ tokenId, reason: 'It does not.' })),
]);

async function filled() {
  const eventStore = await temporaryEventStore();
  await appendRecorded(eventStore, history);
  return { services: { eventStore }, recorded: await wholeLog(eventStore) };
}

describe('the state of a stream', () => {
  const { given } = querySpec(getStreamState);

  test('is that after its last event, with what the event changed', async () => {
    const { services } = await filled();
    const answer = await (await answering([]))(getStreamState, { params: { stream }, services });
    expect(answer).toMatchObject({ stream, revision: 2, firstRevision: 0, isQuarantined: false });
    expect(answer).toMatchObject({ event: { type: 'TokenShown' } });
    expect((answer as { changes: readonly { path: string }[] }).changes).not.toEqual([]);
  });

  test('is that after an earlier event, compared with one before it', async () => {
    const { services } = await filled();
    const ask = await answering([]);
    const at = (query: Asked['query']) => ask(getStreamState, { params: { stream }, query, services });
    expect(JSON.stringify(await at({ revision: 1 }))).toContain(reason);
    expect(await at({ revision: 0 })).toMatchObject({ revision: 0, event: { type: 'TokenCreated' } });
    // Hidden and shown again: nothing is left of either.
    expect(await at({ sinceRevision: 0 })).toMatchObject({ revision: 2, changes: [] });
  });

  test.each([
    ['of a stream that does not exist', { stream: 'token-11111111-1111-5111-8111-111111111111' }],
    ['of a category that does not exist', { stream: 'coin-1' }],
  ])('%s is not found', async (_which, params) => {
    const { services } = await filled();
    await given().when({ params, services }).rejects('EVENT_NOT_FOUND');
  });
});

describe('the log', () => {
  async function linesOf(query: Asked['query']): Promise<readonly unknown[]> {
    const { services } = await filled();
    const answer = await (await answering([]))(readLogPage, { query, services });
    if (!(answer instanceof ChunkedAnswer)) throw new Error('the log is answered in pieces');
    let text = '';
    for await (const piece of answer.pieces) text += String(piece);
    expect(text === '' || text.endsWith('\n')).toBe(true);
    return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  }

  test('is read from its beginning, from behind an event, and in pages', async () => {
    const { recorded } = await filled();
    const [first, second] = recorded;
    expect(await linesOf({})).toEqual(recorded);
    expect(await linesOf({ limit: 2 })).toEqual(recorded.slice(0, 2));
    expect(await linesOf({ after: first?.position, limit: 1 })).toEqual([second]);
    expect(await linesOf({ after: recorded.at(-1)?.position })).toEqual([]);
  });

  test('is read by a stream and its revisions', async () => {
    const { recorded } = await filled();
    expect(await linesOf({ stream, fromRevision: 1 })).toEqual(recorded.slice(1));
    expect(await linesOf({ stream: 'token-none' })).toEqual([]);
  });

  test('is not read from a position that the store does not know', async () => {
    const eventStore = {
      head: async () => '9'.repeat(20),
      subscribe(): never {
        throw new TypeError('no such position');
      },
    };
    const asked = { query: { after: '0'.repeat(19) + 1 }, services: { eventStore } };
    await querySpec(readLogPage).given().when(asked).rejects('VALIDATION_FAILED');
  });

  test.each([
    ['a position behind its end', { after: '9'.repeat(20) }],
    ['what is no position', { after: 'nowhere' }],
    ['a revision without a stream', { fromRevision: 1 }],
    ['a position within a stream', { stream, after: '0'.repeat(19) + 1 }],
  ])('is not read from %s', async (_where, query) => {
    const { services } = await filled();
    await querySpec(readLogPage).given().when({ query, services }).rejects('VALIDATION_FAILED');
  });
});
