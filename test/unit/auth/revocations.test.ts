// A token that was given back counts as revoked at once, whatever the read model knows.
import { expect, onTestFinished, test } from 'vitest';
import { IN_MEMORY, openSqliteDatabase } from '../../../src/adapters/sqlite/database.ts';
import { createSqliteReadModel } from '../../../src/adapters/sqlite/read-model.ts';
import { createRevocations } from '../../../src/auth/revocations.ts';
import { revokedSessions } from '../../../src/projections/revoked-sessions.ts';

/** A read model that has learned of nothing, and will not. */
async function openBehind() {
  const database = openSqliteDatabase(IN_MEMORY);
  const readModel = createSqliteReadModel(database);
  onTestFinished(async () => {
    await readModel.close();
    await database.close();
  });
  await readModel.prepare([revokedSessions]);
  await readModel.goLive(revokedSessions);
  return readModel;
}

test('what was given back in this process is revoked before the read model knows it, and nothing else is', async () => {
  const revocations = createRevocations(await openBehind());
  expect(await revocations.has('one')).toBe(false);
  revocations.add('one');
  revocations.add('one');
  expect(await revocations.has('one')).toBe(true);
  expect(await revocations.has('other')).toBe(false);
});

test('what only the read model knows is revoked', async () => {
  const readModel = await openBehind();
  const position = '1'.padStart(20, '0');
  const document = { expiresAt: '2026-05-04T10:00:00.000Z' };
  await readModel.commit([{ collection: revokedSessions, changes: [{ key: 'one', position, document }] }]);
  expect(await createRevocations(readModel).has('one')).toBe(true);
});

test('what neither knows yet is looked up in the log, once for each that is revoked', async () => {
  const asked: string[] = [];
  const revocations = createRevocations(await openBehind(), async (tokenId) => {
    asked.push(tokenId);
    return tokenId === 'elsewhere';
  });
  expect(await Promise.all(['elsewhere', 'good'].map(revocations.has))).toEqual([true, false]);
  expect(await Promise.all(['elsewhere', 'good'].map(revocations.has))).toEqual([true, false]);
  expect(asked).toEqual(['elsewhere', 'good', 'good']);
});

test('a log that does not answer makes no token good', async () => {
  const revocations = createRevocations(await openBehind(), async () => {
    throw new Error('the log does not answer');
  });
  await expect(revocations.has('one')).rejects.toThrow('the log does not answer');
});

test('the oldest are forgotten after ten thousand others, and no sooner', async () => {
  const revocations = createRevocations(await openBehind());
  for (let index = 0; index < 10_000; index += 1) revocations.add(`token ${index}`);
  expect(await revocations.has('token 0')).toBe(true);
  revocations.add('one more');
  const known = await Promise.all(['token 0', 'token 1', 'token 9999', 'one more'].map(revocations.has));
  expect(known).toEqual([false, true, true, true]);
});
