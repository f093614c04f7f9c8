// All drafts with some work are gone through, a page at a time, each once: those that the read model cannot show come first.
import { expect, test } from 'vitest';
import { workPages } from '../../../../src/drafts/settling/work-pages.ts';
import type { ReadModel } from '../../../../src/kernel/ports/read-model.ts';

const PAGE = 1_000;
const name = (index: number) => `draft-${String(index).padStart(4, '0')}`;

async function pagesOf(count: number, unseen: readonly string[] = []) {
  const documents = Array.from({ length: count }, (_, index) => ({ transactionId: name(index) }));
  const asked: (string | undefined)[] = [];
  const readModel = {
    async find(_projection: object, index: string, work: string, options: { after?: string; limit: number }) {
      expect([index, work]).toEqual(['work', 'settle']);
      // A store compares `after`, so that it must not be there where there is none.
      expect('after' in options).toBe(asked.length > 0);
      asked.push(options.after);
      const from = documents.findIndex(({ transactionId }) => transactionId === options.after) + 1;
      return documents.slice(from, from + options.limit);
    },
  } as unknown as ReadModel;
  const pages: string[][] = [];
  for await (const page of workPages(readModel, 'settle', unseen))
    pages.push(page.map(({ transactionId }) => transactionId));
  return { pages, asked };
}

test.each<[string, number, readonly number[], readonly (string | undefined)[]]>([
  ['no page where there is nothing', 0, [], [undefined]],
  ['one page', 3, [3], [undefined]],
  ['a full page, behind which nothing comes', PAGE, [PAGE], [undefined, name(999)]],
  ['a page behind a full one', PAGE + 1, [PAGE, 1], [undefined, name(999)]],
])('%s', async (_what, count, sizes, asked) => {
  const found = await pagesOf(count);
  expect(found.pages.map(({ length }) => length)).toEqual(sizes);
  expect(found.asked).toEqual(asked);
  expect(new Set(found.pages.flat()).size).toBe(count);
});

test('what the read model cannot show comes first, and not again where it does show it', async () => {
  expect((await pagesOf(3, [name(1), 'new'])).pages).toEqual([
    [name(1), 'new'],
    [name(0), name(2)],
  ]);
  expect((await pagesOf(1, [name(0)])).pages).toEqual([[name(0)]]);
});

test('a page of nothing but what came first does not end the others', async () => {
  const first = Array.from({ length: PAGE }, (_, index) => name(index));
  expect((await pagesOf(PAGE + 1, first)).pages.map(({ length }) => length)).toEqual([PAGE, 1]);
});
