/** Addresses in the configuration: stores and the chain, whose scheme chooses the adapter, and what is seen from outside. */

import { BlockList, isIP } from 'node:net';
import { resolve } from 'node:path';
import { MAX_URI_BYTES } from '../chain/creation-transaction.ts';
import { parseEventStoreDbUrl } from './event-store-url.ts';
import { natsAddress } from './nats-address.ts';
import { NotAllowed, type ValueKind } from './value-kinds.ts';

/** Where something is: the scheme chooses the adapter, which finds the rest in it. */
export interface Address {
  /** A path in it is absolute. May hold a password, or a key of a provider: not to be logged. */
  readonly url: string;
}

export interface EventStoreAddress extends Address {
  /** The log belongs to this process alone. */
  readonly isEmbedded: boolean;
  /** It names no user, although there has to be one. */
  readonly lacksUser: boolean;
}

export interface ChainAddress extends Address {
  /** The chain is a part of this process. */
  readonly isEmbedded: boolean;
}

/** `schemes` has an entry for each scheme that an adapter serves; `later` are those of which it is known that they are to come. */
function addressOf<Found extends Address>(
  allowed: string,
  schemes: { readonly [scheme: string]: (text: string) => Found },
  later: readonly string[] = [],
): ValueKind<Found> {
  const known = new Map(Object.entries(schemes));
  const today = [...known.keys()].map((scheme) => `\`${scheme}:\``).join(', ');
  return {
    allowed,
    unit: '',
    confidential: true,
    parse(text) {
      const scheme = text.slice(0, Math.max(0, text.indexOf(':'))).toLowerCase();
      if (later.includes(scheme))
        throw new NotAllowed(`\`${scheme}:\` comes in a later release; only ${today} is supported today`);
      const parse = known.get(scheme);
      if (parse === undefined) throw new NotAllowed();
      return parse(text);
    },
  };
}

const SQLITE = '`sqlite:` and a path, relative to the working directory or absolute';

const eventStoreDbServer = (text: string) => {
  const { tls, user } = parseEventStoreDbUrl(text);
  return { url: text, isEmbedded: false, lacksUser: tls && user === undefined };
};

export const eventStoreAddress = addressOf<EventStoreAddress>(
  `${SQLITE}; or \`esdb://\`, \`esdb+discover://\` or \`kurrentdb://\`, hosts and options, as EventStoreDB's clients take them`,
  {
    sqlite: (text) => ({ url: withAbsolutePath('sqlite', text), isEmbedded: true, lacksUser: false }),
    esdb: eventStoreDbServer,
    'esdb+discover': eventStoreDbServer,
    kurrentdb: eventStoreDbServer,
    'kurrentdb+discover': eventStoreDbServer,
  },
);

/** Without a dot, which ends it, so that no prefix is the beginning of another. */
export const streamPrefix: ValueKind<string> = {
  allowed: '1 to 32 letters, digits and underscores',
  unit: '',
  parse(text) {
    if (!/^[a-z0-9_]{1,32}$/i.test(text)) throw new NotAllowed();
    return text;
  },
};

const MONGODB = ['mongodb', 'mongodb+srv'];

export const readModelAddress = addressOf(
  SQLITE,
  { sqlite: (text) => ({ url: withAbsolutePath('sqlite', text) }) },
  MONGODB,
);

export const imageStoreAddress = addressOf(
  '`file:` and a path, relative to the working directory or absolute',
  { file: (text) => ({ url: withAbsolutePath('file', text) }) },
  MONGODB,
);

const rpcNode = (text: string) => {
  if (!/^https?:\/\/[^/]/i.test(text) || !URL.canParse(text)) throw new NotAllowed();
  return { url: text, isEmbedded: false };
};

export const chainAddress = addressOf<ChainAddress>('`local:`, or the http(s) address of a Solana RPC node', {
  local(text) {
    if (text !== 'local:') throw new NotAllowed();
    return { url: text, isEmbedded: true };
  },
  http: rpcNode,
  https: rpcNode,
});

const natsServers = (text: string) => {
  natsAddress.parse(text);
  return { url: text };
};

export const publisherAddress = addressOf(natsAddress.allowed, { nats: natsServers, tls: natsServers });

/** The value has no slash at its end, so that `/path` can follow. */
export const publicAddress: ValueKind<string> = {
  allowed: 'an http(s) address without user, query and fragment',
  unit: '',
  parse(text) {
    if (!/^https?:\/\/[^/]/i.test(text) || !URL.canParse(text)) throw new NotAllowed();
    const { origin, pathname, username, password } = new URL(text);
    if (username !== '' || password !== '') throw new NotAllowed('it holds a user name or password');
    if (/[?#]/.test(text)) throw new NotAllowed('it holds a query or fragment');
    return origin + pathname.replace(/\/+$/, '');
  },
};

/** What is refused of it may be a key. */
export const collectorAddress: ValueKind<string> = { ...publicAddress, confidential: true };

export const webOrigin: ValueKind<string> = {
  allowed: 'an origin as browsers send it, such as `https://app.example.com`',
  unit: '',
  parse(text) {
    if (!/^https?:\/\//.test(text) || !URL.canParse(text)) throw new NotAllowed();
    const { origin } = new URL(text);
    if (origin !== text)
      throw new NotAllowed(
        'write the scheme, the host in lower case and no default port, path or slash after it',
      );
    return text;
  },
};

/** The path is taken as it is, without percent-decoding. */
function withAbsolutePath(scheme: string, text: string): string {
  const path = text.slice(text.indexOf(':') + 1);
  if (path === '') throw new NotAllowed('the path is missing');
  if (path === ':memory:') throw new NotAllowed('what is kept in memory would be lost');
  // In `sqlite://data/levy.db` a URL has a host named "data", where a relative path was meant.
  if (/^\/\/[^/]/.test(path))
    throw new NotAllowed(`leave out the slashes, or write \`${scheme}:///\` before an absolute path`);
  if (scheme === 'sqlite' && /[/\\]$/.test(path)) throw new NotAllowed('a file is wanted, not a directory');
  return `${scheme}:${resolve(path)}`;
}

const LONGEST_METADATA_PATH = `/metadata/${'1'.repeat(44)}.json`;

/**
 * Why tokens on a public chain cannot carry this address for ever; undefined if they can. Wallets and explorers fetch
 * it, from anywhere, as long as the token exists.
 */
export function problemOnPublicChain(publicUrl: string | undefined): string | undefined {
  if (publicUrl === undefined)
    return 'it must be set where the chain is not `local:`, for it is written into every token';
  const url = new URL(publicUrl);
  if (url.protocol !== 'https:') return 'it must be https where the chain is not `local:`';
  if (!isPublicHost(url.hostname))
    return 'its host cannot be reached from the internet, and the chain is not `local:`';
  const spare = MAX_URI_BYTES - Buffer.byteLength(publicUrl + LONGEST_METADATA_PATH);
  if (spare < 0) {
    return `it is ${-spare} bytes too long: ${LONGEST_METADATA_PATH.replace(/1+/, '<mint address>')} after it must fit ${MAX_URI_BYTES} bytes`;
  }
  return undefined;
}

const SPECIAL_NAMES = [
  'localhost',
  'local',
  'internal',
  'intranet',
  'lan',
  'home',
  'corp',
  'private',
  'test',
  'example',
  'invalid',
  'onion',
];
const SPECIAL_SUFFIXES = ['home.arpa'];

const SPECIAL_ADDRESSES = new BlockList();
for (const range of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]) {
  const [address = '', prefix] = range.split('/');
  SPECIAL_ADDRESSES.addSubnet(address, Number(prefix), 'ipv4');
}
const GLOBAL_IPV6 = new BlockList();
GLOBAL_IPV6.addSubnet('2000::', 3, 'ipv6');
const DOCUMENTATION_IPV6 = new BlockList();
DOCUMENTATION_IPV6.addSubnet('2001:db8::', 32, 'ipv6');

/** `hostname` as `URL` writes it: lower case, IPv4 in four decimals, IPv6 in brackets. */
function isPublicHost(hostname: string): boolean {
  const name = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (isIP(name) === 4) return !SPECIAL_ADDRESSES.check(name, 'ipv4');
  if (isIP(name) === 6) return GLOBAL_IPV6.check(name, 'ipv6') && !DOCUMENTATION_IPV6.check(name, 'ipv6');
  const labels = name.split('.');
  if (labels.length < 2 || labels.includes('')) return false;
  return (
    !SPECIAL_NAMES.includes(labels.at(-1) ?? '') && !SPECIAL_SUFFIXES.includes(labels.slice(-2).join('.'))
  );
}
