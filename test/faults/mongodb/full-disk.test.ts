/** The disk of the database that holds the lists fills up: the service says so, takes commands, and goes on once there is room. */
import { describe, expect, test } from 'vitest';
import { openCreator } from '../../support/creator.ts';
import { eventually } from '../../support/eventually.ts';
import { ofTheFile } from '../../support/lifetime.ts';
import { hasMongoServer, startMongoServer, tellOfSkippedMongo } from '../../support/mongo-server.ts';
import { startServiceProcess } from '../../support/service-process.ts';
import { mountSmallDisk } from '../../support/small-disk.ts';

tellOfSkippedMongo(1);

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
    const failing = async () => {
      const ready = await fetch(`${service.url}/ready`);
      const { checks } = (await ready.json()) as { readonly checks: readonly Check[] };
      return checks.filter(({ ok }) => !ok);
    };
    expect(await failing()).toEqual([]);

    await disk?.fill();
    const wallets: number[] = [];
    const statuses = new Set<number>();
    await eventually('the lists cannot be written', async () => {
      const made = await Promise.all(
        Array.from({ length: 50 }, () => creator.call('POST', '/tokens/generate-distribution-wallet')),
      );
      wallets.push(...made.map(({ status }) => status));
      statuses.add((await fetch(`${service.url}/tokens`)).status);
      return (await failing()).length > 0;
    });
    console.log(JSON.stringify(await failing()), [...statuses]);
    expect(await failing()).toMatchObject([{ whatToDo: expect.stringMatching(/disk/) }]);

    await disk?.makeRoom();
    await eventually('it is ready again', async () => (await failing()).length === 0);
    expect((await fetch(`${service.url}/tokens`)).status).toBe(200);
    statuses.delete(503);
    expect([...statuses]).toEqual([200]);
    expect(new Set(wallets)).toEqual(new Set([200]));
    expect((await service.stop()).code).toBe(0);
  });
});
