/** Draws calls with fast-check from the operations of the OpenAPI document: valid, or with a fault in one place. */
import { gzipSync } from 'node:zlib';
import fc, { type Arbitrary, type GeneratorValue } from 'fast-check';
import { picture, signatureOf, signedBy } from '../creator.ts';
import type { Operation, Parameter, Schema } from './operations.ts';
import type { IssuedDraft, Wallet, World } from './world.ts';

type Header = readonly [name: string, value: string];

export interface FuzzCall {
  readonly operation: Operation;
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: readonly Header[];
  readonly body: Buffer | undefined;
  /** Its length is not announced. */
  readonly isChunked: boolean;
  /** The wallet of its access token. */
  readonly wallet: Wallet | undefined;
}

interface Drawing {
  readonly world: World;
  /** The caller. */
  readonly wallet: Wallet;
  /** The one place that has a fault, if any. */
  readonly fault: Place | undefined;
  draw<Value>(arbitrary: Arbitrary<Value>): Value;
  /** Undefined for an empty list. */
  pick<Value>(values: readonly Value[]): Value | undefined;
  chance(percent: number): boolean;
  /** One of these, equally likely. */
  oneOf<Value>(...alternatives: readonly (() => Value)[]): Value;
}

const PLACES = ['method', 'path', 'query', 'headers', 'credentials', 'body', 'encoding'] as const;
type Place = (typeof PLACES)[number];

/** Operations whose success ends what the others need. */
const RARE = ['revokeAccessToken', 'hideToken'];
const METHODS = ['HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH', 'POST', 'GET', 'TRACE', 'QUERY'];

export function drawCall(gen: GeneratorValue, operations: readonly Operation[], world: World): FuzzCall {
  const draw = <Value>(arbitrary: Arbitrary<Value>) => gen(() => arbitrary);
  const pick = <Value>(values: readonly Value[]) =>
    values.length === 0 ? undefined : draw(fc.constantFrom(...values));
  const operation = draw(
    fc.oneof(...operations.map((each) => ({ weight: weightOf(each), arbitrary: fc.constant(each) }))),
  );
  const fault = draw(fc.nat(99)) < 55 ? undefined : draw(fc.constantFrom(...PLACES));
  const isSubmission = operation.path.endsWith('/submit');
  const draft = isSubmission ? pick(draftsFor(operation, world, draw(fc.nat(19)) === 0)) : undefined;
  const drawing: Drawing = {
    world,
    wallet: draft?.wallet ?? draw(fc.constantFrom(...world.wallets)),
    fault,
    draw,
    pick,
    chance: (percent) => draw(fc.nat(99)) < percent,
    oneOf: (...alternatives) => draw(fc.constantFrom(...alternatives))(),
  };
  const { headers: credentials, wallet } = credentialsFor(operation, drawing);
  const sent = bodyFor(operation, draft, drawing);
  return {
    operation,
    method: drawing.fault === 'method' ? draw(fc.constantFrom(...METHODS)) : operation.method,
    target: pathFor(operation, draft, drawing) + queryFor(operation, drawing),
    headers: [...credentials, ...headersFor(operation, drawing), ...(sent?.headers ?? [])],
    body: sent?.body,
    isChunked: sent !== undefined && drawing.chance(5),
    wallet,
  };
}

/** The more an operation takes, the more can be wrong with a call. */
function weightOf({ id, body, parameters }: Operation): number {
  if (RARE.includes(id)) return 2;
  return body !== undefined ? 12 : parameters.some((parameter) => parameter.in !== 'header') ? 7 : 4;
}

function draftsFor({ path }: Operation, { drafts }: World, areAllMeant: boolean): readonly IssuedDraft[] {
  const issuing = new RegExp(`^${path.replace(/submit$/, 'create-unsigned').replace(/\{\w+\}/g, '[^/]+')}$`);
  const found = drafts.filter((draft) => areAllMeant || issuing.test(draft.path));
  // The newest ones twice: others were probably submitted.
  return [...found, ...found.slice(-8)];
}

/** Values beyond the schemas. Other values are drawn from earlier answers, or from their schema. */
const BY_NAME: { readonly [name: string]: (drawing: Drawing) => unknown } = {
  developerWallet: ({ wallet }) => wallet.address,
  walletAddress: ({ wallet }) => wallet.address,
  creator: ({ wallet }) => wallet.address,
  sender: ({ wallet }) => wallet.address,
  recipient: ({ draw, world }) => draw(fc.constantFrom(...world.wallets)).address,
  rewardToken: ({ draw }) => draw(fc.constantFrom('SOL', 'SELF')),
  transferFeePercent: ({ draw }) => draw(fc.constantFrom(0, 0.07, 3.5, 10)),
  transferFeeAdjustable: ({ chance }) => chance(70),
  tokenMint: ({ pick, world, wallet }) => pick(world.valuesOf('mintAddress', wallet)) ?? wallet.address,
  days: ({ draw }) => draw(fc.integer({ min: 1, max: 30 })),
  excludedOwners: ({ chance, wallet }) => (chance(50) ? [wallet.address] : []),
  allowedOwners: () => [],
  quotas: () => [],
  stream: () => 'service-levy',
  types: () => 'tokens.*',
  // Parts of the names of tiles: `0/000`, `entries/000.p/12`.
  level: ({ draw }) => draw(fc.constantFrom('0', 'entries', '1', '63')),
  a: ({ draw }) => draw(fc.constantFrom('000', '000.p', 'x001')),
  b: ({ draw }) => draw(fc.constantFrom('1', '12', '067.p', 'x234')),
  page: ({ draw }) => draw(fc.constantFrom(1, 1, 1_000_000_000)),
};

function validValue(name: string, schema: Schema, drawing: Drawing): unknown {
  if (schema.enum !== undefined) return drawing.pick(schema.enum);
  const make = BY_NAME[name];
  if (make !== undefined) return make(drawing);
  const [seen, example] = [drawing.world.valuesOf(name, drawing.wallet), schema.examples?.[0]];
  if (isOf(schema, 'string') && seen.length > 0) return drawing.pick(seen);
  return example ?? drawing.draw(ofSchema(schema));
}

function ofSchema(schema: Schema): Arbitrary<unknown> {
  const { minimum = 0, maximum = 100, minLength = 0, maxLength = 100, pattern } = schema;
  if (isOf(schema, 'boolean')) return fc.boolean();
  if (isOf(schema, 'integer') || isOf(schema, 'number'))
    return fc.oneof(fc.constantFrom(minimum, maximum), fc.integer({ min: minimum, max: minimum + 1_000 }));
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  return fc.string({ minLength, maxLength: Math.min(maxLength, minLength + 20), unit: 'grapheme-ascii' });
}

function isOf({ type }: Schema, wanted: string): boolean {
  return type === wanted || (Array.isArray(type) && type.includes(wanted));
}

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.bigInt().map(String),
  fc.constantFrom(
    '',
    '\0',
    '\u202etxt.exe',
    '../../../etc/passwd',
    '\r\nX-Injected: 1',
    '<script>',
    '\ud800',
  ),
  fc.constantFrom('18446744073709551616', '-0', '1e3', '٣٤٥', 'z'.repeat(44), 'x'.repeat(5_000)),
);
/** JSON as it is written: also numbers that no double is, lone surrogates, and depth. */
const anyJson = fc.oneof(
  anyText.map((text) => JSON.stringify(text)),
  fc.json({ maxDepth: 3 }),
  fc.constantFrom('-0', '1e400', '1e-400', '0.005', '9007199254740993', '9'.repeat(400)),
  fc.constantFrom('"\\ud800"', '"\\u005f_proto__"', 'null', '[]', '['.repeat(2_000) + ']'.repeat(2_000)),
);
/** Some bytes are replaced, removed or added. */
const noise = fc.array(
  fc.record({ at: fc.nat(), remove: fc.nat(4), bytes: fc.uint8Array({ maxLength: 4 }) }),
  { minLength: 1, maxLength: 4 },
);

function withNoise(whole: Buffer, { draw }: Pick<Drawing, 'draw'>): Buffer {
  return draw(noise).reduce((bytes, { at, remove, bytes: added }) => {
    const from = at % (bytes.length + 1);
    return Buffer.concat([bytes.subarray(0, from), added, bytes.subarray(from + remove)]);
  }, whole);
}

const encoded = (text: string) => encodeURIComponent(text.toWellFormed());
const anySegment = fc.oneof(
  anyText.map(encoded),
  fc.constantFrom('', '..', '%', '%zz', '%c0%ae', '%ed%a0%80', '%00', '%0d%0aX-Injected:%201'),
  fc.constantFrom('..%2f..%2f', '%252e', '\\..\\', 'me', 'submit', '\xe9', 'x'.repeat(9_000)),
);
const ELSEWHERE = [
  '/',
  '/docs/static/..%2f..%2fpackage.json',
  '/.env',
  '/operator',
  '/images/..%2fjwt-key.json',
];

function pathFor({ path, parameters }: Operation, draft: IssuedDraft | undefined, drawing: Drawing): string {
  const segmentFor = (name: string) => {
    const schema = parameters.find((each) => each.in === 'path' && each.name === name)?.schema ?? {};
    return encodeURIComponent(String(validValue(name, schema, drawing)));
  };
  const right = draft?.path.endsWith('/create-unsigned')
    ? draft.path.replace(/create-unsigned$/, 'submit')
    : path.replace(/\{(\w+)\}/g, (_all, name: string) => segmentFor(name));
  if (drawing.fault !== 'path') return right;
  return drawing.oneOf(
    () => `${right}/`,
    () => right.replace('/', '//'),
    () => right.toUpperCase(),
    () => drawing.draw(fc.constantFrom(...ELSEWHERE)),
    () => `${right}/${drawing.draw(anySegment)}`,
    () => path.replace(/\{\w+\}/g, () => drawing.draw(anySegment)),
  );
}

function queryFor({ parameters }: Operation, drawing: Drawing): string {
  const known = parameters.filter((parameter) => parameter.in === 'query');
  const chosen = known.filter(({ required }) => required || drawing.chance(40));
  const pairs = chosen.map(({ name, schema }): [string, string] => [
    name,
    String(validValue(name, schema, drawing)),
  ]);
  const valid = new URLSearchParams(pairs).toString();
  if (drawing.fault !== 'query') return valid === '' ? '' : `?${valid}`;
  const name = drawing.pick([...known.map((each) => each.name), 'unknown', '__proto__', '']);
  const added = drawing.draw(
    fc.oneof(
      anyText.map((text) => `${name}=${encoded(text)}`),
      fc.webQueryParameters(),
      fc.constantFrom(`${name}=1&${name}=2`, `${name}[]=1&${name}[a]=2`, `${name}=%zz%`, `&&=&==&${name}`),
      fc.constantFrom(`${name}=${'x'.repeat(8_000)}`, `${name}=%00%0d%0a+%20`, 'p=&'.repeat(900), '#?'),
    ),
  );
  return `?${valid}${valid && '&'}${added}`;
}

const bearer = (token: string): Header => ['authorization', `Bearer ${token}`];

function credentialsFor({ callers }: Operation, drawing: Drawing) {
  const { world, wallet } = drawing;
  const of = (...headers: readonly Header[]) => ({ headers, wallet: undefined });
  const signedIn = (caller: Wallet) => ({ headers: [bearer(caller.token)], wallet: caller });
  const stranger = drawing.draw(fc.constantFrom(...world.wallets));
  if (drawing.fault === 'credentials')
    return drawing.oneOf<{ readonly headers: readonly Header[]; readonly wallet: Wallet | undefined }>(
      () => of(),
      () => of(bearer('garbage')),
      () => of(bearer(`${stranger.token.slice(0, -6)}AAAAAA`)),
      () => of(['authorization', `Basic ${stranger.token}`]),
      () => of(['x-operator-key', stranger.token]),
      () => of(bearer(world.operatorKey)),
      () => of(...world.revoked.slice(-1).map(bearer)),
      () => signedIn(stranger),
    );
  if (callers === 'operators') return of(['x-operator-key', world.operatorKey]);
  if (callers === 'partners') return of(['x-partner-key', world.partnerKey]);
  return callers === 'wallets' || drawing.chance(25) ? signedIn(wallet) : of();
}

const ODD_HEADERS =
  'range,expect,x-forwarded-for,x-forwarded-host,forwarded,traceparent,te,origin,host,accept,accept-encoding,content-encoding,cookie,upgrade,x-operator-key'.split(
    ',',
  );
/** Characters that HTTP allows in a header's value. */
const headerText = fc.string({
  unit: fc
    .integer({ min: 0x20, max: 0xff })
    .filter((code) => code !== 0x7f)
    .map((code) => String.fromCharCode(code)),
  maxLength: 300,
});

function headersFor({ parameters }: Operation, drawing: Drawing): readonly Header[] {
  const known = parameters.filter((parameter) => parameter.in === 'header');
  const usual = known.flatMap((parameter): readonly Header[] => {
    const value = drawing.chance(30) ? usualHeader(parameter, drawing) : undefined;
    return value === undefined ? [] : [[parameter.name.toLowerCase(), value]];
  });
  if (drawing.fault !== 'headers') return usual;
  const name = drawing.pick([...known.map((each) => each.name.toLowerCase()), ...ODD_HEADERS]) ?? 'x';
  const odd = drawing.draw(
    fc.oneof(
      headerText,
      fc.constantFrom('', '*', '"', 'x'.repeat(3_000), '"a", W/"b"', '127.0.0.1', 'gzip, br', 'null'),
    ),
  );
  // A position beyond the log is waited for: five seconds each.
  const value = name === 'x-after-position' && /^[\w.:-]+$/.test(odd) ? '' : odd;
  return drawing.chance(15) && name !== 'host'
    ? [...usual, [name, value]]
    : [...usual.filter(([each]) => each !== name), [name, value]];
}

function usualHeader({ name }: Parameter, { world, wallet, draw, pick }: Drawing): string | undefined {
  switch (name.toLowerCase()) {
    case 'idempotency-key':
      return `key-${draw(fc.nat(300))}`;
    case 'if-match':
    case 'if-none-match':
      return pick(world.valuesOf('etag', wallet));
    case 'x-after-position':
    case 'last-event-id':
      return pick(world.valuesOf('x-position', wallet));
    default:
      return undefined;
  }
}

interface Sent {
  readonly headers: readonly Header[];
  readonly body: Buffer;
}

const of = (contentType: string, body: Buffer): Sent => ({ headers: [['content-type', contentType]], body });
const JSON_TYPE = 'application/json';

function bodyFor(operation: Operation, draft: IssuedDraft | undefined, drawing: Drawing): Sent | undefined {
  const { body, id, method } = operation;
  const { draw } = drawing;
  if (body?.mediaType.startsWith('multipart/')) return formFor(drawing);
  if (body === undefined) {
    if (drawing.fault !== 'body' && drawing.fault !== 'encoding') return undefined;
    const text = method === 'GET' ? '{' : draw(fc.oneof(anyJson, fc.constant('x'.repeat(40_000))));
    return encodedBody(Buffer.from(text), drawing);
  }
  const { required = [], properties = {} } = body.schema;
  const given = givenTogether(id, draft, drawing);
  const names = Object.keys(properties);
  // If nothing is required, an empty body would mostly be refused.
  const least = required.length > 0 ? required : [drawing.pick(names)];
  const members = names
    .filter((name) => least.includes(name) || Object.hasOwn(given, name) || drawing.chance(35))
    .map((name): Member => {
      const value = Object.hasOwn(given, name)
        ? given[name]
        : validValue(name, properties[name] ?? {}, drawing);
      return [name, JSON.stringify(value)];
    });
  const text = drawing.fault === 'body' ? faultyText(members, body.schema, drawing) : textOf(members);
  return encodedBody(Buffer.from(text), drawing);
}

function encodedBody(bytes: Buffer, drawing: Drawing): Sent {
  if (drawing.fault !== 'encoding') return of(JSON_TYPE, bytes);
  const packed = of(JSON_TYPE, gzipSync(bytes));
  return drawing.oneOf<Sent>(
    () => ({ ...packed, headers: [...packed.headers, ['content-encoding', 'gzip']] }),
    () => of(JSON_TYPE, withNoise(bytes, drawing)),
    () => ({ headers: [], body: bytes }),
    () => of(drawing.draw(headerText), bytes),
  );
}

/** A name, and its value as JSON is written. */
type Member = readonly [name: string, json: string];

const textOf = (members: readonly Member[]) =>
  `{${members.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`;

function faultyText(members: readonly Member[], { properties = {} }: Schema, drawing: Drawing): string {
  const { draw, pick } = drawing;
  const at = draw(fc.nat(Math.max(0, members.length - 1)));
  const others = members.filter((_member, index) => index !== at);
  const [name = 'none', limits = {}] = pick(Object.entries(properties)) ?? [];
  const added = pick([name, 'unknown', '', '__proto__', 'constructor', 'toString']) ?? '';
  const replaced = members.filter(([other]) => other !== name);
  const wild = fc.oneof(anyJson, fc.constantFrom('', `[${textOf(members)}]`, '{"a":01}'));
  return drawing.oneOf(
    () => textOf(others),
    () => textOf([...replaced, [name, draw(atTheLimits(limits))]]),
    () => textOf([[added, draw(anyJson)], ...members]),
    () => withNoise(Buffer.from(textOf(members)), drawing).toString(),
    () => draw(wild),
    () => textOf([...others, [members[at]?.[0] ?? name, draw(anyJson)]]),
  );
}

/** Just within what the schema allows, or just beyond. */
function atTheLimits(schema: Schema): Arbitrary<string> {
  const { minimum = 0, maximum = 100, minLength = 0, maxLength = 100 } = schema;
  if (isOf(schema, 'integer') || isOf(schema, 'number'))
    return fc
      .constantFrom(minimum - 1, minimum + 0.5, maximum + 1, maximum + 0.001, minimum, maximum)
      .map(String);
  return fc
    .tuple(fc.constantFrom('x', '1', 'é', '🚀'), fc.constantFrom(minLength - 1, maxLength, maxLength + 1))
    .map(([character, length]) => JSON.stringify(character.repeat(Math.max(0, length))));
}

/** Members that mean something only together. */
function givenTogether(
  id: string,
  draft: IssuedDraft | undefined,
  drawing: Drawing,
): { readonly [name: string]: unknown } {
  const { world, wallet, pick } = drawing;
  if (draft !== undefined)
    return { transactionId: draft.transactionId, signedTransaction: signedTransaction(draft, drawing) };
  const challenge = pick(
    world.challenges.filter(({ walletAddress }) => walletAddress === wallet.address).slice(-1),
  );
  if (id !== 'verifySignIn' || challenge === undefined) return {};
  return { ...challenge, signature: signatureOf(wallet.keypair, Buffer.from(challenge.message)) };
}

/** Usually signed by its wallet. */
function signedTransaction({ transaction, wallet }: IssuedDraft, drawing: Drawing): string {
  const signed = () => signedBy(wallet.keypair, transaction);
  if (drawing.chance(60)) return signed();
  const own = drawing.world.drafts.filter((draft) => draft.wallet === wallet);
  return drawing.oneOf(
    () => transaction,
    () => withNoise(Buffer.from(transaction, 'base64'), drawing).toString('base64'),
    () => withNoise(Buffer.from(signed(), 'base64'), drawing).toString('base64'),
    () => signedBy(wallet.keypair, drawing.pick(own)?.transaction ?? transaction),
  );
}

const BOUNDARY = 'levy-fuzz';
/** New pictures cost time, and an upload of the same one is as good. */
const pictures = Array.from({ length: 12 }, () => picture());
function formFor(drawing: Drawing): Sent {
  const { draw } = drawing;
  const whole = form(Buffer.from(draw(fc.constantFrom(...pictures))));
  if (drawing.fault === 'encoding') {
    const type = fc.constantFrom('multipart/form-data', 'multipart/form-data; boundary=other', 'image/png');
    return { ...whole, headers: [['content-type', draw(type)]] };
  }
  return drawing.fault === 'body' ? { ...whole, body: withNoise(whole.body, drawing) } : whole;
}

function form(picture: Buffer): Sent {
  const head =
    'Content-Disposition: form-data; name="image"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n';
  const [before, after] = [`--${BOUNDARY}\r\n${head}`, `\r\n--${BOUNDARY}--\r\n`].map((text) =>
    Buffer.from(text),
  );
  return of(`multipart/form-data; boundary=${BOUNDARY}`, Buffer.concat([before, picture, after] as Buffer[]));
}
