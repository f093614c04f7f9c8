/** A service on one machine starts although the database of its lists, images and ledgers is away, says so, and works once it answers. */
import { expect, test, vi } from 'vitest';
import { openCreator } from '../../support/creator.ts';
import { eventually } from '../../support/eventually.ts';
import { hasMongoServer, startMongoServer, tellOfSkippedMongo } from '../../support/mongo-server.ts';
import { startServiceProcess } from '../../support/service-process.ts';

interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly [detail: string]: unknown;
}

tellOfSkippedMongo(1);
vi.setConfig({ testTimeout: 240_000 });

test.skipIf(!hasMongoServer)(
  'a service starts while its database is away, and keeps its lists and its transparency log once it answers',
  async () => {
    const server = await startMongoServer();
    const url = server.newUrl();
    await server.kill();
    const service = await startServiceProcess({
      READ_MODEL_URL: url,
      IMAGE_STORE_URL: url,
      LEDGER_STORE_URL: url,
    });
    const checks = async () => {
      const { checks: found } = (await (await fetch(`${service.url}/ready`)).json()) as {
        readonly checks: readonly Check[];
      };
      return new Map(found.map((check) => [check.name, check]));
    };
    expect((await checks()).get('event store')).toMatchObject({ ok: true });
    expect((await checks()).get('read models')).toMatchObject({
      ok: false,
      error: 'not answering',
      where: 'MongoDB',
    });
    expect((await checks()).get('role notary')).toMatchObject({
      ok: false,
      state: 'waiting',
      error: expect.stringContaining('ledgers cannot be read'),
    });

    await server.start();
    // Until its lists are built the service answers 503 to whoever drafts: it cannot count their open drafts.
    await eventually('the lists are built', async () => {
      const lists = [...(await checks())].filter(([name]) => name.startsWith('projection '));
      return lists.length > 0 && lists.every(([, { ok }]) => ok);
    });
    const creator = await openCreator(service);
    await creator.createToken();
    await eventually('the transparency log is signed', async () => {
      const notary = (await checks()).get('notary');
      return notary?.ok === true && notary.state === 'signing' && Number(notary.published) > 0;
    });
    await eventually('everything is well', async () => [...(await checks()).values()].every(({ ok }) => ok));
  },
);
