/** Whole flows on chains whose slots are as long as mainnet's are and will be: nothing knows how long they are but by measuring. */
import { expect, test } from 'vitest';
import { type Creator, openCreator, signedBy } from '../support/creator.ts';
import {
  DISTRIBUTION_ENVIRONMENT,
  expectAllToAgree,
  expectNothingFound,
  openDistributionJourney,
} from '../support/distribution-journey.ts';
import {
  issueLaunch,
  launchSubmission,
  tellOfSkipping,
  VENUE_ENVIRONMENT,
  venueProgramFile,
} from '../support/launching.ts';
import { allAtRest } from '../support/service-on-chain.ts';
import { startServiceProcess } from '../support/service-process.ts';

const PATIENCE = { seconds: 120 };

tellOfSkipping('a launch at each length of slots');

interface Draft {
  readonly transactionId: string;
  readonly transaction: string;
}

/** Both calls of a draft: it is issued, signed and submitted. */
async function sign(creator: Creator, path: string, json: object): Promise<unknown> {
  const { token } = creator;
  const draft = await creator.client.ask<Draft>('POST', `${path}/create-unsigned`, { json, token });
  const signed = {
    transactionId: draft.transactionId,
    signedTransaction: signedBy(creator.keypair, draft.transaction),
  };
  return creator.client.ask('POST', `${path}/submit`, { json: signed, token });
}

async function launch(creator: Creator, mint: string): Promise<void> {
  if (venueProgramFile === undefined) return;
  const { status, body } = await launchSubmission(creator, await issueLaunch(creator, mint));
  expect([status, body.code]).toEqual([200, undefined]);
}

test.concurrent.each([
  250, 200,
])('with slots of %i ms tokens are created, taxed anew, promoted, launched and distributed', async (slotMilliseconds) => {
  const service = await startServiceProcess({
    ...DISTRIBUTION_ENVIRONMENT,
    ...VENUE_ENVIRONMENT,
    LOCAL_CHAIN_SLOT_MS: String(slotMilliseconds),
    NONCE_ACCOUNTS_MIN: '3',
    FEATURED_PRICE_PER_DAY: '20000000',
  });
  const distribution = async () => {
    const journey = await openDistributionJourney(service, { holders: 3 });
    await journey.untilFinal();
    await journey.askForRun();
    await journey.closedRun(1, PATIENCE);
    await expectAllToAgree(journey);
    await expectNothingFound(journey);
  };
  const drafts = async () => {
    const creator = await openCreator(service);
    const { mintAddress } = await creator.createToken({
      transferFeePercent: 3.5,
      transferFeeAdjustable: true,
    });
    const [taxed, promoted] = await Promise.all([
      sign(creator, `/tokens/${mintAddress}/transfer-fee`, { transferFeePercent: 2 }),
      sign(creator, '/featured', { tokenMint: mintAddress, days: 1 }),
      launch(creator, mintAddress),
    ]);
    expect(taxed).toMatchObject({ success: true, pendingTransferFee: { transferFeePercent: 2 } });
    expect(promoted).toMatchObject({ success: true, promotion: { tokenMint: mintAddress } });
  };
  await Promise.all([distribution(), drafts()]);
  await allAtRest(service.url);
  const { checks } = (await (await fetch(`${service.url}/ready`)).json()) as {
    checks: readonly { readonly name: string; readonly slotMilliseconds?: number }[];
  };
  expect(checks.find(({ name }) => name === 'chain')?.slotMilliseconds).toBe(slotMilliseconds);
}, 240_000);
