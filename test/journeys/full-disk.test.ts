/** A disk that fills up under the service, a small one of the test's own: it says so, loses nothing, and goes on once there is room. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCreator, picture } from '../support/creator.ts';
import { eventually } from '../support/eventually.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { mountSmallDisk } from '../support/small-disk.ts';

const disk = await mountSmallDisk(48);

interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly error?: string;
  readonly whatToDo?: string;
}

test.skipIf(disk === undefined)(
  'a full disk is named, refuses commands, and is over when there is room',
  async () => {
    if (disk === undefined) return;
    const { folder } = disk;
    const service = await startServiceProcess({ NONCE_ACCOUNTS_MIN: '0', METRICS_PORT: '0' }, { folder });
    let logged = '';
    service.child.stderr?.on('data', (text: string) => {
      logged += text;
    });
    const creator = await openCreator(service, { sol: 0 });
    const { imageCid } = await creator.upload();
    const checks = async () =>
      ((await (await fetch(`${service.url}/ready`)).json()) as { checks: readonly Check[] }).checks;
    const find = async (name: string) => (await checks()).find((check) => check.name === name);

    await disk.fill();

    let found: Check | undefined;
    const statuses = new Set<number>();
    // The write-ahead log was laid out before; when it is used up, the disk is needed.
    await eventually('the store has no room', async () => {
      const answers = await Promise.all(
        Array.from({ length: 500 }, () => creator.call('POST', '/tokens/generate-distribution-wallet')),
      );
      for (const { status } of answers) statuses.add(status);
      found = await find('event store');
      return found?.ok === false;
    });
    expect(found).toMatchObject({
      error: 'disk full',
      whatToDo: expect.stringContaining('free disk space'),
    });
    // A small call may find room where a large one has not.
    expect([...statuses].sort()).toEqual([200, 503]);
    expect((await creator.call('GET', `/images/${imageCid}.jpg`)).status).toBe(200);
    await creator.upload(picture()).catch(() => undefined);

    await disk.makeRoom();
    await eventually('it is ready again', async () => (await checks()).every(({ ok }) => ok));
    expect((await creator.call('POST', '/tokens/generate-distribution-wallet')).status).toBe(200);
    const lines = logged.split('\n').filter((line) => line.includes('the database cannot be written'));
    expect(lines.length).toBeGreaterThan(0);
    // One for each time that it happened, however many calls were refused.
    expect(lines.length).toBeLessThan(5);
    expect(lines[0]).toContain(join(folder, 'levy.db'));
    expect(lines[0]).toContain('disk full');
    expect((await service.stop()).code).toBe(0);
  },
);
