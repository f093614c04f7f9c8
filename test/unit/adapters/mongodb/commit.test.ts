// The writes of a commit and their order: the checkpoint comes last, and what is stored already is not written again.
import { expect, test } from 'vitest';
import type { StoredState } from '../../../../src/adapters/mongodb/layout.ts';
import { openReadModel } from '../../../../src/adapters/mongodb/read-model.ts';
import { silentLogger } from '../../../../src/kernel/ports/logger.ts';
import type { Collection, Document, DocumentChange } from '../../../../src/kernel/ports/read-model.ts';
import { createMemoryServer } from '../../../support/mongo-in-memory.ts';

const tokens: Collection = {
  name: 'tokens',
  version: 1,
  lists: { all: ({ hidden }: Document) => (hidden === true ? undefined : 'all') },
  views: { card: (document: Document) => document },
};
const others: Collection = { name: 'others', version: 1 };
const ROWS = 'tokens.v1.1';

async function opened() {
  const server = createMemoryServer();
  const seen: string[] = [];
  /** The state of the server after each write, in short. */
  function look(): string {
    const [state] = server.documents('read_models') as unknown as readonly StoredState[];
    const checkpoints = Object.values(state?.collections ?? {}).map(
      ({ builds }) => builds[0]?.checkpoint ?? '-',
    );
    const rows = server.documents(ROWS).map(({ _id, p }) => `${_id}@${p}`);
    const totals = server.documents(`${ROWS}.totals`).map(({ n }) => String(n));
    return `rows ${rows.join(' ') || '-'}, total ${totals.join(' ') || '-'}, checkpoints ${checkpoints.join(' ')}`;
  }
  const database = server.connect(async (whole) => {
    const done = whole();
    seen.push(look());
    return done;
  });
  const readModel = await openReadModel({ database, logger: silentLogger });
  await readModel.beginTerm(1);
  await readModel.prepare([tokens, others]);
  seen.length = 0;
  const commit = async (changes: readonly DocumentChange[], checkpoint: string) => {
    await readModel.commit([
      { collection: tokens, changes },
      { collection: others, changes: [] },
      { collection: tokens, changes: [], checkpoint },
      { collection: others, changes: [], checkpoint },
    ]);
    return seen.splice(0);
  };
  return { commit };
}

const change = (key: string, position: string, document: Document = {}) => ({ key, position, document });

test('rows come first, then totals, and all checkpoints last, in one write', async () => {
  const { commit } = await opened();
  expect(await commit([change('a', '1')], '1')).toEqual([
    'rows a@1, total -, checkpoints - -',
    'rows a@1, total 1, checkpoints - -',
    'rows a@1, total 1, checkpoints 1 1',
  ]);
  expect(await commit([change('a', '2', { hidden: true })], '2')).toEqual([
    'rows a@2, total 1, checkpoints 1 1',
    'rows a@2, total 0, checkpoints 1 1',
    'rows a@2, total 0, checkpoints 2 2',
  ]);
});

test('a document that stays in its lists writes no total, and a checkpoint alone is one write', async () => {
  const { commit } = await opened();
  await commit([change('a', '1')], '1');
  expect(await commit([change('a', '2', { name: 'new' })], '2')).toEqual([
    'rows a@2, total 1, checkpoints 1 1',
    'rows a@2, total 1, checkpoints 2 2',
  ]);
  expect(await commit([], '3')).toEqual(['rows a@2, total 1, checkpoints 3 3']);
});

test('a repeated commit writes nothing', async () => {
  const { commit } = await opened();
  await commit([change('a', '1'), change('b', '2')], '2');
  expect(await commit([change('a', '1'), change('b', '2')], '2')).toEqual([]);
});

test('a large commit is written in parts, and its totals are right however often a document is in it', async () => {
  const { commit } = await opened();
  const isHidden = (index: number) => index % 7 === 0 || index === 2_000;
  const many = Array.from({ length: 2_001 }, (_, index) =>
    change(`k${index % 1_500}`, String(index).padStart(5, '0'), { hidden: isHidden(index) }),
  );
  const writes = await commit(many, '99999');
  const shown = many.filter((_, index) => index >= 501 && !isHidden(index)).length;
  expect(writes).toHaveLength(7);
  expect(writes.at(-1)).toContain(`total ${shown}, checkpoints 99999 99999`);
});
