/** Somebody changes the log in SQL while the service is stopped: the notary says which event, and signs nothing more. A kill is no change. */

import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { openSqliteDatabase, type SqliteDatabase } from '../../src/adapters/sqlite/database.ts';
import { folderForTheFile } from '../support/after-the-file.ts';
import { eventually } from '../support/eventually.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { expectExtends, haltAndResume, noteOf, sizeIn } from '../support/signed-log.ts';

const ENVIRONMENT = { ROLES: 'api,projector,settler,notary', NONCE_ACCOUNTS_MIN: '1' };

let folder: string;

beforeAll(async () => {
  const service = await startServiceProcess(ENVIRONMENT);
  ({ folder } = service);
  await haltAndResume(service, 8);
  const note = await noteOf(service, 8);
  // Killed while it signs: whatever was done of it, the next one goes on with the same tree.
  await haltAndResume(service, 2);
  await service.stop('SIGKILL');
  const second = await startServiceProcess(ENVIRONMENT, { folder });
  await haltAndResume(second, 2);
  const later = await noteOf(second, sizeIn(note));
  await expectExtends(second, note, later);
  await second.stop();
});

interface Change {
  readonly what: string;
  readonly make: (database: SqliteDatabase) => void;
  readonly sentence: RegExp;
}

const LEFT_OUT = "'lease', 'snapshot', 'checkpoint'";
const OWN = "type IN ('AllDistributionsHalted', 'AllDistributionsResumed')";

function positions(database: SqliteDatabase): readonly number[] {
  const rows = database
    .statement<[number]>(`SELECT position FROM events WHERE ${OWN} ORDER BY position`)
    .rows();
  return rows.map(([position]) => position);
}

const CHANGES: readonly Change[] = [
  {
    what: 'edited',
    make(database) {
      const [, , third = 0] = positions(database);
      const sql = "UPDATE events SET data = replace(data, 'A test', 'No test') WHERE position = ?";
      expect(database.statement(sql).run(third).changes).toBe(1);
    },
    sentence:
      /Entry \d+ differs: the data, metadata or type of event [0-9a-f-]{36} \(revision 2 of .* was changed/,
  },
  {
    what: 'swapped with one of another stream',
    make(database) {
      const pairs = database.statement<[number]>(
        `SELECT one.position FROM events one JOIN events other ON other.position = one.position + 1
         WHERE one.stream <> other.stream AND one.category NOT IN (${LEFT_OUT}) AND other.category NOT IN (${LEFT_OUT})`,
      );
      const [first = 0] = pairs.row() ?? [];
      database.execute(`UPDATE events SET position = -1 WHERE position = ${first}`);
      database.execute(`UPDATE events SET position = ${first} WHERE position = ${first + 1}`);
      database.execute(`UPDATE events SET position = ${first + 1} WHERE position = -1`);
    },
    sentence: /Entry \d+ differs: the transparency log has event .*, but the event log has event /,
  },
];

test.each(
  CHANGES,
)('where an event was $what, the first entry that differs is named, and nothing more is signed', async ({
  make,
  sentence,
}) => {
  const copy = await folderForTheFile();
  await cp(folder, copy, { recursive: true });
  const database = openSqliteDatabase(join(copy, 'levy.db'));
  try {
    await database.write(() => make(database));
  } finally {
    await database.close();
  }
  const service = await startServiceProcess(ENVIRONMENT, { folder: copy });
  const before = await noteOf(service);
  const trouble = await eventually('the notary stops', async () => {
    const ready = (await (await fetch(`${service.url}/ready`)).json()) as {
      checks: readonly { name: string; ok: boolean; state?: string; error?: string }[];
    };
    const notary = ready.checks.find(({ name }) => name === 'notary');
    return notary?.state === 'stopped' && notary;
  });
  expect(trouble).toMatchObject({ ok: false, error: expect.stringMatching(sentence) });
  await haltAndResume(service, 1);
  expect(await noteOf(service)).toBe(before);
  await service.stop();
});
