// The page that says who is paid names every reason that a ledger can hold, and only calls that there are.
import { expect, test } from 'vitest';
import { REASONS } from '../../../src/distribution/ledger/ledger-record.ts';
import { variables } from '../../../src/operations/config/variables.ts';
import { queries } from '../../../src/queries/index.ts';
import { REFUSALS } from '../../../src/streams/distribution-run.ts';
import { textOf } from './source-files.ts';

const PAGE = textOf('docs/explanation/who-is-paid.md');

/** The cells of each row below a heading, without the head of the table. */
function rowsBelow(heading: string): readonly (readonly string[])[] {
  const part = PAGE.split(/^## /m).find((text) => text.startsWith(`${heading}\n`));
  const rows = (part ?? '').split('\n').filter((line) => line.startsWith('| '));
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const named = (rows: readonly (readonly string[])[]) =>
  rows.map(([name = '']) => /^`([a-z-]+)`$/.exec(name)?.[1]).sort();

test('every reason of a ledger has its row, with whom it is about, what becomes of the share and how it ends', () => {
  const rows = rowsBelow('The reasons');
  expect(named(rows)).toEqual([...REASONS].sort());
  for (const [reason, ...cells] of rows) {
    const empty = cells.filter((cell) => cell === '').length;
    expect([reason, cells.length, empty]).toEqual([reason, 3, reason === '`planned`' ? 1 : 0]);
  }
});

test('every refusal of the chain has its row', () => {
  const rows = rowsBelow('Refusals of the chain');
  expect(named(rows)).toEqual([...REFUSALS].sort());
  for (const row of rows) expect(row.map((cell) => cell !== '')).toEqual([true, true, true]);
});

test('what is to be seen is seen by calls that there are', () => {
  const routes = queries.map(({ route }) => `${route.method} ${route.url}`);
  const calls = rowsBelow('Where to find a reason').map(([call = '']) => call.replaceAll('`', ''));
  expect(calls.length).toBeGreaterThan(4);
  for (const call of calls) expect(routes).toContain(call);
});

test('the settings that it names are variables', () => {
  const known = Object.values(variables).map(({ name }) => name);
  const settings = [...PAGE.matchAll(/`(DISTRIBUTION_[A-Z_]+)/g)].map(([, name]) => name);
  expect(settings.length).toBeGreaterThan(0);
  for (const name of settings) expect(known).toContain(name);
});
