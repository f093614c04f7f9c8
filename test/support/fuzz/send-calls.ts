/** Sends drawn calls, several at a time; checks each answer against the API's description and for secrets, and learns from it. */
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import pMap from 'p-map';
import { undescribed } from '../api-description.ts';
import { type Client, createClient, type Problem, problemFault } from '../client.ts';
import { signIn } from '../creator.ts';
import { drawCall, type FuzzCall } from './draw-call.ts';
import type { Operation } from './operations.ts';
import { addLatest, type Wallet, type World } from './world.ts';

export interface Fuzzing {
  readonly url: string;
  readonly operations: readonly Operation[];
  readonly world: World;
  /** Texts that no answer may contain. */
  readonly secrets: readonly string[];
  /** Answers by operation, then by status; a connection closed without an answer is a status of 0. */
  readonly answers: Map<string, Map<number, number>>;
}

/** Calls of one property: fast-check names the seed that draws them again. */
const CALLS_PER_RUN = 200;
const CALLS_AT_ONCE = 16;
/** One in so many calls is sent twice at the same moment. */
const TWICE_EVERY = 40;
/** Milliseconds without a byte. Longer than any call waits for the chain. */
const PATIENCE = 45_000;
/** Bytes: of longer answers nothing is learnt. */
const LONGEST_LEARNT = 50_000;

/** Rejects with the call, the answer and the seed if an answer is none that the service may give. */
export async function sendCalls(fuzzing: Fuzzing, count: number, seed: number): Promise<void> {
  const { url, operations, world } = fuzzing;
  const agent = new Agent({ keepAlive: true, maxSockets: CALLS_AT_ONCE });
  const client = createClient(url);
  const property = fc.asyncProperty(fc.gen(), async (gen) => {
    await pMap(
      Array.from({ length: Math.min(count, CALLS_PER_RUN) }, (_none, index) => index),
      async (index) => {
        const call = drawCall(gen, operations, world);
        const send = () => sendCall(fuzzing, agent, client, call);
        await (index % TWICE_EVERY === 2 ? Promise.all([send(), send()]) : send());
      },
      { concurrency: CALLS_AT_ONCE },
    );
  });
  try {
    // The service has a state: a smaller example would not fail.
    await fc.assert(property, {
      seed,
      numRuns: Math.ceil(count / CALLS_PER_RUN),
      endOnFailure: true,
      reporter: ({ failed, errorInstance }) => {
        if (failed) throw new Error(`LEVY_FUZZ_SEED=${seed}`, { cause: errorInstance });
      },
    });
  } finally {
    agent.destroy();
  }
}

async function sendCall(fuzzing: Fuzzing, agent: Agent, client: Client, call: FuzzCall): Promise<void> {
  const { url, world, answers } = fuzzing;
  const { method, operation, target, wallet } = call;
  const token = wallet?.token;
  const answer = await answerTo(call, url, agent);
  const { status, headers, bytes } = answer;
  const [path = ''] = target.split(/[?#]/, 1);
  const fault = status === 0 ? undefined : faultOf(fuzzing, { method, path, ...answer, token });
  if (fault !== undefined)
    throw new Error(`${shown(call)}\n${status} ${String(bytes).slice(0, 6_000)}\n${fault}`);
  // Another method asks for another operation.
  if (method === operation.method) {
    const counted = answers.get(operation.id) ?? new Map<number, number>();
    answers.set(operation.id, counted.set(status, (counted.get(status) ?? 0) + 1));
  }
  // Perhaps signed out by a call that had no answer.
  const isSignedOut = status === 401 || (status === 200 && operation.id === 'revokeAccessToken');
  if (isSignedOut && operation.callers === 'wallets' && wallet !== undefined && token === wallet.token)
    await renewSession(client, world, wallet);
  if (status !== 200 || method !== operation.method || bytes.length > LONGEST_LEARNT) return;
  const own = operation.callers === 'wallets' ? wallet : undefined;
  if (/^application\/json/.test(headers.get('content-type') ?? ''))
    world.learn(path, own, headers, JSON.parse(String(bytes)));
}

async function renewSession(client: Client, { revoked }: World, wallet: Wallet): Promise<void> {
  addLatest(revoked, wallet.token);
  wallet.token = (await signIn(client, wallet.keypair)).token;
}

interface Judged extends Answer {
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  /** The access token of the call. */
  readonly token?: string | undefined;
}

function faultOf(fuzzing: Fuzzing, answer: Judged): string | undefined {
  const { method, path, status, headers, bytes } = answer;
  if (status >= 500 && ![502, 503, 504].includes(status)) return `it is a ${status}`;
  const isJson = /^application\/(problem\+)?json\b/.test(headers.get('content-type') ?? '');
  const body: unknown = isJson && bytes.length > 0 ? JSON.parse(bytes.toString()) : undefined;
  // The path of an unreadable call is not known; its connection is closed.
  const isUnreadable = [400, 414, 431].includes(status) && headers.get('connection') === 'close';
  return (
    undescribed({ method, path, status, headers, body }) ??
    problemIn(answer, isUnreadable) ??
    leakIn(fuzzing, answer)
  );
}

function problemIn({ method, status, headers, bytes }: Judged, mayLackPath: boolean): string | undefined {
  if (method === 'HEAD' || !isProblem(headers)) return undefined;
  const fault = problemFault(JSON.parse(String(bytes)) as Problem, status, headers);
  return fault === 'its instance is no path' && mayLackPath ? undefined : fault;
}

/** Traces of the runtime, the framework, the store and the file system. */
const INTERNALS =
  /node_modules|node:internal|\bat \S+ \(|\.[jt]s:\d+|FST_|ERR_[A-Z]{3}|SQLITE|\bSELECT \b|libsql|prom-client|ENOENT|EACCES|undefined is not|Cannot read prop/;

function leakIn({ secrets }: Pick<Fuzzing, 'secrets'>, { path, status, bytes, headers, token }: Judged) {
  const text = `${bytes.toString('latin1')}\n${[...headers].join('\n')}`;
  if ([...secrets, token].some((secret) => secret !== undefined && text.includes(secret)))
    return 'it holds a secret';
  // The page of the API's description is a library's; a backup holds whatever was recorded.
  if (/^\/(docs\/|operator\/backups$)/.test(path) && status < 300) return undefined;
  const [found] = INTERNALS.exec(text) ?? [];
  return found === undefined ? undefined : `it shows internals: ${found}`;
}

const isProblem = (headers: Headers) => /^application\/problem\+json/.test(headers.get('content-type') ?? '');
const isStream = (headers: Headers) => /^text\/event-stream/.test(headers.get('content-type') ?? '');

interface Answer {
  /** 0 if the connection was closed without an answer. */
  readonly status: number;
  readonly headers: Headers;
  /** None of a stream. */
  readonly bytes: Buffer;
}

/** Rejects if there is neither an answer nor an end of the connection in time. */
function answerTo(call: FuzzCall, url: string, agent: Agent): Promise<Answer> {
  const { method, target, headers, body, isChunked } = call;
  const { hostname, port, host } = new URL(url);
  const length =
    body === undefined ? (['POST', 'PATCH', 'PUT'].includes(method) ? 0 : undefined) : body.length;
  const all = [
    ...(headers.some(([name]) => name === 'host') ? [] : [['host', host]]),
    ...headers,
    ...(isChunked
      ? [['transfer-encoding', 'chunked']]
      : length === undefined
        ? []
        : [['content-length', String(length)]]),
  ];
  return new Promise((resolve, reject) => {
    const sent = httpRequest({
      agent,
      hostname,
      port,
      method,
      path: target,
      headers: all.flat(),
      timeout: PATIENCE,
    });
    const cut = () => resolve({ status: 0, headers: new Headers(), bytes: Buffer.alloc(0) });
    sent.once('timeout', () =>
      sent.destroy(reject(new Error(`${shown(call)}\nthere was no answer`)) as undefined),
    );
    sent.once('response', (response) => readAnswer(response).then(resolve, cut));
    sent.once('error', () => {
      // An idle connection may be closed just when it is used again: that says nothing of the call.
      if (sent.reusedSocket) answerTo(call, url, agent).then(resolve, reject);
      else cut();
    });
    sent.end(body);
  });
}

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const { statusCode: status = 0, rawHeaders } = response;
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  if (isStream(headers)) {
    response.destroy();
    return { status, headers, bytes: Buffer.alloc(0) };
  }
  const packed = Buffer.concat(await response.toArray());
  const coding = packed.length === 0 ? null : headers.get('content-encoding');
  const bytes =
    coding === 'br' ? brotliDecompressSync(packed) : coding === 'gzip' ? gunzipSync(packed) : packed;
  return { status, headers, bytes };
}

/** The call, without its credentials. */
function shown({ operation, method, target, headers, body }: FuzzCall): string {
  const named = headers.map(
    ([name, value]) =>
      `${name}: ${/^(authorization|x-(operator|partner)-key)$/.test(name) ? '...' : value.slice(0, 300)}`,
  );
  const text = JSON.stringify(body?.toString('latin1').slice(0, 2_000) ?? '');
  return [`${operation.id}:`, `${method} ${target.slice(0, 1_000)}`, ...named, '', text].join('\n');
}
