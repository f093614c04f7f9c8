// A chain node that is down, stalls, limits calls or returns nonsense: callers get the matching error, nothing is recorded, and
// the settler continues afterwards.
import { beforeAll, describe, expect, test } from 'vitest';
import {
  type ChainProxy,
  openChainProxy,
  type Rule,
  swallowSends,
  type Treatment,
} from '../support/chain-proxy.ts';
import { type Creator, openCreator, type TokenInput } from '../support/creator.ts';
import { eventually } from '../support/eventually.ts';
import {
  allAtRest,
  openServiceOnChain,
  openTestChain,
  readiness,
  type ServiceOnChain,
} from '../support/service-on-chain.ts';
import { recordedText, submission, tokensHeldBy, transactionStatus } from '../support/settling.ts';

let proxy: ChainProxy;
let service: ServiceOnChain;
let creator: Creator;
let input: TokenInput;

beforeAll(async () => {
  const chain = await openTestChain();
  proxy = await openChainProxy(chain.url);
  service = await openServiceOnChain({ nodeUrl: proxy.url, chainUrl: chain.url });
  creator = await openCreator(service);
  input = await creator.tokenInput();
  await eventually('the service is ready', async () => (await readiness(service.url)).status === 200);
});

const DOWN = { status: 503, code: 'CHAIN_UNAVAILABLE' };
const NONSENSE = { status: 502, code: 'CHAIN_UNAVAILABLE' };

const faults: readonly (readonly [string, Treatment, typeof DOWN])[] = [
  ['cuts the connection', { kind: 'cut' }, DOWN],
  ['cuts its answer short', { kind: 'cut-short' }, DOWN],
  ['answers 429', { kind: 'http', status: 429, body: 'slow down' }, DOWN],
  ['answers 500', { kind: 'http', status: 500, body: '{"error":"oh"}' }, DOWN],
  ['answers 503 with a page', { kind: 'http', status: 503, body: '<html>' }, DOWN],
  ['says that it is behind', { kind: 'error', code: -32005, message: 'Node is behind by 42 slots' }, DOWN],
  ['answers what is no JSON', { kind: 'http', status: 200, body: '<html>hello</html>' }, NONSENSE],
  ['answers nothing at all', { kind: 'http', status: 200, body: '' }, NONSENSE],
  ['gives a result of another kind', { kind: 'result', result: { value: 'many' } }, NONSENSE],
  ['says that it failed', { kind: 'error', code: -32603, message: 'Internal error' }, NONSENSE],
];

/** Calls of create-unsigned before it records anything. */
const questions = [
  'getRecentPrioritizationFees',
  // The balance of the creator.
  'getMultipleAccounts',
  'simulateTransaction',
];

function to(method: string, treatment: Treatment): Rule {
  return (call) => (call.method === method ? treatment : undefined);
}

async function ofCallers(): Promise<readonly string[]> {
  const events = await service.events();
  return events.filter(({ metadata }) => metadata.actor === creator.address).map(({ type }) => type);
}

/** The submission below meets all of them. */
const oneOfEach = faults.filter(([what]) => ['answers 429', 'answers what is no JSON'].includes(what));

describe.each(questions)('a node that, asked for %s,', (method) => {
  test.each(
    oneOfEach,
  )('%s: create-unsigned says so and records nothing', async (_what, treatment, expected) => {
    const before = await ofCallers();
    const stop = proxy.treat(to(method, treatment));
    const { status, body } = await creator.call<{ code: string }>('POST', '/tokens/create-unsigned', {
      json: input,
    });
    stop();
    expect({ status, code: body.code }).toEqual(expected);
    expect(await ofCallers()).toEqual(before);
  });
});

test.each(
  faults,
)('a node that, asked to simulate what was signed, %s: submit says so, and the draft stays open', async (_what, treatment, expected) => {
  const another = await openCreator(service);
  const draft = await another.draft();
  const stop = proxy.treat(to('simulateTransaction', treatment));
  const { status, body } = await submission(another, draft);
  stop();
  expect({ status, code: body.code }).toEqual(expected);
  expect((await transactionStatus(another, draft)).status).toBe('awaiting_signature');
  expect((await submission(another, draft)).status).toBe(200);
});

test('a node that takes the connection and never answers counts as down', async () => {
  let letGo = () => {};
  const held = new Promise<undefined>((resolve) => {
    letGo = () => resolve(undefined);
  });
  const stop = proxy.treat(({ method }) => (method === 'getMultipleAccounts' ? held : undefined));
  const { status, body } = await creator.call<{ code: string }>('POST', '/tokens/create-unsigned', {
    json: input,
  });
  stop();
  letGo();
  expect({ status, code: body.code }).toEqual(DOWN);
});

test('while the node is down the service is not ready, and what was accepted is settled when it is back', async () => {
  const own = await openCreator(service);
  const draft = await own.draft();
  const stopSwallowing = proxy.treat(swallowSends());
  const answer = submission(own, draft);
  await recordedText(service, 'SubmissionAccepted', draft, 'signature');
  const back = proxy.treat(() => ({ kind: 'cut' }));
  await eventually('the service says that chain and settler do not work', async () => {
    const { status, failing } = await readiness(service.url);
    return status === 503 && failing.includes('chain') && failing.includes('settler');
  });
  expect((await transactionStatus(own, draft)).status).toBe('submitted');
  stopSwallowing();
  back();
  expect((await answer).status).toBe(200);
  await eventually('the service is ready', async () => (await readiness(service.url)).status === 200);
  expect(await tokensHeldBy(service.chainUrl, own)).toBe(1);
});

test('a node that fails while it is asked to send: the bytes are sent again', async () => {
  const own = await openCreator(service);
  const draft = await own.draft();
  const failures: Treatment[] = [
    { kind: 'cut' },
    { kind: 'http', status: 429, body: '' },
    { kind: 'error', code: -32002, message: 'Transaction simulation failed' },
  ];
  proxy.treat(({ method }) => (method === 'sendTransaction' ? failures.shift() : undefined));
  expect((await submission(own, draft)).status).toBe(200);
  expect(failures).toEqual([]);
  await allAtRest(service.url);
});
