// What became of an attempt under a key is read from the stream that it announced, and decides whom the key belongs to.
import { describe, expect, test } from 'vitest';
import {
  AlreadyRecorded,
  createKeyUse,
  idempotencyKey,
} from '../../../../src/kernel/runtime/idempotency-key.ts';
import { randomId } from '../../../../src/kernel/runtime/ids.ts';
import { Counted, causeOf, counter, executorOn } from '../../../support/counter.ts';
import { temporaryEventStore } from '../../../support/temporary-event-store.ts';

const OWN = 'a'.repeat(64);
const OTHER = 'b'.repeat(64);
const reused = { code: 'IDEMPOTENCY_KEY_REUSED', kind: 'unprocessable' };

/** Requests under one key, of one caller and one route, which count at counters. */
async function open() {
  const executor = executorOn(await temporaryEventStore());
  const commandId = randomId();
  const causeWith = (inputHash: string) => ({ ...causeOf(commandId), inputHash });
  return {
    request: (inputHash: string, streamId = 'a') =>
      createKeyUse({ executor, cause: causeWith(inputHash), route: 'POST /', stream: counter, streamId }),
    /** What the request announced is recorded. */
    record: (inputHash: string, streamId = 'a') =>
      executor.execute(counter, streamId, causeWith(inputHash), () => [Counted({ by: 1 })]),
    /** Somebody else counts. */
    grow: (streamId = 'a') => executor.execute(counter, streamId, causeOf(), () => [Counted({ by: 1 })]),
    notes: async () => (await executor.load(idempotencyKey, commandId)).events.map(({ data }) => data),
  };
}

describe('the last attempt under a key', () => {
  test('is none before the first', async () => {
    const { request } = await open();
    expect(await request(OWN).lastAttempt()).toBeUndefined();
  });

  test('of the same request says where it would be recorded, whatever became of it', async () => {
    const { request, record, grow } = await open();
    await grow();
    await request(OWN).use(1);
    expect(await request(OWN).lastAttempt()).toBe(1);
    await record(OWN);
    expect(await request(OWN).lastAttempt()).toBe(1);
  });

  test('of another request keeps the key while nobody knows what becomes of it', async () => {
    const { request } = await open();
    await request(OTHER).use(0);
    await expect(request(OWN).lastAttempt()).rejects.toMatchObject(reused);
    await expect(request(OWN).use(0)).rejects.toMatchObject(reused);
  });

  test('of another request keeps the key for ever once it is recorded, also behind what others recorded', async () => {
    const { request, record, grow } = await open();
    await request(OTHER).use(0);
    await record(OTHER);
    await grow();
    await expect(request(OWN).lastAttempt()).rejects.toMatchObject(reused);
  });

  test('of another request leaves the key free once its stream has gone on without it', async () => {
    const { request, grow, notes } = await open();
    await request(OTHER).use(0);
    await grow();
    expect(await request(OWN, 'b').lastAttempt()).toBeUndefined();
    await request(OWN, 'b').use(0);
    expect(await notes()).toMatchObject([
      { inputHash: OTHER, streamId: 'a' },
      { inputHash: OWN, streamId: 'b', streamLength: 0, route: 'POST /' },
    ]);
  });

  test('of another request is looked for in its own stream, from where it would be', async () => {
    const { request, record, grow } = await open();
    await grow();
    // An event before the attempt says nothing of it: the command counted there under an earlier attempt.
    await record(OTHER, 'b');
    await request(OTHER, 'b').use(1);
    await expect(request(OWN).lastAttempt()).rejects.toMatchObject(reused);
    await grow('b');
    expect(await request(OWN).lastAttempt()).toBeUndefined();
  });
});

describe('the next attempt of the same request', () => {
  test('is not made when the one before was recorded meanwhile, and notes nothing', async () => {
    const { request, record, notes } = await open();
    await request(OWN).use(0);
    await record(OWN);
    await expect(request(OWN).use(1)).rejects.toBeInstanceOf(AlreadyRecorded);
    expect(await notes()).toHaveLength(1);
  });

  test('notes the stream as it is now when the one before has failed', async () => {
    const { request, grow, notes } = await open();
    await request(OWN).use(0);
    await grow();
    await request(OWN).use(1);
    expect(await notes()).toMatchObject([{ streamLength: 0 }, { streamLength: 1 }]);
  });

  test('notes nothing at the same length, where it may still succeed', async () => {
    const { request, notes } = await open();
    await request(OWN).use(0);
    await request(OWN).use(0);
    expect(await notes()).toHaveLength(1);
  });
});
