/** What the documentation says of the rooms of `src` is what `npm run directions` enforces. */
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { RUN_STEPS } from '../../../src/streams/distribution-step.ts';
import { filesBelow, textOf } from './source-files.ts';

interface Pattern {
  readonly path?: string | readonly string[];
  readonly pathNot?: string | readonly string[];
}

interface Rule {
  readonly name: string;
  readonly scope?: string;
  readonly from: Pattern;
  readonly to: Pattern & { readonly [other: string]: unknown };
}

const { forbidden }: { readonly forbidden: readonly Rule[] } = createRequire(import.meta.url)(
  '../../../.dependency-cruiser.cjs',
);
const upwards = forbidden.filter(({ name }) => name.startsWith('no-import-upwards'));

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

function isForbidden(rules: readonly Rule[], importing: string, imported: string): boolean {
  return rules.some(({ from, to }) => {
    const source = matchOf(from.path, importing);
    if (
      source === undefined ||
      (from.pathNot !== undefined && matchOf(from.pathNot, importing) !== undefined)
    )
      return false;
    const target = groupsIn(to.path, source);
    const except = groupsIn(to.pathNot, source);
    return (
      target !== undefined &&
      matchOf(target, imported) !== undefined &&
      (except === undefined || matchOf(except, imported) === undefined)
    );
  });
}

function matchOf(patterns: Pattern['path'], path: string): RegExpExecArray | undefined {
  if (patterns === undefined) return undefined;
  const all = typeof patterns === 'string' ? [patterns] : patterns;
  return all.map((pattern) => new RegExp(pattern).exec(path)).find((found) => found !== null) ?? undefined;
}

/** `$1` is what the importing file's path has in its first group. */
function groupsIn(patterns: Pattern['path'], source: RegExpExecArray): readonly string[] | undefined {
  if (patterns === undefined) return undefined;
  const all = typeof patterns === 'string' ? [patterns] : patterns;
  return all.map((pattern) => pattern.replaceAll('$1', source[1] ?? ''));
}

describe('the rooms of the architecture page', () => {
  test('are those that there are, each once', () => {
    expect(rooms.length).toBeGreaterThan(10);
    expect(new Set(rooms).size).toBe(rooms.length);
    expect(rooms.filter((room) => !sources.some((file) => file.startsWith(room)))).toEqual([]);
    const places = [...rooms, ...beside, 'src/main.ts'];
    expect(sources.filter((file) => !places.some((place) => file.startsWith(place)))).toEqual([]);
  });

  test.each(
    lines.map((line, height) => [line, height] as const),
  )('%s import no room of a later line', (line, height) => {
    const later = lines.slice(height + 1).flat();
    const allowed = line.flatMap((room) =>
      later
        .filter((above) => !isForbidden(forbidden, `${room}a.ts`, `${above}b.ts`))
        .map((above) => `${room} -> ${above}`),
    );
    expect(allowed).toEqual([]);
  });

  test.each(
    lines.map((line, height) => [line, height] as const),
  )('%s stand no higher than they must', (line, height) => {
    const below = lines.slice(0, height + 1).flat();
    const refused = line.flatMap((room) =>
      below
        .filter((other) => other !== room && isForbidden(upwards, `${room}a.ts`, `${other}b.ts`))
        .map((other) => `${room} -> ${other}`),
    );
    expect(refused).toEqual([]);
  });

  test('may not import the adapters, but for the composition', () => {
    const importing = rooms.filter(
      (room) => !isForbidden(forbidden, `${room}a.ts`, 'src/adapters/sqlite/b.ts'),
    );
    expect(importing).toEqual(['src/app/', 'src/levy/']);
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
