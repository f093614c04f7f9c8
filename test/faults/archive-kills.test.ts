/** `levy backup` and `levy restore` killed while they work: no part is taken for the whole, and the next call ends the work. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startEventStoreStandIn } from '../support/event-store-stand-in/server.ts';
import { runLevy } from '../support/run-levy.ts';
import { endOfServiceProcess } from '../support/service-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ARCHIVE = fileURLToPath(new URL('../recorded/data.tar.gz', import.meta.url));
const UNFINISHED = 'the event log is incomplete because "levy restore" was interrupted';

async function recorded(): Promise<string> {
  const folder = await temporaryFolder();
  execFileSync('tar', ['-xzf', ARCHIVE, '-C', folder]);
  return join(folder, 'data');
}

/** Killed as soon as a look finds what shows that it is at its work. True if it was still at it. */
async function killedWhen(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  isAtIt: () => boolean,
): Promise<boolean> {
  const { code } = await runLevy(args, environment, (child) => {
    const looking = setInterval(() => {
      if (isAtIt()) child.kill('SIGKILL');
    }, 3);
    child.once('exit', () => clearInterval(looking));
  });
  return code === null;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true }).map(String);
  } catch {
    // It is not there yet, or changes while it is read.
    return [];
  }
}

test('a killed backup leaves none, a killed restore keeps the service from starting; again, both are whole', async () => {
  const data = await recorded();
  const parent = await temporaryFolder();
  const place = join(parent, 'backup');
  // While the log is copied, images, the chain and the list are written.
  for (const sign of ['levy.db', 'images', 'chain/chain.db', 'SHA256SUMS']) {
    const isAtIt = () => namesIn(`${place}.partial`).some((name) => name.includes(sign));
    const wasKilled = await killedWhen(['backup', place], { DATA_DIR: data }, isAtIt);
    expect(existsSync(place)).toBe(!wasKilled);
    if (wasKilled) {
      const start = await endOfServiceProcess({}, { folder: `${place}.partial` });
      expect([start.code, start.stderr]).toEqual([1, expect.stringMatching(/is incomplete|is a backup/)]);
    }
    await rm(place, { recursive: true, force: true });
  }
  const backup = await runLevy(['backup', place, '--with-secrets', '--json'], { DATA_DIR: data });
  expect(backup.code).toBe(0);
  // What a kill left is gone.
  expect(await readdir(parent)).toEqual(['backup']);

  const restored = await temporaryFolder();
  for (const sign of ['images', 'chain.db', 'levy.db', 'master-seed']) {
    const isAtIt = () => namesIn(restored).some((name) => name.includes(sign));
    const wasKilled = await killedWhen(['restore', place], { DATA_DIR: restored }, isAtIt);
    if (wasKilled && existsSync(join(restored, 'incomplete'))) {
      const start = await endOfServiceProcess({}, { folder: restored });
      expect(start).toMatchObject({ code: 1 });
      expect(start.stderr).toContain('run the same command again until it succeeds.');
    } else {
      await rm(restored, { recursive: true });
      await mkdir(restored);
    }
  }
  expect(await runLevy(['restore', place], { DATA_DIR: restored })).toMatchObject({ code: 0 });
  const [one, other] = await Promise.all(
    [data, restored].map((folder) => runLevy(['events', '--json'], { DATA_DIR: folder })),
  );
  expect(one?.stdout).toBe(other?.stdout);
}, 240_000);

test('a killed restore into a server is refused by services and other commands, and is ended by the next one', async () => {
  const data = await recorded();
  const place = join(await temporaryFolder(), 'backup');
  expect(await runLevy(['backup', place, '--with-secrets'], { DATA_DIR: data })).toMatchObject({ code: 0 });
  const server = await startEventStoreStandIn();
  const restored = await temporaryFolder();
  const environment = { DATA_DIR: restored, EVENT_STORE_URL: server.url };
  const recordsOfLog = () =>
    server.log.records.filter(
      ({ stream, type }) => stream.startsWith('levy.') && type !== 'CheckpointClaimed',
    ).length;
  expect(await killedWhen(['restore', place], environment, () => recordsOfLog() > 5)).toBe(true);
  const refused = await runLevy(['events', '--store', server.url]);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(UNFINISHED)]);
  // A process on another machine has another folder.
  const start = await endOfServiceProcess({ EVENT_STORE_URL: server.url }, { folder: data });
  expect([start.code, start.stderr]).toEqual([1, expect.stringContaining(UNFINISHED)]);
  expect(await runLevy(['restore', place], environment)).toMatchObject({ code: 0 });
  // The latest claim of a checkpoint is carried, once.
  expect(server.log.records.filter(({ type }) => type === 'CheckpointClaimed')).toHaveLength(1);
  const eventsOf = async (environment: Readonly<Record<string, string>>) => {
    const { stdout } = await runLevy(['events', '--json'], environment);
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const isKept = ({ stream }: { stream: string }) => !/^(lease|snapshot|checkpoint)-/.test(stream);
    return events.filter(isKept).map(({ position: _its, ...event }) => event);
  };
  const there = await eventsOf(environment);
  expect(there).toHaveLength(recordsOfLog());
  expect(there).toEqual(await eventsOf({ DATA_DIR: data }));
}, 240_000);
