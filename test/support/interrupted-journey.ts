/** A creator who plays the four-step flow against a service that may die at any moment, and repeats every call until it is answered. */
import { fileURLToPath } from 'node:url';
import { TOKEN_2022_PROGRAM_ID } from '@solana/spl-token';
import { Connection, Keypair, SystemProgram } from '@solana/web3.js';
import { expect } from 'vitest';
import { openSqliteDatabase } from '../../src/adapters/sqlite/database.ts';
import { createSqliteEventStore } from '../../src/adapters/sqlite/event-store.ts';
import { NONCE_ACCOUNT_SIZE } from '../../src/chain/durable-nonce.ts';
import type { RecordedEvent } from '../../src/ports/event-store.ts';
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
  CLAIM_LAPSE: '2s',
};
const KILLING = ['--import', 'tsx', fileURLToPath(new URL('./killing-main.ts', import.meta.url))];
/** Milliseconds until a service that was to kill itself is ended otherwise. */
const PATIENCE = 30_000;

export interface Answers {
  wallet?: DistributionWallet;
  image?: UploadedImage;
  draft?: Draft;
  submitted?: SubmittedToken;
}

export interface Journey {
  readonly keypair: Keypair;
  /** As they were first received: what comes later must equal them. */
  readonly answers: Answers;
  start(environment?: Environment): Promise<ServiceProcess>;
  /** Plays against a service that kills itself there (`before:DraftIssued`), and resolves when it has. */
  playUntilKilled(killAt: string, play?: (service: ServiceProcess) => Promise<void>): Promise<void>;
  signIn(service: ServiceProcess): Promise<void>;
  /** The steps; each repeats the very call that was not answered, under its Idempotency-Key. */
  draft(service: ServiceProcess): Promise<Draft>;
  submit(service: ServiceProcess): Promise<SubmittedToken>;
  /** Another draft for the same wallet, by a call of its own. */
  again(service: ServiceProcess): Promise<Draft>;
  /** Everything, from sign-in to the token. */
  play(service: ServiceProcess): Promise<void>;
  /** Ends the service in good order, and gives everything that was ever recorded. */
  logAfter(service: ServiceProcess): Promise<readonly RecordedEvent[]>;
}

export async function openJourney(environment: Environment = {}): Promise<Journey> {
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
    answers,
    start: (more) => startServiceProcess({ ...ENVIRONMENT, ...environment, ...more }, { folder }),

    async playUntilKilled(killAt, play = journey.play) {
      let service: ServiceProcess;
      try {
        service = await startServiceProcess(
          { ...ENVIRONMENT, ...environment, KILL_AT: killAt },
          { folder, program: KILLING },
        );
      } catch (error) {
        // Killed before it listened.
        expect(String(error)).toMatch(/ended with null/);
        return;
      }
      const overdue = setTimeout(() => service.child.kill('SIGTERM'), PATIENCE);
      const playing = play(service).then(() => 'played', String);
      const { signal, stderr } = await service.ended;
      clearTimeout(overdue);
      expect(signal, `killed ${killAt}; ${await playing}; ${stderr}`).toBe('SIGKILL');
    },

    async signIn({ url }) {
      token ??= (await signIn(createClient(url), keypair)).token;
    },

    async draft(service) {
      const client = createClient(service.url);
      if (!funded) await fund(service.chainUrl, keypair.publicKey.toBase58(), 5_000_000_000);
      funded = true;
      await journey.signIn(service);
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
      const draft = await journey.draft(service);
      const signedTransaction = signedBy(keypair, draft.transaction);
      const submitted = await insisting<SubmittedToken>('/tokens/submit', 'submission', service, {
        transactionId: draft.transactionId,
        signedTransaction,
      });
      return same('submitted', submitted);
    },

    async again(service) {
      const { wallet, image } = answers;
      return insisting<Draft>('/tokens/create-unsigned', 'another-draft', service, {
        ...SMALLEST_INPUT,
        walletId: wallet?.walletId,
        imageUri: image?.imageUri,
      });
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

  /** The same call again for as long as the service asks for patience; nothing else is met by repeating. */
  async function insisting<Answer>(path: string, key: string, { url }: ServiceProcess, json: unknown) {
    const client = createClient(url);
    return eventually(`${path} is answered`, async () => {
      const { status, body } = await client
        .call<Answer>('POST', path, { token, headers: { 'idempotency-key': key }, json })
        .catch((error: unknown) => {
          throw new Hopeless(String(error));
        });
      if (status === 200) return body;
      if ([409, 503, 504].includes(status)) return undefined;
      throw new Hopeless(`${path} answered ${status}: ${JSON.stringify(body)}`);
    });
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
  const once = [
    'ServiceInitialized',
    'DraftIssued',
    'SubmissionAccepted',
    'TokenCreated',
    'SubmissionFinalized',
  ];
  expect(Object.fromEntries(once.map((type) => [type, times(type)]))).toEqual(
    Object.fromEntries(once.map((type) => [type, 1])),
  );
}
