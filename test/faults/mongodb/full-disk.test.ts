/** The disk of the database that holds the lists fills up: the service says so, takes commands, and goes on once there is room. */
import { describe, expect, test, vi } from 'vitest';
import { openCreator } from '../../support/creator.ts';
import { eventually } from '../../support/eventually.ts';
import { ofTheFile } from '../../support/lifetime.ts';
import { hasMongoServer, startMongoServer, tellOfSkippedMongo } from '../../support/mongo-server.ts';
import { startServiceProcess } from '../../support/service-process.ts';
import { mountSmallDisk } from '../../support/small-disk.ts';

tellOfSkippedMongo(1);
vi.setConfig({ testTimeout: 240_000 });

interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly error?: string;
  readonly whatToDo?: string;
}

const disk = hasMongoServer ? await mountSmallDisk(160) : undefined;

describe.skipIf(disk === undefined)('a service that keeps its lists in MongoDB', () => {
  test('says that the disk there is full, and lists what came meanwhile once there is room', async () => {
    const server = await startMongoServer({ folder: disk?.folder }, ofTheFile);
    const service = await startServiceProcess({
      READ_MODEL_URL: server.newUrl(),
      NONCE_ACCOUNTS_MIN: '0',
      RATE_LIMITS: 'off',
    });
    const creator = await openCreator(service, { sol: 0 });
    const ask = (path: string) => fetch(`${service.url}${path}`, { signal: AbortSignal.timeout(5_000) });
    const failing = async () => {
      const { checks } = (await (await ask('/ready')).json()) as { readonly checks: readonly Check[] };
      return checks.filter(({ ok }) => !ok);
    };
    expect(await failing()).toEqual([]);

    await disk?.fill();
    await creator.upload().catch(() => undefined);
    const wallets = new Set<number>();
    await eventually(
      'the full disk is told',
      async () => {
        const { status } = await creator.call('POST', '/tokens/generate-distribution-wallet');
        wallets.add(status);
        const told = (await failing()).find(({ name }) => name === 'shared read models');
        return told?.whatToDo?.includes('disk');
      },
      { seconds: 120 },
    );
    const statuses = new Set<number>();
    // This server may do nothing at all now, which is no answer within the time either.
    for (let calls = 0; calls < 3; calls += 1)
      await ask('/tokens').then(
        ({ status }) => statuses.add(status),
        () => undefined,
      );
    expect([200, 503]).toEqual(expect.arrayContaining([...statuses]));
    expect(wallets).toEqual(new Set([200]));

    // As MongoDB's own, the server ends when it cannot write; whoever makes room starts it again.
    await disk?.makeRoom();
    await server.kill();
    await server.start();
    await eventually('it is ready again', async () => (await failing()).length === 0);
    expect((await ask('/tokens')).status).toBe(200);
    expect((await service.stop()).code).toBe(0);
  });
});
