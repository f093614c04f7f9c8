/** Parses addresses in the configuration: stores and the chain, whose scheme selects the adapter, and public addresses. */
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import { MAX_URI_BYTES } from '../../chain/creation-transaction.ts';
import { nodeAddressesIn, schemeOf } from '../../kernel/ports/technology.ts';
import { isReachableName } from '../../kernel/runtime/host-names.ts';
import { problemWithOrigin } from '../../server/auth/allowed-origins.ts';
import { parseEventStoreDbUrl } from './event-store-url.ts';
import { natsAddress } from './nats-address.ts';
import { NotAllowed, type ValueKind } from './value-kinds.ts';

/** Address whose scheme selects an adapter, which parses the rest. */
export interface Address {
  /** Contains absolute paths. May contain a password or a provider's key: do not log it. */
  readonly url: string;
}

export interface EventStoreAddress extends Address {
  /** True if the event store belongs to this process alone. */
  readonly isEmbedded: boolean;
  /** True if the server requires a user and the address contains none. */
  readonly lacksUser: boolean;
}

/** `url` may be a comma-separated list of nodes. */
export interface ChainAddress extends Address {
  /** True if this process starts the chain. */
  readonly isEmbedded: boolean;
}

/** `schemes` has an entry for each scheme that an adapter supports. */
function addressOf<Found extends Address>(
  allowed: string,
  schemes: { readonly [scheme: string]: (text: string) => Found },
): ValueKind<Found> {
  const known = new Map(Object.entries(schemes));
  return {
    allowed,
    confidential: true,
    parse(text) {
      const parse = known.get(schemeOf(text));
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
  `${SQLITE}; or \`esdb://\`, \`esdb+discover://\` or \`kurrentdb://\`, hosts and the options of EventStoreDB's clients \`tls\`, \`tlsCAFile\`, \`keepAliveInterval\` and \`keepAliveTimeout\``,
  {
    sqlite: (text) => ({ url: withAbsolutePath('sqlite', text), isEmbedded: true, lacksUser: false }),
    esdb: eventStoreDbServer,
    'esdb+discover': eventStoreDbServer,
    kurrentdb: eventStoreDbServer,
    'kurrentdb+discover': eventStoreDbServer,
  },
);

/** Without dots, because a dot follows the prefix: so no prefix starts with another one. */
export const streamPrefix: ValueKind<string> = {
  allowed: '1 to 32 letters, digits and underscores',
  parse(text) {
    if (!/^[a-z0-9_]{1,32}$/i.test(text)) throw new NotAllowed();
    return text;
  },
};

const MONGODB =
  "`mongodb://` or `mongodb+srv://`, hosts, a database and options, as MongoDB's clients accept them";

/** The driver parses the rest when it connects. */
const mongoDbDatabase = (text: string) => ({ url: text });

export const readModelAddress = addressOf(`${SQLITE}; or ${MONGODB}`, {
  sqlite: (text) => ({ url: withAbsolutePath('sqlite', text) }),
  mongodb: mongoDbDatabase,
  'mongodb+srv': mongoDbDatabase,
});

/** Address of a store of files: images or ledgers. */
export const fileStoreAddress = addressOf(
  `\`file:\` and a path, relative to the working directory or absolute; or ${MONGODB}`,
  {
    file: (text) => ({ url: withAbsolutePath('file', text) }),
    mongodb: mongoDbDatabase,
    'mongodb+srv': mongoDbDatabase,
  },
);

const rpcNode = (text: string) => {
  if (!/^https?:\/\/[^/]/i.test(text) || !URL.canParse(text)) throw new NotAllowed();
  return { url: text, isEmbedded: false };
};

const rpcNodes = (text: string) => {
  const urls = nodeAddressesIn(text).map((each) => rpcNode(each).url);
  const distinct = new Set(urls.map((each) => new URL(each).href));
  if (distinct.size < urls.length) throw new NotAllowed('it contains the same node twice');
  return { url: urls.join(','), isEmbedded: false };
};

export const chainAddress = addressOf<ChainAddress>(
  '`local:`, or the http(s) addresses of Solana RPC nodes of one chain, separated by commas',
  {
    local(text) {
      if (text !== 'local:') throw new NotAllowed();
      return { url: text, isEmbedded: true };
    },
    http: rpcNodes,
    https: rpcNodes,
  },
);

/** Address of a second node; the embedded chain has only one. */
export const chainNodeAddress = addressOf<Address>('the http(s) address of a Solana RPC node', {
  http: rpcNode,
  https: rpcNode,
});

const natsServers = (text: string) => {
  natsAddress.parse(text);
  return { url: text };
};

export const publisherAddress = addressOf(natsAddress.allowed, { nats: natsServers, tls: natsServers });

/** The parsed value has no trailing slash, so that `/path` can follow. */
export const publicAddress: ValueKind<string> = {
  allowed: 'an http(s) address without user, query or fragment',
  parse(text) {
    if (!/^https?:\/\/[^/]/i.test(text) || !URL.canParse(text)) throw new NotAllowed();
    const { origin, pathname, username, password } = new URL(text);
    if (username !== '' || password !== '') throw new NotAllowed('it contains a user name or password');
    if (/[?#]/.test(text)) throw new NotAllowed('it contains a query or fragment');
    const problem = problemWithOrigin(origin);
    if (problem !== undefined) throw new NotAllowed(problem);
    return origin + pathname.replace(/\/+$/, '');
  },
};

/** Confidential, because the URL may contain a key. */
export const collectorAddress: ValueKind<string> = { ...publicAddress, confidential: true };

export const webOrigin: ValueKind<string> = {
  allowed:
    'an origin as browsers send it, such as `https://app.example.com`, or `https://*.example.com` for all subdomains',
  parse(text) {
    const problem = problemWithOrigin(text);
    if (problem !== undefined) throw new NotAllowed(problem);
    return text;
  },
};

/** The path is used as written, without percent-decoding. */
function withAbsolutePath(scheme: string, text: string): string {
  const path = text.slice(text.indexOf(':') + 1);
  if (path === '') throw new NotAllowed('the path is missing');
  if (path === ':memory:') throw new NotAllowed('data in memory would be lost on exit');
  // In `sqlite://data/levy.db`, "data" would be a host, although a relative path is meant.
  if (/^\/\/[^/]/.test(path))
    throw new NotAllowed(`remove the two slashes, or write \`${scheme}:///\` before an absolute path`);
  if (scheme === 'sqlite' && /[/\\]$/.test(path)) throw new NotAllowed('it must be a file, not a directory');
  return `${scheme}:${resolve(path)}`;
}

const MAX_METADATA_PATH = `/metadata/${'1'.repeat(44)}.json`;

/**
 * Returns why tokens on a public chain cannot carry this address permanently; undefined if they can. Wallets and
 * explorers fetch it for as long as the token exists.
 */
export function problemOnPublicChain(publicUrl: string | undefined): string | undefined {
  if (publicUrl === undefined)
    return 'it must be set unless the chain is `local:`, because it is written into every token';
  const url = new URL(publicUrl);
  if (url.protocol !== 'https:') return 'it must be https unless the chain is `local:`';
  if (!isPublicHost(url.hostname))
    return 'its host must be reachable from the internet unless the chain is `local:`';
  const spare = MAX_URI_BYTES - Buffer.byteLength(publicUrl + MAX_METADATA_PATH);
  if (spare < 0) {
    return `it is ${-spare} bytes too long: followed by ${MAX_METADATA_PATH.replace(/1+/, '<mint address>')}, it must fit into ${MAX_URI_BYTES} bytes`;
  }
  return undefined;
}

/** `hostname` as `URL` writes it: lower case, IPv4 in four decimals, IPv6 in brackets. */
function isPublicHost(hostname: string): boolean {
  const name = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  return isIP(name) === 0 ? isReachableName(name) : ipaddr.parse(name).range() === 'unicast';
}
