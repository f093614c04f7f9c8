// Whether a command was recorded, and what its key may still be used for, follows from what is recorded alone.
import { describe, expect, test, vi } from 'vitest';
import type { Recorded } from '../../../../src/kernel/runtime/event-codec.ts';
import {
  decideKeyUse,
  type IdempotencyKeyState,
  idempotencyKey,
} from '../../../../src/kernel/runtime/idempotency-key.ts';
import { asRecorded, decideOnce } from '../../../../src/kernel/runtime/run-command.ts';
import { Counted, type CounterEvent, causeOf, counter } from '../../../support/counter.ts';

const reused = expect.objectContaining({ code: 'IDEMPOTENCY_KEY_REUSED', kind: 'unprocessable' });

/** A counter at which these commands have counted one after another. */
function loaded(...commands: readonly { readonly commandId: string; readonly inputHash?: string }[]) {
  const events = commands.map(
    ({ commandId, inputHash = 'hash' }, revision): Recorded<CounterEvent> => ({
      ...Counted({ by: 1 }),
      eventId: `event ${revision}`,
      stream: 'counter-a',
      revision,
      position: `position ${revision}`,
      metadata: { ...causeOf(commandId), inputHash, schemaVersion: 1, occurredAt: 'then' },
    }),
  );
  const stateAt = (length: number) => events.slice(0, length).reduce(counter.evolve, counter.initial);
  return {
    state: stateAt(events.length),
    events,
    revision: events.at(-1)?.revision ?? ('none' as const),
    position: events.at(-1)?.position,
    stateAfter: ({ revision }: Recorded<CounterEvent>) => stateAt(revision + 1),
  };
}

const own = { commandId: 'own', inputHash: 'hash' };
const other = { commandId: 'other' };

describe('a command', () => {
  test('is decided on the state as it is, when it is not recorded there', () => {
    const decide = vi.fn(() => [Counted({ by: 5 })]);
    expect(decideOnce(loaded(other, other), own, decide)).toEqual([Counted({ by: 5 })]);
    expect(decide).toHaveBeenCalledWith({ total: 2, closed: false });
  });

  test('that was recorded meanwhile is not decided again, whatever came after it', () => {
    const decide = vi.fn(() => [Counted({ by: 5 })]);
    for (const recorded of [loaded(own), loaded(other, own, other)])
      expect(decideOnce(recorded, own, decide)).toEqual([]);
    expect(decide).not.toHaveBeenCalled();
  });

  test('that was recorded for another request is refused, and decides nothing', () => {
    const decide = vi.fn(() => []);
    const foreign = loaded({ ...own, inputHash: 'of another request' });
    expect(() => decideOnce(foreign, own, decide)).toThrow(reused);
    expect(decide).not.toHaveBeenCalled();
  });

  test('is answered from the state right after its last event, with the position of that', () => {
    expect(asRecorded(loaded(other, own, own, other), own)).toEqual({
      state: { total: 3, closed: false },
      position: 'position 2',
    });
    expect(asRecorded(loaded(other), own)).toBeUndefined();
    expect(asRecorded(loaded(), own)).toBeUndefined();
  });
});

describe('an attempt', () => {
  const attempt = { route: 'POST /counters', inputHash: 'own', streamId: 'a', streamLength: 5 };
  const state = (inputHash: string, streamLength: number): IdempotencyKeyState => ({
    inputHash,
    streamId: 'a',
    streamLength,
  });

  test.each<[string, IdempotencyKeyState, boolean]>([
    ['the first one of a key', undefined, true],
    ['of a key that was found free again', state('of another request', 9), true],
    ['on a stream that has grown since the attempt before', state('own', 4), true],
    ['of its own request, however the key has changed', state('own', 4), false],
  ])('is recorded: %s; the same again records nothing', (_name, before, isUnchanged) => {
    const events = decideKeyUse(before, attempt, isUnchanged);
    expect(events).toEqual([{ type: 'IdempotencyKeyUsed', data: attempt }]);
    const after = events.reduce<IdempotencyKeyState>(idempotencyKey.evolve, before);
    expect(decideKeyUse(after, attempt, true)).toEqual([]);
    expect(decideKeyUse(after, attempt, false)).toEqual([]);
  });

  test.each([
    5, 6,
  ])('records nothing where one of its request saw %i events: only that can still succeed', (length) => {
    expect(decideKeyUse(state('own', length), attempt, true)).toEqual([]);
  });

  test('is refused when another request has taken the key since it was found free', () => {
    expect(() => decideKeyUse(state('of another request', 4), attempt, false)).toThrow(reused);
    // The note of the key is gone: its stream was replaced.
    expect(() => decideKeyUse(undefined, attempt, false)).toThrow(reused);
  });
});
