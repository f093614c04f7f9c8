// `levy check` tells the database of another log before a start, and lets that of this log and an empty one pass.
import { expect, onTestFinished, test } from 'vitest';
import { openMongo } from '../../../src/adapters/mongodb/client.ts';
import { openReadModel } from '../../../src/adapters/mongodb/read-model.ts';
import { silentLogger } from '../../../src/kernel/ports/logger.ts';
import { writerStatusJson } from '../../../src/kernel/runtime/remote-projector.ts';
import { checkSharedReadModels, reportOn } from '../../../src/levy/check.ts';
import { describeOnMongo } from '../../support/describe-on-mongo.ts';

const OWN = '11111111-1111-4111-8111-111111111111';
const OTHER = '22222222-2222-4222-8222-222222222222';

describeOnMongo({ count: 1 }, (server) => {
  test('each database is told apart', async () => {
    const mongo = await server();
    async function checked(
      madeFrom: string | undefined,
      log: { readonly isBegun: boolean | undefined; readonly firstId?: string } = {
        isBegun: true,
        firstId: OWN,
      },
    ) {
      const url = mongo.newUrl();
      if (madeFrom !== undefined) {
        const opened = await openMongo({ url });
        onTestFinished(() => opened.close());
        const readModel = await openReadModel({ database: opened.database, logger: silentLogger });
        await readModel.startTerm(1);
        const status = { term: 1, log: madeFrom, beat: 1, release: '1', rebuildsHandled: 0, projections: [] };
        await readModel.writeStatus(writerStatusJson(status));
        await readModel.close();
      }
      return reportOn('read models', (findings) =>
        checkSharedReadModels(
          { readModel: { url }, mongoDbCredentialsFile: undefined, caFile: undefined },
          log,
          findings,
        ),
      );
    }

    expect(await checked(OWN)).toMatchObject({ outcome: 'holds', remarks: ['built from this log'] });
    expect(await checked(undefined)).toMatchObject({ outcome: 'holds' });
    expect(await checked(OTHER, { isBegun: undefined })).toMatchObject({ outcome: 'holds' });
    for (const found of [await checked(OTHER), await checked(OTHER, { isBegun: false })]) {
      expect(found.outcome).toBe('obstacles');
      expect(found.obstacles[0]?.problem).toContain('were built from another event log');
    }
  });
});
