import { describe, expect, test } from 'vitest';
import { parseMongoDbUrl } from '../../../../src/operations/config/mongodb-url.ts';

const reasonFor = (text: string): string => {
  try {
    parseMongoDbUrl(text);
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
  throw new Error(`${text} was taken`);
};

describe('an address of MongoDB', () => {
  test('names hosts, database, user and options; those that the service sets may be written', () => {
    expect(
      parseMongoDbUrl(
        'MongoDB://a%40b:p%2Fw@DB1.example.com:27018,[::1]:27017/levy?retryWrites=true&w=majority&replicaSet=rs0&tls=true&authSource=admin',
      ),
    ).toEqual({
      srv: false,
      hosts: 'db1.example.com:27018,[::1]:27017',
      database: 'levy',
      user: { name: 'a@b', password: 'p/w' },
      caFile: undefined,
      options: [
        ['authSource', 'admin'],
        ['replicaSet', 'rs0'],
        ['tls', 'true'],
      ],
      shown: 'mongodb://db1.example.com:27018,[::1]:27017/levy',
    });
    expect(parseMongoDbUrl('mongodb+srv://c0.abcde.mongodb.net/levy?appName=Cluster0')).toMatchObject({
      srv: true,
      options: [['appName', 'Cluster0']],
    });
    expect(parseMongoDbUrl('mongodb://db/levy?tlsCAFile=/ca.pem').caFile).toBe('/ca.pem');
  });

  test('reads the same however its options are ordered and written', () => {
    const one = parseMongoDbUrl('mongodb://db/levy?replicaSet=rs0&ssl=true');
    expect(parseMongoDbUrl('mongodb://DB/levy?TLS=true&replicaset=rs0&tlsInsecure=false&')).toEqual(one);
  });

  test.each([
    ['mongodb://', 'a host is not'],
    ['mongodb:///levy', 'a host is not'],
    ['mongodb:/db/levy', 'does not begin with'],
    ['mongodb://db', 'the database is missing'],
    ['mongodb://db/', 'the database is missing'],
    ['mongodb://db?w=majority', 'the database is missing'],
    ['mongodb://db/a.b', "the database's name"],
    ['mongodb://db/a b', "the database's name"],
    [`mongodb://db/${'x'.repeat(39)}`, "the database's name"],
    ['mongodb://db/Admin', 'belongs to the server'],
    ['mongodb://db/levy/other', 'another "/"'],
    ['mongodb://db:0/levy', 'after the colon of a host there is no port from 1 to 65535'],
    ['mongodb://db:99999/levy', 'after the colon of a host there is no port from 1 to 65535'],
    ['mongodb://ann:hunter2/levy', 'after the colon of a host there is no port from 1 to 65535'],
    ['mongodb://db:/levy', 'after the colon of a host there is no port from 1 to 65535'],
    ['mongodb://db:x/levy', 'after the colon of a host there is no port from 1 to 65535'],
    ['mongodb://db,/levy', 'a host is not'],
    ['mongodb://%2Ftmp%2Fmongodb.sock/levy', 'a host is not'],
    ['mongodb://ann@db/levy', 'write a user, a colon and a password'],
    ['mongodb://ann:@db/levy', 'write a user, a colon and a password'],
    ['mongodb://ann:a@b@db/levy', '%40'],
    ['mongodb://ann:%zz@db/levy', 'hexadecimal'],
    ['mongodb+srv://a.example.com,b.example.com/levy', 'write one host'],
    ['mongodb+srv://a.example.com:27017/levy', 'write no port'],
    ['mongodb+srv://localhost/levy', 'two dots'],
    ['mongodb+srv://a.example.com/levy?tls=false', 'TLS stays on'],
    ['mongodb://db/levy?tlsInsecure=true', 'anybody pass for the server'],
    ['mongodb://db/levy?tlsAllowInvalidCertificates=true', 'anybody pass for the server'],
    ['mongodb://db/levy?tlsAllowInvalidHostnames=1', 'anybody pass for the server'],
    ['mongodb://db/levy?w=1', 'the option w must be majority'],
    ['mongodb://db/levy?journal=false', 'the option journal must be true'],
    ['mongodb://db/levy?j=false', 'the option journal must be true'],
    ['mongodb://db/levy?readPreference=secondaryPreferred', 'must be primary'],
    ['mongodb://db/levy?readConcernLevel=available', 'must be local'],
    ['mongodb://db/levy?retryWrites=false', 'must be true'],
    ['mongodb://db/levy?loadBalanced=true', 'must be false'],
    ['mongodb://db/levy?maxPoolSize=500', 'the option maxPoolSize is set by the service'],
    ['mongodb://db/levy?socketTimeoutMS=0', 'the option socketTimeoutMS is set by the service'],
    ['mongodb://db/levy?authMechanism=PLAIN', 'SCRAM-SHA-256'],
    ['mongodb://db/levy?tls=yes', 'true or false'],
    ['mongodb://db/levy?replicaSet=rs0&replicaSet=rs1', 'given twice'],
    ['mongodb://db/levy?frob=1', 'unknown option'],
  ])('%s is refused with a sentence', (text, reason) => {
    expect(reasonFor(text)).toContain(reason);
  });

  test.each([
    'mongodb://ann:hunter2@db',
    'mongodb://ann:hunter2?x@db/levy',
    'mongodb://ann:hunter2/x@db/levy',
    'mongodb://ann:@hunter2@db/levy',
    'mongodb://ann:%hunter2@db/levy',
    'mongodb://ann:x?hunter2=1@db/levy?hunter2',
    'mongodb://hunter2@db/levy',
  ])('a refusal shows nothing of the password: %s', (text) => {
    expect(reasonFor(text)).not.toContain('hunter2');
  });
});
