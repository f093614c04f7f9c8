// `levy check` tells the database of another log before a start, and lets that of this log and an empty one pass.
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openMongo } from '../../../src/adapters/mongodb/client.ts';
import { openReadModel } from '../../../src/adapters/mongodb/read-model.ts';
import { openSqliteDatabase } from '../../../src/adapters/sqlite/database.ts';
import { createSqliteEventStore } from '../../../src/adapters/sqlite/event-store.ts';
import { checkSharedReadModels, reportOn } from '../../../src/app/check-start.ts';
import { silentLogger } from '../../../src/kernel/ports/logger.ts';
import { writerStatusJson } from '../../../src/kernel/runtime/remote-projection.ts';
import { describeOnMongo } from '../../support/describe-on-mongo.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const OWN = '11111111-1111-4111-8111-111111111111';
const OTHER = '22222222-2222-4222-8222-222222222222';

describeOnMongo({ count: 1 }, (server) => {
  test('each database is told apart', async () => {
    const folder = await temporaryFolder();
    const env = { DATA_DIR: folder, EVENT_STORE_URL: `sqlite:${join(folder, 'levy.db')}` };
    const database = openSqliteDatabase(join(folder, 'levy.db'));
    const log = createSqliteEventStore(database);
    await log.append('thing-1', 'none', [{ id: OWN, type: 'Happened', data: {}, metadata: {} }]);
    await log.close();
    await database.close();

    const mongo = await server();
    async function checked(
      madeFrom: string | undefined,
      log: { readonly isBegun: boolean | undefined } = { isBegun: true },
    ) {
      const url = mongo.newUrl();
      if (madeFrom !== undefined) {
        const opened = await openMongo({ url });
        onTestFinished(() => opened.close());
        const readModel = await openReadModel({ database: opened.database, logger: silentLogger });
        await readModel.beginTerm(1);
        const status = { term: 1, log: madeFrom, beat: 1, release: '1', rebuildsHandled: 0, projections: [] };
        await readModel.writeStatus(writerStatusJson(status));
        await readModel.close();
      }
      return reportOn('read models', (findings) =>
        checkSharedReadModels({ readModel: { url } }, env, log, findings),
      );
    }

    expect(await checked(OWN)).toMatchObject({ outcome: 'holds', remarks: ['made from this log'] });
    expect(await checked(undefined)).toMatchObject({ outcome: 'holds' });
    expect(await checked(OTHER, { isBegun: undefined })).toMatchObject({ outcome: 'holds' });
    for (const found of [await checked(OTHER), await checked(OTHER, { isBegun: false })]) {
      expect(found.outcome).toBe('obstacles');
      expect(found.obstacles[0]?.problem).toContain('were made from another event log');
    }
  });
});
