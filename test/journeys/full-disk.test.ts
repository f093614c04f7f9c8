/** A disk that fills up under the service, a small one of the test's own: it says so, loses nothing, and goes on once there is room. */
import { execFileSync } from 'node:child_process';
import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { afterTheFile, folderForTheFile } from '../support/after-the-file.ts';
import { openCreator, picture } from '../support/creator.ts';
import { eventually } from '../support/eventually.ts';
import { startServiceProcess } from '../support/service-process.ts';

const folder = await folderForTheFile();

/** Whether this machine lets the test have a disk of its own. */
function hasDisk(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=48m', 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const isMounted = hasDisk();
if (isMounted) afterTheFile(async () => void execFileSync('umount', ['-l', folder]));
else console.info('SKIPPED: a full disk: this machine lets nobody mount a small one');

interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly error?: string;
  readonly whatToDo?: string;
}

test.skipIf(!isMounted)(
  'a full disk is named, refuses commands, and is over when there is room',
  async () => {
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

    const ballast = join(folder, 'ballast');
    const { bavail, bsize } = await statfs(folder);
    await writeFile(ballast, Buffer.alloc(bavail * bsize)).catch(() => undefined);

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
      whatToDo: expect.stringContaining('make room'),
    });
    // A small call may find room where a large one has not.
    expect([...statuses].sort()).toEqual([200, 503]);
    expect((await creator.call('GET', `/images/${imageCid}.jpg`)).status).toBe(200);
    await creator.upload(picture()).catch(() => undefined);

    await rm(ballast);
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
