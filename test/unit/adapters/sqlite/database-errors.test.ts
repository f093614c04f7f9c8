import { describe, expect, test } from 'vitest';
import { StoreDamaged, troubleOf, withRemedy } from '../../../../src/adapters/sqlite/database-errors.ts';
import { StoreInUse } from '../../../../src/kernel/ports/errors.ts';

const withCode = (code: string, cause?: unknown) =>
  Object.assign(new Error(`as ${code} says`, { cause }), { code });

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
