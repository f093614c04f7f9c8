/** Whole runs against the real process: tax is collected, burned, sold at the desk and paid out, and anybody can look it up. */

import { createHash } from 'node:crypto';
import { Keypair } from '@solana/web3.js';
import { leafHash, rootFromPath } from 'levy-transparency-log';
import { expect, test, vi } from 'vitest';
import { openChainProxy } from '../support/chain-proxy.ts';
import { createClient } from '../support/client.ts';
import { fund, signIn } from '../support/creator.ts';
import {
  addressOfKey,
  type ClosedRun,
  DISTRIBUTION_ENVIRONMENT,
  type DistributionJourney,
  expectBooksToAgree,
  expectNothingFound,
  expectPaidOnChain,
  openDistributionJourney,
  type Payment,
} from '../support/distribution-journey.ts';
import { OPERATOR_KEY } from '../support/operator.ts';
import {
  DOES_NOT_HOLD,
  expectRecomputable,
  followHowTo,
  HOLDS,
  recompute,
} from '../support/recomputed-run.ts';
import { startServiceProcess } from '../support/service-process.ts';

vi.setConfig({ testTimeout: 240_000 });

interface ProvedPayment {
  readonly payment: Payment;
  readonly record: string;
  readonly root: string;
  readonly proof: { readonly index: number; readonly treeSize: number; readonly path: readonly string[] };
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** The wallet's page, and what proves it against the root that the chain dated. */
async function expectProven(journey: DistributionJourney, run: ClosedRun, wallet: string): Promise<Payment> {
  const path = `/distribution/${journey.tokenId}/runs/${run.runId}/payments/${wallet}`;
  const { payment, record, root, proof } = await journey.client().ask<ProvedPayment>('GET', path);
  const leaf = leafHash(Buffer.from(record, 'base64'));
  const hashes = proof.path.map((hash) => Buffer.from(hash, 'hex'));
  const proven = rootFromPath(leaf, proof.index, proof.treeSize, hashes);
  expect([hex(proven ?? new Uint8Array()), root]).toEqual([run.ledger.root, run.ledger.root]);
  return payment;
}

async function expectFiles(journey: DistributionJourney, { ledger }: ClosedRun): Promise<void> {
  for (const sha256 of [ledger.sha256, ledger.settlementSha256]) {
    const { bytes } = await journey.client().call('GET', `/files/${sha256}`);
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
  }
}

async function expectLanded(journey: DistributionJourney, run: ClosedRun, payments: readonly Payment[]) {
  const signatures = new Set(payments.flatMap(({ signature }) => signature ?? []));
  for (const own of Object.values(run.transactions)) for (const signature of own) signatures.add(signature);
  const { value } = await journey.chain().getSignatureStatuses([...signatures], {
    searchTransactionHistory: true,
  });
  for (const status of value) expect(status).toMatchObject({ err: null, confirmationStatus: 'finalized' });
}

interface ShownTransaction {
  readonly meta: {
    readonly postBalances: readonly number[];
    readonly postTokenBalances: readonly { readonly uiTokenAmount: { readonly amount: string } }[];
  };
}

const moreTokens = ({ meta, ...shown }: ShownTransaction) => ({
  ...shown,
  meta: {
    ...meta,
    postTokenBalances: meta.postTokenBalances.map((balance) => ({
      ...balance,
      uiTokenAmount: { amount: `${balance.uiTokenAmount.amount}0` },
    })),
  },
});
const moreLamports = ({ meta, ...shown }: ShownTransaction) => ({
  ...shown,
  meta: { ...meta, postBalances: meta.postBalances.map((lamports) => lamports + 1) },
});

/** Where a transaction of the second run, or the run before, is another than the files say, an outsider finds it. */
async function expectLiesFound(journey: DistributionJourney, payments: readonly Payment[]): Promise<void> {
  const { transactions } = await journey.closedRun(2);
  const retold = async (signature: string | undefined, retell: (shown: ShownTransaction) => object) => {
    const proxy = await openChainProxy(journey.chainUrl());
    proxy.treat(({ method, params }) =>
      method === 'getTransaction' && (signature === 'all' || params[0] === signature)
        ? { kind: 'retold', retell: (result) => retell(result as ShownTransaction) }
        : undefined,
    );
    return recompute(journey, 2, { rpc: proxy.url });
  };
  const byName = await Promise.all([
    retold('all', moreTokens),
    retold(transactions.split[0], moreTokens),
    retold(payments.find(({ signature }) => signature !== null)?.signature ?? '', moreLamports),
    recompute(journey, 2, {
      alter: (name, bytes) => (name === 'before-settlement' ? settlingNothing(bytes) : bytes),
    }),
    recompute(journey, 2, {
      alter: scanning(({ balances }) => ({ balances: `${BigInt(balances) + 1n}` })),
    }),
    recompute(journey, 2, {
      alter: scanning(({ withheld }) => ({ withheld: `${BigInt(withheld) + 10n ** 15n}` })),
    }),
    recompute(journey, 2, { alter: onPage(({ after }) => ({ after: { ...after, developer: '1' } })) }),
    recompute(journey, 2, { alter: onPage(({ before }) => ({ returned: before, before: NO_TOKENS })) }),
    recompute(journey, 2, { alter: withoutPartner }),
  ]);
  const found = [
    / held \d+ at slot /,
    /the sale brought /,
    / gained /,
    /was owed /,
    /the holders of the ledger have /,
    /there cannot be more than /,
    /the own tax left for the developer /,
    /the own tax of the developer that came back /,
    /the part of \w+ in the developer's part is /,
  ];
  for (const [index, { code, output }] of byName.entries())
    expect([code, output]).toEqual([DOES_NOT_HOLD, expect.stringMatching(found[index] ?? '')]);
}

type OwnTax = NonNullable<ClosedRun['amounts']['ownTax']>;
const NO_TOKENS = { developer: '0', holders: '0' };
type FileHeader = { readonly [name: string]: unknown };

/** The page of the run with another tax of own sales. */
const onPage =
  (change: (ownTax: OwnTax) => Partial<OwnTax>) =>
  (name: string, bytes: Buffer): Buffer => {
    if (name !== 'run') return bytes;
    const { run } = JSON.parse(bytes.toString()) as { run: ClosedRun };
    const { ownTax } = run.amounts;
    if (ownTax === undefined) throw new Error('the run says nothing of the tax of own sales');
    const amounts = { ...run.amounts, ownTax: { ...ownTax, ...change(ownTax) } };
    return Buffer.from(JSON.stringify({ run: { ...run, amounts } }));
  };

/** The page of the run with settings in which the partner has no share. */
function withoutPartner(name: string, bytes: Buffer): Buffer {
  if (name !== 'run') return bytes;
  const { run } = JSON.parse(bytes.toString());
  return Buffer.from(
    JSON.stringify({ run: { ...run, settings: { ...run.settings, partnerShare: undefined } } }),
  );
}

/** The same file with another header. */
function reheaded(file: Buffer, change: (header: FileHeader) => FileHeader): Buffer {
  const end = 4 + file.readUInt32LE(0);
  const text = Buffer.from(JSON.stringify(change(JSON.parse(file.subarray(4, end).toString()))));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  return Buffer.concat([length, text, file.subarray(end)]);
}

/** The same, but that nobody was paid. */
function settlingNothing(settlement: Buffer): Buffer {
  return reheaded(settlement, (header) => ({ ...header, sol: { ...Object(header.sol), batches: 0 } }));
}

/** An allotment whose scan says something else, and a settlement of it. */
function scanning(change: (scan: { readonly balances: string; readonly withheld: string }) => object) {
  let allotment = '';
  return (name: string, bytes: Buffer): Buffer => {
    if (name === 'settlement') return reheaded(bytes, (header) => ({ ...header, allotment }));
    if (name !== 'allotment') return bytes;
    const altered = reheaded(bytes, ({ scan, ...header }) => {
      const said = scan as { readonly balances: string; readonly withheld: string };
      return { ...header, scan: { ...said, ...change(said) } };
    });
    allotment = createHash('sha256').update(altered).digest('hex');
    return altered;
  };
}

test('every holder and the developer are paid in SOL, what cannot be paid is owed, and the next run pays it', async () => {
  const service = await startServiceProcess(DISTRIBUTION_ENVIRONMENT);
  const [partner, studio] = [1, 2].map(() => addressOfKey(Keypair.generate())) as [string, string];
  const { key: partnerKey } = await createClient(service.url).ask<{ key: string }>(
    'POST',
    '/operator/partners',
    {
      operatorKey: OPERATOR_KEY,
      json: { partner: 'acme', developerShare: { wallet: partner, basisPoints: 1_500 } },
    },
  );
  const journey = await openDistributionJourney(service, {
    holders: 70,
    token: { developerWallets: [{ wallet: studio, basisPoints: 2_500 }] },
    partnerKey,
  });
  const [poor, poorer, poorest] = [1, 2, 3].map(() => addressOfKey(Keypair.generate())) as [
    string,
    string,
    string,
  ];
  const small = [100_000_000_000n, 4_000_000_000n, 1_000n];
  await journey.spread([poor, poorer, poorest], (index) => small[index] ?? 0n);
  const [previewing] = journey.holders;
  if (previewing === undefined) throw new Error('there are holders');
  await journey.untilFinal();
  const { token: session } = await signIn(journey.client(), previewing);
  const preview = await journey
    .client()
    .ask<{ ownPayment: { amount: string } }>('GET', `/distribution/${journey.tokenId}/preview`, {
      token: session,
    });
  await journey.askForRun();
  const run = await journey.closedRun(1);
  const payments = await journey.paymentsOf(run.runId);
  expectBooksToAgree(run, payments);
  await expectFiles(journey, run);
  await expectLanded(journey, run, payments);
  const { collected, proceeds } = run.amounts;
  expect(preview).toMatchObject({ amounts: { collected, proceeds }, ownPayment: { reason: 'planned' } });
  // The preview estimates the fees.
  const own = payments.find(({ wallet }) => wallet === addressOfKey(previewing))?.paid;
  expect(Number(preview.ownPayment.amount) / Number(own)).toBeCloseTo(1, 3);
  const paid = [...journey.holders.map(addressOfKey), journey.developer, partner, studio];
  await expectPaidOnChain(journey, payments, [...paid, poor, poorer, poorest]);
  const ofDeveloper = BigInt(run.amounts.developer ?? 0);
  const parts = [(ofDeveloper * 15n) / 100n, ofDeveloper / 4n];
  for (const [index, address] of [partner, studio].entries())
    expect(payments.find(({ kind, wallet }) => kind === 'developer' && wallet === address)?.paid).toBe(
      `${parts[index]}`,
    );
  for (const wallet of paid)
    expect(payments.find((one) => one.wallet === wallet)).toMatchObject({
      reason: 'planned',
      owedAfter: '0',
    });
  const reasonOf = async (wallet: string) => (await expectProven(journey, run, wallet)).reason;
  expect(await Promise.all([poor, poorer, poorest].map(reasonOf))).toEqual([
    'under-rent-floor',
    'below-minimum-payout',
    'below-least-share',
  ]);
  for (const wallet of paid.slice(0, 3)) await expectProven(journey, run, wallet);
  const { settings, amounts } = run;
  expect(settings).toMatchObject({ burnPercent: 10, developerFeePercent: 5, rewardToken: 'SOL' });
  expect(BigInt(amounts.burned)).toBe(BigInt(amounts.collected) / 10n);
  const ofPartner = { headers: { 'x-partner-key': partnerKey } };
  expect(await journey.client().ask('GET', '/partner/totals', ofPartner)).toMatchObject({
    tokenCount: 1,
    runCount: 1,
    paidToHolders: { last24Hours: { sol: run.paidTo.holders } },
  });

  const holderOf = (wallet: string) =>
    journey.client().ask('GET', `/distribution/${journey.tokenId}/holders/${wallet}`);
  const owed = payments.find(({ wallet }) => wallet === poor)?.owedAfter ?? '0';
  expect(BigInt(owed)).toBeGreaterThan(0n);
  expect(await holderOf(poor)).toMatchObject({
    owedByAsset: { sol: owed, token: '0' },
    paidByAsset: { sol: '0' },
  });

  // A wallet that lives can be paid less than the rent of a new one.
  await fund(service.chainUrl, poor, 1_000_000);
  const [richest] = journey.holders;
  if (richest === undefined) throw new Error('there are holders');
  await journey.trade(richest, addressOfKey(Keypair.generate()), 4_000_000_000_000n);
  await journey.askForRun();
  const second = await journey.closedRun(2);
  const later = await journey.paymentsOf(second.runId);
  expectBooksToAgree(second, later);
  expect(second.amounts).toMatchObject({ owed: amounts.owedAfter, dust: amounts.dustAfter });
  expect(second.transactions.begin).toEqual([]);
  const { topHolders: top } = await journey
    .client()
    .ask<{ topHolders: { wallet: string; paidAfter: string }[] }>(
      'GET',
      `/distribution/${journey.tokenId}/holders?sort=paid&limit=3`,
    );
  const totals = new Map<string, bigint>();
  for (const { kind, wallet, paid: amount } of [...payments, ...later])
    if (kind === 'holder') totals.set(wallet, (totals.get(wallet) ?? 0n) + BigInt(amount));
  expect(top.map(({ wallet, paidAfter }) => [wallet, BigInt(paidAfter)])).toEqual(
    [...totals].toSorted((one, other) => Number(other[1] - one[1])).slice(0, 3),
  );
  const before = new Map([[poor, 1_000_000n]]);
  await expectPaidOnChain(journey, [...payments, ...later], [...paid, poor, poorer, poorest], before);
  const atLast = later.find(({ wallet }) => wallet === poor);
  expect(atLast).toMatchObject({ owedBefore: owed, owedAfter: '0', reason: 'planned' });
  expect(await holderOf(poor)).toMatchObject({
    owedByAsset: { sol: '0', token: '0' },
    paidByAsset: { sol: atLast?.paid, token: '0' },
  });
  await expectNothingFound(journey);
  await expectRecomputable(journey, [1]);
  const { code, output } = await followHowTo(journey);
  expect(code, output).toBe(HOLDS);
  expect(output.match(/^holds$/gm)).toHaveLength(2);
  await expectLiesFound(journey, later);
});

test('rewards in the token itself go by square roots to those who hold enough, and are taxed like every transfer', async () => {
  const service = await startServiceProcess(DISTRIBUTION_ENVIRONMENT);
  const journey = await openDistributionJourney(service, {
    holders: 20,
    amountOf: (index) => 100_000_000_000n * BigInt((index + 1) ** 2),
    token: { rewardToken: 'SELF', minimumHoldingRequirement: '300000000000', developerFeePercent: 0 },
  });
  const url = `/distribution/${journey.tokenId}/settings`;
  await journey.creator.call('PATCH', url, { json: { distributionModel: 'square-root' } });
  const wallets = journey.holders.map(addressOfKey);
  const before = await journey.tokensOf(wallets);
  await journey.askForRun();
  const run = await journey.closedRun(1);
  const payments = await journey.paymentsOf(run.runId);
  expectBooksToAgree(run, payments);
  await expectLanded(journey, run, payments);
  expect(run).toMatchObject({ asset: 'token', settings: { distributionModel: 'square-root' } });
  const after = await journey.tokensOf(wallets);
  const rowOf = (wallet: string | undefined) =>
    payments.find((one) => one.wallet === wallet && one.kind === 'holder');
  for (const wallet of wallets) {
    const paid = BigInt(rowOf(wallet)?.paid ?? '0');
    const fee = (paid * 350n + 9_999n) / 10_000n;
    expect(after.get(wallet), wallet).toBe((before.get(wallet) ?? 0n) + paid - fee);
  }
  expect(rowOf(wallets[0])).toMatchObject({ reason: 'below-minimum-holding', paid: '0' });
  const [fifth, tenth] = [4, 9].map((index) => BigInt(rowOf(wallets[index])?.share ?? '0'));
  // Four times the balance, twice the share, but for what roots and shares lose of their last digit.
  expect(Number(tenth) / Number(fifth)).toBeCloseTo(2, 4);
  await expectTwoSignaturesEach(journey, payments);
  await expectNothingFound(journey);
  await expectRecomputable(journey, [1]);
});

/** The distributor pays, and a key of the run signs as the delegate. */
async function expectTwoSignaturesEach(
  journey: DistributionJourney,
  payments: readonly Payment[],
): Promise<void> {
  const signatures = [...new Set(payments.flatMap(({ signature }) => signature ?? []))];
  expect(signatures).not.toEqual([]);
  for (const signature of signatures) {
    const landed = await journey.chain().getTransaction(signature, { maxSupportedTransactionVersion: 1 });
    expect(landed?.meta?.fee, signature).toBe(10_000);
  }
}
