import { describe, expect, test } from 'vitest';
import { createClient } from '../../../../src/adapters/mongodb/client.ts';
import { OperatorError } from '../../../../src/kernel/ports/errors.ts';

const USER = { name: 'levy', password: 'from-a-file' };

function refusalOf(url: string): string {
  try {
    createClient({ url });
  } catch (error) {
    expect(error).toBeInstanceOf(OperatorError);
    return String(error);
  }
  throw new Error(`accepted: ${url}`);
}

describe("the driver's client", () => {
  test('writes for a majority and reads from the primary, whatever the address says', () => {
    const { options } = createClient({
      url: 'mongodb://db/levy?w=1&journal=false&readPreference=secondary&readConcernLevel=available&retryWrites=false&maxPoolSize=500',
    });
    expect(options).toMatchObject({
      writeConcern: { w: 'majority', j: true },
      readPreference: { mode: 'primary' },
      readConcern: { level: 'local' },
      retryWrites: true,
      maxPoolSize: 32,
    });
  });

  test('has the user of the address, and only without one that of the file', () => {
    const url = 'mongodb://ann:p%40w@db/levy?authSource=admin';
    expect(createClient({ url, user: USER }).options.credentials).toMatchObject({
      username: 'ann',
      password: 'p@w',
      source: 'admin',
    });
    expect(createClient({ url: 'mongodb://db/levy', user: USER }).options.credentials).toMatchObject({
      username: 'levy',
      password: 'from-a-file',
      source: 'levy',
    });
  });

  test.each([
    ['', undefined, undefined],
    ['', '/all.crt', '/all.crt'],
    ['?tls=true', '/all.crt', '/all.crt'],
    ['?tls=false', '/all.crt', undefined],
    ['?tlsCAFile=/own.crt', '/all.crt', '/own.crt'],
    ['?tlsCAFile=/own.crt', undefined, '/own.crt'],
  ])('trusts the authorities of the address, else those for all servers: %s beside %s', (query, caFile, expected) => {
    const { options } = createClient({ url: `mongodb://db/levy${query}`, caFile });
    expect([options.tlsCAFile, options.tls === true]).toEqual([expected, expected !== undefined]);
  });
});

describe('an address', () => {
  test.each([
    ['mongodb://db', 'contains no database'],
    ['mongodb://db/a.b', 'a database of the service'],
    [`mongodb://db/${'x'.repeat(39)}`, 'a database of the service'],
    ['mongodb://db/Admin', 'a database of the service'],
    ['mongodb://db:99999/levy', 'host or port is invalid'],
    ['mongodb+srv://a.example.com:27017/levy', 'cannot have port number'],
    ['mongodb://db/levy?tlsInsecure=true', 'disables certificate checks'],
    ['mongodb://db/levy?tls=true&tlsAllowInvalidHostnames=true', 'disables certificate checks'],
    ['mongodb://db/levy?tls=yes', 'must be either'],
    ['mongodb://db/levy?replicaSet=rs0&replicaSet=rs1', '"replicaSet" cannot appear more than once'],
    ['mongodb://db/levy?frob=1', 'option frob is not supported'],
  ])('%s is refused with a sentence', (url, reason) => {
    expect(refusalOf(url)).toContain(reason);
  });

  test.each([
    'mongodb://ann:hunter2/levy',
    'mongodb://hunter2/levy?frob=hunter2',
    'mongodb://ann:hunter2/x@db/levy',
    'mongodb://ann:%hunter2@db/levy',
    'mongodb://ann:x?hunter2=1@db/levy?hunter2',
    'mongodb://ann:hunter2@db:port/levy',
    'mongodb://ann:hunter2',
  ])('that is refused shows nothing of a password: %s', (url) => {
    expect(refusalOf(url)).not.toContain('hunter2');
  });
});
