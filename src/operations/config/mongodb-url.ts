/**
 * Parses an address of MongoDB. Nothing in it is ignored, and no secret in it is shown. mongodb-connection-string-url, which
 * the driver uses, is no help: it takes unknown options, an option twice, and ports above 65535.
 */
import { NotAllowed } from './value-kinds.ts';

export interface MongoDbAddress {
  readonly srv: boolean;
  /** Host and port as the driver takes them, several with commas between. */
  readonly hosts: string;
  readonly database: string;
  readonly user: { readonly name: string; readonly password: string } | undefined;
  readonly caFile: string | undefined;
  /** The other options, as the driver takes them, in a fixed order; those that the service sets are not among them. */
  readonly options: readonly (readonly [name: string, value: string])[];
  /** For messages: scheme, hosts and database, without user and options. */
  readonly shown: string;
}

/** What they accept, in the words of a sentence, and which value that is. */
const FREE = new Map<string, { readonly as: RegExp; readonly wanted: string }>([
  ['replicaSet', { as: /^[\w.-]{1,100}$/, wanted: 'the name of a replica set' }],
  ['authSource', { as: /^[\w$-]{1,63}$/, wanted: 'the name of a database' }],
  ['authMechanism', { as: /^SCRAM-SHA-(1|256)$/, wanted: 'SCRAM-SHA-256 or SCRAM-SHA-1' }],
  ['directConnection', { as: /^(true|false)$/, wanted: 'true or false' }],
  ['appName', { as: /^[\w .@/-]{1,100}$/, wanted: 'at most 100 letters, digits, dots, dashes and blanks' }],
  ['srvServiceName', { as: /^[a-z][a-z0-9-]{0,62}$/i, wanted: 'the name of a service' }],
  ['compressors', { as: /^zlib$/, wanted: 'zlib' }],
]);

/** Options that other clients are given, with the value that this one always has: it may be written, and no other. */
const FIXED = new Map([
  ['w', { is: 'majority', because: 'a write of which fewer know can be lost' }],
  ['journal', { is: 'true', because: 'a write that is not in the journal can be lost' }],
  ['readPreference', { is: 'primary', because: 'other members lag behind it' }],
  ['retryWrites', { is: 'true', because: 'an election would fail what can be done again' }],
  ['retryReads', { is: 'true', because: 'an election would fail what can be done again' }],
  [
    'readConcernLevel',
    { is: 'local', because: 'the primary is read, and what follows waits for the majority' },
  ],
  ['loadBalanced', { is: 'false', because: 'behind a load balancer no primary can be told' }],
]);

const WEAKENING = new Set([
  'tlsInsecure',
  'tlsAllowInvalidCertificates',
  'tlsAllowInvalidHostnames',
  'tlsDisableCertificateRevocationCheck',
  'tlsDisableOCSPEndpointCheck',
]);

/** Times and sizes: given together with what they must fit. */
const OWN = new Set([
  'wTimeoutMS',
  'timeoutMS',
  'maxPoolSize',
  'minPoolSize',
  'maxConnecting',
  'maxIdleTimeMS',
  'waitQueueTimeoutMS',
  'serverSelectionTimeoutMS',
  'connectTimeoutMS',
  'socketTimeoutMS',
  'heartbeatFrequencyMS',
  'maxStalenessSeconds',
  'readPreferenceTags',
]);

const SUPPORTED = [...FREE.keys(), 'tls', 'tlsCAFile'].join(', ');
const SYNONYMS = new Map([
  ['ssl', 'tls'],
  ['j', 'journal'],
]);
/** Databases of the server itself. */
const TAKEN = new Set(['admin', 'local', 'config']);

/** Throws `NotAllowed`; its message quotes only schemes, hosts and option names. */
export function parseMongoDbUrl(text: string): MongoDbAddress {
  const [, scheme = '', rest = ''] = /^(mongodb(?:\+srv)?):\/\/(.*)$/is.exec(text) ?? [];
  if (scheme === '') throw new NotAllowed('it does not begin with `mongodb://` or `mongodb+srv://`');
  const srv = scheme.toLowerCase() === 'mongodb+srv';
  const [before = '', query = '', ...more] = rest.split('?');
  if (more.length > 0) throw new NotAllowed('it contains a second "?"; in a password, write %3F');
  const at = before.lastIndexOf('@');
  const user = at === -1 ? undefined : userOf(before.slice(0, at));
  const [authority = '', path = '', ...others] = before.slice(at + 1).split('/');
  if (others.length > 0) throw new NotAllowed('after the database there is another "/"');
  const hosts = authority.split(',').map((host) => hostOf(host, srv));
  if (srv && hosts.length > 1)
    throw new NotAllowed('with `mongodb+srv`, write one host; the others are found through it');
  const database = databaseOf(path);
  return {
    srv,
    hosts: hosts.join(','),
    database,
    user,
    ...optionsOf(query, srv),
    shown: `${scheme.toLowerCase()}://${hosts.join(',')}/${database}`,
  };
}

function userOf(text: string): { readonly name: string; readonly password: string } {
  const colon = text.indexOf(':');
  if (colon < 1 || colon === text.length - 1)
    throw new NotAllowed('write a user, a colon and a password before the "@"');
  if (/[/@]/.test(text))
    throw new NotAllowed('in the user and the password, write %2F for "/" and %40 for "@"');
  return { name: decoded(text.slice(0, colon)), password: decoded(text.slice(colon + 1)) };
}

function hostOf(text: string, srv: boolean): string {
  const [, host, port] =
    /^([a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?\.?|\[[0-9a-f:.]+\])(?::(.*))?$/i.exec(text) ?? [];
  if (host === undefined)
    throw new NotAllowed('a host is not a host name, an IPv4 address or an IPv6 address in brackets');
  if (srv && port !== undefined) throw new NotAllowed('with `mongodb+srv`, write no port: DNS tells it');
  if (srv && host.split('.').length < 3)
    throw new NotAllowed(
      'with `mongodb+srv`, the host must be a name with two dots or more, which DNS knows',
    );
  // Not quoted: it may be the password of an address whose "@" is missing.
  if (port !== undefined && (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535))
    throw new NotAllowed('after the colon of a host there is no port from 1 to 65535');
  return text.toLowerCase();
}

function databaseOf(path: string): string {
  if (path === '') throw new NotAllowed('the database is missing: write `/<database>` after the hosts');
  const database = decoded(path);
  if (!/^[A-Za-z0-9_-]{1,38}$/.test(database))
    throw new NotAllowed("the database's name must be 1 to 38 letters, digits, underscores and hyphens");
  if (TAKEN.has(database.toLowerCase()))
    throw new NotAllowed(`the database ${database} belongs to the server; name one of the service's own`);
  return database;
}

function optionsOf(query: string, srv: boolean): Pick<MongoDbAddress, 'caFile' | 'options'> {
  const options: (readonly [string, string])[] = [];
  const seen = new Set<string>();
  let caFile: string | undefined;
  for (const pair of query.split('&').filter((each) => each !== '')) {
    const equals = pair.indexOf('=');
    const name = nameOf(equals === -1 ? pair : pair.slice(0, equals));
    const value = decoded(equals === -1 ? '' : pair.slice(equals + 1));
    if (seen.has(name)) throw new NotAllowed(`the option ${name} is given twice`);
    seen.add(name);
    if (name === 'tlsCAFile') {
      if (value === '') throw new NotAllowed('the option tlsCAFile must be the path of a file');
      caFile = value;
    } else if (name === 'tls') {
      options.push(['tls', tlsOf(value, srv)]);
    } else if (WEAKENING.has(name)) {
      if (value !== 'false')
        throw new NotAllowed(
          `the option ${name} would let anybody pass for the server; give the certificate of the server's authority instead (CA_FILE)`,
        );
    } else if (FIXED.has(name)) {
      const { is, because } = FIXED.get(name) ?? { is: '', because: '' };
      if (value !== is) throw new NotAllowed(`the option ${name} must be ${is}, or left out: ${because}`);
    } else {
      const { as, wanted } = FREE.get(name) ?? { as: /^/, wanted: '' };
      if (!as.test(value)) throw new NotAllowed(`the option ${name} must be ${wanted}`);
      options.push([name, value]);
    }
  }
  return { caFile, options: options.sort(([one], [other]) => (one < other ? -1 : 1)) };
}

const KNOWN = new Map(
  ['tls', 'tlsCAFile', ...FREE.keys(), ...FIXED.keys(), ...WEAKENING, ...OWN].map((name) => [
    name.toLowerCase(),
    name,
  ]),
);

function nameOf(text: string): string {
  const written = text.toLowerCase();
  const name = KNOWN.get(SYNONYMS.get(written) ?? written);
  // Not quoted: it may be the part of the password after a "?".
  if (name === undefined) throw new NotAllowed(`it has an unknown option; the options are ${SUPPORTED}`);
  if (OWN.has(name)) throw new NotAllowed(`the option ${name} is set by the service; leave it out`);
  return name;
}

function tlsOf(value: string, srv: boolean): string {
  if (value !== 'true' && value !== 'false') throw new NotAllowed('the option tls must be true or false');
  if (srv && value === 'false')
    throw new NotAllowed('with `mongodb+srv`, TLS stays on: leave the option tls out');
  return value;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new NotAllowed('a "%" in it is not followed by two hexadecimal digits');
  }
}
