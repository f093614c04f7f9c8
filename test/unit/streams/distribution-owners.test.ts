// Lists of owners: which one counts when, and how little is remembered of them.
import { describe, expect, test } from 'vitest';
import { gridTimeAfter, millisecondsOf } from '../../../src/streams/distribution-interval.ts';
import {
  type DistributionOwnersState,
  distributionOwners,
  OwnersListed,
  ownersAt,
} from '../../../src/streams/distribution-owners.ts';
import { DISTRIBUTION_INTERVALS } from '../../../src/streams/value-types.ts';
import { addresses, ids } from '../../support/domain-examples.ts';

const time = (clock: string) => `2026-05-04T${clock}:00.000Z`;
const listed = (excludedOwners: string[], at: string, from: string) =>
  OwnersListed({
    tokenId: ids.tokenId,
    excludedOwners,
    allowedOwners: [],
    listedAt: time(at),
    validFrom: time(from),
  });
const stateAfter = (...events: readonly ReturnType<typeof listed>[]): DistributionOwnersState =>
  events.reduce(distributionOwners.evolve, distributionOwners.initial);
const { creator, otherCreator, mint } = addresses;

describe('a list of owners', () => {
  const first = listed([creator], '10:00', '11:00');
  const second = listed([otherCreator], '12:00', '13:00');

  test('is empty until one was made', () => {
    expect(ownersAt(stateAfter(), time('10:00'))).toEqual({ excludedOwners: [], allowedOwners: [] });
  });

  test('counts from its moment on, and the one before until then', () => {
    const state = stateAfter(first, second);
    const keptOutAt = (clock: string) => ownersAt(state, time(clock)).excludedOwners;
    expect(['12:59', '13:00', '23:00'].map(keptOutAt)).toEqual([[creator], [otherCreator], [otherCreator]]);
    expect(ownersAt(stateAfter(first), time('10:59')).excludedOwners).toEqual([]);
    expect(ownersAt(stateAfter(first), time('11:00')).excludedOwners).toEqual([creator]);
  });

  test('that did not count yet is replaced by the next', () => {
    const early = listed([otherCreator], '10:30', '11:30');
    const state = stateAfter(first, early);
    expect(state).toEqual([early.data]);
    expect(ownersAt(state, time('11:15')).excludedOwners).toEqual([]);
  });

  test('leaves two behind, however many there were', () => {
    const pending = Array.from({ length: 50 }, (_, minute) =>
      listed([mint], `12:${String(minute).padStart(2, '0')}`, `13:${String(minute).padStart(2, '0')}`),
    );
    expect(stateAfter(first, ...pending)).toHaveLength(2);
    expect(
      stateAfter(first, second, listed([], '14:00', '15:00')).map(({ excludedOwners }) => excludedOwners),
    ).toEqual([[otherCreator], []]);
  });
});

describe('the grid of a token', () => {
  const token = { createdAt: '2026-05-04T10:00:41.500Z', interval: '1h' } as const;
  const next = (moment: string) => gridTimeAfter(token, new Date(moment));

  test('counts from its creation, which is no moment of it', () => {
    expect(next('2026-05-04T10:00:41.500Z')).toBe('2026-05-04T11:00:41.500Z');
    expect(next('2026-05-04T09:00:00.000Z')).toBe('2026-05-04T11:00:41.500Z');
  });

  test('gives the first moment after another', () => {
    expect(next('2026-05-04T11:00:41.499Z')).toBe('2026-05-04T11:00:41.500Z');
    expect(next('2026-05-04T11:00:41.500Z')).toBe('2026-05-04T12:00:41.500Z');
    expect(next('2027-05-04T11:30:00.000Z')).toBe('2027-05-04T12:00:41.500Z');
  });

  test('has intervals of the lengths that they are named for', () => {
    expect(DISTRIBUTION_INTERVALS.map((interval) => millisecondsOf(interval) / 60_000)).toEqual([
      5, 10, 15, 30, 60, 360, 720, 1_440,
    ]);
  });
});
