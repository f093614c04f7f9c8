/** Headers: the credentials of a caller and what an operation knows, or something that nobody sends. */
import type { Operation } from './operations.ts';
import type { Random } from './random.ts';
import type { Drawing } from './valid-values.ts';
import type { Wallet, World } from './world.ts';

export type Header = readonly [name: string, value: string];

export interface Credentials {
  readonly headers: readonly Header[];
  /** Whose token it is, where it is a good one. */
  readonly wallet: Wallet | undefined;
}

const bearer = (token: string): Header => ['authorization', `Bearer ${token}`];

/** Those that the operation asks for. */
export function rightCredentials({ callers }: Operation, { world, wallet, random }: Drawing): Credentials {
  if (callers === 'wallets') return { headers: [bearer(wallet.token)], wallet };
  if (callers === 'operators') return { headers: [['x-operator-key', world.operatorKey]], wallet: undefined };
  if (callers === 'partners') return { headers: [['x-partner-key', world.partnerKey]], wallet: undefined };
  const some = random.below(4);
  if (some === 0) return { headers: [bearer(wallet.token)], wallet };
  return { headers: some === 1 ? [['x-operator-key', world.operatorKey]] : [], wallet: undefined };
}

/** None, somebody else's, or none at all that anybody could have. */
export function otherCredentials(world: World, random: Random): Credentials {
  const stranger = random.pick(world.wallets);
  const none: readonly (readonly Header[])[] = [
    [],
    [],
    [bearer('garbage')],
    [bearer(`${stranger.token.slice(0, -6)}AAAAAA`)],
    [bearer(stranger.token.split('.').slice(0, 2).join('.'))],
    [['authorization', `Basic ${stranger.token}`]],
    [['authorization', '']],
    [['x-operator-key', 'wrong']],
    [['x-operator-key', stranger.token]],
    [['cookie', `token=${stranger.token}`]],
    world.revoked.map(bearer).slice(-1),
  ];
  if (random.chance(0.5)) return { headers: [bearer(stranger.token)], wallet: stranger };
  if (random.chance(0.2)) return { headers: [bearer(world.operatorKey)], wallet: undefined };
  return { headers: random.pick(none), wallet: undefined };
}

/** As clients send what the description knows. */
const USUAL_VALUES: { readonly [name: string]: (drawing: Drawing) => string | undefined } = {
  'idempotency-key': ({ random }) => `key-${random.below(300)}`,
  'if-match': ({ random, world, wallet }) => world.one(random, 'etag', wallet) ?? '*',
  'if-none-match': ({ random, world, wallet }) => world.one(random, 'etag', wallet),
  'x-after-position': ({ random, world, wallet }) => world.one(random, 'x-position', wallet),
  'last-event-id': ({ random, world }) => world.one(random, 'x-position'),
  'x-request-id': ({ random }) => `fuzz-${random.below(1e9)}`,
};

/** Some of those that the operation's description knows; now and then one of them is spoiled, where nothing else is. */
export function usualHeaders(operation: Operation, drawing: Drawing): readonly Header[] {
  const { random } = drawing;
  return describedHeaders(operation).flatMap((name) => {
    if (!random.chance(0.3)) return [];
    const value = random.chance(0.08) ? oddValue(name, drawing) : USUAL_VALUES[name]?.(drawing);
    return value === undefined ? [] : [[name, value] as const];
  });
}

function describedHeaders({ parameters }: Operation): readonly string[] {
  return parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name.toLowerCase());
}

const ODD_VALUES: { readonly [name: string]: readonly string[] } = {
  'idempotency-key': ['', ' ', 'a b', 'x'.repeat(256), 'x'.repeat(255), '\xe9', '"quoted"', '__proto__'],
  'if-match': ['*', '', '"', 'W/"a"', '"a", "b"', ','.repeat(2_000), '"\xff"', '"a"'.repeat(500), 'none'],
  'if-none-match': ['*', '', 'W/*', '"', ', ,'.repeat(1_000), '"a" "b"'],
  'x-after-position': ['', ' ', '0', '-1', 'x y', '%00', '9'.repeat(65), '../..', '0000000000000000'],
  'last-event-id': ['', '0', 'start', '-1', '\xff', 'x'.repeat(100), '00000000000000000000', '{"a":1}'],
  'x-request-id': ['', ' ', 'a b', 'x'.repeat(129), '\xe9', '%{jndi:ldap://x}', '"', '<b>'],
  range: ['bytes=0-0', 'bytes=5-1', 'bytes=-1', 'bytes=0-,0-,0-', 'items=1'],
  expect: ['100-continue', '200-ok', '', '100-continue, x'],
  'x-forwarded-for': ['127.0.0.1', 'unknown', '::1, ::2', '1.2.3.4:5', ', ,', '999.1.1.1', 'x'.repeat(3_000)],
  'x-forwarded-proto': ['https', 'javascript', ','],
  'x-forwarded-host': ['evil.example', '', 'a b'],
  forwarded: ['for=1.2.3.4', 'for="[::1]:1"', ';;'],
  traceparent: [
    '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    '00-00000000000000000000000000000000-0000000000000000-00',
    'ff-x',
    '',
    '0'.repeat(500),
  ],
  tracestate: ['a=1', `a=${'x'.repeat(600)}`, ',,'],
  origin: ['https://app.example', 'null', '', 'https://evil.example', '\xff', 'file://'],
  host: ['evil.example', '', '[::1]', 'a:b:c', 'x'.repeat(300), '127.0.0.1:99999'],
  accept: ['text/html', '*/*;q=0', 'application/xml', ''],
  'accept-encoding': ['gzip, br', 'identity;q=0', '*'],
  'content-encoding': ['gzip', 'br', 'identity', 'x'],
  'access-control-request-method': ['DELETE', ''],
  cookie: ['a=b; __proto__=1', '='.repeat(1_000)],
  'user-agent': ['', '\xff', 'x'.repeat(5_000)],
  upgrade: ['websocket', 'h2c'],
  'x-http-method-override': ['DELETE'],
  'x-operator-key': ['', 'wrong'],
  te: ['trailers'],
};

/** A header that is not as it should be, or that nobody expects there; sometimes twice. */
export function oddHeaders(operation: Operation, drawing: Drawing): readonly Header[] {
  const { random } = drawing;
  const described = describedHeaders(operation);
  const name = random.chance(0.6) ? random.pick(described) : random.pick(Object.keys(ODD_VALUES));
  // A position that nobody has reached is waited for: that takes five seconds, so it must be rare.
  if (name === 'x-after-position' && random.chance(0.01)) return [[name, 'zzz']];
  const header = [name, oddValue(name, drawing)] as const;
  return random.chance(0.15) && name !== 'host' ? [header, [name, oddValue(name, drawing)]] : [header];
}

/** From a list, or a good one that has been spoiled. */
function oddValue(name: string, drawing: Drawing): string {
  const { random } = drawing;
  const usual = name === 'x-after-position' ? undefined : USUAL_VALUES[name]?.(drawing);
  if (usual === undefined || random.chance(0.5)) return random.pick(ODD_VALUES[name] ?? ['']);
  return random.pick([
    `W/${usual}`,
    `${usual}, W/"a"`,
    `"a",${usual},`,
    `${usual}${usual}`,
    usual.slice(1),
    usual.slice(0, -1),
    usual.toUpperCase(),
    ` ${usual}\t`,
    `"${usual}"`,
  ]);
}

export function oddContentType(random: Random): string {
  return random.pick([
    '',
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=utf-16',
    'application/json; charset=latin1',
    'application/json; charset=x',
    'application/json;;;',
    'APPLICATION/JSON',
    'application/json/x',
    'application/vnd.api+json',
    'multipart/form-data; boundary=x',
    'multipart/form-data',
    '\xff/\xff',
    'x'.repeat(500),
  ]);
}
