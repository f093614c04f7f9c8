// The tables of events have everything that subscribers are told, and everything that the log stores.
import { expect, test } from 'vitest';
import { outcomes } from '../../../src/outcomes/index.ts';
import { outcomeTable, storedEventTable } from '../../../src/reference/tables.ts';
import { categoryOfType } from '../../../src/streams/index.ts';

test('every outcome has its row, what the public is told first', () => {
  const rows = outcomeTable().split('\n').slice(2, -1);
  expect(rows).toHaveLength(outcomes.length);
  const audiences = rows.map((row) => row.split(' | ')[1]);
  expect(audiences).toEqual(audiences.toSorted().toReversed());
});

test('every type of stored event has its row, with the category of its stream', () => {
  const rows = [...storedEventTable().matchAll(/^\| `(\w+)` \| `(\w+)` \|/gm)];
  const categories = Object.fromEntries(rows.map(([, category, type]) => [type, category]));
  expect(rows).toHaveLength(categoryOfType.size);
  expect(categories).toEqual(Object.fromEntries(categoryOfType));
});
