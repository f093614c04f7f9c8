/** One request from a seed and a number: good as far as can be told, or spoiled in one place or several. */
import { gzipSync } from 'node:zlib';
import { signatureOf, signedBy } from '../creator.ts';
import { type Form, spoiledForm, validForm } from './forms.ts';
import {
  type Credentials,
  type Header,
  oddContentType,
  oddHeaders,
  otherCredentials,
  rightCredentials,
  usualHeaders,
} from './headers.ts';
import { spoiledBody, textOf, validMembers } from './json-bodies.ts';
import type { Operation } from './operations.ts';
import { createRandom, type Random } from './random.ts';
import { spoiledPath, spoiledQuery, validPath, validQuery } from './targets.ts';
import type { Drawing } from './valid-values.ts';
import type { IssuedDraft, Wallet, World } from './world.ts';

export interface FuzzRequest {
  /** With the seed, all that it takes to make it again. */
  readonly index: number;
  readonly operation: Operation;
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: readonly Header[];
  readonly body: Buffer | undefined;
  /** In pieces of unknown number, as from who does not know the length. */
  readonly chunked: boolean;
  /** Whose token it bears. */
  readonly wallet: Wallet | undefined;
}

type Place = 'path' | 'query' | 'headers' | 'credentials' | 'body' | 'form' | 'encoding' | 'method';

/** What always answers the same need not be asked as often. */
const RARE = new Set(['getOpenApiDocument', 'getAsyncApiDocument', 'getHealth', 'getSigningKeys']);
/** What succeeds in these is in the way of the others: soon there would be no token to do anything with. */
const IN_THE_WAY = new Set(['signOut', 'hideToken']);
/** Of those that would succeed, one in so many is sent. */
const IN_THE_WAY_EVERY = 8;
const METHODS = ['HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH', 'POST', 'GET', 'TRACE', 'PROPFIND', 'QUERY'];

export function createRequests(seed: string, operations: readonly Operation[], world: World) {
  const all = weighted(operations);
  const others = all.filter(({ id }) => !IN_THE_WAY.has(id));
  return (index: number): FuzzRequest => {
    const random = createRandom(seed, index);
    const picked = random.pick(all);
    const places = placesToSpoil(picked, random);
    const isGood = places.every((place) => place === 'headers');
    const isLeftOut = IN_THE_WAY.has(picked.id) && isGood && !random.chance(1 / IN_THE_WAY_EVERY);
    const operation = isLeftOut ? random.pick(others) : picked;
    return compose(index, operation, new Set(places), world, random);
  };
}

/** The more it takes, the more can be wrong with it. */
function weighted(operations: readonly Operation[]): readonly Operation[] {
  return operations.flatMap((operation) => {
    if (RARE.has(operation.id)) return [operation];
    const takesSome = operation.parameters.some((parameter) => parameter.in !== 'header');
    const weight = operation.body !== undefined ? 8 : takesSome ? 5 : 3;
    return Array.from({ length: weight }, () => operation);
  });
}

function placesToSpoil({ body, parameters, path }: Operation, random: Random): readonly Place[] {
  const isForm = body?.mediaType.startsWith('multipart/') ?? false;
  const inBody: readonly Place[] = isForm
    ? ['form', 'form', 'form']
    : ['body', 'body', 'body', 'body', 'encoding'];
  const possible: readonly Place[] = [
    'headers',
    'headers',
    'credentials',
    'query',
    ...(random.chance(0.2) ? (['method', 'path'] as const) : []),
    ...(path.includes('{') ? (['path', 'path'] as const) : []),
    ...(parameters.some((parameter) => parameter.in === 'query') ? (['query', 'query'] as const) : []),
    ...(body === undefined ? (['encoding'] as const) : inBody),
  ];
  const kind = random.below(100);
  const count = kind < 45 ? 0 : kind < 80 ? 1 : kind < 90 ? 2 : 4;
  return Array.from({ length: count }, () => random.pick(possible));
}

function compose(
  index: number,
  operation: Operation,
  spoil: ReadonlySet<Place>,
  world: World,
  random: Random,
): FuzzRequest {
  const draft = /\/submit$/.test(operation.path) ? draftFor(operation, world, random) : undefined;
  const wallet = draft?.wallet ?? random.pick(world.wallets);
  const drawing: Drawing = { random, world, wallet };
  const path =
    draft !== undefined && isIssuedFor(operation, draft)
      ? draft.path.replace(/create-unsigned$/, 'submit')
      : validPath(operation, drawing);
  const query = validQuery(operation, drawing);
  const credentials: Credentials = spoil.has('credentials')
    ? otherCredentials(world, random)
    : rightCredentials(operation, drawing);
  const sent = bodyOf(operation, draft, spoil, drawing);
  return {
    index,
    operation,
    method: spoil.has('method') ? random.pick(METHODS) : operation.method,
    target:
      (spoil.has('path') ? spoiledPath(operation, path, drawing) : path) +
      (spoil.has('query') ? spoiledQuery(operation, query, drawing) : query),
    headers: [
      ...credentials.headers,
      ...usualHeaders(operation, drawing),
      ...(sent === undefined ? [] : sent.headers),
      ...(spoil.has('headers') ? oddHeaders(operation, drawing) : []),
    ],
    body: sent?.body,
    chunked: sent !== undefined && random.chance(0.05),
    wallet: credentials.wallet,
  };
}

interface Sent {
  readonly headers: readonly Header[];
  readonly body: Buffer;
}

function bodyOf(
  { id, body, method }: Operation,
  draft: IssuedDraft | undefined,
  spoil: ReadonlySet<Place>,
  drawing: Drawing,
): Sent | undefined {
  const { random } = drawing;
  if (body?.mediaType.startsWith('multipart/')) {
    const { contentType, body: bytes }: Form = spoil.has('form') ? spoiledForm(random) : validForm(random);
    return { headers: [['content-type', contentType]], body: bytes };
  }
  if (body === undefined) {
    // Where there should be none.
    if (!spoil.has('encoding')) return undefined;
    const text = random.pick(['{', '{}', '{"a":1}', 'null', 'x'.repeat(method === 'GET' ? 10 : 40_000)]);
    return encoded(Buffer.from(text), random);
  }
  const given = givenTogether(id, draft, drawing);
  const members = validMembers(body.schema, drawing, given);
  const text = spoil.has('body') ? spoiledBody(members, body.schema, random) : textOf(members);
  // Lone surrogates that are not written as escapes have no UTF-8.
  const bytes = Buffer.from(text, 'utf8');
  return spoil.has('encoding')
    ? encoded(bytes, random)
    : { headers: [['content-type', 'application/json']], body: bytes };
}

function encoded(bytes: Buffer, random: Random): Sent {
  switch (random.below(5)) {
    case 0:
      return {
        headers: [
          ['content-type', 'application/json'],
          ['content-encoding', 'gzip'],
        ],
        body: gzipSync(bytes),
      };
    case 1:
      return {
        headers: [['content-type', 'application/json']],
        body: Buffer.from(bytes.toString(), 'utf16le'),
      };
    case 2:
      return {
        headers: [['content-type', 'application/json']],
        body: Buffer.concat([bytes, random.bytes(4)]),
      };
    case 3:
      return { headers: [], body: bytes };
    default:
      return { headers: [['content-type', oddContentType(random)]], body: bytes };
  }
}

/** Members that mean something only in common. */
function givenTogether(
  id: string,
  draft: IssuedDraft | undefined,
  { random, world, wallet }: Drawing,
): { readonly [name: string]: unknown } {
  if (draft !== undefined) {
    return { transactionId: draft.transactionId, signedTransaction: signedTransaction(draft, world, random) };
  }
  if (id === 'createTestTransfer')
    return {
      sender: wallet.address,
      recipient: random.pick(world.wallets).address,
      amount: random.pick(['1', '1000']),
    };
  const challenge = world.challenges.filter(({ walletAddress }) => walletAddress === wallet.address).at(-1);
  if (id !== 'verifySignIn' || challenge === undefined) return {};
  const signature = signatureOf(wallet.keypair, Buffer.from(challenge.message));
  return { ...challenge, signature };
}

/** One that its route takes; one that was issued lately rather than one that was submitted long ago. */
function draftFor(operation: Operation, { drafts }: World, random: Random): IssuedDraft | undefined {
  const found = drafts.filter((draft) => isIssuedFor(operation, draft));
  const pool = found.length > 0 && !random.chance(0.05) ? found : drafts;
  const latest = random.chance(0.7) ? pool.slice(-8) : pool;
  return latest.length === 0 ? undefined : random.pick(latest);
}

function isIssuedFor({ path }: Operation, draft: IssuedDraft): boolean {
  const issuing = path.replace(/submit$/, 'create-unsigned').replace(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${issuing}$`).test(draft.path);
}

/** Mostly signed as it should be. */
function signedTransaction({ transaction, wallet }: IssuedDraft, world: World, random: Random): string {
  const unsigned = Buffer.from(transaction, 'base64');
  switch (random.below(14)) {
    case 0:
      return transaction;
    case 1:
      return unsigned.subarray(0, random.below(unsigned.length)).toString('base64');
    case 2:
      return changed(unsigned, random).toString('base64');
    case 3:
      return changed(Buffer.from(signedBy(wallet.keypair, transaction), 'base64'), random).toString('base64');
    case 4: {
      const own = world.drafts.filter((draft) => draft.wallet === wallet);
      return signedBy(wallet.keypair, random.pick(own).transaction);
    }
    case 5:
      return signedBy(wallet.keypair, transaction).replaceAll('=', '').replaceAll('+', '-');
    case 6:
      return `${signedBy(wallet.keypair, transaction)}AAAA`;
    default:
      return signedBy(wallet.keypair, transaction);
  }
}

function changed(bytes: Buffer, random: Random): Buffer {
  const other = Buffer.from(bytes);
  other[random.below(other.length)] = random.below(256);
  return other;
}

/** What it takes to send it by hand, but for the credentials, which are soon of no use. */
export function told({ index, operation, method, target, headers, body }: FuzzRequest): string {
  const shown = headers.map(([name, value]) => {
    const isSecret = /^(authorization|x-(operator|partner)-key)$/.test(name);
    return `${name}: ${isSecret ? `${value.slice(0, 12)}...` : value.slice(0, 300)}`;
  });
  return [
    `request ${index}, of ${operation.id}:`,
    `${method} ${target.slice(0, 1_000)}`,
    ...shown,
    '',
    JSON.stringify(body?.toString('latin1').slice(0, 2_000) ?? ''),
  ].join('\n');
}
