// How a registration changes, without a server.
import { describe, expect, test } from 'vitest';
import {
  buildOf,
  movedCheckpoints,
  NO_BUILDS,
  renewed,
  wentLive,
  withBuild,
} from '../../../../src/adapters/mongodb/build-changes.ts';
import type { Build, Registration } from '../../../../src/adapters/mongodb/layout.ts';
import { shapeOf } from '../../../../src/kernel/ports/collection-shape.ts';
import { NewerVersionLive } from '../../../../src/kernel/ports/shared-read-model.ts';

const tokens = (version: number) => ({ name: 'tokens', version });
const shape = JSON.stringify(shapeOf(tokens(1)));

function build(version: number, generation: number, id: number, checkpoint: string | null = null): Build {
  return { version, generation, id, shape, checkpoint };
}

const first = build(1, 1, 1, '5');
const second = build(2, 1, 2, '3');
const registered: Registration = {
  ...NO_BUILDS,
  lastBuild: 2,
  builds: [first, second],
  live: { version: 1, generation: 1 },
};

describe('a new build', () => {
  test('is the first of a version that has none, and takes a number that no other had', () => {
    const added = build(3, 1, 3);
    expect(withBuild(registered, tokens(3))).toEqual({ lastBuild: 3, builds: [first, second, added] });
  });

  test('follows the latest generation of its version', () => {
    const later = build(2, 4, 7);
    const found = { ...registered, lastBuild: 9, builds: [later, second] };
    expect(withBuild(found, tokens(2)).builds.at(-1)).toEqual(build(2, 5, 10));
    expect(buildOf(found, tokens(2))).toEqual(later);
  });

  test('is begun beside a live one, and in the place of one that is not live', () => {
    expect(renewed(registered, tokens(1), 'live')).toEqual({
      lastBuild: 3,
      builds: [first, second, build(1, 2, 3)],
    });
    expect(renewed(registered, tokens(2), 'live')).toEqual({
      lastBuild: 3,
      builds: [first, build(2, 1, 3)],
    });
  });
});

test('a build that keeps nothing takes another number, and all others are retired', () => {
  expect(renewed(registered, tokens(2), 'nothing')).toEqual({
    lastBuild: 3,
    builds: [build(2, 1, 3)],
    live: null,
  });
});

describe('a checkpoint', () => {
  const moved = (...moves: readonly [Build, string | undefined][]) =>
    movedCheckpoints(
      moves.map(([of, checkpoint]) => ({
        build: of,
        collection: tokens(of.version),
        ...(checkpoint !== undefined && { checkpoint }),
      })),
    )(registered);

  test.each(['4', '5', undefined])('never moves from 5 to %s', (checkpoint) => {
    expect(moved([first, checkpoint])).toBeUndefined();
  });

  test('moves on, also those of several builds at once, and the highest counts', () => {
    expect(moved([first, '7'], [second, '4'], [first, '6'])).toEqual({
      builds: [
        { ...first, checkpoint: '7' },
        { ...second, checkpoint: '4' },
      ],
    });
  });

  test('of a retired build is refused', () => {
    expect(() => moved([build(1, 1, 9), '7'])).toThrow('no longer has build 1 of version 1');
  });
});

describe('the live build', () => {
  test('is the one that goes live, and all others are retired', () => {
    expect(wentLive(registered, tokens(2))).toEqual({
      builds: [second],
      live: { version: 2, generation: 1 },
    });
  });

  test('stays when it is the only one already', () => {
    expect(wentLive({ ...registered, builds: [first] }, tokens(1))).toBeUndefined();
  });

  test('retires what an interrupted start left beside it', () => {
    expect(wentLive(registered, tokens(1))?.builds).toEqual([first]);
  });

  test('is not replaced, nor removed, by an older version', () => {
    const newer = { ...registered, live: { version: 2, generation: 1 } };
    expect(() => wentLive(newer, tokens(1))).toThrow(NewerVersionLive);
    expect(() => renewed(newer, tokens(1), 'nothing')).toThrow(NewerVersionLive);
  });
});
