// An Idempotency-Key belongs to what was recorded under it: whatever is killed, refused, held up or run at once.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Rejection } from '../../../../src/kernel/runtime/rejection.ts';
import { Counted, CounterClosed, causeOf, counter, longCounter } from '../../../support/counter.ts';
import { deferred } from '../../../support/deferred.ts';
import { createOrder, killedAfter } from '../../../support/interleaving.ts';
import type { Trouble } from '../../../support/troubled-event-store.ts';
import { count, countAlways, countAnew, countLong, openCounting, withKey } from './counting.ts';

const reused = { code: 'IDEMPOTENCY_KEY_REUSED', kind: 'unprocessable' };
const key = withKey('key');

describe('where the request names the stream, a key', () => {
  test('is noted right before what is recorded, without itself and without who may use it', async () => {
    const { run, log, prepared } = await openCounting();
    await run(3, withKey('a-key-that-nobody-may-read', 'wallet'));
    const [note, counted] = await log();
    expect(note).toMatchObject({
      stream: `command-${prepared[0]}`,
      type: 'IdempotencyKeyUsed',
      data: { route: 'POST /counters/:counterId', streamLength: 0 },
      metadata: { commandId: prepared[0], actor: 'wallet' },
    });
    expect(note?.data.inputHash).toBe(note?.metadata.inputHash);
    expect(counted).toMatchObject({ stream: 'counter-a', type: 'Counted' });
    expect(JSON.stringify(await log())).not.toContain('a-key-that-nobody-may-read');
  });

  test('is refused for a request that names another stream, also after a restart', async () => {
    const { run, anotherProcess, counted } = await openCounting();
    await run(1, key);
    await expect(run(1, key, 'b')).rejects.toMatchObject(reused);
    await expect(anotherProcess()(1, key, 'b')).rejects.toMatchObject(reused);
    expect(await anotherProcess()(1, key)).toMatchObject({ output: { total: 1 } });
    expect(await counted()).toEqual([['a', 1]]);
  });

  test('is not used up by a refusal, nor by what is so already', async () => {
    const { run, rival, log, counted } = await openCounting();
    await rival.execute(counter, 'a', causeOf(), () => [CounterClosed({})]);
    await expect(run(1, key)).rejects.toMatchObject({ code: 'CLOSED' });
    expect(await run(0, key, 'b')).toMatchObject({ output: { total: 0 } });
    expect(await log()).toHaveLength(1);
    await run(2, key, 'c');
    expect(await counted()).toEqual([['c', 2]]);
  });

  test('stays with a request whose decision another writer turned into a refusal', async () => {
    const troubles: Trouble[] = [];
    const { run, rival, counted } = await openCounting(troubles);
    troubles.push('none', () => rival.execute(counter, 'a', causeOf(), () => [CounterClosed({})]));
    await expect(run(1, key)).rejects.toMatchObject({ code: 'CLOSED' });
    await expect(run(2, key, 'b')).rejects.toMatchObject(reused);
    await expect(run(1, key)).rejects.toMatchObject({ code: 'CLOSED' });
    expect(await counted()).toEqual([]);
  });

  test.each<[string, Trouble]>([
    ['before it is recorded', 'unwritten'],
    ['and the answer is lost', 'written'],
  ])('is noted once, and its call recorded once, when the store falls silent %s', async (_when, trouble) => {
    const { run, log } = await openCounting(['none', trouble, trouble, trouble]);
    await expect(run(1, key)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    await run(1, key);
    expect((await log()).map(({ type }) => type)).toEqual(['IdempotencyKeyUsed', 'Counted']);
  });
});

describe('where the command names the stream, a key', () => {
  test('needs no note, and is refused for another request', async () => {
    const { run, anotherProcess, log } = await openCounting([], { command: countAnew });
    const first = await run(1, key);
    expect(await run(1, key)).toEqual(first);
    await expect(run(1, key, 'b')).rejects.toMatchObject(reused);
    await expect(anotherProcess()(2, key)).rejects.toMatchObject(reused);
    expect((await log()).map(({ type }) => type)).toEqual(['Counted']);
  });
});

test('where a route does not take keys, one means nothing', async () => {
  const { run, counted } = await openCounting([], { command: countAlways });
  for (const by of [1, 1, 2]) await run(by, key);
  expect(await counted()).toEqual([
    ['a', 1],
    ['a', 1],
    ['a', 2],
  ]);
});

describe('several processes at once', () => {
  test.each([
    ['short', counter, count],
    ['long', longCounter, countLong],
  ])('keep a key to one request, in whatever order they get on and whichever of them are killed, in %s streams', async (_length, stream, command) => {
    const { anotherProcess, store, rival } = await openCounting([], { command });
    let scenes = 0;
    const attempt = fc.record({
      request: fc.constantFrom({ by: 1, stream: 'a' }, { by: 2, stream: 'a' }, { by: 3, stream: 'b' }),
      /** What it asks of the store before it is killed; most live on. */
      steps: fc.oneof({ weight: 3, arbitrary: fc.constant(1_000) }, fc.integer({ min: 0, max: 8 })),
    });
    const property = fc.asyncProperty(
      fc.scheduler(),
      fc.array(attempt, { minLength: 2, maxLength: 4 }),
      fc.array(fc.constantFrom('a', 'b'), { maxLength: 6 }),
      async (scheduler, attempts, growths) => {
        scenes += 1;
        const call = withKey('key', `caller-${scenes}`);
        const nameOf = (named: string) => `${named}${scenes}`;
        const order = createOrder(scheduler);
        const outcomes = attempts.map(({ request: { by, stream: named }, steps }, place) => {
          const run = anotherProcess(killedAfter(steps, order.of(`${place}`, store)));
          return run(by, call, nameOf(named)).then(
            () => by,
            ({ code }: Rejection) => code,
          );
        });
        for (const growing of growths) {
          const grow = () => rival.execute(stream, nameOf(growing), causeOf(), () => [Counted({ by: 100 })]);
          void order.turn(`${growing} grows`, grow);
        }
        await order.play();
        const answered = await Promise.all(outcomes.map((outcome) => Promise.race([outcome, 'killed'])));

        const recorded = async () => {
          const counts = [];
          for (const named of ['a', 'b']) {
            for await (const { type, data, metadata } of store.read(`${stream.category}-${nameOf(named)}`)) {
              if (type === 'Counted' && metadata.actor === call.actor) counts.push(data.by);
            }
          }
          return counts;
        };
        const [first, ...more] = await recorded();
        expect(more).toEqual([]);
        for (const answer of answered) expect([first, reused.code, 'killed']).toContain(answer);

        // Whoever comes afterwards meets the same, and nobody is left without an answer.
        const later = anotherProcess();
        const again = await Promise.allSettled(
          attempts.map(({ request: { by, stream: named } }) => later(by, call, nameOf(named)).then(() => by)),
        );
        const served = new Set(
          again.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])),
        );
        expect(served.size).toBe(1);
        expect(await recorded()).toEqual([...served]);
        if (first !== undefined) expect(served).toContain(first);
      },
    );
    await fc.assert(property, { numRuns: 40, endOnFailure: true });
  });

  test('answer what one of them recorded, where the other would refuse because of it', async () => {
    const { run, anotherProcess, whilePreparing } = await openCounting();
    const other = anotherProcess();
    whilePreparing(async () => {
      whilePreparing(async () => undefined);
      await other(1, key);
      throw new Rejection('ENOUGH', 'conflict', 'There is one already.');
    });
    expect(await run(1, key)).toMatchObject({ output: { total: 1 } });
  });
});

describe('a repetition', () => {
  test.each([
    ['short', count],
    ['long', countLong],
  ])('gives the first answer, whatever was recorded later in a %s stream', async (_length, command) => {
    const { run, anotherProcess, prepared } = await openCounting([], { command });
    const first = await run(1, key);
    for (let later = 0; later < 10; later += 1) await run(10);
    expect(first).toMatchObject({ output: { total: 1 }, entityTag: '"1"' });
    expect(await run(1, key)).toEqual(first);
    expect(await anotherProcess()(1, key)).toEqual(first);
    expect(prepared).toHaveLength(11);
  });

  test('waits for the first while that is under way, and is never executed beside it', async () => {
    const { run, whilePreparing, prepared } = await openCounting();
    const { promise: going, resolve: goOn } = deferred();
    whilePreparing(() => going);
    const calls = [1, 2, 3].map(() => run(1, key));
    await new Promise((resolve) => setImmediate(resolve));
    expect(prepared).toHaveLength(1);
    goOn();
    for (const call of calls) expect(await call).toMatchObject({ output: { total: 1 } });
    expect(prepared).toHaveLength(1);
  });

  test('of a call that hangs is asked to come again, and not executed', async () => {
    const { run, whilePreparing, prepared } = await openCounting([], { repetitionTimeout: 20 });
    const { promise: going, resolve: goOn } = deferred();
    whilePreparing(() => going);
    const first = run(1, key);
    await expect(run(1, key)).rejects.toMatchObject({
      code: 'CONFIRMATION_PENDING',
      kind: 'pending',
      retryAfterSeconds: 2,
    });
    expect(prepared).toHaveLength(1);
    goOn();
    const answered = await first;
    expect(await run(1, key)).toEqual(answered);
  });

  test('of a call that was refused is decided anew, also when it came while that was under way', async () => {
    const { run, whilePreparing } = await openCounting();
    whilePreparing(async () => {
      whilePreparing(async () => undefined);
      throw new Rejection('NO', 'conflict', 'Not now.');
    });
    const [first, second] = await Promise.allSettled([run(1, key), run(1, key)]);
    expect(first).toMatchObject({ status: 'rejected', reason: { code: 'NO' } });
    expect(second).toMatchObject({ status: 'fulfilled', value: { output: { total: 1 } } });
  });
});
