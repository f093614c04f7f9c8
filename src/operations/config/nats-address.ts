/** Parses the addresses of a NATS server or cluster. */
import { NotAllowed, type ValueKind } from './value-kinds.ts';

export interface NatsAddress {
  /** `host:port`, at least one. */
  readonly servers: readonly string[];
  /** True if unencrypted servers are refused. Otherwise the server decides. */
  readonly tls: boolean;
  /** Do not log them. */
  readonly credentials: NatsCredentials;
}

export type NatsCredentials =
  | { readonly user?: undefined; readonly token?: undefined }
  | { readonly user: string; readonly pass: string }
  | { readonly token: string };

const PORT = 4222;

export const natsAddress: ValueKind<NatsAddress> = {
  allowed:
    '`nats://` or `tls://`, a host and a port, optionally after `user:password@` or `token@`; several servers separated by commas',
  parse(text) {
    const parts = text.split(',').map((part) => part.trim());
    const found = parts.map(serverOf);
    const [first] = found;
    if (first === undefined) throw new NotAllowed();
    if (found.some(({ tls }) => tls !== first.tls))
      throw new NotAllowed('either all servers or none must be `tls://`');
    const withCredentials = found.filter(({ credentials }) => Object.keys(credentials).length > 0);
    if (new Set(withCredentials.map(({ credentials }) => JSON.stringify(credentials))).size > 1)
      throw new NotAllowed('all servers must have the same credentials');
    return {
      servers: found.map(({ server }) => server),
      tls: first.tls,
      credentials: withCredentials[0]?.credentials ?? {},
    };
  },
};

function serverOf(text: string): { server: string; tls: boolean; credentials: NatsCredentials } {
  if (!/^(nats|tls):\/\/[^/]/i.test(text) || !URL.canParse(text)) throw new NotAllowed();
  const { protocol, hostname, port, pathname, search, hash, username, password } = new URL(text);
  if (hostname === '') throw new NotAllowed('the host is missing');
  if (!['', '/'].includes(pathname) || search !== '' || hash !== '')
    throw new NotAllowed('the address must end after the port');
  return {
    server: `${hostname}:${port || PORT}`,
    tls: protocol === 'tls:',
    credentials: credentialsOf(decoded(username), decoded(password)),
  };
}

function credentialsOf(user: string, pass: string): NatsCredentials {
  if (user === '' && pass !== '') throw new NotAllowed('the user is missing');
  if (user === '') return {};
  return pass === '' ? { token: user } : { user, pass };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new NotAllowed('write a `%` in user or password as `%25`');
  }
}

/** Prefix of every subject. */
export const subjectPrefix: ValueKind<string> = {
  allowed: 'words of letters, digits, dashes and underscores, each followed by a dot',
  parse(text) {
    if (!/^([\w-]+\.)+$/.test(text) || text.length > 128) throw new NotAllowed();
    return text;
  },
};

export const natsStreamName: ValueKind<string> = {
  allowed: '1 to 64 letters, digits, dashes and underscores',
  parse(text) {
    if (!/^[\w-]{1,64}$/.test(text)) throw new NotAllowed();
    return text;
  },
};
