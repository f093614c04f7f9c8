// Who holds a role, by the last event alone: older ones may not be there any more.
import { describe, expect, test } from 'vitest';
import {
  type LeaseEvent,
  LeaseReleased,
  LeaseRenewed,
  LeaseTaken,
  lease,
  type Tenure,
} from '../../../../src/kernel/runtime/lease.ts';

const first: Tenure = {
  name: 'settler',
  holder: 'c56a4180-65aa-42ec-a945-5fd21dec0538',
  label: 'levy-1/17',
  term: 1,
  ttl: 15_000,
};
const second: Tenure = {
  ...first,
  holder: '0f8fad5b-d9cb-469f-a165-70867728950e',
  label: 'levy-2/4',
  term: 2,
};

describe('a lease', () => {
  const stateAfter = (...events: readonly LeaseEvent[]) => events.reduce(lease.evolve, lease.initial);

  test('belongs to nobody before it is first taken', () => {
    expect(stateAfter()).toBeUndefined();
  });

  test('belongs to who took it last, and still does when it is renewed', () => {
    const held = { ...second, isReleased: false };
    expect(stateAfter(LeaseTaken(first), LeaseTaken(second))).toEqual(held);
    expect(stateAfter(LeaseTaken(first), LeaseTaken(second), LeaseRenewed(second))).toEqual(held);
  });

  test('is free once it is released, and remembers its term', () => {
    expect(stateAfter(LeaseTaken(first), LeaseReleased(first))).toEqual({ ...first, isReleased: true });
    expect(stateAfter(LeaseTaken(first), LeaseReleased(first), LeaseTaken(second))?.isReleased).toBe(false);
  });

  test('is told by its last event alone', () => {
    for (const last of [LeaseTaken(second), LeaseRenewed(second), LeaseReleased(second)]) {
      expect(stateAfter(last)).toEqual(
        stateAfter(LeaseTaken(first), LeaseReleased(first), LeaseTaken(second), last),
      );
    }
  });
});
