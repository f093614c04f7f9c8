/**
 * Parses an address of EventStoreDB (or KurrentDB). The client's own parser prints the whole address, including the
 * password, if an option is unknown, and accepts ports above 65535.
 */
import { NotAllowed } from './value-kinds.ts';

export type EventStoreDbAddress = ReturnType<typeof parseEventStoreDbUrl>;

const DEFAULT_PORT = 2113;

/** Keep-alive times in milliseconds; a stalled node is detected after about the sum of both. */
const NUMBERS = { keepAliveInterval: 2_000, keepAliveTimeout: 2_000 };
const OPTIONS = ['tls', 'tlsCAFile', ...Object.keys(NUMBERS)];

/** Throws `NotAllowed`, whose message quotes only schemes, hosts and option names. */
export function parseEventStoreDbUrl(text: string) {
  const [, scheme, discover, rest = ''] = /^((?:esdb|kurrentdb)(\+discover)?):\/\/(.*)$/is.exec(text) ?? [];
  if (scheme === undefined) throw new NotAllowed();
  const [authority = '', query = '', ...more] = rest.split('?');
  if (more.length > 0) throw new NotAllowed('it contains a second "?"');
  const at = authority.lastIndexOf('@');
  const user = at === -1 ? undefined : userOf(authority.slice(0, at));
  const hosts = authority.slice(at + 1).replace(/\/+$/, '');
  const nodes = hosts.split(',').map(nodeOf);
  if (discover !== undefined && nodes.length > 1)
    throw new NotAllowed('with `+discover`, write one host; the other hosts are discovered through it');
  return {
    ...optionsOf(query),
    nodes,
    /** True if the cluster members are discovered through the first node. */
    discover: discover !== undefined,
    user,
    /** Address for messages: scheme, hosts and ports, without user and options. */
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
  if (host === undefined) throw new NotAllowed('the host must be a host name or an IPv4 address');
  const number = Number(port ?? DEFAULT_PORT);
  if (number < 1 || number > 65_535) throw new NotAllowed(`the port ${port} is not between 1 and 65535`);
  return { host, port: number };
}

function optionsOf(query: string) {
  const given = new Map<string, string>();
  for (const [key, value] of new URLSearchParams(query)) {
    const name = OPTIONS.find((each) => each.toLowerCase() === key.toLowerCase().replace(/[_-]/g, ''));
    // Not quoted, because it may be the part of the password after a "?".
    if (name === undefined)
      throw new NotAllowed(
        `it has an unknown option; the options are ${OPTIONS.join(', ')}. Certificates are always verified, and requests always go to the leader`,
      );
    given.set(name, value);
  }
  const numberIn = (name: keyof typeof NUMBERS) => {
    const text = given.get(name) ?? String(NUMBERS[name]);
    if (!/^[1-9]\d{0,6}$/.test(text))
      throw new NotAllowed(`the option ${name} must be a whole number of at least 1`);
    return Number(text);
  };
  const tls = given.get('tls') ?? 'true';
  if (tls !== 'true' && tls !== 'false') throw new NotAllowed('the option tls must be true or false');
  return {
    tls: tls === 'true',
    caFile: given.get('tlsCAFile'),
    keepAliveInterval: numberIn('keepAliveInterval'),
    keepAliveTimeout: numberIn('keepAliveTimeout'),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new NotAllowed('every "%" must be followed by two hexadecimal digits');
  }
}
