// The read models with the log: each way in which a document can be wrong has its sentence, and the place of its event.
import { expect, test } from 'vitest';
import { START } from '../../../../src/kernel/ports/event-store.ts';
import { projections } from '../../../../src/projections/index.ts';
import { tokens } from '../../../../src/projections/tokens.ts';
import { CHECKS } from '../../../../src/proof/audit/checks.ts';
import { auditDocuments } from '../../../../src/proof/audit/documents/audit-documents.ts';
import { createNotebook } from '../../../../src/proof/audit/report.ts';
import { buildReadModels } from '../../../../src/proof/replay/build-read-models.ts';
import { TokenHidden } from '../../../../src/streams/token.ts';
import { reportOf } from '../../../support/audit-report.ts';
import { emptyReadModel, logOf, reader } from '../../../support/comparing.ts';
import { addresses, ids, signatures, tokenCreated } from '../../../support/domain-examples.ts';
import { happening, storedEvents } from '../../../support/recorded-events.ts';

const { tokenId } = ids;
const events = storedEvents([
  happening(tokenId, tokenCreated),
  happening(tokenId, TokenHidden({ tokenId, reason: 'Spam.' })),
]);
const [created, hidden] = events;
const TABLE = `"tokens_v${tokens.version}.documents"`;

async function reportAfter(lie: string, { log = logOf(events) } = {}) {
  const { readModel, database } = emptyReadModel();
  await readModel.prepare(projections);
  await buildReadModels({
    projections,
    log: logOf(events),
    reader,
    readModel,
    until: () => events.at(-1)?.position ?? START,
  });
  for (const projection of projections) await readModel.goLive(projection);
  if (lie !== '') database.execute(lie);
  const notebook = createNotebook();
  const { readModel: scratch } = emptyReadModel();
  const options = { projections, log, reader, readModel, scratch };
  await auditDocuments(options, notebook.check(CHECKS.documents));
  return reportOf(notebook);
}

test('a document that was changed is found, with what differs and the event that it shows last', async () => {
  const { findings } = await reportAfter(`UPDATE ${TABLE} SET document = replace(document, 'Levy', 'Lexy')`);
  expect(findings).toMatchObject([
    {
      what: `the document ${tokenId} of tokens differs in document`,
      expected: expect.stringContaining('Levy'),
      found: expect.stringContaining('Lexy'),
      document: { collection: 'tokens', key: tokenId },
      event: { id: hidden?.id, position: hidden?.position },
      tokenId,
      time: hidden?.metadata.occurredAt,
    },
  ]);
});

test('a document that no event leads to is found, and names what its last event names', async () => {
  const position = created?.position;
  const { findings } = await reportAfter(`UPDATE ${TABLE} SET key = 'zzz', position = '${position}'`);
  expect(findings).toMatchObject([
    { what: `the document ${tokenId} of tokens is missing` },
    {
      what: 'the document zzz of tokens is surplus',
      expected: 'null',
      event: { id: created?.id },
      account: addresses.mint,
      signature: signatures.second,
      tokenId,
    },
  ]);
});

test('a read model that is ahead of the log could not be checked at', async () => {
  const { findings, unchecked } = await reportAfter('', { log: logOf(events.slice(0, 1)) });
  expect(findings).toEqual([]);
  expect(unchecked.map(({ what }) => what)).toEqual(projections.map(({ name }) => name));
  expect(unchecked[0]?.why).toContain('is after the end of the log');
});
