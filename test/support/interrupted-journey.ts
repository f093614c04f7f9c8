/** A creator who plays the four-step flow against a service that may die at any moment, and repeats every call until it is answered. */
import { TOKEN_2022_PROGRAM_ID } from '@solana/spl-token';
import { Connection, Keypair, SystemProgram } from '@solana/web3.js';
import { expect } from 'vitest';
import { openSqliteDatabase } from '../../src/adapters/sqlite/database.ts';
import { createSqliteEventStore } from '../../src/adapters/sqlite/event-store.ts';
import { NONCE_ACCOUNT_SIZE } from '../../src/chain/durable-nonce.ts';
import type { RecordedEvent } from '../../src/kernel/ports/event-store.ts';
import type { Constants } from '../../src/operations/config/constants.ts';
import { folderForTheFile } from './after-the-file.ts';
import { createClient } from './client.ts';
import {
  type DistributionWallet,
  type Draft,
  fund,
  imageForm,
  picture,
  SMALLEST_INPUT,
  type SubmittedToken,
  signedBy,
  signIn,
  type UploadedImage,
} from './creator.ts';
import { eventually, Hopeless } from './eventually.ts';
import { runUntilKilled } from './killed-service.ts';
import { findingsInLog, submissionsUnderWay } from './log-audit.ts';
import type { Environment } from './service.ts';
import { allAtRest } from './service-on-chain.ts';
import { type ServiceProcess, startServiceProcess } from './service-process.ts';
import { wholeLog } from './temporary-event-store.ts';

const ENVIRONMENT: Environment = {
  // Answers name it, and must be the same from a service that was started again on another port.
  PUBLIC_URL: 'http://levy.example',
  LOCAL_CHAIN_SLOT_MS: '25',
  NONCE_ACCOUNTS_MIN: '1',
  NONCE_ACCOUNTS_MAX: '3',
};

interface Answers {
  wallet?: DistributionWallet;
  image?: UploadedImage;
  draft?: Draft;
  submitted?: SubmittedToken;
}

export interface Journey {
  readonly keypair: Keypair;
  readonly folder: string;
  /** First versions received: later ones must equal them. */
  readonly answers: Answers;
  start(): Promise<ServiceProcess>;
  /** Plays against a service that kills itself there (`before:DraftIssued`), and resolves when it has. */
  playUntilKilled(killAt: string, play?: (service: ServiceProcess) => Promise<void>): Promise<void>;
  /** The steps; each repeats the very call that was not answered, under its Idempotency-Key. */
  draft(service: ServiceProcess): Promise<Draft>;
  submit(service: ServiceProcess): Promise<SubmittedToken>;
  /** Cancels the draft, under no key: the call may be repeated as it is. */
  cancel(service: ServiceProcess): Promise<void>;
  /** Everything, from sign-in to the token. */
  play(service: ServiceProcess): Promise<void>;
  /** Ends the service in good order, and gives everything that was ever recorded. */
  logAfter(service: ServiceProcess): Promise<readonly RecordedEvent[]>;
}

export async function openJourney(others: Partial<Constants> = {}): Promise<Journey> {
  const constants = { claimLapseMs: 2_000, ...others };
  const folder = await folderForTheFile();
  const keypair = Keypair.generate();
  const bytes = picture();
  const answers: Answers = {};
  let token: string | undefined;
  let funded = false;

  /** The answer, which must be the one that was given before. */
  function same<Name extends keyof Answers>(name: Name, answer: NonNullable<Answers[Name]>) {
    if (answers[name] === undefined) answers[name] = answer;
    else expect(answer, `the answer about the ${name}`).toEqual(answers[name]);
    return answer;
  }

  const journey: Journey = {
    keypair,
    folder,
    answers,
    start: () => startServiceProcess(ENVIRONMENT, { folder, constants }),

    playUntilKilled: (killAt, play = journey.play) =>
      runUntilKilled(killAt, ENVIRONMENT, { folder, constants }, play),

    async draft(service) {
      const client = createClient(service.url);
      if (!funded) await fund(service.chainUrl, keypair.publicKey.toBase58(), 5_000_000_000);
      funded = true;
      token ??= (await signIn(client, keypair)).token;
      answers.wallet ??= await client.ask<DistributionWallet>('POST', '/tokens/generate-distribution-wallet');
      const image = await client.ask<UploadedImage>('POST', '/tokens/upload-image', {
        token,
        headers: { 'idempotency-key': 'image' },
        body: imageForm(bytes),
      });
      const { imageUri } = same('image', image);
      const { walletId } = answers.wallet;
      const draft = await insisting<Draft>('/tokens/create-unsigned', 'draft', service, {
        ...SMALLEST_INPUT,
        walletId,
        imageUri,
      });
      return same('draft', draft);
    },

    async submit(service) {
      const { transactionId, transaction } = await journey.draft(service);
      const submitted = await insisting<SubmittedToken>('/tokens/submit', 'submission', service, {
        transactionId,
        signedTransaction: signedBy(keypair, transaction),
      });
      return same('submitted', submitted);
    },

    async cancel(service) {
      const { transactionId } = await journey.draft(service);
      await createClient(service.url).ask('POST', `/transactions/${transactionId}/cancel`, { token });
    },

    async play(service) {
      await journey.submit(service);
    },

    async logAfter(service) {
      const { code } = await service.stop();
      expect(code).toBe(0);
      const database = openSqliteDatabase(`${folder}/levy.db`);
      const store = createSqliteEventStore(database);
      try {
        return await wholeLog(store);
      } finally {
        await store.close();
        database.close();
      }
    },
  };

  /** Nothing but a request for patience is met by repeating. */
  async function insisting<Answer>(
    path: string,
    key: string,
    { url }: ServiceProcess,
    json: unknown,
  ): Promise<Answer> {
    const client = createClient(url);
    const headers = { 'idempotency-key': key };
    const { answer } = await eventually(`${path} is answered`, async () => {
      const { status, body } = await client
        .call<Answer>('POST', path, { token, headers, json })
        .catch((error: unknown) => {
          throw new Hopeless(String(error));
        });
      if (status === 200) return { answer: body };
      if ([409, 503, 504].includes(status)) return undefined;
      throw new Hopeless(`${path} answered ${status}: ${JSON.stringify(body)}`);
    });
    return answer;
  }

  return journey;
}

/** Everything that must hold once a journey is over, whatever interrupted it: one token, told and real, and nothing leaked. */
export async function expectOneTokenAndNothingLeaked(
  journey: Journey,
  service: ServiceProcess,
): Promise<void> {
  const { submitted } = journey.answers;
  const submissions = await allAtRest(service.url);
  const client = createClient(service.url);
  const { tokens } = await client.ask<{ tokens: { mintAddress: string }[] }>('GET', '/tokens');
  expect(tokens.map(({ mintAddress }) => mintAddress)).toEqual([submitted?.mintAddress]);

  const node = new Connection(service.chainUrl, 'confirmed');
  const held = await node.getTokenAccountsByOwner(journey.keypair.publicKey, {
    programId: TOKEN_2022_PROGRAM_ID,
  });
  expect(held.value).toHaveLength(1);
  const nonceAccounts = await node.getProgramAccounts(SystemProgram.programId, {
    filters: [{ dataSize: NONCE_ACCOUNT_SIZE }],
  });
  expect(nonceAccounts, 'every nonce account on the chain is known').toHaveLength(submissions.nonceAccounts);

  const log = await journey.logAfter(service);
  const times = (type: string) => log.filter((event) => event.type === type).length;
  const once = ['ServiceInitialized', 'TokenCreated', 'SubmissionFinalized'];
  expect(Object.fromEntries(once.map((type) => [type, times(type)]))).toEqual(
    Object.fromEntries(once.map((type) => [type, 1])),
  );
  expect([await findingsInLog(log), submissionsUnderWay(log)]).toEqual([[], []]);
  // Only a submission that did not land in time is signed twice.
  expect(times('SubmissionAccepted')).toBe(1 + times('SubmissionFailed'));
  expect(times('DraftIssued')).toBe(1);
}

/** A creation whose service is killed at each of these; then its calls are repeated, twice. */
export async function expectToGoOnAfter(...kills: readonly string[]): Promise<void> {
  const journey = await openJourney();
  for (const kill of kills) await journey.playUntilKilled(kill);
  const service = await journey.start();
  await journey.play(service);
  await journey.play(service);
  await expectOneTokenAndNothingLeaked(journey, service);
}
