/** A service whose log is gone, beside everything that the log explained, does not begin another. */
import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCreator } from '../support/creator.ts';
import { levy } from '../support/levy-command.ts';
import { endOfServiceProcess, startServiceProcess } from '../support/service-process.ts';

const NO_NONCES = { NONCE_ACCOUNTS_MIN: '0' };

test('a start is refused where the log is lost, writes nothing, and goes on with the log that is put back', async () => {
  const service = await startServiceProcess(NO_NONCES);
  const { folder } = service;
  const { imageUri } = await (await openCreator(service, { sol: 0 })).upload();
  // Killed, it leaves commits in the write-ahead log.
  await service.stop('SIGKILL');
  const [log, ahead, aside] = [join(folder, 'levy.db'), join(folder, 'levy.db-wal'), `${folder}-aside.db`];
  const committed = await readFile(ahead);
  await rename(log, aside);

  const refused = await endOfServiceProcess(NO_NONCES, { folder });
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain(`The event log ${log} is missing`);
  for (const name of ['levy.db-wal', 'ledgers', 'images', 'chain/chain.db', 'master-seed', 'jwt-key.json'])
    expect(refused.stderr).toContain(join(folder, name));
  const checked = await levy(folder, ['check']);
  expect(checked).toMatchObject({ code: 1, stdout: expect.stringContaining(`event log ${log} is missing`) });
  expect(existsSync(log)).toBe(false);
  // Megabytes: an expectation would compare them number by number.
  expect(committed.equals(await readFile(ahead))).toBe(true);

  // SQLite takes an empty file for a new database, and deletes the write-ahead log beside it.
  await writeFile(log, '');
  const empty = await endOfServiceProcess(NO_NONCES, { folder });
  expect([empty.code, empty.stderr]).toEqual([1, expect.stringContaining(`The event log ${log} is missing`)]);
  expect(committed.equals(await readFile(ahead))).toBe(true);

  await rename(aside, log);
  const again = await startServiceProcess(NO_NONCES, { folder });
  const { pathname } = new URL(imageUri);
  expect((await fetch(`${again.url}${pathname}`)).status).toBe(200);
  expect((await again.stop()).code).toBe(0);
});
