/** Takes an address of EventStoreDB (or KurrentDB) apart, so that nothing in it is ignored, and nothing secret in it is shown. */
import { NotAllowed } from './value-kinds.ts';

export interface EventStoreDbAddress {
  readonly nodes: readonly { readonly host: string; readonly port: number }[];
  /** The first node's name stands for all: the cluster's members are found through it. */
  readonly discover: boolean;
  readonly tls: boolean;
  readonly user: { readonly name: string; readonly password: string } | undefined;
  /** Certificates of the authorities that the nodes' certificates come from. */
  readonly caFile: string | undefined;
  readonly connectionName: string | undefined;
  /** Milliseconds. How long a connection may be silent before it is tried, and how long the trial may take. */
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

/** A node that stalls is noticed in about the sum. */
const KEEP_ALIVE = { interval: 2_000, timeout: 2_000 };
const DISCOVERY = { attempts: 3, interval: 200, gossipTimeout: 2 };

/** Throws `NotAllowed` with what is wrong; the message quotes nothing but schemes, hosts and names of options. */
export function parseEventStoreDbUrl(text: string): EventStoreDbAddress {
  const [, scheme = '', rest = ''] = /^([a-z+]+):\/\/(.*)$/is.exec(text) ?? [];
  const kind = SCHEMES.get(scheme.toLowerCase());
  if (kind === undefined) throw new NotAllowed();
  const [authority = '', query = '', ...more] = rest.split('?');
  if (more.length > 0) throw new NotAllowed('it holds a second "?"');
  const at = authority.lastIndexOf('@');
  const user = at === -1 ? undefined : userOf(authority.slice(0, at));
  const hosts = authority.slice(at + 1).replace(/\/+$/, '');
  const nodes = hosts.split(',').map(nodeOf);
  if (kind.discover && nodes.length > 1)
    throw new NotAllowed('one host is enough where the others are found');
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
  if (colon < 1) throw new NotAllowed('before the "@" belong a user, a colon and a password');
  return { name: decoded(text.slice(0, colon)), password: decoded(text.slice(colon + 1)) };
}

function nodeOf(text: string): { readonly host: string; readonly port: number } {
  const [, host, port] = /^([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::(\d{1,5}))?$/i.exec(text) ?? [];
  if (host === undefined) throw new NotAllowed('what stands for the host is no host name or IPv4 address');
  const number = Number(port ?? DEFAULT_PORT);
  if (number < 1 || number > 65_535) throw new NotAllowed(`${port} is no port`);
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
    if (!/^[1-9]\d{0,6}$/.test(value)) throw new NotAllowed(`the option ${name} is no whole number from 1`);
    return Number(value);
  };
  const takeFlag = (name: string) => {
    const value = take(name) ?? 'true';
    if (value !== 'true' && value !== 'false')
      throw new NotAllowed(`the option ${name} is neither true nor false`);
    return value === 'true';
  };
  if (!takeFlag('tlsVerifyCert')) {
    throw new NotAllowed('certificates are always verified; give those of their authority instead');
  }
  if ((take('nodePreference') ?? 'leader').toLowerCase() !== 'leader') {
    throw new NotAllowed('the option nodePreference can only be leader: others may lag behind it');
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
  // Unnamed, for it may be what comes after a "?" in the password.
  if (options.size > 0) throw new NotAllowed(`it has an option other than ${SUPPORTED}`);
  return found;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new NotAllowed('a "%" in it is not followed by two hexadecimal digits');
  }
}
