// Given a log and read models that say something else, when they are compared, then each lie is named, and nothing else.
import { expect, test } from 'vitest';
import type { RecordedEvent } from '../../../../src/kernel/ports/event-store.ts';
import { START } from '../../../../src/kernel/ports/event-store.ts';
import type { StoredEntry } from '../../../../src/kernel/ports/read-model.ts';
import { projections } from '../../../../src/projections/index.ts';
import { filterValue, tokens } from '../../../../src/projections/tokens.ts';
import { buildReadModels } from '../../../../src/proof/replay/build-read-models.ts';
import { readModelsIn } from '../../../../src/proof/replay/served-documents.ts';
import { TokenHidden, TokenShown } from '../../../../src/streams/token.ts';
import { compared, emptyReadModel, logOf, reader } from '../../../support/comparing.ts';
import { addresses, ids, token, tokenCreated } from '../../../support/domain-examples.ts';
import { happening, storedEvents } from '../../../support/recorded-events.ts';

const { tokenId } = ids;
const OTHER = '9b2d1f0e-3c4b-4a59-8a77-0c1d2e3f4a5b';

const events = storedEvents([
  happening(tokenId, tokenCreated),
  happening(OTHER, { ...tokenCreated, data: { ...tokenCreated.data, token: { ...token, tokenId: OTHER } } }),
  happening(tokenId, TokenHidden({ tokenId, reason: 'Spam.' })),
  happening(tokenId, TokenShown({ tokenId, reason: null })),
]);

const last = events.at(-1)?.position ?? START;
const TABLE = `"tokens_v${tokens.version}.documents"`;

async function readModelOf(some: readonly RecordedEvent[]) {
  const { readModel, database } = emptyReadModel();
  await readModel.prepare(projections);
  const until = some.at(-1)?.position ?? START;
  await buildReadModels({ projections, log: logOf(some), reader, readModel, until: () => until });
  for (const projection of projections) await readModel.goLive(projection);
  return { readModel, database };
}

test('what the log says is found to be the same, in every collection', async () => {
  const { readModel } = await readModelOf(events);
  const comparison = await compared(logOf(events), readModel);
  expect(comparison.found).toEqual([]);
  expect(comparison).toMatchObject({ head: last, differences: 0, notCompared: [] });
  expect(comparison.compared.map(({ collection }) => collection)).toEqual(
    projections.map(({ name }) => name),
  );
  expect(comparison.compared.find(({ collection }) => collection === 'tokens')).toMatchObject({
    documents: 2,
    // Four lists, one of which has a part for the only creator; one mint each, and the creator.
    lookUps: expect.toSatisfy((count: number) => count > 5),
    position: last,
  });
});

test.each([
  [
    'a list that lacks a document',
    `DELETE FROM "tokens_v${tokens.version}.ranks" WHERE ordinal = 1`,
    'list all',
    '',
  ],
  [
    'a list that counts wrong',
    `UPDATE "tokens_v${tokens.version}.partitions" SET total = 1 WHERE list = 'all'`,
    'list all',
    '',
  ],
  [
    'an index that lacks a document',
    `DELETE FROM "tokens_v${tokens.version}.entries" WHERE ordinal = 1 AND name = 'index creator'`,
    'index creator',
    addresses.creator,
  ],
  [
    'an index with places that lacks a document',
    `DELETE FROM "tokens_v${tokens.version}.entries" WHERE ordinal = 1 AND name = 'index paid'`,
    'index paid',
    filterValue({}),
  ],
])('%s is named, though every document is right', async (_what, lie, part, key) => {
  const { readModel, database } = await readModelOf(events);
  database.execute(lie);
  const { found } = await compared(logOf(events), readModel);
  expect(found).toContainEqual(
    expect.objectContaining({ kind: 'differs', collection: 'tokens', key, parts: [part] }),
  );
  for (const { parts } of found) expect(parts[0]).toMatch(/^(list|index) /);
});

test.each([
  ['a changed document', `UPDATE ${TABLE} SET document = replace(document, 'Levy', 'Lexy')`, 'document'],
  [
    'a changed rendering',
    `UPDATE ${TABLE} SET "view.card" = replace("view.card", 'Levy', 'Lexy')`,
    'view card',
  ],
])('%s is named with what the log says', async (_what, lie, part) => {
  const { readModel, database } = await readModelOf(events);
  database.execute(`${lie} WHERE key = '${OTHER}'`);
  const { found, differences } = await compared(logOf(events), readModel);
  expect(differences).toBe(1);
  expect(found).toMatchObject([{ kind: 'differs', collection: 'tokens', key: OTHER, parts: [part] }]);
  expect(JSON.stringify(found[0]?.log)).toContain('Levy');
  expect(JSON.stringify(found[0]?.readModel)).toContain('Lexy');
});

test('a missing document and a surplus one are named by their keys', async () => {
  const { readModel, database } = await readModelOf(events);
  database.execute(`UPDATE ${TABLE} SET key = 'zzz' WHERE key = '${OTHER}'`);
  const { found } = await compared(logOf(events), readModel);
  expect(found).toMatchObject([
    { kind: 'missing', collection: 'tokens', key: OTHER, readModel: null },
    { kind: 'surplus', collection: 'tokens', key: 'zzz', log: null },
  ]);
});

test('a read model that is behind the log is compared with the log as it was then', async () => {
  const { readModel } = await readModelOf(events.slice(0, 3));
  const comparison = await compared(logOf(events), readModel);
  expect(comparison).toMatchObject({ head: last, differences: 0 });
  expect(comparison.compared[0]?.position).toBe(events[2]?.position);
});

test('a read model of more events than the log has is not compared, and that is said', async () => {
  const { readModel } = await readModelOf(events);
  const comparison = await compared(logOf(events.slice(0, 2)), readModel);
  expect(comparison.compared).toEqual([]);
  expect(comparison.notCompared).toHaveLength(projections.length);
  expect(comparison.notCompared[0]?.reason).toContain('is after the end of the log');
});

test('a document that shows events behind the checkpoint is held to the log at its own position', async () => {
  const { readModel } = await readModelOf(events.slice(0, 2));
  const whole = await readModelOf(events);
  const [ahead] = await ofTokens(whole.readModel, tokenId);
  const honest = await compared(logOf(events), withEntry(readModel, ahead));
  expect(honest.found).toEqual([]);
  const lying = await compared(
    logOf(events),
    withEntry(readModel, ahead && { ...ahead, document: { no: 1 } }),
  );
  expect(lying.found).toMatchObject([{ kind: 'differs', key: tokenId, parts: ['document'] }]);
  const unheardOf = { ...ahead, position: last.replace(/.$/, '9') } as StoredEntry;
  const beyond = await compared(logOf(events), withEntry(readModel, unheardOf));
  expect(beyond.found).toMatchObject([{ kind: 'differs', key: tokenId, parts: ['position'] }]);
});

async function ofTokens(readModel: Parameters<typeof readModelsIn>[0], key: string) {
  const generation = (await readModel.served(tokens)) ?? { version: 0, generation: 0 };
  const entries = await readModel.entries(tokens, { generation, limit: 10 });
  return entries.filter((entry) => entry.key === key);
}

/** As another process may have written it since the checkpoint was read. */
function withEntry(readModel: Parameters<typeof readModelsIn>[0], entry: StoredEntry | undefined) {
  const read = readModelsIn(readModel);
  return {
    ...read,
    entries: async (...[projection, options]: Parameters<typeof read.entries>) =>
      (await read.entries(projection, options)).map((one) =>
        projection === tokens && one.key === entry?.key ? entry : one,
      ),
  };
}
