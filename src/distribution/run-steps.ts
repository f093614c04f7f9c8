/**
 * Takes the next step of one token's distribution. Each step reads what is recorded and what is final, does one thing, and
 * records before it signs; so a step may be repeated, broken off anywhere, or taken by two processes at once.
 */
import { isDeepStrictEqual } from 'node:util';
import { readTokenAccount } from 'levy-solana-wire';
import { causeOf } from '../runtime/execute.ts';
import {
  DistributionHalted,
  type DistributionState,
  distribution,
  type HaltCode,
  type LinkPurpose,
  LinksLanded,
  LinksRecorded,
  type OpenedRun,
  type RecordedLink,
} from '../streams/distribution.ts';
import {
  type AllottedRun,
  BatchesSettled,
  BatchReplanned,
  type DistributionRunState,
  distributionRun,
  HoldersScanned,
  RoundRecorded,
  RunAllotted,
  SaleAwaited,
  type SettledBatch,
  TaxCollected,
  TaxSplit,
  WitnessAwaited,
  type WitnessWord,
} from '../streams/distribution-run.ts';
import { DISTRIBUTION_SWITCH, distributionSwitch } from '../streams/distribution-switch.ts';
import { type Wait, waitFor } from '../streams/distribution-wait.ts';
import { isUnsoldReason } from '../streams/unsold-reasons.ts';
import { isGone } from './absences.ts';
import { allotRun, driven } from './allotting/allot-run.ts';
import { createPayeeLooks } from './allotting/look-at-payees.ts';
import { taxOfSale } from './amounts/own-tax.ts';
import { divideProceeds, split as splitTax, sumOf } from './amounts/split.ts';
import { recordedBuckets, recordedOwnTax, reservedTokens, tokensBefore } from './carried-over.ts';
import { closeRun } from './close-run.ts';
import { ACCOUNTS_PER_HARVEST, beginHarvest, harvestOn } from './collecting/harvest-tax.ts';
import { lookAtHolders, lookPartsOf } from './collecting/look-at-holders.ts';
import { estimateFees, mostCosts } from './costs.ts';
import { type DistributedToken, distributedToken } from './distributed-token.ts';
import {
  type EngineParts,
  LONGEST_PAUSE,
  LOOK_PAUSE,
  type StepResult,
  TROUBLE_PAUSE,
} from './engine-parts.ts';
import { openAllotment } from './ledger/allotment-file.ts';
import { rangeOf } from './ledger/run-ledger.ts';
import { recordLink } from './links/link-content.ts';
import { driveTill } from './links/till-driver.ts';
import { considerRun } from './open-run.ts';
import {
  createPayingMemory,
  meterOf,
  nameOf,
  type Paying,
  type PayingMemory,
  pauseBeforeLook,
  payRound,
  settle,
} from './paying/pay-rounds.ts';
import { type PaymentBook, readPaymentBook } from './paying/payment-book.ts';
import { linksInTurn, openingLinks, POTS_PER_CLOSE, planPots } from './pots.ts';
import { emptyKeys } from './run-keys/empty-keys.ts';
import { isSameMoment } from './same-moment.ts';
import { movedWithin } from './selling/impact-budget.ts';
import { decideRunSale, isFresh, momentsOf, type RunSale, saleWaitingFor } from './selling/run-sale.ts';
import { readTaxedMint } from './sending/tax-now.ts';
import { rememberRun, type TokenMemory } from './token-memory.ts';
import { haltOfError } from './waiting/halt-of-error.ts';
import { latestOf, stepOf } from './waiting/step-of.ts';

const ACCOUNTS_PER_READ = 100;
/** Where the token itself is paid, nothing is sold and nothing repays the costs. */
const NO_PROCEEDS = { proceeds: 0n, costs: 0n, tax: 0n };

export interface RunSteps {
  step(tokenId: string, memory: TokenMemory): Promise<StepResult>;
}

/** The step is what is recorded, unless it says another. */
type Taken = Omit<StepResult, 'step'> & Partial<Pick<StepResult, 'step'>>;

interface Open {
  readonly state: DistributionState;
  readonly open: OpenedRun;
  readonly run: DistributionRunState;
  readonly token: DistributedToken;
  readonly memory: TokenMemory;
}

export function createRunSteps(parts: EngineParts): RunSteps {
  const { executor, chain, blobs, ledgers, keyring, clock, markets, prices, sender, policy, rest, counts } =
    parts;
  const cause = () => causeOf('distributor');
  const again = (): Taken => ({ pause: 0 });
  const wait = (waitingFor: Wait, pause = LOOK_PAUSE): Taken => ({ pause, waitingFor });

  const tillParts = (runId: string, state: DistributionState) => ({
    chain,
    sender,
    now: () => clock.now().getTime(),
    venueOf: markets.venueOf,
    isFresh: (link: RecordedLink) => {
      const sale = link.actions.find((action) => action.kind === 'sell');
      const isFixed = sale?.kind !== 'sell' || markets.venueOf(sale.venue).price === 'fixed';
      return isFresh(link, state, { now: clock.now().getTime(), isFixed });
    },
    delegates: (address: string) => {
      const key = keyring.distributorOfRun(runId);
      if (key.address !== address) throw new Error(`the key ${address} is not that of the open run`);
      return key;
    },
  });

  async function step(tokenId: string, memory: TokenMemory): Promise<StepResult> {
    const all = await executor.load(distributionSwitch, DISTRIBUTION_SWITCH);
    const { state, events: latestOfToken } = await executor.load(distribution, tokenId);
    if (all.state !== undefined || state.halted !== undefined) {
      // Who resumes it wants the holders of then.
      rememberRun(memory, undefined);
      const waitingFor = all.state === undefined ? haltedWith(state.halted?.reason) : waitFor('all-halted');
      return { pause: LONGEST_PAUSE, step: 'halted', waitingFor };
    }
    const { open } = state;
    rememberRun(memory, open?.runId);
    if (open === undefined) {
      // A key that is not empty yet keeps no run waiting.
      const emptying = await emptyKeys(parts, tokenId, state, memory.emptying);
      const considered = await considerRun(parts, tokenId, state, memory);
      return emptying === undefined
        ? considered
        : { ...considered, pause: Math.min(considered.pause, emptying) };
    }
    const { state: run, events: latestOfRun } = await executor.load(distributionRun, open.runId);
    const movedAt = latestOf([...all.events, ...latestOfToken, ...latestOfRun]);
    const step = stepOf(state, run, clock.now());
    if (open.asset === 'sol' && run.split === undefined) prices.want(open.mint);
    try {
      memory.token ??= distributedToken(keyring, open);
      return { step, movedAt, ...(await advance({ state, open, run, token: memory.token, memory })) };
    } catch (failure) {
      const found = haltOfError(failure);
      if (found === undefined) return { step, movedAt, pause: 0, failure };
      return { step, movedAt, ...(await halt({ state, open, run }, found.code, found.reason)) };
    }
  }

  async function advance(now: Open): Promise<Taken> {
    const { state, run } = now;
    if (state.pending.length > 0) return driveLinks(now);
    if (state.till === undefined)
      return recordLinks(now, 'begin', [recordLink({ number: 0, previous: null, actions: [] }, now.token)]);
    if (run.collected === undefined) return collect(now);
    if (run.split === undefined) return splitCollected(now);
    if (run.allotted === undefined) return allot(now);
    const { pots } = run.allotted;
    const isOpened = state.landed.some(({ purpose }) => purpose === 'open');
    if (pots.length > 0 && !isOpened) return openPots(now);
    const isClosing = state.landed.some(({ purpose }) => purpose === 'close');
    if (!isClosing) {
      const paid = await pay(now);
      if (paid !== undefined) return paid;
    }
    return close(now);
  }

  /** Only on what is still so: another process may have recorded meanwhile what the chain shows. */
  async function halt(
    { open, state, run }: Pick<Open, 'open' | 'state' | 'run'>,
    code: HaltCode,
    reason: string,
  ): Promise<Taken> {
    const { tokenId, runId } = open;
    const { state: latest } = await executor.load(distributionRun, runId);
    if (!isSameRound(latest, run)) return again();
    await executor.execute(distribution, tokenId, cause(), (current) =>
      current.halted === undefined && isSameMoment(current, state)
        ? [DistributionHalted({ tokenId, runId, code, reason })]
        : [],
    );
    return { ...wait(haltedWith(reason), LONGEST_PAUSE), step: 'halted' };
  }

  async function recordLinks(
    { state, open }: Open,
    purpose: LinkPurpose,
    links: readonly RecordedLink[],
    judged: Pick<Parameters<typeof LinksRecorded>[0], 'sale' | 'unsold'> = {},
  ): Promise<Taken> {
    const { tokenId, runId } = open;
    await executor.execute(distribution, tokenId, cause(), (current) =>
      isSameMoment(current, state) && current.halted === undefined
        ? [LinksRecorded({ tokenId, runId, purpose, links: [...links], ...judged })]
        : [],
    );
    return again();
  }

  async function driveLinks(now: Open): Promise<Taken> {
    const { state, open, token, memory } = now;
    const { tokenId, runId } = open;
    const purpose = state.pendingPurpose ?? 'begin';
    const progress = await driveTill(tillParts(runId, state), token, state, memory);
    switch (progress.outcome) {
      case 'waiting':
        return wait(progress.for);
      case 'ahead':
        return halt(now, 'CHAIN_AHEAD_OF_LOG', progress.reason);
      case 'mismatch':
        return halt(now, 'CONTENT_MISMATCH', progress.reason);
      case 'refused':
        counts.transaction('link', 'refused');
        return replaceLink(now, purpose, progress.link, progress.why);
      case 'stale':
        return replaceLink(now, purpose, progress.link, waitFor('sale-moment'));
      case 'landed':
        for (const _link of progress.landed.links) counts.transaction('link', 'landed');
        await executor.execute(distribution, tokenId, cause(), (current) =>
          isSameMoment(current, state) ? [LinksLanded({ tokenId, runId, purpose, ...progress.landed })] : [],
        );
        return again();
    }
  }

  /** Another content for the same till, where the recorded one cannot land as things are. */
  async function replaceLink(now: Open, purpose: LinkPurpose, link: RecordedLink, why: Wait): Promise<Taken> {
    const { state } = now;
    if (purpose === 'split' && link.actions.some(({ kind }) => kind === 'sell')) return recordSplit(now);
    if (purpose === 'close') {
      const settled = await settleLatePayments(now);
      if (settled !== undefined) return settled;
      const left = await closingActions(now);
      const wanted = 'missing' in left ? [] : left.actions;
      const first = wanted.slice(0, link.actions.length);
      if (wanted.length > 0 && !isDeepStrictEqual(first, link.actions))
        return recordLinks(now, 'close', linksInTurn(now.token, tillOf(state), wanted, POTS_PER_CLOSE));
    }
    return wait(why, TROUBLE_PAUSE);
  }

  async function collect(now: Open): Promise<Taken> {
    const { open, token, memory } = now;
    const { tokenId, runId, carried } = open;
    const scanning = await scan(now);
    if (scanning !== undefined) return scanning;
    const { scan: done } = memory;
    if (done === undefined) return again();
    memory.harvest ??= beginHarvest();
    const collected = await harvestOn({ chain, sender }, token, done.collector, memory.harvest);
    if ('code' in collected) return wait(collected);
    const reserved = reservedTokens(carried);
    const { balance, slot, withdraw } = collected;
    if (balance < reserved)
      return halt(
        now,
        'BOOKS_DISAGREE',
        `The wallet's account ${token.tokens} holds ${balance} base units at slot ${slot}, and ${reserved} of them are kept, owed or undivided.`,
      );
    const { harvested, fees } = memory.harvest;
    await executor.execute(distributionRun, runId, cause(), (run) =>
      run.collected === undefined
        ? [
            TaxCollected({
              tokenId,
              runId,
              collected: (balance - reserved).toString(),
              balance: balance.toString(),
              slot: slot.toString(),
              harvested,
              withdraw: [...withdraw],
              fees: fees.toString(),
              at: clock.now().toISOString(),
            }),
          ]
        : [],
    );
    for (let index = 0; index < harvested; index += ACCOUNTS_PER_HARVEST)
      counts.transaction('harvest', 'landed');
    counts.transaction('withdraw', 'landed');
    memory.harvest = undefined;
    memory.scan = undefined;
    return again();
  }

  /** Undefined when everybody is found and in columns. */
  async function scan(now: Open): Promise<Taken | undefined> {
    const { open, run, token, memory } = now;
    const { tokenId, runId } = open;
    // Whoever has collected needs no more than the owners.
    if (memory.owners !== undefined && (run.collected !== undefined || memory.scan?.stage === 'done'))
      return undefined;
    const look = await lookAtHolders(lookPartsOf(parts), token.mint, memory);
    if (look.outcome === 'disagrees') return halt(now, 'SCAN_DISAGREES', look.reason);
    if (look.outcome === 'reading') return again();
    if (look.outcome === 'waiting') return wait(look.for, look.pause);
    const { scan: found, sums } = look;
    const { collector, slots } = found;
    const scanned = await driven(collector.finish(), rest);
    const [, mint] = sums.mint;
    await executor.execute(distributionRun, runId, cause(), (run) =>
      run.scanned === undefined
        ? [
            HoldersScanned({
              tokenId,
              runId,
              slots: [slots[0].toString(), slots[1].toString()],
              accounts: collector.accounts,
              owners: scanned.count,
              withheld: (BigInt(sums.withheld) + BigInt(mint.withheld)).toString(),
              supply: mint.supply,
              sums,
            }),
          ]
        : [],
    );
    memory.owners = { scanned, slots, sums, looks: createPayeeLooks() };
    if (run.collected !== undefined) memory.scan = undefined;
    return undefined;
  }

  async function splitCollected(now: Open): Promise<Taken> {
    const { state, open, run } = now;
    const landed = state.landed.find(({ purpose }) => purpose === 'split');
    if (landed === undefined) return recordSplit(now);
    const collected = BigInt(run.collected?.collected ?? '0');
    const actions = landed.links.flatMap((link) => link.actions);
    const sale = actions.find((action) => action.kind === 'sell');
    const sold = BigInt(sale?.kind === 'sell' ? sale.amount : '0');
    if (open.asset === 'token') {
      const whole = splitTax(collected, tokensBefore(open.carried), open.settings, undefined);
      return recordSplitAmounts(now, { parted: whole, ...NO_PROCEEDS, ...whole.sold, unsold: null });
    }
    const parted = splitTax(collected, tokensBefore(open.carried), open.settings, sold);
    const brought = BigInt(landed.lamports) - BigInt(open.carried.owed.sol) - BigInt(open.carried.dust.sol);
    if (brought < 0n)
      return halt(
        now,
        'BOOKS_DISAGREE',
        `The till ${landed.links.at(-1)?.till} holds ${landed.lamports} lamports, less than what is owed or undivided.`,
      );
    const divided = divideProceeds(brought, await costsOf(now, brought), parted.sold);
    return recordSplitAmounts(now, {
      parted,
      tax: sold === 0n ? 0n : taxOfSale(open.tax, await chain.epoch(), sold),
      proceeds: brought,
      ...divided,
      unsold: sale === undefined && sumOf(parted.kept) > 0n ? (state.selling?.unsold ?? 'no-sale') : null,
    });
  }

  /** The run's fees, so far as what it brought may be used for them. */
  async function costsOf({ run, memory, state }: Open, brought: bigint): Promise<bigint> {
    const owners = run.scanned?.owners ?? memory.owners?.scanned.count ?? 0;
    const estimate =
      estimateFees({
        asset: 'sol',
        withWithheld: 0,
        owners,
        mostPots: policy.mostPots,
        isFirst: state.till?.number === 1,
      }) + BigInt(run.collected?.fees ?? '0');
    const most = mostCosts(brought, policy);
    return estimate < most ? estimate : most;
  }

  async function recordSplit(now: Open): Promise<Taken> {
    const { state, open, run, token, memory } = now;
    const { settings, asset } = open;
    const collected = BigInt(run.collected?.collected ?? '0');
    const full = splitTax(collected, tokensBefore(open.carried), settings, undefined);
    if (asset === 'token' && full.burned === 0n) {
      return recordSplitAmounts(now, { parted: full, ...NO_PROCEEDS, ...full.sold, unsold: null });
    }
    const burn = full.burned === 0n ? [] : [{ kind: 'burn', amount: full.burned.toString() } as const];
    if (asset === 'token') return recordSplitLink(burn, {});
    const selling = await considerSale(now, sumOf(full.sold));
    if (selling.kind === 'wait') {
      memory.saleLook = selling.looked;
      if (selling.reason !== undefined) await recordSaleAwaited(now, selling.reason);
      const pause = Math.max(1_000, selling.until - clock.now().getTime());
      return wait(saleWaitingFor(selling.reason), Math.min(pause, LONGEST_PAUSE));
    }
    if (selling.kind === 'keep') return recordSplitLink(burn, { unsold: selling.reason });
    const { amount, minimum, venue, market } = selling.sale;
    const tokensAfter = BigInt(run.collected?.balance ?? '0') - full.burned - amount;
    const tillAfter = BigInt(state.till?.lamports ?? '0') + minimum;
    const sell = {
      kind: 'sell',
      venue,
      market,
      amount: amount.toString(),
      minimum: minimum.toString(),
      tokensAfter: tokensAfter.toString(),
      tillAfter: tillAfter.toString(),
    } as const;
    return recordSplitLink([...burn, sell], selling.basis === null ? {} : { sale: selling.basis });

    function recordSplitLink(
      actions: RecordedLink['actions'],
      judged: Parameters<typeof recordLinks>[3],
    ): Promise<Taken> {
      const { number, address } = tillOf(state);
      const link = recordLink({ number: number + 1, previous: address, actions }, token);
      return recordLinks(now, 'split', [link], judged);
    }
  }

  async function considerSale({ state, open, run, token, memory }: Open, wanted: bigint): Promise<RunSale> {
    if (wanted === 0n) return { kind: 'keep', reason: 'nothing-to-sell' };
    const { supply, now: tax } = await readTaxedMint(chain, token.mint);
    const now = clock.now().getTime();
    const quote = await markets.quote({ mint: open.mint, decimals: open.decimals, supply, tax }, wanted, {
      moved: movedWithin(state.impacts ?? [], now, tillOf(state).number + 1),
      reference: prices.of(open.mint) ?? 'unknown',
    });
    const momentAfter = momentsOf({ open, run, now, secret: keyring.scanMoment });
    return decideRunSale({
      quote,
      now,
      tries: state.selling?.tries ?? 0,
      looked: memory.saleLook,
      momentAfter,
    });
  }

  async function recordSaleAwaited({ open }: Open, reason: string): Promise<void> {
    const { tokenId, runId } = open;
    await executor.execute(distributionRun, runId, cause(), ({ saleAwaited = [] }) =>
      saleAwaited.includes(reason) ? [] : [SaleAwaited({ tokenId, runId, reason })],
    );
  }

  async function recordSplitAmounts(
    { open, state }: Open,
    amounts: {
      readonly parted: ReturnType<typeof splitTax>;
      /** Of the sale. */
      readonly tax: bigint;
      readonly proceeds: bigint;
      readonly costs: bigint;
      readonly developer: bigint;
      readonly holders: bigint;
      readonly unsold: string | null;
    },
  ): Promise<Taken> {
    const { tokenId, runId } = open;
    const { parted, tax, proceeds, costs, developer, holders, unsold } = amounts;
    const { selling } = state;
    const tills = new Set(state.landed.flatMap(({ links }) => links.map(({ till }) => till)));
    await executor.execute(distributionRun, runId, cause(), (run) =>
      run.split === undefined
        ? [
            TaxSplit({
              tokenId,
              runId,
              burned: parted.burned.toString(),
              sold: recordedBuckets(parted.sold),
              kept: recordedBuckets(parted.kept),
              ownTax: recordedOwnTax(open.carried, parted, tax),
              unsold,
              ...(open.asset === 'sol' && {
                tries: selling?.tries ?? 0,
                offers: (selling?.offers ?? []).map(({ till, ...offer }) => ({
                  ...offer,
                  landed: tills.has(till),
                })),
              }),
              proceeds: proceeds.toString(),
              costs: costs.toString(),
              developer: developer.toString(),
              holders: holders.toString(),
            }),
          ]
        : [],
    );
    if (sumOf(parted.sold) > 0n && open.asset === 'sol') counts.sale('sold');
    else if (isUnsoldReason(unsold)) counts.sale(unsold);
    return again();
  }

  async function allot(now: Open): Promise<Taken> {
    const { open, run, token, memory } = now;
    const { tokenId, runId, carried } = open;
    const scanning = await scan(now);
    if (scanning !== undefined) return scanning;
    const { owners } = memory;
    if (owners === undefined || run.split === undefined) return again();
    const { scanned, slots, sums, looks } = owners;
    const previous =
      carried.ledger === null
        ? undefined
        : await ledgers.open({ ledger: carried.ledger, settlement: carried.settlement ?? undefined });
    const written = await allotRun(
      { chain, blobs, policy, rest },
      {
        token,
        open,
        split: run.split,
        scanned,
        slots: [slots[0].toString(), slots[1].toString()],
        sums,
        previous,
        excluded: [keyring.desk.address],
        looks,
      },
    );
    const book = await bookOf(now, written.ledger);
    const { header, ledger, root } = written;
    const pots = planPots({
      token,
      runId,
      book,
      mostPots: policy.mostPots,
      delegate: keyring.distributorOfRun(runId).address,
      ...(policy.recipients === undefined ? {} : { recipients: policy.recipients }),
    });
    await executor.execute(distributionRun, runId, cause(), (current) =>
      current.allotted === undefined
        ? [
            RunAllotted({
              tokenId,
              runId,
              mint: open.mint,
              asset: open.asset,
              slots: header.slots,
              ledger,
              root,
              records: header.records,
              divided: header.divided,
              sumOfWeights: header.sumOfWeights,
              shares: written.shares.toString(),
              dust: written.dust.toString(),
              payments: header.payments,
              pots: [...pots],
              payAfter: new Date(clock.now().getTime() + policy.announce).toISOString(),
            }),
          ]
        : [],
    );
    memory.owners = undefined;
    memory.scan = undefined;
    return again();
  }

  async function bookOf({ open, memory }: Open, ledger: string): Promise<PaymentBook> {
    if (memory.book?.ledger === ledger) return memory.book.book;
    const allotment = await openAllotment(rangeOf(blobs, ledger));
    const book = await readPaymentBook(allotment, open.mint, rest);
    memory.book = { ledger, book };
    return book;
  }

  async function openPots(now: Open): Promise<Taken> {
    const { state, open, run, token } = now;
    const { allotted } = run;
    if (allotted === undefined) return again();
    const left = Date.parse(allotted.payAfter) - clock.now().getTime();
    if (left > 0)
      return wait(
        waitFor('announced-moment', `Nothing is paid before ${allotted.payAfter}.`),
        Math.min(left, TROUBLE_PAUSE),
      );
    const memo = `levy:${open.runId}:${allotted.root}`;
    return recordLinks(now, 'open', openingLinks(token, tillOf(state), allotted.pots, memo, policy));
  }

  /** Undefined when nobody is left to be paid. */
  async function pay(now: Open): Promise<Taken | undefined> {
    const { open, run, token } = now;
    const { allotted } = run;
    if (allotted === undefined) return again();
    const { tokenId, runId } = open;
    const book = await bookOf(now, allotted.ledger);
    const paying = payingOf(now, allotted, book);
    const progress = await payRound(payingParts(), paying);
    switch (progress.outcome) {
      case 'key-dry': {
        const { key, payments } = progress;
        return recordLinks(
          now,
          'open',
          linksInTurn(token, tillOf(now.state), [{ kind: 'lend', key, payments }], 1),
        );
      }
      case 'done':
        return undefined;
      case 'waiting':
        return wait(progress.for, pauseBeforeLook(paying.memory, LOOK_PAUSE));
      case 'unknown-payment':
        return halt(now, 'PAYMENT_UNKNOWN', progress.reason);
      case 'pot-missing':
        return halt(now, 'POT_MISSING', progress.reason);
      case 'plan':
        await executor.execute(distributionRun, runId, cause(), (current) =>
          isSameRound(current, run)
            ? [RoundRecorded({ tokenId, runId, round: run.rounds + 1, batches: [...progress.batches] })]
            : [],
        );
        return again();
      case 'replan': {
        counts.transaction('payment', 'refused');
        const { batch, refused } = progress.replan;
        await executor.execute(distributionRun, runId, cause(), (current) =>
          isSameRound(current, run) ? [BatchReplanned({ tokenId, runId, batch, refused: [...refused] })] : [],
        );
        return again();
      }
      case 'settled':
        await recordSettled(now, progress.batches);
        return again();
    }
  }

  async function recordSettled({ open, run }: Open, batches: readonly SettledBatch[]): Promise<void> {
    const { tokenId, runId } = open;
    for (const _batch of batches) counts.transaction('payment', 'landed');
    await executor.execute(distributionRun, runId, cause(), (current) =>
      isSameRound(current, run) ? [BatchesSettled({ tokenId, runId, batches: [...batches] })] : [],
    );
  }

  const payingParts = () => ({
    chain,
    sender,
    delegateOf: keyring.distributorOfRun,
    rest,
    now: () => clock.now().getTime(),
    ...(policy.recipients === undefined ? {} : { recipients: policy.recipients }),
    ...(policy.paymentsLent === undefined ? {} : { paymentsLent: policy.paymentsLent }),
  });

  /** A payment that landed after the pot's close was planned: undefined when there is none. */
  async function settleLatePayments(now: Open): Promise<Taken | undefined> {
    const { run, state } = now;
    const { allotted } = run;
    if (allotted === undefined) return undefined;
    const book = await bookOf(now, allotted.ledger);
    const closed = closedPots(state);
    const pots = allotted.pots.flatMap((planned, index) => {
      const progress = run.pots[index];
      const isOpen = progress !== undefined && progress.plans.length > 0 && !closed.has(planned.address);
      return isOpen ? [{ index, planned, progress }] : [];
    });
    const progress = await settle(payingParts(), payingOf(now, allotted, book), pots);
    switch (progress.outcome) {
      case 'settled':
        await recordSettled(now, progress.batches);
        return again();
      case 'unknown-payment':
        return halt(now, 'PAYMENT_UNKNOWN', progress.reason);
      case 'waiting':
        return wait(progress.for);
      // The close itself may be what took the pot away.
      case 'pot-missing':
      case 'unchanged':
        return undefined;
    }
  }

  /** What is left to close, with the meters as they were settled, or the pot that the node does not show. */
  async function closingActions({
    state,
    run,
    token,
    memory: { absences },
  }: Open): Promise<
    { readonly actions: RecordedLink['actions'] } | { readonly missing: string; readonly slot: bigint }
  > {
    const closed = closedPots(state);
    const left = (run.allotted?.pots ?? []).flatMap((planned, index) => {
      const value = run.pots[index]?.value ?? planned.allowance;
      const isClosed = closed.has(planned.asset === 'sol' ? planned.address : planned.delegate);
      return isClosed || (planned.asset === 'token' && value === '0') ? [] : [{ planned, value }];
    });
    const actions: RecordedLink['actions'] = [];
    for (let from = 0; from < left.length; from += ACCOUNTS_PER_READ) {
      const page = left.slice(from, from + ACCOUNTS_PER_READ);
      const { slot, accounts } = await chain.accountsAt(
        page.map(({ planned }) => planned.address),
        'finalized',
        {
          atLeastSlot: BigInt(state.till?.slot ?? '0'),
          elsewhere: page.some(({ planned }) => absences.has(nameOf(planned.address))),
        },
      );
      for (const [index, { planned, value }] of page.entries()) {
        const account = accounts[index];
        const shown = account && readTokenAccount(account);
        if (shown === undefined || meterOf(account, planned, token) === 'missing')
          return { missing: planned.address, slot };
        absences.delete(nameOf(planned.address));
        actions.push(
          planned.asset === 'sol'
            ? {
                kind: 'close',
                pot: planned.address,
                left: value,
                rent: (shown.nativeReserve ?? 0n).toString(),
              }
            : { kind: 'revoke', delegate: planned.delegate, left: value },
        );
      }
    }
    return { actions };
  }

  async function close(now: Open): Promise<Taken> {
    const { state, token, memory } = now;
    const left = await closingActions(now);
    if ('missing' in left) {
      const { missing, slot } = left;
      return isGone(memory.absences, nameOf(missing), { slot, at: clock.now().getTime() })
        ? halt(
            now,
            'POT_MISSING',
            `The pot ${missing} is gone at slot ${slot}, and no close of it was recorded.`,
          )
        : wait(waitFor('node-behind', `The chain node does not show the pot ${missing} at slot ${slot}.`));
    }
    const { actions } = left;
    if (actions.length > 0)
      return recordLinks(now, 'close', linksInTurn(token, tillOf(state), actions, POTS_PER_CLOSE));
    const allotted = now.run.allotted;
    if (allotted === undefined) return again();
    const book = await bookOf(now, allotted.ledger);
    const closed = await closeRun(parts, { ...now, book });
    if (closed.outcome === 'waiting') {
      if (closed.witness !== undefined) await recordWitness(now, closed.witness);
      return wait(closed.for, closed.for.code === 'node-behind' ? LOOK_PAUSE : TROUBLE_PAUSE);
    }
    if (closed.outcome === 'ahead') return halt(now, 'CHAIN_AHEAD_OF_LOG', closed.reason);
    if (closed.outcome === 'disagree') return halt(now, 'BOOKS_DISAGREE', closed.reason);
    return again();
  }

  /** Other processes show what is waited for as well. */
  async function recordWitness({ open }: Open, witness: WitnessWord): Promise<void> {
    const { tokenId, runId } = open;
    await executor.execute(distributionRun, runId, cause(), ({ witnessed }) =>
      witnessed.includes(witness) ? [] : [WitnessAwaited({ tokenId, runId, witness })],
    );
  }

  return { step };
}

function haltedWith(reason: string | undefined): Wait {
  return waitFor('halted', reason);
}

function payingOf(now: Open, run: AllottedRun, book: PaymentBook): Paying {
  const { token, state, open, memory } = now;
  const keyPays = state.lent.some(({ runId }) => runId === open.runId);
  return {
    token,
    run,
    state: now.run,
    book,
    memory: payingMemory(now),
    absences: memory.absences,
    searches: memory.searches,
    keyPays,
  };
}

function payingMemory({ memory, state }: Open): PayingMemory {
  // The last: links that open pots may land one after another, and a run's key may be lent more later.
  const opened = BigInt(state.landed.findLast(({ purpose }) => purpose === 'open')?.slot ?? '0');
  memory.paying ??= createPayingMemory(opened);
  if (opened > memory.paying.slot) memory.paying.slot = opened;
  return memory.paying;
}

function tillOf({ till }: DistributionState): { readonly number: number; readonly address: string } {
  if (till === undefined) throw new Error('the first link has not landed');
  return till;
}

/** The pots whose close has landed for good, and the delegates whose approval is taken back. */
function closedPots({ landed }: Pick<DistributionState, 'landed'>): ReadonlySet<string> {
  const actions = landed.flatMap(({ links }) => links.flatMap((link) => link.actions));
  return new Set(
    actions.flatMap((action) => {
      if (action.kind === 'close') return [action.pot];
      return action.kind === 'revoke' ? [action.delegate] : [];
    }),
  );
}

function isSameRound(current: DistributionRunState, seen: DistributionRunState): boolean {
  return (
    current.rounds === seen.rounds &&
    current.settled.length === seen.settled.length &&
    current.pots.every(({ plans }, index) => plans.length === seen.pots[index]?.plans.length)
  );
}
