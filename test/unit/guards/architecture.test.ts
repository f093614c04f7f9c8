/** The documentation names every room of `src`, and the steps of a run in their order. `npm run directions` enforces which may import which. */
import { describe, expect, test } from 'vitest';
import { RUN_STEPS } from '../../../src/streams/distribution-step.ts';
import { filesBelow, textOf } from './source-files.ts';

const sources = filesBelow('src');
const PAGE = 'docs/explanation/architecture.md';

/** The lines of the table, from the ground up: the folders in its first column. */
const lines = textOf(PAGE)
  .split('\n')
  .map((line) => roomsIn(/^\| *(`src\/[^|]*)\|/.exec(line)?.[1] ?? ''))
  .filter((rooms) => rooms.length > 0);
const rooms = lines.flat();
const beside = ['src/adapters/'];

function roomsIn(text: string): readonly string[] {
  return [...text.matchAll(/`(src\/[a-z0-9/-]*\/)`/g)].map(([, room = '']) => room);
}

describe('the rooms of the architecture page', () => {
  test('are those that there are, each once', () => {
    expect(rooms.length).toBeGreaterThan(10);
    expect(new Set(rooms).size).toBe(rooms.length);
    expect(rooms.filter((room) => !sources.some((file) => file.startsWith(room)))).toEqual([]);
    const places = [...rooms, ...beside, 'src/main.ts'];
    expect(sources.filter((file) => !places.some((place) => file.startsWith(place)))).toEqual([]);
  });
});

test('the map in the README names every room', () => {
  const named = [...textOf('README.md').matchAll(/^\| ([^|]*src\/[^|]*)\|/gm)].flatMap(([, column = '']) =>
    [...column.matchAll(/`(src\/[^`]+)`/g)].map(([, place = '']) => place),
  );
  expect(sources.filter((file) => !named.some((place) => file.startsWith(place)))).toEqual([]);
});

test('the page of the engine has the steps of a run in their order', () => {
  const steps = [...textOf('docs/explanation/engine.md').matchAll(/^\| `([a-z]+)` \|/gm)].map(
    ([, step]) => step,
  );
  // Nothing is recorded at the announced moment.
  expect(steps).toEqual(Object.keys(RUN_STEPS).filter((step) => step !== 'announce'));
});
