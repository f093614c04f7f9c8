/** Distributions against the real process while everything around an open run changes: what its settings say, who holds, what the chain takes. */
import { createHash } from 'node:crypto';
import { Keypair, PublicKey, SystemProgram } from '@solana/web3.js';
import { expect, test, vi } from 'vitest';
import { advanceEpoch } from '../../packages/local-chain/test/advance-epoch.ts';
import { fund, signedBy } from '../support/creator.ts';
import {
  addressOfKey,
  creatorOf,
  DISTRIBUTION_ENVIRONMENT,
  type DistributionJourney,
  expectAllToAgree,
  expectNothingFound,
  expectPaidOnChain,
  fundHolders,
  openDistributionJourney,
  type Payment,
} from '../support/distribution-journey.ts';
import { eventually } from '../support/eventually.ts';
import { OPERATOR_KEY } from '../support/operator.ts';
import { expectRecomputable } from '../support/recomputed-run.ts';
import { startServiceProcess } from '../support/service-process.ts';

vi.setConfig({ testTimeout: 240_000 });

const NO_TOKENS = { developer: '0', holders: '0' };
/** Long enough to halt a run between its allotment and the first payment. */
const ANNOUNCING = { ...DISTRIBUTION_ENVIRONMENT, DISTRIBUTION_ANNOUNCE: '5s' };
const REFUSED = [
  'frozen',
  'needs-memo',
  'under-rent-floor',
  'read-only',
  'closed',
  'not-an-account-of-the-mint',
  'unknown',
];

function rowOf(payments: readonly Payment[], wallet: string, kind: Payment['kind'] = 'holder'): Payment {
  const row = payments.find((payment) => payment.wallet === wallet && payment.kind === kind);
  if (row === undefined) throw new Error(`${wallet} is not in the ledger as ${kind}`);
  return row;
}

async function newestPayments(journey: DistributionJourney, number: number): Promise<readonly Payment[]> {
  return journey.paymentsOf((await journey.closedRun(number)).runId);
}

/** Halts the run when it has decided who gets how much; what it gives takes the halt back. */
async function haltAnnounced(journey: DistributionJourney, number: number) {
  const run = await journey.announcedRun(number);
  await journey.operate(`distributions/${journey.tokenId}/halt`);
  expect(run.transactions.open).toEqual([]);
  return { run, resume: () => journey.operate(`distributions/${journey.tokenId}/resume`) };
}

test.concurrent('what creator and operators change in mid-run counts from the next run on, and a halt stops it between two transactions', async () => {
  const service = await startServiceProcess(ANNOUNCING);
  const journey = await openDistributionJourney(service, { holders: 20 });
  const poor = addressOfKey(Keypair.generate());
  await journey.spread([poor], () => 1_000_000_000_000n);
  const wallets = [...journey.holders.map(addressOfKey), journey.developer];
  const settings = (json: object) =>
    creatorOf(journey).call('PATCH', `/distribution/${journey.tokenId}/settings`, { json });

  await journey.askForRun();
  const { run, resume } = await haltAnnounced(journey, 1);
  const { sha256 } = run.ledger;
  const { bytes } = await journey.client().call('GET', `/files/${sha256}`);
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);

  await settings({ burnPercent: 50, rewardToken: 'SELF', distributionEnabled: false });
  await journey.operate(`tokens/${journey.mint}/hide`);
  await journey.untilFinal();
  expect([...(await journey.lamportsOf(wallets)).values()]).toEqual(wallets.map(() => 0n));
  await resume();
  await eventually('the hidden run is closed', async () => {
    const { distributions } = await journey
      .client()
      .ask<{ distributions: readonly { lastClosedAt: string | null }[] }>('GET', '/operator/distributions', {
        operatorKey: OPERATOR_KEY,
      });
    return distributions[0]?.lastClosedAt !== null;
  });
  await journey.operate(`tokens/${journey.mint}/show`);

  const first = await journey.closedRun(1);
  expect(first).toMatchObject({ asset: 'sol', settings: { rewardToken: 'SOL', burnPercent: 10 } });
  expect(BigInt(first.amounts.burned)).toBe(BigInt(first.amounts.collected) / 10n);
  const earlier = await expectAllToAgree(journey);
  await expectPaidOnChain(journey, earlier, wallets);
  const owed = rowOf(earlier, poor);
  expect(owed).toMatchObject({ reason: 'under-rent-floor', paid: '0' });

  expect((await journey.tax()).waitingFor.code).toBe('disabled');
  await expect(journey.askForRun()).rejects.toThrow('DISTRIBUTION_DISABLED');
  await settings({ distributionEnabled: true });
  await journey.spread(wallets.slice(0, 1), () => 20_000_000_000_000n);
  await journey.askForRun();
  const second = await journey.closedRun(2);
  expect(second).toMatchObject({ asset: 'token', settings: { rewardToken: 'SELF', burnPercent: 50 } });
  // What the sale of the first run was taxed comes back, and is not burned again.
  const ofSale = first.amounts.ownTax?.after ?? NO_TOKENS;
  const sold = BigInt(first.amounts.soldParts.developer) + BigInt(first.amounts.soldParts.holders);
  const back = BigInt(ofSale.developer) + BigInt(ofSale.holders);
  expect(back).toBeGreaterThan(0n);
  // 3.5 %, rounded up.
  expect(back).toBe((sold * 35n + 999n) / 1_000n);
  expect(second.amounts.ownTax).toEqual({ before: ofSale, returned: ofSale, after: NO_TOKENS });
  expect(BigInt(second.amounts.burned)).toBe((BigInt(second.amounts.collected) - back) / 2n);
  const all = await expectAllToAgree(journey);
  await expectNothingFound(journey);
  // What is owed in SOL stays owed in SOL.
  expect(rowOf(all.slice(earlier.length), poor, 'debt')).toMatchObject({
    asset: 'sol',
    owedBefore: owed.owedAfter,
    owedAfter: owed.owedAfter,
  });
});

test.concurrent('a wallet that cannot take its payment any more stays owed it, a new tax is counted with, and later runs pay', async () => {
  const service = await startServiceProcess(ANNOUNCING);
  const journey = await openDistributionJourney(service, {
    holders: 20,
    token: { transferFeePercent: 3.5, transferFeeAdjustable: true },
  });
  const [empty, emptied] = [Keypair.generate(), Keypair.generate()];
  const [poor, spender] = [addressOfKey(empty), addressOfKey(emptied)];
  await journey.spread([poor, spender], (index) => 1_000_000_000_000n + BigInt(index) * 100_000_000_000n);
  await fund(service.chainUrl, spender, 1_000_000);
  const [closing, turned, leaving, silent, ...others] = journey.holders as [
    Keypair,
    Keypair,
    Keypair,
    Keypair,
    ...Keypair[],
  ];
  await fundHolders(service, [turned]);

  await journey.askForRun();
  const { resume: resumeFirst } = await haltAnnounced(journey, 1);
  const pay = { fromPubkey: emptied.publicKey, toPubkey: journey.creator.keypair.publicKey };
  await journey.send([SystemProgram.transfer({ ...pay, lamports: 1_000_000 })], [emptied]);
  const program = new PublicKey('Stake11111111111111111111111111111111111111');
  await journey.send(
    [SystemProgram.assign({ accountPubkey: turned.publicKey, programId: program })],
    [turned],
  );
  await journey.closeAccount(closing);
  await resumeFirst();
  const first = await newestPayments(journey, 1);
  expect(rowOf(first, poor)).toMatchObject({ reason: 'under-rent-floor', paid: '0' });
  // Planned, since it lived; refused by the chain, since it does not.
  expect(rowOf(first, spender)).toMatchObject({ reason: 'under-rent-floor', paid: '0' });
  expect(BigInt(rowOf(first, spender).planned)).toBeGreaterThan(0n);
  // SOL reaches a wallet whatever became of its token account, and whatever program owns it now.
  for (const holder of [closing, turned, leaving, silent, ...others])
    expect(rowOf(first, addressOfKey(holder))).toMatchObject({ reason: 'planned', owedAfter: '0' });
  await expectAllToAgree(journey);
  await expectNothingFound(journey);

  const { creator } = journey;
  const path = (step: string) => `/tokens/${journey.mint}/transfer-fee/${step}`;
  const { body: draft } = await creator.call<{ transactionId: string; transaction: string }>(
    'POST',
    path('create-unsigned'),
    { json: { transferFeePercent: 5 } },
  );
  const signedTransaction = signedBy(creator.keypair, draft.transaction);
  const submitted = await creator.call('POST', path('submit'), {
    json: { transactionId: draft.transactionId, signedTransaction },
  });
  expect(submitted.status).toBe(200);
  await creator.call('PATCH', `/distribution/${journey.tokenId}/settings`, { json: { rewardToken: 'SELF' } });
  await journey.spread(others.map(addressOfKey), () => 4_000_000_000_000n);
  await journey.askForRun();
  const { resume: resumeSecond } = await haltAnnounced(journey, 2);
  const before = await journey.tokensOf(others.map(addressOfKey));
  await journey.closeAccount(leaving);
  await journey.askForMemos(silent);
  await advanceEpoch(service.chainUrl, 2);
  await resumeSecond();
  const second = await newestPayments(journey, 2);
  const left = rowOf(second, addressOfKey(leaving));
  expect(REFUSED).toContain(left.reason);
  expect(left).toMatchObject({ paid: '0', owedAfter: left.share });
  const withoutMemo = rowOf(second, addressOfKey(silent));
  expect(withoutMemo).toMatchObject({ reason: 'needs-memo', paid: '0', owedAfter: withoutMemo.share });
  expect(BigInt(withoutMemo.share)).toBeGreaterThan(0n);
  const after = await journey.tokensOf(others.map(addressOfKey));
  for (const wallet of others.map(addressOfKey)) {
    const paid = BigInt(rowOf(second, wallet).paid);
    expect(paid).toBeGreaterThan(0n);
    expect(after.get(wallet), wallet).toBe(
      (before.get(wallet) ?? 0n) + paid - (paid * 500n + 9_999n) / 10_000n,
    );
  }
  await expectAllToAgree(journey);
  await expectNothingFound(journey);

  await creator.call('PATCH', `/distribution/${journey.tokenId}/settings`, { json: { rewardToken: 'SOL' } });
  await journey.spread(others.slice(0, 1).map(addressOfKey), () => 300_000_000_000_000n);
  await journey.askForRun();
  const third = await newestPayments(journey, 3);
  for (const wallet of [poor, spender]) {
    const paid = rowOf(third, wallet);
    expect(paid).toMatchObject({ reason: 'planned', owedAfter: '0' });
    expect(BigInt(paid.paid)).toBe(BigInt(paid.owedBefore) + BigInt(paid.share));
    expect(BigInt(paid.owedBefore)).toBe(BigInt(rowOf(first, wallet).owedAfter));
  }
  expect(rowOf(third, addressOfKey(leaving), 'debt')).toMatchObject({
    reason: 'no-account',
    owedAfter: left.owedAfter,
  });
  await expectAllToAgree(journey);
  await expectNothingFound(journey);
  await expectRecomputable(journey, [1, 2, 3]);
});
