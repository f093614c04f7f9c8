// Forks under a launch: what the chain had confirmed of it is gone again, before it was final.
import { describe, expect, test, vi } from 'vitest';
import { VENUE_PROGRAM } from '../../src/chain/venue/addresses.ts';
import { openCreator } from '../support/creator.ts';
import { eventually } from '../support/eventually.ts';
import { openForkingChain } from '../support/forking-chain.ts';
import {
  broadcast,
  issueLaunch,
  type LaunchDraft,
  launchStatus,
  launchSubmission,
  launchThatIs,
  tellOfSkipping,
  venueProgramFile,
} from '../support/launching.ts';
import { openServiceOnChain, readiness, type ServiceOnChain } from '../support/service-on-chain.ts';

tellOfSkipping('launches across forks');
vi.setConfig({ testTimeout: 120_000 });

/** Nothing becomes final while slots are slow, and everything soon once they are quick. */
const SLOW = 1_000;
const QUICK = 50;
const PATIENCE = { seconds: 60 };

async function openStage() {
  const programs = [{ programId: VENUE_PROGRAM, file: venueProgramFile ?? '' }];
  const chain = await openForkingChain({ slotMilliseconds: SLOW, programs });
  const service = await openServiceOnChain({
    nodeUrl: chain.url,
    chainUrl: chain.url,
    environment: { NONCE_ACCOUNTS_MIN: '1', SUBMIT_WAIT: '4s' },
  });
  const creator = await openCreator(service);
  const { mintAddress: mint } = await creator.createToken();
  const draft = await issueLaunch(creator, mint);
  await chain.remember();
  await eventually(
    'the service has the chain again',
    async () => (await readiness(service.url)).status === 200,
  );
  return { chain, service, creator, mint, draft };
}

async function lifeOf(service: ServiceOnChain, { transactionId }: LaunchDraft): Promise<readonly string[]> {
  const events = await service.events();
  return events.filter(({ stream }) => stream === `draft-${transactionId}`).map(({ type }) => type);
}

function recordedOf(service: ServiceOnChain, draft: LaunchDraft, type: string): Promise<boolean> {
  return eventually(
    `${type} is recorded`,
    async () => (await lifeOf(service, draft)).includes(type),
    PATIENCE,
  );
}

describe.skipIf(venueProgramFile === undefined).concurrent('a fork under a launch', () => {
  test('that takes back what its creator had sent, for good: it is waited for, and has expired in the end', async () => {
    const { chain, service, creator, mint, draft } = await openStage();
    await broadcast(chain.url, creator.keypair, draft);
    await recordedOf(service, draft, 'SubmissionConfirmed');
    // Not active before it is final: nobody was told of a launch that is no more.
    expect(await launchStatus(creator.client, mint)).toMatchObject({ status: 'pending' });
    await chain.fork(QUICK);
    await launchThatIs(creator.client, mint, 'expired', PATIENCE);
    const life = await lifeOf(service, draft);
    expect(life.slice(0, 2)).toEqual(['DraftIssued', 'SubmissionConfirmed']);
    expect(['DraftExpired', 'SubmissionFailed']).toContain(life.at(-1));
    expect((await service.events()).filter(({ type }) => type === 'LaunchStarted')).toEqual([]);
  });

  test('that takes back what was submitted to the service: it is sent again, and lands again', async () => {
    const { chain, service, creator, mint, draft } = await openStage();
    await launchSubmission(creator, draft);
    await recordedOf(service, draft, 'SubmissionConfirmed');
    await chain.fork(QUICK);
    expect(await launchThatIs(creator.client, mint, 'active', PATIENCE)).toMatchObject({
      bondingCurveId: draft.bondingCurveId,
    });
    const life = await lifeOf(service, draft);
    expect(life.slice(0, 4)).toEqual([
      'DraftIssued',
      'SubmissionAccepted',
      'SubmissionConfirmed',
      'SubmissionDropped',
    ]);
    expect(life.at(-1)).toBe('SubmissionFinalized');
    expect((await service.events()).filter(({ type }) => type === 'LaunchStarted')).toHaveLength(1);
  });
});
