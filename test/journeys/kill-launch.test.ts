// The real process is killed (SIGKILL) between the steps of a launch, chain and all, and started again on the same folder.
import { Keypair, LAMPORTS_PER_SOL } from '@solana/web3.js';
import { describe, expect, test, vi } from 'vitest';
import { openSqliteDatabase } from '../../src/adapters/sqlite/database.ts';
import { createSqliteEventStore } from '../../src/adapters/sqlite/event-store.ts';
import { folderForTheFile } from '../support/after-the-file.ts';
import { createClient } from '../support/client.ts';
import { creatorWith, fund, openCreator } from '../support/creator.ts';
import { eventually } from '../support/eventually.ts';
import {
  broadcast,
  buyTokens,
  issueLaunch,
  launchSubmission,
  launchThatIs,
  tellOfSkipping,
  VENUE_ENVIRONMENT,
  venueProgramFile,
} from '../support/launching.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { wholeLog } from '../support/temporary-event-store.ts';

tellOfSkipping('launches across kills');

// Each test starts several processes.
vi.setConfig({ testTimeout: 180_000 });

const ENVIRONMENT = {
  ...VENUE_ENVIRONMENT,
  NONCE_ACCOUNTS_MIN: '1',
  // A blockhash has to outlive a kill and a start.
  LOCAL_CHAIN_SLOT_MS: '100',
};
const PATIENCE = { seconds: 60 };

/** A token's creator, whose service is killed and started again between any two steps. */
async function openStage() {
  const folder = await folderForTheFile();
  let service = await startServiceProcess(ENVIRONMENT, { folder });
  const opened = await openCreator(service);
  const { mintAddress: mint } = await opened.createToken();
  return {
    mint,
    service: () => service,
    creator: () => creatorWith({ ...opened, client: createClient(service.url) }),
    async kill() {
      await service.stop('SIGKILL');
      service = await startServiceProcess(ENVIRONMENT, { folder });
    },
    /** How often each event of launches was recorded, after an orderly end. */
    async counted(): Promise<Readonly<Record<string, number>>> {
      await service.stop();
      const types = (await logIn(folder)).map(({ type }) => type);
      return Object.fromEntries(
        ['LaunchStarted', 'LaunchCompleted'].map((type) => [
          type,
          types.filter((one) => one === type).length,
        ]),
      );
    },
  };
}

async function logIn(folder: string) {
  const database = openSqliteDatabase(`${folder}/levy.db`);
  const store = createSqliteEventStore(database);
  try {
    return await wholeLog(store);
  } finally {
    await store.close();
    await database.close();
  }
}

async function buyToTheTarget(service: ServiceProcess, mint: string): Promise<void> {
  const buyer = Keypair.generate();
  await fund(service.chainUrl, buyer.publicKey.toBase58(), 10 * LAMPORTS_PER_SOL);
  await buyTokens(service.chainUrl, buyer, mint, 2_200_000_000n);
}

describe.skipIf(venueProgramFile === undefined)(
  'a service that is killed between all steps of a launch',
  () => {
    test('knows a launch that its creator sent while it was dead or about to die, and its completed target, each once', async () => {
      const stage = await openStage();
      const draft = await issueLaunch(stage.creator(), stage.mint);
      await stage.kill();
      await broadcast(stage.service().chainUrl, stage.creator().keypair, draft);
      await stage.kill();
      await launchThatIs(stage.creator().client, stage.mint, 'active', PATIENCE);
      await stage.kill();
      // Loaded before it listens: the very first answer has figures.
      const { status } = await stage.creator().client.call('GET', `/launchpad/${stage.mint}/status`);
      expect(status).toBe(200);
      await buyToTheTarget(stage.service(), stage.mint);
      await stage.kill();
      const completed = await launchThatIs(stage.creator().client, stage.mint, 'completed', PATIENCE);
      await stage.kill();
      expect(await launchThatIs(stage.creator().client, stage.mint, 'completed')).toEqual(completed);
      expect(await stage.counted()).toEqual({ LaunchStarted: 1, LaunchCompleted: 1 });
    });

    test('carries on a launch that was submitted to it, and answers the same call with its outcome', async () => {
      const stage = await openStage();
      const draft = await issueLaunch(stage.creator(), stage.mint);
      const unanswered = launchSubmission(stage.creator(), draft).then(
        ({ status }) => status,
        () => 'cut off',
      );
      await eventually('the submission is accepted', async () => {
        const path = `/transactions/${draft.transactionId}`;
        const { body } = await stage.creator().call<{ status: string }>('GET', path);
        return body.status !== 'awaiting_signature';
      });
      await stage.kill();
      expect(await unanswered).toBe('cut off');
      const answer = await eventually(
        'the same call is answered',
        async () => {
          const again = await launchSubmission(stage.creator(), draft);
          return again.status === 200 && again;
        },
        PATIENCE,
      );
      expect(answer.body).toMatchObject({ success: true, mintAddress: stage.mint });
      await launchThatIs(stage.creator().client, stage.mint, 'active', PATIENCE);
      expect(await stage.counted()).toEqual({ LaunchStarted: 1, LaunchCompleted: 0 });
    });
  },
);
