/**
 * Records the data folder that tests open where one of their own would take too long to fill: what a service has recorded in some
 * minutes of every kind of call. Run it after a change of the format of stored data, built:
 *
 *     npx tsx --conditions=levy-source test/recorded/record.ts
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { advanceEpoch } from '../../packages/local-chain/test/advance-epoch.ts';
import { type CallOptions, createClient } from '../support/client.ts';
import { type Creator, creatorWith, imageForm, openCreator, picture, signedBy, signIn } from '../support/creator.ts';
import { eventually } from '../support/eventually.ts';
import { newOperatorKey, operatorEntry } from '../support/operator.ts';

const OPERATOR_KEY = newOperatorKey();
const ENVIRONMENT = {
  PUBLIC_URL: 'http://levy.example',
  OPERATOR_KEYS: operatorEntry('alice', OPERATOR_KEY),
  FEATURED_PRICE_PER_DAY: '20000000',
  MAX_TRANSFER_FEE_PERCENT: '10',
};
const FASTER = {
  PORT: '0',
  LOCAL_CHAIN_PORT: '0',
  LOCAL_CHAIN_SLOT_MS: '50',
  NONCE_ACCOUNTS_MIN: '3',
  RATE_LIMITS: 'off',
  LOG_LEVEL: 'warn',
  TEST_CONSTANTS: JSON.stringify({ observePauseMs: 200, claimLapseMs: 2_000, draftLifetimeMs: 20_000 }),
};

interface Running {
  readonly url: string;
  readonly chainUrl: string;
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

interface IssuedDraft {
  readonly transactionId: string;
  readonly transaction: string;
}

const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url));
await record(CHECKOUT, fileURLToPath(new URL('.', import.meta.url)));

async function record(from: string, into: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'levy-record-'));
  const start = (
    more: NodeJS.ProcessEnv = {},
    program = ['--import', 'tsx', join(from, 'test/support/constants-main.ts')],
  ) => startService(from, { ...FASTER, ...ENVIRONMENT, DATA_DIR: join(folder, 'data'), ...more }, program);
  await happenings(start, join(from, 'test/support/killing-main.ts'));
  execFileSync('tar', ['--sort=name', '-czf', join(into, 'data.tar.gz'), '-C', folder, 'data']);
  await rm(folder, { recursive: true });
}

type Start = (environment?: NodeJS.ProcessEnv, program?: string[]) => Promise<Running>;

async function happenings(start: Start, killingMain: string): Promise<void> {
  let service = await start();
  const creators = [await openCreator(service, { sol: 50 }), await openCreator(service, { sol: 50 })];
  /** The creators as they were, at wherever the service is now. */
  const restart = async (environment?: NodeJS.ProcessEnv, program?: string[]) => {
    await service.stop();
    service = await start(environment, program);
    for (const [index, { keypair }] of creators.entries()) {
      const client = createClient(service.url);
      creators[index] = creatorWith({ client, keypair, token: (await signIn(client, keypair)).token });
    }
  };
  const creator = (index = 0): Creator => creators[index] as Creator;
  const operator = (path: string, json: object) =>
    creator().client.ask('POST', path, { operatorKey: OPERATOR_KEY, json });

  const whole = await creator().createToken({
    name: 'Café ☕ 日本',
    symbol: 'ÜNİ',
    description: 'Two lines,\nan "apostrophe", a \\ and 🎈.',
    twitter: 'https://x.example/levy',
    telegram: 'https://t.example/levy',
    website: 'https://levy.example/ä?b=c&d',
    transferFeePercent: 1.23,
    burnPercent: 10.5,
    developerFeePercent: 0.07,
    developerWallet: creator(1).address,
    distributionInterval: '12h',
    percentageToSellPerDistribution: 33.33,
    rewardToken: 'SELF',
    minimumHoldingRequirement: '18446744073709551615',
    decimals: 9,
    supply: '18446744073709551615',
    transferFeeAdjustable: true,
    immutableMetadata: false,
  });
  const smallest = await creator().createToken();
  const ofTheOther = await creator(1).createToken({
    name: 'Sunset',
    symbol: 'SET',
    decimals: 0,
    supply: '1',
  });
  const adjustable = await creator(1).createToken({ name: 'Solar', transferFeeAdjustable: true });
  const hidden = await creator(1).createToken({ name: 'Hidden' });
  const shownAgain = await creator().createToken({ name: 'Shown again' });

  // Both taxes become valid before the recording ends: epochs go by while the folder lies there, too.
  const changeTax = (owner: Creator, mint: string, transferFeePercent: number) =>
    draftAndSubmit(owner, `/tokens/${mint}/transfer-fee`, { transferFeePercent });
  await changeTax(creator(), whole.mintAddress, 2.25);
  await changeTax(creator(1), adjustable.mintAddress, 0);
  await advanceEpoch(service.chainUrl, 2);
  for (const [mint, percent] of [
    [whole.mintAddress, 2.25],
    [adjustable.mintAddress, 0],
  ] as const) {
    await eventually('the new tax is shown', async () => {
      const { body } = await creator().call<{ token: { transferFeePercent: number } }>(
        'GET',
        `/tokens/${mint}`,
      );
      return body.token.transferFeePercent === percent;
    });
  }

  // The featured list: two promotions after each other, one ended, one of a token that is hidden later.
  const promote = (owner: Creator, tokenMint: string, days: number) =>
    draftAndSubmit<{ promotion: { id: string } }>(owner, '/featured', { tokenMint, days });
  await promote(creator(), whole.mintAddress, 3);
  await promote(creator(), whole.mintAddress, 1);
  const ended = await promote(creator(), smallest.mintAddress, 7);
  await promote(creator(1), hidden.mintAddress, 2);
  await operator(`/operator/promotions/${ended.promotion.id}/end`, { reason: 'Not welcome.' });

  const settings = (owner: Creator, id: string, json: object) =>
    owner.call('PATCH', `/distribution/${id}/settings`, { json });
  await settings(creator(), whole.token.id, { burnPercent: 12.5, telegramGroupId: '-1001234567890' });
  await settings(creator(), whole.token.id, { distributionModel: 'square-root', rewardToken: 'SOL' });
  await settings(creator(), whole.token.id, { telegramGroupId: null, distributionEnabled: false });
  await settings(creator(1), ofTheOther.token.id, {
    percentageToSellPerDistribution: 50,
    distributionInterval: '5m',
    developerFeePercent: 100,
    minimumHoldingRequirement: '1',
  });

  await operator(`/operator/tokens/${hidden.mintAddress}/hide`, { reason: 'Looks like another: "☕".' });
  await operator(`/operator/tokens/${shownAgain.mintAddress}/hide`, { reason: 'A mistake.' });
  await operator(`/operator/tokens/${shownAgain.mintAddress}/show`, {});

  // Drafts that come to nothing: superseded by the next for its wallet, expired, abandoned.
  const { walletId } = await creator().generateWallet();
  await creator().draft({ walletId, name: 'First attempt' });
  const superseding = await creator().draft({ walletId, name: 'Better' });
  await creator().submit(superseding);
  await creator(1).draft({ name: 'Never signed' });
  await creator(1).upload();
  const input = await creator().tokenInput({ name: 'Second attempt' });
  const killing = ['--import', 'tsx', killingMain];
  await restart({ KILL_AT: 'before:DraftIssued' }, killing);
  await creator()
    .call('POST', '/tokens/create-unsigned', { json: input })
    .catch(() => undefined);
  await service.ended;
  await restart();
  const second = await eventually('the claim has lapsed', async () => {
    const { status, body } = await creator().call<IssuedDraft>('POST', '/tokens/create-unsigned', {
      json: input,
    });
    return status === 200 && body;
  });
  await creator().call('POST', '/tokens/submit', { json: submissionOf(creator(), second) });

  // A deadline that has passed as soon as it is set: the advance of the nonce is recorded, whatever lands first.
  await restart({ SETTLE_DEADLINE: '1ms' });
  const late = await creator(1).draft({ name: 'Late' });
  await creator(1).call('POST', '/tokens/submit', { json: submissionOf(creator(1), late) });
  await restart();

  const { token: loggedOut } = await signIn(creator().client, creator().keypair);
  await creator().client.ask('POST', '/auth/logout', { token: loggedOut });

  await keyedCalls(creator(), smallest);
  await atRest(service.url);
  await service.stop();
}

/** Calls with an Idempotency-Key, which is recorded with what they do. */
async function keyedCalls(
  creator: Creator,
  { mintAddress, token: { id } }: { readonly mintAddress: string; readonly token: { readonly id: string } },
): Promise<void> {
  const keyed = (key: string, options: CallOptions): CallOptions => ({
    ...options,
    headers: { 'idempotency-key': key },
  });
  const own = (method: string, path: string, key: string, options: CallOptions) =>
    creator.client.ask(method, path, keyed(key, { ...options, token: creator.token }));
  const json = await creator.tokenInput({ name: 'Once only' });
  await own('POST', '/tokens/upload-image', 'image', { body: imageForm(picture()) });
  await own('POST', '/tokens/create-unsigned', 'draft', { json });
  await own('PATCH', `/distribution/${id}/settings`, 'settings', { json: { burnPercent: 0.01 } });
  for (const [verb, reason] of [
    ['hide', 'For a moment.'],
    ['show', 'It is over.'],
  ] as const) {
    const options = keyed(verb, { operatorKey: OPERATOR_KEY, json: { reason } });
    await creator.client.ask('POST', `/operator/tokens/${mintAddress}/${verb}`, options);
  }
}

async function draftAndSubmit<Answer = unknown>(
  creator: Creator,
  path: string,
  json: object,
): Promise<Answer> {
  const { token, client } = creator;
  const draft = await client.ask<IssuedDraft>('POST', `${path}/create-unsigned`, { token, json });
  return client.ask<Answer>('POST', `${path}/submit`, { token, json: submissionOf(creator, draft) });
}

function submissionOf({ keypair }: Creator, { transactionId, transaction }: IssuedDraft) {
  return { transactionId, signedTransaction: signedBy(keypair, transaction) };
}

/** Nothing is to be settled any more, and no draft is open. */
async function atRest(url: string): Promise<void> {
  interface Check {
    readonly name: string;
    readonly toSettle?: number;
    readonly nonceAccountsLeased?: number;
  }
  await eventually(
    'everything has come to its end',
    async () => {
      const { checks } = (await (await fetch(`${url}/ready`)).json()) as { checks: readonly Check[] };
      const submissions = checks.find(({ name }) => name === 'submissions');
      return submissions?.toSettle === 0 && submissions.nonceAccountsLeased === 0;
    },
    { seconds: 60 },
  );
}

async function startService(from: string, environment: NodeJS.ProcessEnv, program: readonly string[]) {
  const child: ChildProcess = spawn(process.execPath, program, {
    cwd: from,
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  let written = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    written += text;
  });
  const ended = new Promise<void>((whenEnded) => void child.once('close', () => whenEnded()));
  const service = await eventually(
    'the service listens',
    async () => {
      const url = /^listening on (http:\S+)$/m.exec(written)?.[1];
      const chainUrl = /^local chain on (http:\S+)$/m.exec(written)?.[1];
      return url !== undefined && chainUrl !== undefined && { url, chainUrl };
    },
    { seconds: 60 },
  );
  return {
    ...service,
    ended,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
