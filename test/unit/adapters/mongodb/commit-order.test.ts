// What a commit writes, in which order: a writer that takes over relies on it.
import { expect, test } from 'vitest';
import { createCollectionWriter } from '../../../../src/adapters/mongodb/collection-writer.ts';
import { fillOf } from '../../../../src/adapters/mongodb/layout.ts';
import { createRegistrationWrites } from '../../../../src/adapters/mongodb/registration-writes.ts';
import { renderChange } from '../../../../src/adapters/mongodb/render-change.ts';
import { shapeOf } from '../../../../src/kernel/ports/collection-shape.ts';
import { createMemoryServer } from '../../../support/mongo-in-memory.ts';

const tokens = {
  name: 'tokens',
  version: 1,
  lists: {
    all: (document: { readonly listed?: boolean }) => (document.listed === false ? undefined : 'all'),
  },
  views: { card: (document: object) => ({ ...document }) },
};
const ROWS = fillOf(createMemoryServer().connect(), 'tokens', { version: 1, fill: 1 }).name;

async function given() {
  const server = createMemoryServer();
  const seen: string[] = [];
  /** What the server has after each write, in short. */
  function look(): string {
    const [registered] = server.documents('read_models');
    const [entry] = (registered?.generations ?? []) as readonly { readonly checkpoint: string | null }[];
    const rows = server.documents(ROWS).map(({ _id, p }) => `${_id}@${p}`);
    const lists = server.documents(`${ROWS}.lists`).map(({ _id }) => String(_id).slice(0, 1));
    return [
      registered?.pending ? 'intent' : 'none',
      `rows ${rows.join(' ') || '-'}`,
      `lists ${lists.join('') || '-'}`,
      `checkpoint ${entry?.checkpoint ?? '-'}`,
    ].join(', ');
  }
  const database = server.connect(async (whole) => {
    const done = whole();
    seen.push(look());
    return done;
  });
  const writer = createCollectionWriter({
    database,
    name: 'tokens',
    term: 1,
    registrations: createRegistrationWrites(database),
    noted: () => undefined,
    retired: () => undefined,
  });
  await writer.prepare(tokens);
  const commit = (
    changes: readonly [key: string, position: string, document: object][],
    checkpoint?: string,
  ) =>
    writer.commit([
      {
        collection: tokens,
        generation: undefined,
        checkpoint,
        changes: changes.map(([key, position, document]) =>
          renderChange(tokens, shapeOf(tokens), { key, position, document: { ...document } }),
        ),
      },
    ]);
  return { commit, seen, begin: () => void seen.splice(0) };
}

test('the intent comes first, then the rows, then the lists, and the checkpoint takes the intent out', async () => {
  const { commit, seen, begin } = await given();
  begin();
  await commit([['a', '1', {}]], '1');
  expect(seen).toEqual([
    'intent, rows -, lists -, checkpoint -',
    'intent, rows a@1, lists -, checkpoint -',
    'intent, rows a@1, lists h, checkpoint -',
    'none, rows a@1, lists h, checkpoint 1',
  ]);
});

test('a document that leaves a list marks its place there, and the list follows the row', async () => {
  const { commit, seen, begin } = await given();
  await commit([['a', '1', {}]], '1');
  begin();
  await commit([['a', '2', { listed: false }]], '2');
  expect(seen).toEqual([
    'intent, rows a@1, lists h, checkpoint 1',
    'intent, rows a@2, lists h, checkpoint 1',
    'intent, rows a@2, lists hb, checkpoint 1',
    'none, rows a@2, lists hb, checkpoint 2',
  ]);
});

test('what is known already writes nothing, and a checkpoint alone is one write', async () => {
  const { commit, seen, begin } = await given();
  await commit([['a', '1', {}]], '1');
  begin();
  await commit([['a', '1', {}]], '1');
  expect(seen).toEqual([]);
  await commit([], '2');
  expect(seen).toEqual(['none, rows a@1, lists h, checkpoint 2']);
});

test('of a large commit each chunk intends what it writes, and the rows before are not read again', async () => {
  const { commit, seen, begin } = await given();
  begin();
  const many = Array.from({ length: 1_001 }, (_, at): [string, string, object] => [
    `k${at % 1_000}`,
    String(at).padStart(5, '0'),
    {},
  ]);
  await commit(many, '9');
  expect(seen.map((each) => each.split(', ')[0])).toEqual([
    'intent',
    'intent',
    'intent',
    'intent',
    'intent',
    'none',
  ]);
  expect(seen.at(-1)).toMatch(/k0@01000 .*checkpoint 9$/);
});
