// The pages of docs/reference are written from the code, and nobody has changed them by hand, but for those named here.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { commands } from '../../../src/commands/index.ts';
import { createProgram } from '../../../src/levy/program.ts';
import { commandPage } from '../../../src/levy/reference-page.ts';
import { queries } from '../../../src/queries/index.ts';
import { referencePages } from '../../../src/reference/pages.ts';

const FOLDER = fileURLToPath(new URL('../../../docs/reference/', import.meta.url));
const REMEDY = 'run: npm run docs';
const pages = [...referencePages(), commandPage(createProgram(process).program)];
/** Byte layouts, which no code says in words. */
const WRITTEN_BY_HAND = ['ledger-files.md'];

test.each(pages)('docs/reference/$file is the one of today', ({ file, text }) => {
  // Not `toBe` on the whole page: the message is to say what to do, not to show two pages.
  expect(readFileSync(FOLDER + file, 'utf8') === text, REMEDY).toBe(true);
});

test('docs/reference holds these pages and no others', () => {
  expect(readdirSync(FOLDER).toSorted(), REMEDY).toEqual(
    [...pages.map(({ file }) => file), ...WRITTEN_BY_HAND].toSorted(),
  );
});

test('the page of routes has every route', () => {
  const text = pages.find(({ file }) => file === 'routes.md')?.text ?? '';
  const listed = [...text.matchAll(/^\| `((?:GET|POST|PATCH|PUT) [^`]+)` \|/gm)].map(([, route]) => route);
  const all = [...commands, ...queries].map(({ route }) => `${route.method} ${route.url}`);
  expect(listed.toSorted()).toEqual(all.toSorted());
});
