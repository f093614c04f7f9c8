/**
 * Runs the engine's own parts against the chain: its till driver and its rounds of payments, between a split and a close.
 * What comes before (scan, harvest, allotment) is made up here. Every step is recorded before it is signed.
 */
import { seededAddress, TOKEN_PROGRAM } from 'levy-solana-wire';
import type { KeyPair } from '../../../src/chain/keys.ts';
import { TOKEN_ACCOUNT_SIZE } from '../../../src/chain/wrapped-sol-instructions.ts';
import type { Absences } from '../../../src/distribution/absences.ts';
import type { DistributedToken } from '../../../src/distribution/distributed-token.ts';
import { recordLink } from '../../../src/distribution/links/link-content.ts';
import { driveTill } from '../../../src/distribution/links/till-driver.ts';
import type { SignedLinks } from '../../../src/distribution/links/till-progress.ts';
import { markerOf } from '../../../src/distribution/once/till-chain.ts';
import { payRound } from '../../../src/distribution/paying/pay-rounds.ts';
import { createPayingMemory, type Paying } from '../../../src/distribution/paying/paying.ts';
import type { PaymentBook } from '../../../src/distribution/paying/payment-book.ts';
import { stretchesOf } from '../../../src/distribution/paying/plan-batches.ts';
import { settle } from '../../../src/distribution/paying/settle-batches.ts';
import type { HistorySearches } from '../../../src/distribution/sending/find-transaction.ts';
import { createSender } from '../../../src/distribution/sending/sender.ts';
import { type Chain, ChainAnswerInvalid, ChainUnavailable } from '../../../src/kernel/ports/chain.ts';
import type { RunBooks, TokenBooks } from '../../../src/proof/audit/run-books.ts';
import type {
  LandedLinks,
  LinkAction,
  LinkPurpose,
  RecordedLink,
} from '../../../src/streams/distribution.ts';
import {
  BatchesSettled,
  BatchReplanned,
  type DistributionRunEvent,
  type DistributionRunState,
  distributionRun,
  type PlannedPot,
  RoundRecorded,
  RunAllotted,
} from '../../../src/streams/distribution-run.ts';
import type { FactLog } from './fact-log.ts';
import type { Random } from './random.ts';

export type PartsFact =
  | { readonly kind: 'links'; readonly purpose: LinkPurpose; readonly links: readonly RecordedLink[] }
  | {
      readonly kind: 'landed';
      readonly landed: Pick<LandedLinks, 'links' | 'slot' | 'lamports' | 'tokens'>;
    }
  | { readonly kind: 'run'; readonly event: DistributionRunEvent; readonly amounts?: readonly string[] }
  | { readonly kind: 'closed' }
  | { readonly kind: 'halted'; readonly why: string };

export interface PartsOptions {
  readonly chain: Chain;
  readonly log: FactLog<PartsFact>;
  readonly random: Random;
  readonly token: DistributedToken;
  readonly asset: 'sol' | 'token';
  readonly holders: readonly string[];
  readonly tokensOf: (owner: string) => string;
  readonly delegateOf: (runId: string) => KeyPair;
  readonly runs: number;
  /** Milliseconds. */
  readonly now: () => number;
  /** Lamports come to the till that a split makes. */
  readonly bring: (till: string) => void;
}

const RECIPIENTS = { sol: 2, token: 2 };
const TOKEN_ID = '5a1c7f0e-6f0b-4a5e-9c3d-2b8e4d1f6a70';

export class PartsHalted extends Error {
  override readonly name = 'PartsHalted';
}

interface PartsState {
  readonly till: { number: number; address: string; slot: string; lamports: string } | undefined;
  readonly lamports: bigint;
  readonly pending: RecordedLink[];
  readonly landed: readonly Pick<LandedLinks, 'links'>[];
  readonly purpose: LinkPurpose | undefined;
  readonly done: ReadonlySet<LinkPurpose>;
  readonly run: DistributionRunState;
  readonly amounts: readonly bigint[];
  readonly closed: number;
  readonly halted: string | undefined;
}

function partsStateOf(facts: readonly PartsFact[]): PartsState {
  let state: PartsState = {
    till: undefined,
    lamports: 0n,
    pending: [],
    landed: [],
    purpose: undefined,
    done: new Set(),
    run: distributionRun.initial,
    amounts: [],
    closed: 0,
    halted: undefined,
  };
  for (const fact of facts)
    switch (fact.kind) {
      case 'links':
        state = { ...state, pending: [...state.pending, ...fact.links], purpose: fact.purpose };
        break;
      case 'landed': {
        const last = fact.landed.links.at(-1);
        if (last === undefined) break;
        const pending = builtOn(last.till, state.pending);
        const isDone = pending.length === 0 && state.purpose !== undefined;
        state = {
          ...state,
          till: {
            number: last.number,
            address: last.till,
            slot: fact.landed.slot,
            lamports: fact.landed.lamports,
          },
          lamports: BigInt(fact.landed.lamports),
          landed: [...state.landed, fact.landed],
          pending,
          done: isDone && state.purpose ? new Set([...state.done, state.purpose]) : state.done,
        };
        break;
      }
      case 'run':
        state = {
          ...state,
          run: distributionRun.evolve(state.run, fact.event),
          amounts: fact.amounts?.map(BigInt) ?? state.amounts,
        };
        break;
      case 'closed':
        state = {
          ...state,
          closed: state.closed + 1,
          run: distributionRun.initial,
          amounts: [],
          done: new Set<LinkPurpose>(['begin']),
        };
        break;
      case 'halted':
        state = { ...state, halted: fact.why };
    }
  return state;
}

/** Links that may still land: they build on this till, or on one that they make. */
function builtOn(till: string, links: readonly RecordedLink[]): RecordedLink[] {
  const tills = new Set([till]);
  return links.filter((link) => {
    if (link.previous === null || !tills.has(link.previous)) return false;
    tills.add(link.till);
    return true;
  });
}

function runIdOf(number: number): string {
  return `00000000-0000-4000-8000-${`${number}`.padStart(12, '0')}`;
}

function bookOf({ asset, holders, tokensOf }: PartsOptions, amounts: readonly bigint[]): PaymentBook {
  const numbersOf: PaymentBook['numbersOf'] = ({ from, to, without }) =>
    Array.from({ length: to - from }, (_, index) => from + index).filter((each) => !without.includes(each));
  const amount = (number: number) => amounts[number] ?? 0n;
  const recipient = (number: number) => holders[number] ?? '';
  return {
    count: { sol: asset === 'sol' ? holders.length : 0, token: asset === 'token' ? holders.length : 0 },
    numbersOf,
    paymentsOf: (_asset, batch) =>
      numbersOf(batch).map((number) => ({
        to: asset === 'sol' ? recipient(number) : tokensOf(recipient(number)),
        amount: amount(number),
      })),
    notToHolders: [],
    sum: (_asset, from, to) => amounts.slice(from, to).reduce((sum, each) => sum + each, 0n),
    sumOfBatch: (_asset, batch) => numbersOf(batch).reduce((sum, number) => sum + amount(number), 0n),
  };
}

/** Resolves when all runs are closed; throws `PartsHalted` where the parts say that something is wrong. */
export async function driveParts(options: PartsOptions): Promise<void> {
  const { chain, log, random, token, asset, holders, delegateOf, runs, bring, now } = options;
  const draws = random.of('parts');
  const sender = createSender({ chain, maximumPrice: 0n });
  const parts = { chain, sender, delegateOf, recipients: RECIPIENTS, rest: async () => {}, now };
  const absences: Absences = new Map();
  const searches: HistorySearches = new Map();
  const signedLinks: SignedLinks = new Map();
  let memory = createPayingMemory(0n);
  let memoryOf = -1;

  for (;;) {
    const facts = await log.read();
    const state = partsStateOf(facts);
    if (state.halted !== undefined) throw new PartsHalted(state.halted);
    if (state.closed >= runs) return;
    if (memoryOf !== state.closed && state.done.has('open')) {
      memory = createPayingMemory(BigInt(state.till?.slot ?? 0));
      memoryOf = state.closed;
    }
    const append = (fact: PartsFact) => log.append(facts.length, fact);
    try {
      await step(state, append);
    } catch (error) {
      if (!(error instanceof ChainUnavailable || error instanceof ChainAnswerInvalid)) throw error;
    }
  }

  type Append = (fact: PartsFact) => Promise<boolean>;

  function delegateBy(address: string): KeyPair {
    for (let number = 0; number <= runs; number += 1) {
      const key = delegateOf(runIdOf(number));
      if (key.address === address) return key;
    }
    throw new Error(`no run has the delegate ${address}`);
  }

  async function step(state: PartsState, append: Append): Promise<void> {
    const { till, pending, done, run } = state;
    if (pending.length > 0) return tillStep(state, append);
    if (till === undefined) return recordLinks(state, append, 'begin', [[]]);
    if (!done.has('split')) {
      const burn: LinkAction = { kind: 'burn', amount: `${draws.between(1, 1_000)}` };
      return recordLinks(state, append, 'split', [[burn]]);
    }
    if (run.allotted === undefined) return allot(state, append);
    if (!done.has('open')) {
      const memo: LinkAction = { kind: 'memo', text: `levy:${run.allotted.runId}:${run.allotted.root}` };
      const opened = run.allotted.pots.map(
        ({ seed, address, delegate, allowance }): LinkAction =>
          asset === 'sol'
            ? { kind: 'open', seed, pot: address, allowance }
            : { kind: 'approve', delegate, allowance },
      );
      // One link for all pots, or one for each.
      const links = draws.chance(0.5) ? [[memo, ...opened]] : [[memo], ...opened.map((action) => [action])];
      return recordLinks(state, append, 'open', links);
    }
    if (!done.has('close')) return pay(state, append);
    await append({ kind: 'closed' });
  }

  async function recordLinks(
    { till }: Pick<PartsState, 'till'>,
    append: Append,
    purpose: LinkPurpose,
    contents: readonly (readonly LinkAction[])[],
  ): Promise<void> {
    const links: RecordedLink[] = [];
    for (const actions of contents) {
      const last = links.at(-1);
      const number = (last?.number ?? till?.number ?? -1) + 1;
      links.push(recordLink({ number, previous: last?.till ?? till?.address ?? null, actions }, token));
    }
    if ((await append({ kind: 'links', purpose, links })) && purpose === 'split')
      for (const { till: made } of links) bring(made);
  }

  async function tillStep(state: PartsState, append: Append): Promise<void> {
    const { pending, purpose } = state;
    const first = pending[0];
    if (purpose === 'split' && pending.length < 3 && first !== undefined && draws.chance(0.05)) {
      const burn: LinkAction = { kind: 'burn', amount: `${draws.between(1_001, 2_000)}` };
      const link = recordLink({ number: first.number, previous: first.previous, actions: [burn] }, token);
      await append({ kind: 'links', purpose, links: [link] });
      return;
    }
    const progress = await driveTill(
      {
        chain,
        sender,
        delegates: delegateBy,
        now,
        isFresh: () => true,
        venueOf: () => {
          throw new Error('nothing is sold here');
        },
      },
      token,
      { till: state.till, pending },
      { links: signedLinks, absences, searches, failures: new Map() },
    );
    if (progress.outcome === 'landed') await append({ kind: 'landed', landed: progress.landed });
    else if (progress.outcome === 'ahead' || progress.outcome === 'mismatch')
      await append({ kind: 'halted', why: `${progress.outcome}: ${progress.reason}` });
    // A close fails where a payment landed that was given up: that is settled, and another close recorded.
    else if (progress.outcome === 'refused' && purpose === 'close') await settleAgain(state, append);
  }

  function payingOf({ run, amounts, landed, pending }: PartsState): Paying | undefined {
    if (run.allotted === undefined) return undefined;
    return {
      token,
      run: run.allotted,
      state: run,
      links: { landed, pending },
      book: bookOf(options, amounts),
      memory,
      absences,
      searches,
    };
  }

  async function settleAgain(state: PartsState, append: Append): Promise<void> {
    const paying = payingOf(state);
    if (paying === undefined) return;
    const pots = paying.run.pots.flatMap((planned, index) => {
      const progress = state.run.pots[index];
      return progress === undefined ? [] : [{ index, planned, progress }];
    });
    const progress = await settle(parts, paying, pots);
    if (progress.outcome === 'settled') {
      const { runId } = paying.run;
      const event = BatchesSettled({ runId, tokenId: TOKEN_ID, batches: [...progress.batches] });
      if (await append({ kind: 'run', event })) {
        const facts = await log.read();
        const later = partsStateOf(facts);
        if (later.purpose === 'close' && later.pending.length > 0)
          await recordLinks(later, (fact) => log.append(facts.length, fact), 'close', [closing(later)]);
      }
    }
  }

  function closing({ run }: PartsState): readonly LinkAction[] {
    return (run.allotted?.pots ?? []).map(({ address, delegate }, index): LinkAction => {
      const left = run.pots[index]?.value ?? '0';
      return asset === 'sol'
        ? { kind: 'close', pot: address, left, rent: RENT.lamports.toString() }
        : { kind: 'revoke', delegate, left };
    });
  }

  async function pay(state: PartsState, append: Append): Promise<void> {
    const paying = payingOf(state);
    if (paying === undefined) return;
    const { runId } = paying.run;
    const progress = await payRound(parts, paying);
    const identity = { runId, tokenId: TOKEN_ID };
    switch (progress.outcome) {
      case 'plan': {
        const round = state.run.rounds + 1;
        await append({
          kind: 'run',
          event: RoundRecorded({ ...identity, round, batches: [...progress.batches] }),
        });
        return;
      }
      case 'replan': {
        const { batch, refused } = progress.replan;
        await append({ kind: 'run', event: BatchReplanned({ ...identity, batch, refused: [...refused] }) });
        return;
      }
      case 'settled':
        await append({
          kind: 'run',
          event: BatchesSettled({ ...identity, batches: [...progress.batches] }),
        });
        return;
      case 'unknown-payment':
      case 'pot-missing':
        await append({ kind: 'halted', why: `${progress.outcome}: ${progress.reason}` });
        return;
      case 'waiting':
        return;
      case 'done':
        await recordLinks(state, append, 'close', [closing(state)]);
    }
  }

  async function allot(state: PartsState, append: Append): Promise<void> {
    const { lamports, closed } = state;
    const runId = runIdOf(closed + 1);
    const divided = asset === 'sol' ? lamports : 1_000_000n;
    // Runs that divide the same show the same values of a meter.
    const isEven = draws.chance(0.5);
    const weights = holders.map(() => BigInt(isEven ? 50 : draws.between(1, 100)));
    const total = weights.reduce((sum, weight) => sum + weight, 0n);
    const amounts = weights.map((weight) => (divided * weight) / total + 1n);
    const delegate = asset === 'sol' ? token.distributor : delegateOf(runId);
    const book = bookOf(options, amounts);
    const mostPots = asset === 'sol' ? 3 : 1;
    // A till that was given too little pays nobody.
    const paid = asset === 'sol' && lamports < 50_000_000n ? 0 : holders.length - (asset === 'sol' ? 1 : 0);
    const pots = stretchesOf(paid, RECIPIENTS[asset], mostPots).map(({ from, to }, index): PlannedPot => {
      const seed = asset === 'sol' ? `pot ${runId.slice(-12)} ${index}` : '';
      return {
        asset,
        address: asset === 'sol' ? seededAddress(token.wallet.address, seed, TOKEN_PROGRAM) : token.tokens,
        delegate: delegate.address,
        seed,
        from,
        to,
        allowance: book.sum(asset, from, to).toString(),
      };
    });
    const nothing = { count: 0, sum: '0' };
    const payments = { count: paid, sum: book.sum(asset, 0, paid).toString() };
    const event = RunAllotted({
      runId,
      tokenId: TOKEN_ID,
      mint: token.mint,
      asset,
      slots: ['0', '0'],
      ledger: '0'.repeat(64),
      root: '0'.repeat(64),
      records: holders.length,
      divided: divided.toString(),
      sumOfWeights: total.toString(),
      shares: payments.sum,
      dust: '0',
      payments: asset === 'sol' ? { sol: payments, token: nothing } : { sol: nothing, token: payments },
      pots,
      payAfter: '2026-01-01T00:00:00.000Z',
    });
    await append({ kind: 'run', event, amounts: amounts.map(String) });
  }
}

/** Of a token account without extensions; the same in a whole test. */
export const RENT = { lamports: 0n, size: TOKEN_ACCOUNT_SIZE };

/** The books that the facts amount to. */
export function partsBooks(facts: readonly PartsFact[], options: PartsOptions): TokenBooks {
  const { token, holders } = options;
  const runs: RunBooks[] = [];
  const links: TokenBooks['links'][number][] = [];
  for (const [index, fact] of facts.entries()) {
    const before = partsStateOf(facts.slice(0, index));
    if (fact.kind === 'landed')
      for (const { number, till } of fact.landed.links) {
        const actions = before.pending.find((link) => link.till === till)?.actions ?? [];
        const burned = actions.reduce(
          (sum, action) => (action.kind === 'burn' ? sum + BigInt(action.amount) : sum),
          0n,
        );
        links.push({ number, till, burned });
      }
    if (fact.kind !== 'run') continue;
    const { event } = fact;
    if (event.type === 'RunAllotted') {
      const paid = new Set(
        runs.at(-1)?.batches.flatMap(({ payments }) => payments.map(({ record }) => record)),
      );
      const former = runs.at(-1)?.records;
      runs.push({
        runId: event.data.runId,
        asset: options.asset,
        amounts: undefined,
        records: (fact.amounts ?? []).map((amount, place) => ({
          kind: 'holder',
          owner: holders[place] ?? '',
          share: BigInt(amount),
          // What the chain refused of the run before.
          owedBefore:
            (former?.[place]?.owedBefore ?? 0n) + (paid.has(place) ? 0n : (former?.[place]?.planned ?? 0n)),
          planned: BigInt(amount),
          paidBefore: 0n,
        })),
        pots: event.data.pots.map(({ asset, address, delegate, allowance }) => ({
          asset,
          address,
          delegate,
          allowance: BigInt(allowance),
        })),
        batches: [],
      });
    }
    const run = runs.at(-1);
    if (event.type === 'BatchesSettled' && run !== undefined) {
      const book = bookOf(options, before.amounts);
      const batches = event.data.batches.map((batch) => ({
        pot: run.pots[batch.pot]?.address ?? '',
        signature: batch.signature,
        payments: book.numbersOf(batch).map((record) => ({ record, amount: before.amounts[record] ?? 0n })),
      }));
      runs[runs.length - 1] = { ...run, batches: [...run.batches, ...batches] };
    }
  }
  return {
    mint: token.mint,
    wallet: token.wallet.address,
    distributor: token.distributor.address,
    marker: markerOf(token.wallet.address),
    runs,
    links,
    inTill: 0n,
    inAccount: 0n,
  };
}
