// Running a command: prepared once, decided until it is recorded, and answered alike however often it is repeated.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { withMethods } from '../../../../src/kernel/runtime/wrap-calls.ts';
import { Counted, causeOf, counter } from '../../../support/counter.ts';
import { deferred } from '../../../support/deferred.ts';
import type { Trouble } from '../../../support/troubled-event-store.ts';
import { countInTurn, openCounting, withKey } from './counting.ts';

describe('a command', () => {
  test('answers from what it recorded, with the position of its last event', async () => {
    const { run, log } = await openCounting();
    const answer = await run(3);
    expect(answer).toEqual({
      output: { total: 3 },
      entityTag: '"3"',
      position: (await log()).at(-1)?.position,
    });
  });

  test('answers with the last position of all that its answer tells of', async () => {
    const { run, observed, rival, log } = await openCounting();
    observed.push('');
    const { position } = await run(1, withKey('key'));
    expect(position).toBe((await log()).at(-1)?.position);
    const later = await rival.execute(counter, 'other', causeOf(), () => [Counted({ by: 1 })]);
    observed.push(later.position ?? '', position ?? '');
    expect(await run(1, withKey('key'))).toMatchObject({ position: later.position });
    expect(await run(1, { requestId: 'again' })).toMatchObject({ position: (await log()).at(-1)?.position });
  });

  test('answers, and lets the next one in its turn begin, only when its position is shown', async () => {
    const trace: string[] = [];
    const { run, prepared, log } = await openCounting([], {
      command: countInTurn,
      async untilProjected(position) {
        trace.push(`waits for ${position} with ${prepared.length} prepared`);
        for (let turn = 0; turn < 5; turn += 1) await nextTurn();
        trace.push('shown');
      },
    });
    const answers = await Promise.all([1, 2].map((by) => run(by).then(() => trace.push('answered'))));
    expect(answers).toHaveLength(2);
    const [first, second] = (await log()).map(({ position }) => position);
    expect(trace.filter((each) => each !== 'answered')).toEqual([
      `waits for ${first} with 1 prepared`,
      'shown',
      `waits for ${second} with 2 prepared`,
      'shown',
    ]);
    expect(trace.indexOf('answered')).toBeGreaterThan(trace.indexOf('shown'));
    expect(trace.at(-1)).toBe('answered');
  });

  test('prepares once however often it decides', async () => {
    const troubles: Trouble[] = [];
    const { run, rival, prepared } = await openCounting(troubles);
    const rivalCounts = () => rival.execute(counter, 'a', causeOf(), () => [Counted({ by: 100 })]);
    troubles.push(rivalCounts, rivalCounts, rivalCounts);
    expect(await run(1)).toMatchObject({ output: { total: 301 } });
    expect(prepared).toHaveLength(1);
  });

  test('records who called, in which request, and a hash of the input if it has a key', async () => {
    const { run, log, prepared } = await openCounting();
    await run(1, { actor: 'wallet', requestId: 'r-1' });
    const [event] = await log();
    expect(event?.metadata).toMatchObject({
      commandId: prepared[0],
      causationId: prepared[0],
      correlationId: 'r-1',
      actor: 'wallet',
      inputHash: '',
    });
    expect(event?.metadata).not.toHaveProperty('traceparent');
    await run(1, withKey('key'));
    const hashes = (await log()).map(({ metadata }) => metadata.inputHash);
    expect(hashes).toContainEqual(expect.stringMatching(/^[0-9a-f]{64}$/));
  });

  test('records the span that it belongs to, where it is traced', async () => {
    const { run, log } = await openCounting();
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    await run(1, { traceparent });
    expect((await log())[0]?.metadata).toMatchObject({ traceparent });
  });
});

describe('a call without a key', () => {
  test('looks for no earlier call and notes nothing: it reads its stream once, to decide', async () => {
    const { anotherProcess, store, log } = await openCounting();
    const read: string[] = [];
    const watched = withMethods(store, {
      read(stream, from) {
        read.push(stream);
        return store.read(stream, from);
      },
    });
    await anotherProcess(watched)(1);
    expect(read).toEqual(['counter-a']);
    expect((await log()).map(({ type }) => type)).toEqual(['Counted']);
  });
});

describe('a command that takes turns', () => {
  test('is prepared after the answer of the call before, with a key and without', async () => {
    const { run, whileAnswering, prepared } = await openCounting([], { command: countInTurn });
    let preparedAtAnswer: number | undefined;
    whileAnswering(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      preparedAtAnswer ??= prepared.length;
    });
    const answers = await Promise.all([run(1), run(1, withKey('key')), run(1)]);
    expect(preparedAtAnswer).toBe(1);
    expect(answers.map(({ output }) => output)).toEqual([{ total: 1 }, { total: 2 }, { total: 3 }]);
  });

  test('does not wait for calls of other turns', async () => {
    const { run, whilePreparing } = await openCounting([], { command: countInTurn });
    const { promise: going, resolve: goOn } = deferred();
    whilePreparing(() => going);
    const held = run(1);
    whilePreparing(async () => undefined);
    expect(await run(1, {}, 'b')).toMatchObject({ output: { total: 1 } });
    goOn();
    expect(await held).toMatchObject({ output: { total: 1 } });
  });

  test('whose answer has no tag is answered without one', async () => {
    const { run } = await openCounting([], { command: countInTurn });
    expect((await run(1)).entityTag).toBeUndefined();
  });
});
