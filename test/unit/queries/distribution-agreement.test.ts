// What a run's page, its payments, the holders' pages and the token's totals say is the same, over generated runs.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLedgers } from '../../../src/distribution/ledger/open-ledgers.ts';
import { type AnyQuery, TaggedAnswer } from '../../../src/kernel/runtime/define-query.ts';
import { getHolder } from '../../../src/queries/get-holder.ts';
import { getPayment } from '../../../src/queries/get-payment.ts';
import { getRun } from '../../../src/queries/get-run.ts';
import { getSeries } from '../../../src/queries/get-series.ts';
import { getTax } from '../../../src/queries/get-tax.ts';
import type { QueryServices } from '../../../src/queries/index.ts';
import { listHolders } from '../../../src/queries/list-holders.ts';
import { listPayments } from '../../../src/queries/list-payments.ts';
import { listRuns } from '../../../src/queries/list-runs.ts';
import type { RewardAsset } from '../../../src/streams/distribution.ts';
import { categoryOfType, type LevyEvent } from '../../../src/streams/index.ts';
import type { PaidTo } from '../../../src/streams/run-amounts.ts';
import { TokenCreated } from '../../../src/streams/token.ts';
import { tokenIdOf } from '../../../src/views/token-access.ts';
import { token as example, tokenCreated } from '../../support/domain-examples.ts';
import {
  type GeneratedRun,
  type GeneratedToken,
  generateRuns,
  walletOf,
} from '../../support/generated-runs.ts';
import { blobsOf } from '../../support/ledger-files.ts';
import { answering } from '../../support/query-spec.ts';
import { happening } from '../../support/recorded-events.ts';

function tokenNumbered(number: number): GeneratedToken {
  const mint = walletOf(`mint ${number}`);
  return { tokenId: tokenIdOf(mint), mint };
}

const createdAs = ({ tokenId, mint }: GeneratedToken) =>
  happening(
    tokenId,
    TokenCreated({ ...tokenCreated.data, token: { ...example, tokenId, mintAddress: mint } }),
  );

const token = tokenNumbered(0);
const { tokenId } = token;

interface Payment {
  readonly index: number;
  readonly kind: string;
  readonly asset: RewardAsset;
  readonly wallet: string;
  readonly balance: string;
  readonly paid: string;
}
interface Proved {
  readonly payment: Payment;
}

interface Page {
  readonly paymentCount: number;
  readonly walletsPaid: number | null;
  readonly paidTo: PaidTo;
  readonly collected: string;
  readonly burned: string;
  readonly sold: string;
  readonly proceeds: string;
  readonly asset: RewardAsset;
}
interface Tax {
  readonly [total: string]: string;
}

interface Series {
  readonly points: readonly {
    readonly number?: number;
    readonly paidTo: PaidParts;
    readonly runCount: number;
  }[];
}

/** What was paid is told by parts that add up, of the token as of its runs and its days. */
async function expectParts(
  ask: Awaited<ReturnType<typeof reading>>,
  of: object,
  {
    paidByAsset: paid,
    paidTo,
    paidToHolders,
  }: Tax & { paidByAsset: Tax; paidTo: PaidParts; paidToHolders: Tax & { lifetime: Tax } },
  pages: readonly Page[],
): Promise<void> {
  const parts = Object.values(paidTo);
  const byRun = await ask<Series>(getSeries, of, { by: 'run' });
  const byDay = await ask<Series>(getSeries, of, { by: 'day' });
  expect(byRun.points.map(({ number }) => number)).toEqual(pages.map((_, index) => index + 1));
  expect(byDay.points.reduce((runs, point) => runs + point.runCount, 0)).toBe(pages.length);
  for (const asset of ['sol', 'token'] as const) {
    const added = (all: readonly Tax[]) =>
      `${all.reduce((total, each) => total + BigInt(each[asset] ?? '0'), 0n)}`;
    const toHolders = pages.filter((page) => page.asset === asset).map((page) => page.paidTo.holders);
    const lifetime = `${toHolders.reduce((total, each) => total + BigInt(each), 0n)}`;
    expect(added(parts)).toBe(paid[asset]);
    expect(paidTo.toHolders[asset]).toBe(lifetime);
    expect(paidToHolders.lifetime[asset]).toBe(lifetime);
    expect(added(byRun.points.map((point) => point.paidTo.toHolders))).toBe(lifetime);
    expect(added(byDay.points.map((point) => point.paidTo.toHolders))).toBe(lifetime);
  }
}

interface PaidParts {
  readonly [part: string]: Tax;
  readonly toHolders: Tax;
}

interface Balances {
  readonly owedByAsset: Tax;
  readonly paidByAsset: Tax;
}

interface TopHolders {
  readonly lastRun: { readonly runId: string } | null;
  readonly topHolders: readonly { readonly wallet: string }[];
}

interface RunsOfToken {
  readonly token: GeneratedToken;
  readonly runs: readonly GeneratedRun[];
}

async function reading(
  tokens: readonly RunsOfToken[],
  isRecorded: (event: LevyEvent) => boolean = () => true,
) {
  const files = tokens.flatMap(({ runs }) => runs.flatMap((run) => [run.allotment, run.settlement]));
  const ledgers = createLedgers(blobsOf(...files));
  const ask = await answering(
    tokens.flatMap(({ token, runs }) => [
      createdAs(token),
      ...runs.flatMap(({ runId, events }) =>
        events
          .filter(({ event }) => isRecorded(event))
          .map(({ event, occurredAt }) =>
            happening(categoryOfType.get(event.type) === 'run' ? runId : token.tokenId, event, occurredAt),
          ),
      ),
    ]),
  );
  return async <Answer>(query: AnyQuery<QueryServices>, params: object, search = {}): Promise<Answer> => {
    const services = {
      runLedgers: ledgers,
      distributionProgress: () => undefined,
      publicUrl: () => 'https://levy.example',
    };
    const answer = await ask(query, { params: { ...params }, query: search, services });
    if (!(answer instanceof TaggedAnswer)) throw new Error('the answer has no tag');
    return answer.output as Answer;
  };
}

const paidIn = (payments: readonly Payment[]) =>
  `${payments.reduce((total, { paid }) => total + BigInt(paid), 0n)}`;

async function allPayments(
  ask: Awaited<ReturnType<typeof reading>>,
  of: { readonly tokenId: string; readonly runId: string },
  limit: number,
): Promise<readonly Payment[]> {
  const payments: Payment[] = [];
  let after: number | null = null;
  do {
    const search = after === null ? { limit } : { limit, after };
    const page: { payments: Payment[]; next: number | null } = await ask(listPayments, of, search);
    payments.push(...page.payments);
    after = page.next;
  } while (after !== null);
  return payments;
}

/** One log for all of them: each has a token of its own. */
const GENERATED = 10;
const cases = fc.record({
  seed: fc.nat(),
  owners: fc.integer({ min: 1, max: 40 }),
  assets: fc.array(fc.constantFrom<RewardAsset>('sol', 'token'), { minLength: 1, maxLength: 4 }),
  limit: fc.integer({ min: 1, max: 50 }),
});

test('runs, payments, holders and totals agree', async () => {
  const seed = Number(process.env.LEVY_AGREEMENT_SEED ?? Date.now() % 2 ** 31);
  const generated = fc.sample(cases, { seed, numRuns: GENERATED }).map((each, number) => {
    const token = tokenNumbered(number);
    return { ...each, token, runs: generateRuns(each.seed, token, each) };
  });
  const ask = await reading(generated);
  for (const { token, runs, limit } of generated) {
    const of = { tokenId: token.tokenId };
    const pages: Page[] = [];
    for (const { runId, asset, allotment } of runs) {
      const { run: page } = await ask<{ run: Page }>(getRun, { ...of, runId });
      pages.push(page);
      const payments = await allPayments(ask, { ...of, runId }, limit);
      const told = `seed ${seed}, token ${token.mint}, run ${runId}`;
      expect(payments.map(({ index }) => index)).toEqual(allotment.records.map((_, index) => index));

      const own = payments.filter((payment) => payment.asset === asset);
      const holders = own.filter(({ kind }) => kind === 'holder');
      const ofKind = (kind: string) => own.filter((payment) => payment.kind === kind);
      expect(page.paidTo, told).toEqual({
        costs: paidIn(ofKind('costs')),
        developer: paidIn(ofKind('developer')),
        holders: paidIn(holders),
        holdersPaid: holders.filter(({ paid }) => paid !== '0').length,
      });
      const gotSome = ({ paid }: (typeof payments)[number]) => paid !== '0';
      expect(page.paymentCount, told).toBe(payments.filter(gotSome).length);
      const walletsPaid = new Set(holders.filter(gotSome).map(({ wallet }) => wallet));
      expect(page.walletsPaid, told).toBe(walletsPaid.size);

      for (const { wallet } of ofKind('developer')) {
        const { payment, others = [] } = await ask<Proved & { others?: Proved[] }>(getPayment, {
          ...of,
          runId,
          wallet,
        });
        const isHolder = holders.some((each) => each.wallet === wallet);
        expect(payment.kind, told).toBe(isHolder ? 'holder' : 'developer');
        const proved = [payment, ...others.map((other) => other.payment)].map(({ index }) => index);
        const listed = payments.filter((each) => each.wallet === wallet).map(({ index }) => index);
        expect(new Set(proved), told).toEqual(new Set(listed));
      }
    }

    const tax = await ask<
      Tax & { paidByAsset: Tax; owedByAsset: Tax; paidTo: PaidParts; paidToHolders: Tax & { lifetime: Tax } }
    >(getTax, of);
    const last = runs.at(-1);
    const asset = last?.asset ?? 'sol';
    const wallets = [...new Set(last?.allotment.records.map(({ owner }) => owner))];
    const holders = await Promise.all(
      wallets.map((wallet) =>
        ask<Balances & { parts: { [capacity: string]: Balances } }>(getHolder, {
          ...of,
          wallet,
        }),
      ),
    );
    for (const { parts, ...whole } of holders)
      for (const asset of ['sol', 'token'] as const)
        for (const what of ['owedByAsset', 'paidByAsset'] as const)
          expect(
            Object.values(parts).reduce((total, part) => total + BigInt(part[what][asset] ?? '0'), 0n),
          ).toBe(BigInt(whole[what][asset] ?? '0'));
    for (const asset of ['sol', 'token'] as const) {
      const together = (what: keyof Balances) =>
        `${holders.reduce((total, holder) => total + BigInt(holder[what][asset] ?? '0'), 0n)}`;
      expect([seed, asset, together('owedByAsset')]).toEqual([seed, asset, tax.owedByAsset[asset]]);
      expect([seed, asset, together('paidByAsset')]).toEqual([seed, asset, tax.paidByAsset[asset]]);
    }
    await expectParts(ask, of, tax, pages);
    for (const name of ['collected', 'burned', 'sold', 'proceeds'] as const)
      expect(`${pages.reduce((total, page) => total + BigInt(page[name]), 0n)}`).toBe(tax[name]);

    for (const [sort, amountOf] of [
      ['balance', ({ balance }: Payment) => BigInt(balance)],
      [
        'paid',
        ({ wallet }: Payment) =>
          BigInt(holders[wallets.indexOf(wallet)]?.parts.asHolder?.paidByAsset[asset] ?? 0),
      ],
    ] as const) {
      const shown = await ask<TopHolders>(listHolders, of, { sort, limit });
      const all = await allPayments(ask, { ...of, runId: last?.runId ?? '' }, 100);
      const expected = all
        .filter((payment) => payment.kind === 'holder' && amountOf(payment) > 0n)
        .toSorted((one, other) => Number(amountOf(other) - amountOf(one)) || one.index - other.index);
      expect(shown.lastRun?.runId).toBe(last?.runId);
      expect(
        shown.topHolders.map(({ wallet }) => wallet),
        `${sort}, seed ${seed}`,
      ).toEqual(expected.slice(0, limit).map(({ wallet }) => wallet));
    }

    const { runs: listed } = await ask<{ runs: { runId: string }[] }>(listRuns, of);
    expect(listed.map(({ runId }) => runId)).toEqual(runs.map(({ runId }) => runId).reverse());
  }
});

test('an open run is counted as far as it has come, and only once', async () => {
  const runs = generateRuns(7, token, { owners: 30, assets: ['sol', 'sol'] });
  const last = runs.at(-1)?.runId ?? '';
  const closed = await (await reading([{ token, runs }]))<Tax & { paidByAsset: Tax }>(getTax, { tokenId });
  const ask = await reading(
    [{ token, runs }],
    ({ type, data }) => type !== 'RunClosed' || data.runId !== last,
  );
  const open = await ask<Tax & { paidByAsset: Tax }>(getTax, { tokenId });
  for (const name of ['collected', 'burned', 'sold', 'proceeds'] as const)
    expect([name, open[name]]).toEqual([name, closed[name]]);
  expect(open.paidByAsset).toEqual(closed.paidByAsset);
  expect(open).toMatchObject({ openRunId: last, waitingFor: { code: 'run' } });
  const { run } = await ask<{ run: Page & { status: string } }>(getRun, { tokenId, runId: last });
  expect(run).toMatchObject({ status: 'open', closedAt: null, amounts: { owedAfter: null } });
  const { lastRun } = await ask<TopHolders>(listHolders, { tokenId });
  expect(lastRun?.runId).toBe(runs[0]?.runId);
  const first = await reading([{ token, runs }], ({ type }) => type !== 'RunClosed');
  expect(await first(listHolders, { tokenId })).toEqual({ lastRun: null, topHolders: [] });
});
