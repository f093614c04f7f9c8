// Given a log and read models that say something else, when they are compared, then each lie is named, and nothing else.
import { expect, test } from 'vitest';
import type { RecordedEvent } from '../../../../src/kernel/ports/event-store.ts';
import { START } from '../../../../src/kernel/ports/event-store.ts';
import { projections } from '../../../../src/projections/index.ts';
import { tokens } from '../../../../src/projections/tokens.ts';
import { buildReadModels } from '../../../../src/proof/replay/build-read-models.ts';
import { TokenHidden, TokenShown } from '../../../../src/streams/token.ts';
import { compared, emptyReadModel, logOf, reader } from '../../../support/comparing.ts';
import { ids, token, tokenCreated } from '../../../support/domain-examples.ts';
import { happening, storedEvents } from '../../../support/recorded-events.ts';

const { tokenId } = ids;
const OTHER = '9b2d1f0e-3c4b-4a59-8a77-0c1d2e3f4a5b';

const events = storedEvents([
  happening(tokenId, tokenCreated),
  happening(OTHER, { ...tokenCreated, data: { ...tokenCreated.data, token: { ...token, tokenId: OTHER } } }),
  happening(tokenId, TokenHidden({ tokenId, reason: 'Spam.' })),
  happening(tokenId, TokenShown({ tokenId, reason: null })),
]);

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
  expect(comparison).toMatchObject({ ahead: 0, notCompared: [] });
  expect(comparison.documents).toBeGreaterThan(2);
});

// audit-documents names a changed, a missing and a surplus document.
test('a changed rendering is named with what the log says', async () => {
  const { readModel, database } = await readModelOf(events);
  database.execute(
    `UPDATE ${TABLE} SET "view.card" = replace("view.card", 'Levy', 'Lexy') WHERE key = '${OTHER}'`,
  );
  const { found } = await compared(logOf(events), readModel);
  expect(found).toMatchObject([{ kind: 'differs', collection: 'tokens', key: OTHER, parts: ['view card'] }]);
  expect(JSON.stringify(found[0]?.log)).toContain('Levy');
  expect(JSON.stringify(found[0]?.readModel)).toContain('Lexy');
});

test('a read model that is behind the log is compared with the log as it was then', async () => {
  const { readModel } = await readModelOf(events.slice(0, 3));
  const comparison = await compared(logOf(events), readModel);
  expect(comparison).toMatchObject({ found: [], ahead: 0, notCompared: [] });
});

test('a document that is ahead of the checkpoint of its read model is counted, not compared', async () => {
  const { readModel, database } = await readModelOf(events);
  const beyond = events.at(-1)?.position.replace(/.$/, '9');
  database.execute(
    `UPDATE ${TABLE} SET position = '${beyond}', document = replace(document, 'Levy', 'Lexy') WHERE key = '${OTHER}'`,
  );
  expect(await compared(logOf(events), readModel)).toMatchObject({ found: [], ahead: 1 });
});
