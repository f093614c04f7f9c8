/**
 * Tens of thousands of requests made of the API's own description, good ones, almost good ones and wild ones, against the
 * service as a process: whatever is sent, it says what it may say, and goes on.
 *
 * `LEVY_FUZZ_SEED` makes the same requests again, `LEVY_FUZZ_REQUESTS` fewer or more.
 */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createClient } from '../support/client.ts';
import { openCreator } from '../support/creator.ts';
import { type Operation, operationsIn } from '../support/fuzz/operations.ts';
import { type Fuzzing, sendCalls } from '../support/fuzz/send-calls.ts';
import { createWorld, type Wallet, type World } from '../support/fuzz/world.ts';
import { VENUE_ENVIRONMENT } from '../support/launching.ts';
import { newOperatorKey, OPERATOR_KEY, operatorEntry } from '../support/operator.ts';
import type { Environment, LogLine } from '../support/service.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { serviceProgram } from '../support/service-programs.ts';

const SEED = Number(process.env.LEVY_FUZZ_SEED ?? randomInt(2 ** 31));
const REQUESTS = Number(process.env.LEVY_FUZZ_REQUESTS ?? 20_000);
const WALLETS = 6;
const MEGABYTE = 1024 * 1024;

/** The service, which collects its garbage on a signal. */
const COLLECTING = [
  '--expose-gc',
  '--import',
  `data:text/javascript,${encodeURIComponent("process.on('SIGUSR2', () => { gc(); process.stdout.write('collected\\n'); });")}`,
  ...serviceProgram('constants-main'),
];

const PARTNER_KEY = newOperatorKey();

const ENVIRONMENT: Environment = {
  LOG_LEVEL: 'info',
  // Less than an account must hold would never arrive at an empty one.
  FEATURED_PRICE_PER_DAY: '1000000',
  ALLOWED_ORIGINS: 'https://app.example',
  PARTNER_KEYS: operatorEntry('fuzzed', PARTNER_KEY),
  ...VENUE_ENVIRONMENT,
};

/** Some wallets that have a token each, and one that cannot pay for any. */
async function openWorld(service: ServiceProcess): Promise<World> {
  const wallets: Wallet[] = [];
  const tokens = [];
  for (let count = 0; count < WALLETS; count += 1) {
    // The last one has nothing to pay with.
    const isPoor = count === WALLETS - 1;
    const creator = await openCreator(service, { sol: isPoor ? 0 : 500 });
    const wallet = { keypair: creator.keypair, address: creator.address, token: creator.token };
    wallets.push(wallet);
    if (!isPoor) tokens.push({ wallet, body: await creator.createToken({ transferFeeAdjustable: true }) });
  }
  const world = createWorld({ wallets, operatorKey: OPERATOR_KEY, partnerKey: PARTNER_KEY });
  for (const { wallet, body } of tokens) world.learn('/tokens/submit', wallet, new Headers(), body);
  return world;
}

async function secretsOf({ folder }: ServiceProcess): Promise<readonly string[]> {
  const key = JSON.parse(await readFile(join(folder, 'jwt-key.json'), 'utf8'));
  const seed = (await readFile(join(folder, 'master-seed'), 'utf8')).trim();
  return [folder, process.cwd(), key.d, seed, OPERATOR_KEY, PARTNER_KEY];
}

async function openFuzzing(service: ServiceProcess): Promise<Fuzzing> {
  const { url } = service;
  const operations = operationsIn(await createClient(url).ask<object>('GET', '/openapi.json'));
  const [world, secrets] = await Promise.all([openWorld(service), secretsOf(service)]);
  return { url, operations, world, secrets, answers: new Map() };
}

/** If it fails, the errors that the service logged are named too. */
async function send(service: ServiceProcess, fuzzing: Fuzzing, count: number, seed: number): Promise<void> {
  try {
    await sendCalls(fuzzing, count, seed);
  } catch (error) {
    const { stderr } = await service.stop();
    throw new Error(JSON.stringify(errorsIn(stderr), null, 1), { cause: error });
  }
}

/**
 * Without what is garbage already: a backup leaves as much as the log is long, and how much of it has been collected by
 * then says nothing of what grows.
 */
async function memoryOf({ url, child }: ServiceProcess) {
  const collected = child.stdout && once(child.stdout, 'data');
  child.kill('SIGUSR2');
  await collected;
  const response = await fetch(`${url}/metrics`, { headers: { 'x-operator-key': OPERATOR_KEY } });
  const text = await response.text();
  const megabytes = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]) / MEGABYTE;
  return {
    resident: megabytes('process_resident_memory_bytes'),
    heap: megabytes('nodejs_heap_size_used_bytes'),
  };
}

/** The four steps, by somebody new; and everything is in order. */
async function expectWhole(service: ServiceProcess): Promise<void> {
  const creator = await openCreator(service);
  const { mintAddress } = await creator.createToken();
  await creator.client.ask('GET', `/tokens/${mintAddress}`);
  await creator.client.ask('GET', '/ready');
  expect(service.child.exitCode).toBeNull();
}

function errorsIn(log: string): readonly LogLine[] {
  const lines = log.split('\n').filter((line) => line.startsWith('{'));
  return lines.map((line): LogLine => JSON.parse(line)).filter(({ level }) => level >= 50);
}

async function expectQuietEnd(service: ServiceProcess, { wallets, revoked }: World): Promise<void> {
  const { code, stdout, stderr } = await service.stop();
  expect(code).toBe(0);
  expect(errorsIn(stderr)).toEqual([]);
  const secrets = [OPERATOR_KEY, ...revoked, ...wallets.map(({ token }) => token)];
  expect(secrets.filter((secret) => (stdout + stderr).includes(secret))).toEqual([]);
}

/**
 * Launches need a program that is not here, and a market; a quarantine needs a damaged log, and an operator's word a node
 * that hides what became of a transaction; runs and their files need tax, and time; a tile of three parts needs 65 million
 * events, and of the log's key and checkpoint there is always one. They have tests of their own.
 */
function isOffered({ id, path }: Operation): boolean {
  if (path.startsWith('/launchpad/') || path.includes('{runId}')) return false;
  if (/^getLog(Key|Checkpoint|TileOf(Three|Four)Parts)$/.test(id)) return false;
  const others = [
    'quarantineEvent',
    'concludeSubmission',
    'correctBooks',
    'getDistributionFile',
    'previewRun',
  ];
  return !others.includes(id);
}

/** Each operation succeeds, and most of the refusals are met. One operation may meet few: it gets some hundred calls. */
function expectWellSpread({ operations, answers }: Fuzzing): void {
  const [met, missed]: [string[], string[]] = [[], []];
  for (const { id, statuses } of operations.filter(isOffered)) {
    const seen = answers.get(id) ?? new Map<number, number>();
    expect(seen.has(200), `${id} never succeeded: ${JSON.stringify([...seen])}`).toBe(true);
    // From 429 on, they need a limit that is reached, or something broken.
    for (const status of statuses.filter((each) => each < 429))
      (seen.has(status) ? met : missed).push(`${id} ${status}`);
  }
  expect(met.length / (met.length + missed.length), missed.join('; ')).toBeGreaterThanOrEqual(0.75);
}

function countOf({ answers }: Fuzzing, wanted?: number): number {
  const counts = [...answers.values()].flatMap((statuses) => [...statuses]);
  return counts.reduce(
    (sum, [status, count]) => (wanted === undefined || status === wanted ? sum + count : sum),
    0,
  );
}

/** A few connections are closed without an answer: those of callers who are refused while they still send. */
function expectAnswers(fuzzing: Fuzzing): void {
  expect(countOf(fuzzing, 0)).toBeLessThan(countOf(fuzzing) / 100);
}

test('no request can make the service say what it may not say, stop, or grow', {
  timeout: 600_000,
}, async () => {
  const service = await startServiceProcess(ENVIRONMENT, {
    program: COLLECTING,
    // So that some expire in time to be submitted too late.
    constants: { draftLifetimeMs: 10_000 },
  });
  const fuzzing = await openFuzzing(service);
  await send(service, fuzzing, REQUESTS / 2, SEED);
  const halfway = await memoryOf(service);
  await send(service, fuzzing, REQUESTS / 2, SEED + 1);
  const after = await memoryOf(service);
  expectAnswers(fuzzing);
  if (REQUESTS >= 20_000) expectWellSpread(fuzzing);
  await expectWhole(service);
  expect(after.heap - halfway.heap, `LEVY_FUZZ_SEED=${SEED}`).toBeLessThan(100);
  expect(after.resident - halfway.resident, `LEVY_FUZZ_SEED=${SEED}`).toBeLessThan(200);
  await expectQuietEnd(service, fuzzing.world);
});

test('nor where calls are limited, and drafts are on recent blockhashes', { timeout: 600_000 }, async () => {
  const service = await startServiceProcess({
    ...ENVIRONMENT,
    DRAFT_LIFETIME_KIND: 'recent-blockhash',
    RATE_LIMITS: 'sign-in=1000/m',
    TRUSTED_PROXIES: '127.0.0.1',
  });
  const fuzzing = await openFuzzing(service);
  await send(service, fuzzing, Math.ceil(REQUESTS / 12), SEED);
  expectAnswers(fuzzing);
  expect(countOf(fuzzing, 429)).toBeGreaterThan(0);
  expect((await fetch(`${service.url}/ready`)).status).toBe(200);
  await expectQuietEnd(service, fuzzing.world);
});
