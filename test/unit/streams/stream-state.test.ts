// The state of a stream at any of its events, and how much of it is folded at most.
import { expect, test } from 'vitest';
import { stateOf } from '../../../src/streams/stream-state.ts';
import { allHalted, allResumed } from '../../support/distribution-examples.ts';
import { happening, storedEvents } from '../../support/recorded-events.ts';

const events = storedEvents([allHalted, allResumed, allHalted].map((event) => happening('all', event)));
const log = {
  async *stream(name: string, from = 0) {
    yield* events.filter(({ stream, revision }) => stream === name && revision >= from);
  },
};

test('is folded up to the event that is asked for, and compared with the one before, or with the one named', async () => {
  const all = await Promise.all(
    [{}, { at: 1 }, { at: 2, since: 0 }, { at: 2, since: 2 }].map((wanted) =>
      stateOf(log, 'distributions-all', wanted),
    ),
  );
  expect(all.map(({ revision, changes }) => [revision, changes.length > 0])).toEqual([
    [2, true],
    [1, true],
    [2, false],
    [2, false],
  ]);
});

test('is refused where more events would be folded than may be', async () => {
  await expect(stateOf(log, 'distributions-all', { most: 2 })).rejects.toThrow(/more than 2 events/);
  await expect(stateOf(log, 'distributions-all', { at: 1, most: 2 })).resolves.toMatchObject({ revision: 1 });
  await expect(stateOf(log, 'distributions-all', { at: 1, since: 2 })).rejects.toThrow(/no revision 2/);
});
