/** Sends request after request, several at a time; judges each answer, and learns from it. Ends with the first fault. */
import { type Client, createClient, type Problem } from '../client.ts';
import { signIn } from '../creator.ts';
import { exchange } from '../raw-http.ts';
import type { Operation } from './operations.ts';
import { createRandom } from './random.ts';
import { rawRequest } from './raw-requests.ts';
import { createRequests, type FuzzRequest, told } from './requests.ts';
import { createTally, type Tally } from './tally.ts';
import { createTransport } from './transport.ts';
import { isProblem, type Judge } from './verdict.ts';
import { keepLatest, type Wallet, type World } from './world.ts';

export interface FuzzerOptions {
  readonly url: string;
  readonly seed: string;
  readonly operations: readonly Operation[];
  readonly world: World;
  readonly judge: Judge;
  /** Requests under way at a time. */
  readonly connections: number;
}

export interface Fuzzer {
  readonly tally: Tally;
  /** Connections that were closed without a word, by the reason. */
  readonly cut: ReadonlyMap<string, number>;
  /** Rejects with request, answer and seed when an answer is none that the service may give. `to` is not sent any more. */
  send(from: number, to: number): Promise<void>;
  close(): void;
}

/** One in so many goes over the wire as bytes. */
const RAW_EVERY = 25;
/** What is hardly HTTP may be waited for to go on: not by us. Milliseconds. */
const RAW_PATIENCE = 400;
/** One in so many is what was sent before, and was done. */
const AGAIN_EVERY = 30;
/** One in so many is sent twice at the same moment. */
const TWICE_EVERY = 40;
/** Bytes. Descriptions of the API are longer; their examples are nobody's. */
const LONGEST_LEARNED = 50_000;

export function openFuzzer({ url, seed, operations, world, judge, connections }: FuzzerOptions): Fuzzer {
  const requestOf = createRequests(seed, operations, world);
  const transport = createTransport(url, connections);
  const client = createClient(url);
  const tally = createTally();
  const cut = new Map<string, number>();
  const done: FuzzRequest[] = [];

  async function sendOne(request: FuzzRequest): Promise<void> {
    const { method, operation, target, wallet } = request;
    const token = wallet?.token;
    const answer = await transport.send(request);
    if ('reason' in answer) {
      cut.set(answer.reason, (cut.get(answer.reason) ?? 0) + 1);
      return;
    }
    const { status, headers, bytes } = answer;
    const [path = ''] = target.split(/[?#]/, 1);
    const fault = judge.faultOf({ method, path, status, headers, bytes, token });
    if (fault !== undefined) throw new Error(`${status} ${String(bytes).slice(0, 6_000)}\n${fault}`);
    tally.count(isMeant(request, path) ? operation.id : 'elsewhere', status, codeIn(headers, bytes));
    if (operation.callers === 'wallets' && wallet !== undefined && token === wallet.token) {
      // Signed out, perhaps by a call whose answer never came.
      if (status === 401 || (status === 200 && operation.id === 'signOut'))
        await renew(client, world, wallet);
    }
    if (status !== 200 || method !== operation.method || bytes === undefined) return;
    if (method !== 'GET') keepLatest(done, request);
    if (!headers.get('content-type')?.startsWith('application/json')) return;
    if (bytes.length > LONGEST_LEARNED) return;
    const own = operation.callers === 'wallets' ? wallet : undefined;
    world.learn(path, own, { headers, body: JSON.parse(String(bytes)) });
  }

  async function sendRaw(request: FuzzRequest): Promise<void> {
    const bytes = rawRequest(request, createRandom(seed, -request.index));
    const giveUp = AbortSignal.timeout(RAW_PATIENCE);
    const { status, headers, text } = await exchange(url, bytes, { giveUp });
    tally.count('raw bytes', status, undefined);
    const length = Number(headers.get('content-length') ?? Number.NaN);
    // Given up before its end, or never begun: both are fine, as long as the service lives.
    if (status === 0 || !(Buffer.byteLength(text) >= length)) return;
    // To HEAD: it names a length and has no body, so what follows is the answer to what came after it.
    if (text.startsWith('HTTP/1.')) return;
    const body = Buffer.from(text).subarray(0, length);
    const fault = judge.faultOfRefusal({ method: 'RAW', path: '', status, headers, bytes: body });
    if (fault === undefined) return;
    throw new Error(`${JSON.stringify(bytes.toString('latin1'))}\n${status} ${text}\n${fault}`);
  }

  async function sendNumber(index: number): Promise<void> {
    const random = createRandom(`${seed} again`, index);
    const isAgain = index % AGAIN_EVERY === 1 && done.length > 0;
    const request = isAgain ? { ...random.pick(done), index } : requestOf(index);
    try {
      if (index % RAW_EVERY === 0) await sendRaw(request);
      else if (index % TWICE_EVERY === 2) await Promise.all([sendOne(request), sendOne(request)]);
      else await sendOne(request);
    } catch (error) {
      throw new Error(`LEVY_FUZZ_SEED=${seed}, ${told(request)}\n${String(error)}`, { cause: error });
    }
  }

  return {
    tally,
    cut,
    async send(from, to) {
      let next = from;
      const work = async () => {
        while (next < to) {
          next += 1;
          await sendNumber(next - 1).catch((error: unknown) => {
            // The others need not go on.
            next = to;
            throw error;
          });
        }
      };
      await Promise.all(Array.from({ length: connections }, work));
    },
    close: () => transport.close(),
  };
}

async function renew(client: Client, world: World, wallet: Wallet): Promise<void> {
  keepLatest(world.revoked, wallet.token);
  wallet.token = (await signIn(client, wallet.keypair)).token;
}

function codeIn(headers: Headers, bytes: Buffer | undefined): string | undefined {
  if (bytes === undefined || bytes.length === 0 || !isProblem(headers)) return undefined;
  return (JSON.parse(String(bytes)) as Problem).code;
}

/** Whether it asks for the route that it was made for. */
function isMeant({ method, operation }: FuzzRequest, path: string): boolean {
  const pattern = operation.path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+');
  return method === operation.method && new RegExp(`^${pattern}$`).test(path);
}
