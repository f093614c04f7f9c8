/**
 * Parses an address of EventStoreDB (or KurrentDB). The client's own parser prints the whole address, password included, when
 * an option is unknown, and accepts ports above 65535.
 */
import { NotAllowed } from './value-kinds.ts';

export interface EventStoreDbAddress {
  readonly nodes: readonly { readonly host: string; readonly port: number }[];
  /** The members of the cluster are found through the first node. */
  readonly discover: boolean;
  readonly tls: boolean;
  readonly user: { readonly name: string; readonly password: string } | undefined;
  /** Certificates of the authorities that signed the nodes' certificates. */
  readonly caFile: string | undefined;
  readonly connectionName: string | undefined;
  /** Milliseconds. How long a connection may be silent before a ping, and how long the ping may take. */
  readonly keepAliveInterval: number;
  readonly keepAliveTimeout: number;
  readonly maxDiscoverAttempts: number;
  /** Milliseconds. */
  readonly discoveryInterval: number;
  /** Seconds. */
  readonly gossipTimeout: number;
  /** For messages: scheme, hosts and ports, without user and options. */
  readonly shown: string;
}

const DEFAULT_PORT = 2113;
const SCHEMES = new Map([
  ['esdb', { discover: false }],
  ['esdb+discover', { discover: true }],
  ['kurrentdb', { discover: false }],
  ['kurrentdb+discover', { discover: true }],
]);

const SUPPORTED =
  'tls, tlsCAFile, tlsVerifyCert, nodePreference, connectionName, keepAliveInterval, keepAliveTimeout, ' +
  'maxDiscoverAttempts, discoveryInterval and gossipTimeout';

/** A stalled node is noticed after about the sum. */
const KEEP_ALIVE = { interval: 2_000, timeout: 2_000 };
const DISCOVERY = { attempts: 3, interval: 200, gossipTimeout: 2 };

/** Throws `NotAllowed`; its message quotes only schemes, hosts and option names. */
export function parseEventStoreDbUrl(text: string): EventStoreDbAddress {
  const [, scheme = '', rest = ''] = /^([a-z+]+):\/\/(.*)$/is.exec(text) ?? [];
  const kind = SCHEMES.get(scheme.toLowerCase());
  if (kind === undefined) throw new NotAllowed();
  const [authority = '', query = '', ...more] = rest.split('?');
  if (more.length > 0) throw new NotAllowed('it contains a second "?"');
  const at = authority.lastIndexOf('@');
  const user = at === -1 ? undefined : userOf(authority.slice(0, at));
  const hosts = authority.slice(at + 1).replace(/\/+$/, '');
  const nodes = hosts.split(',').map(nodeOf);
  if (kind.discover && nodes.length > 1)
    throw new NotAllowed('with `+discover`, write one host; the others are found through it');
  const options = optionsOf(query);
  return {
    ...options,
    nodes,
    discover: kind.discover,
    user,
    shown: `${scheme.toLowerCase()}://${nodes.map(({ host, port }) => `${host}:${port}`).join(',')}`,
  };
}

function userOf(text: string): { readonly name: string; readonly password: string } {
  const colon = text.indexOf(':');
  if (colon < 1) throw new NotAllowed('write a user, a colon and a password before the "@"');
  return { name: decoded(text.slice(0, colon)), password: decoded(text.slice(colon + 1)) };
}

function nodeOf(text: string): { readonly host: string; readonly port: number } {
  const [, host, port] = /^([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::(\d{1,5}))?$/i.exec(text) ?? [];
  if (host === undefined) throw new NotAllowed('the host is not a host name or an IPv4 address');
  const number = Number(port ?? DEFAULT_PORT);
  if (number < 1 || number > 65_535) throw new NotAllowed(`${port} is not a port`);
  return { host, port: number };
}

function optionsOf(query: string) {
  const options = new Map(
    query.split('&').flatMap((pair) => {
      if (pair === '') return [];
      const equals = pair.indexOf('=');
      const key = (equals === -1 ? pair : pair.slice(0, equals)).toLowerCase().replace(/[_-]/g, '');
      return [[key, decoded(equals === -1 ? '' : pair.slice(equals + 1))] as const];
    }),
  );
  const take = (name: string) => {
    const key = name.toLowerCase();
    const value = options.get(key);
    options.delete(key);
    return value;
  };
  const takeNumber = (name: string, otherwise: number) => {
    const value = take(name);
    if (value === undefined) return otherwise;
    if (!/^[1-9]\d{0,6}$/.test(value))
      throw new NotAllowed(`the option ${name} must be a whole number from 1`);
    return Number(value);
  };
  const takeFlag = (name: string) => {
    const value = take(name) ?? 'true';
    if (value !== 'true' && value !== 'false')
      throw new NotAllowed(`the option ${name} must be true or false`);
    return value === 'true';
  };
  if (!takeFlag('tlsVerifyCert')) {
    throw new NotAllowed(
      'certificates are always verified; give the certificate of their authority instead (CA_FILE)',
    );
  }
  if ((take('nodePreference') ?? 'leader').toLowerCase() !== 'leader') {
    throw new NotAllowed('the option nodePreference must be leader: other nodes may lag behind it');
  }
  const found = {
    tls: takeFlag('tls'),
    caFile: take('tlsCAFile'),
    connectionName: take('connectionName'),
    keepAliveInterval: takeNumber('keepAliveInterval', KEEP_ALIVE.interval),
    keepAliveTimeout: takeNumber('keepAliveTimeout', KEEP_ALIVE.timeout),
    maxDiscoverAttempts: takeNumber('maxDiscoverAttempts', DISCOVERY.attempts),
    discoveryInterval: takeNumber('discoveryInterval', DISCOVERY.interval),
    gossipTimeout: takeNumber('gossipTimeout', DISCOVERY.gossipTimeout),
  };
  // Not quoted: it may be the part of the password after a "?".
  if (options.size > 0) throw new NotAllowed(`it has an unknown option; the options are ${SUPPORTED}`);
  return found;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new NotAllowed('a "%" in it is not followed by two hexadecimal digits');
  }
}
