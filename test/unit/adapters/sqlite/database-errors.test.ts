import { describe, expect, test } from 'vitest';
import {
  type Failure,
  isNews,
  StoreDamaged,
  storeTroubleOf,
  transactionLost,
  troubleOf,
  withRemedy,
} from '../../../../src/adapters/sqlite/database-errors.ts';
import { StoreInUse, StoreUnavailable } from '../../../../src/kernel/ports/errors.ts';

const withCode = (code: string, cause?: unknown) =>
  Object.assign(new Error(`as ${code} says`, { cause }), { code });
const failure = (kind: Failure['kind']): Failure => ({ kind, reason: 'no reason', cause: undefined });

describe('what an error says of the file', () => {
  test.each([
    ['SQLITE_FULL', 'disk full'],
    ['SQLITE_CORRUPT', 'damaged'],
    ['SQLITE_CORRUPT_INDEX', 'damaged'],
    ['SQLITE_NOTADB', 'damaged'],
    ['SQLITE_IOERR_SHORT_READ', 'damaged'],
    ['SQLITE_IOERR_WRITE', 'disk failed'],
    ['SQLITE_READONLY', 'disk failed'],
    ['SQLITE_CANTOPEN', 'disk failed'],
    ['SQLITE_CONSTRAINT', undefined],
  ])('%s: %s', (code, kind) => {
    expect(troubleOf(withCode(code))).toBe(kind);
    expect(troubleOf(new Error('wrapped', { cause: withCode(code) }))).toBe(kind);
  });

  test('nothing, where it has no code', () => {
    expect(troubleOf(new Error('SQLITE_FULL'))).toBeUndefined();
    expect(troubleOf('SQLITE_FULL')).toBeUndefined();
  });
});

describe('a failure is news', () => {
  test('when nothing had failed, or a full disk has failed for good since', () => {
    expect(isNews('disk full', undefined)).toBe(true);
    expect(isNews('disk failed', failure('disk full'))).toBe(true);
    expect(isNews('damaged', failure('disk full'))).toBe(true);
  });

  test('not when it is known, or one that does not pass by itself came before', () => {
    expect(isNews('disk full', failure('disk full'))).toBe(false);
    expect(isNews('disk full', failure('disk failed'))).toBe(false);
    expect(isNews('damaged', failure('disk failed'))).toBe(false);
    expect(isNews('disk failed', failure('damaged'))).toBe(false);
  });
});

describe('what operators are told when a file does not open', () => {
  test.each([
    ['SQLITE_BUSY', 'StoreInUse'],
    ['SQLITE_NOTADB', 'StoreDamaged'],
    ['SQLITE_CANTOPEN', 'StoreNotWritable'],
    ['SQLITE_READONLY_DIRECTORY', 'StoreNotWritable'],
    ['EACCES', 'StoreNotWritable'],
    ['EROFS', 'StoreNotWritable'],
  ])('%s: %s, with the path', (code, name) => {
    expect(withRemedy('/data/log', withCode(code))).toMatchObject({
      name,
      message: expect.stringContaining('"/data/log"'),
    });
  });

  test('any other error is unchanged', () => {
    const error = withCode('SQLITE_ERROR');
    expect(withRemedy('/data/log', error)).toBe(error);
  });

  test('errors that are explained already are unchanged', () => {
    for (const error of [new StoreInUse('/data/log'), new StoreDamaged('/data/log', 'its pages')])
      expect(withRemedy('/data/log', error)).toBe(error);
  });
});

test('a trouble names the file without its folder, and what to do', () => {
  for (const kind of ['damaged', 'disk full', 'disk failed'] as const)
    expect(storeTroubleOf('/data/log', failure(kind))).toEqual({
      kind,
      where: 'log',
      reason: 'no reason',
      whatToDo: expect.stringContaining('docs/how-to/operate/'),
    });
});

test('a lost transaction makes the store unavailable, for the reason that undid it', () => {
  const cause = withCode('SQLITE_FULL');
  expect(transactionLost(cause)).toMatchObject({ cause, message: expect.stringContaining(cause.message) });
  const unavailable = new StoreUnavailable('the reason');
  expect(transactionLost(unavailable)).toBe(unavailable);
});
