// A token that was given back counts as revoked at once, whatever the read model knows.
import { expect, onTestFinished, test } from 'vitest';
import { openSqliteDatabase } from '../../../../src/adapters/sqlite/database.ts';
import { createSqliteReadModel } from '../../../../src/adapters/sqlite/read-model.ts';
import type { ReadModel } from '../../../../src/kernel/ports/read-model.ts';
import { revokedSessions } from '../../../../src/projections/revoked-sessions.ts';
import {
  createRevocations,
  type Revocations,
  type RevocationsOptions,
} from '../../../../src/server/auth/revocations.ts';

/** A read model that has learned of nothing, and will not. */
async function openBehind() {
  const database = openSqliteDatabase(':memory:');
  const readModel = createSqliteReadModel(database);
  onTestFinished(async () => {
    await readModel.close();
    await database.close();
  });
  await readModel.prepare([revokedSessions]);
  await readModel.goLive(revokedSessions);
  return readModel;
}

/** The read model is complete unless told otherwise, and then the log is not asked. */
function revocationsOn(
  readModel: ReadModel,
  { isComplete = () => true, lookUp = notAsked }: Partial<RevocationsOptions> = {},
): Revocations {
  return createRevocations({ readModel, isComplete, lookUp });
}

async function notAsked(): Promise<never> {
  throw new Error('the log was asked');
}

test('what was given back in this process is revoked before the read model knows it, and nothing else is', async () => {
  const revocations = revocationsOn(await openBehind());
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
  expect(await revocationsOn(readModel).has('one')).toBe(true);
});

const incomplete = (lookUp: RevocationsOptions['lookUp']) => ({ isComplete: () => false, lookUp });

test('what an incomplete read model does not know is looked up in the log, once for each that is revoked', async () => {
  const asked: string[] = [];
  const revocations = revocationsOn(
    await openBehind(),
    incomplete(async (tokenId) => {
      asked.push(tokenId);
      return tokenId === 'elsewhere';
    }),
  );
  expect(await Promise.all(['elsewhere', 'good'].map(revocations.has))).toEqual([true, false]);
  expect(await Promise.all(['elsewhere', 'good'].map(revocations.has))).toEqual([true, false]);
  expect(asked).toEqual(['elsewhere', 'good', 'good']);
});

test('a read model that is rebuilt is not waited for: the log tells what is revoked', async () => {
  const database = openSqliteDatabase(':memory:');
  onTestFinished(() => database.close());
  const readModel = createSqliteReadModel(database);
  await readModel.prepare([revokedSessions]);
  await expect(readModel.get(revokedSessions, 'one')).rejects.toThrow('still being built');
  const revocations = revocationsOn(
    readModel,
    incomplete(async (tokenId) => tokenId === 'one'),
  );
  expect(await Promise.all(['one', 'other'].map(revocations.has))).toEqual([true, false]);
});

test('a log that does not answer makes no token good', async () => {
  const revocations = revocationsOn(
    await openBehind(),
    incomplete(async () => {
      throw new Error('the log does not answer');
    }),
  );
  await expect(revocations.has('one')).rejects.toThrow('the log does not answer');
});

test('the oldest are forgotten after ten thousand others, and no sooner', async () => {
  const revocations = revocationsOn(await openBehind());
  for (let index = 0; index < 10_000; index += 1) revocations.add(`token ${index}`);
  expect(await revocations.has('token 0')).toBe(true);
  revocations.add('one more');
  const known = await Promise.all(['token 0', 'token 1', 'token 9999', 'one more'].map(revocations.has));
  expect(known).toEqual([false, true, true, true]);
});
