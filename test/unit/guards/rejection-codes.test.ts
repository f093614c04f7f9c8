// The table of rejection codes is what the API's description and the README are made of: it must be whole and true.
import { describe, expect, test } from 'vitest';
import { commands } from '../../../src/commands/index.ts';
import { queries } from '../../../src/queries/index.ts';
import { REJECTION_CODES } from '../../../src/streams/rejections.ts';
import { filesBelow, textOf } from './source-files.ts';

const TABLE = 'src/streams/rejections.ts';
const kinds = new Map<string, string>(
  Object.entries(REJECTION_CODES).map(([code, { kind }]) => [code, kind]),
);
const sources = filesBelow('src')
  .filter((path) => path !== TABLE)
  .map((path) => ({ path, text: textOf(path) }));

/** Codes with which a text makes rejections, and their kinds where they are given too. */
function made(text: string): readonly { readonly code: string; readonly kind: string | undefined }[] {
  const found = text.matchAll(/\b(?:rejection|new Rejection)\(\s*'([A-Z0-9_]+)',(?:\s*'([a-z-]+)',)?/g);
  return [...found].map(([, code = '', kind]) => ({ code, kind }));
}

test('every code that is used is in the table, under the kind that the table gives it', () => {
  for (const { path, text } of sources) {
    for (const { code, kind } of made(text)) {
      expect([path, code, kinds.has(code)]).toEqual([path, code, true]);
      if (kind !== undefined) expect([path, code, kind]).toEqual([path, code, kinds.get(code)]);
    }
  }
});

test('every code in the table is used somewhere', () => {
  const unused = [...kinds.keys()].filter((code) => !sources.some(({ text }) => text.includes(`'${code}'`)));
  expect(unused, `take it out of ${TABLE}`).toEqual([]);
});

describe.each(
  [...commands, ...queries].map((route) => [route.name, route] as const),
)('%s', (_name, route) => {
  test('declares codes of the table, each once', () => {
    expect(route.rejections.filter((code) => !kinds.has(code))).toEqual([]);
    expect(new Set(route.rejections).size).toBe(route.rejections.length);
  });
});

/** Every route may give them; they are described once. */
const OF_EVERY_ROUTE = ['VALIDATION_FAILED'];

describe('a command or query', () => {
  test.each(
    sources.filter(({ path }) => /^src\/(commands|queries)\//.test(path) && !path.endsWith('/index.ts')),
  )('declares the rejections that it makes itself: $path', ({ path, text }) => {
    const name = /\bname: '(\w+)'/.exec(text)?.[1];
    const route = [...commands, ...queries].find((each) => each.name === name);
    // Those of a file without a route of its own are declared by those that use it.
    const declared = route === undefined ? undefined : [...route.rejections, ...OF_EVERY_ROUTE];
    const undeclared = made(text)
      .map(({ code }) => code)
      .filter((code) => declared?.includes(code) === false);
    expect([path, undeclared]).toEqual([path, []]);
  });
});
