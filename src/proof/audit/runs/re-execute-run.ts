/**
 * Re-executes recorded runs: the engine's deciders run on the recorded chain facts and must give the recorded events and files.
 * The first run starts from zero, so every amount is verified.
 */
import { isDeepStrictEqual } from 'node:util';
import { addressBytes, associatedTokenAddress, seededAddress, TOKEN_PROGRAM } from 'levy-solana-wire';
import type { KeyPair } from '../../../chain/keys.ts';
import { judgeScan } from '../../../distribution/collecting/judge-scan.ts';
import type { Decision } from '../../../distribution/decision.ts';
import type { DistributedToken } from '../../../distribution/distributed-token.ts';
import { isTrueToContent } from '../../../distribution/links/link-content.ts';
import { type PaymentBook, readPaymentBook } from '../../../distribution/paying/payment-book.ts';
import { closingBooks, settlementChunks } from '../../../distribution/run/closing-books.ts';
import { decideClose } from '../../../distribution/run/steps/close.ts';
import { decideCollect } from '../../../distribution/run/steps/collect.ts';
import { decideCorrect } from '../../../distribution/run/steps/correct.ts';
import { decideFirstTill } from '../../../distribution/run/steps/open-first-till.ts';
import { decideOpen } from '../../../distribution/run/steps/open-pots.ts';
import { decideScan } from '../../../distribution/run/steps/scan.ts';
import { decideSplit, saleable } from '../../../distribution/run/steps/split.ts';
import type { RunView } from '../../../distribution/view.ts';
import { errorMessage } from '../../../kernel/runtime/error-message.ts';
import type { Recorded } from '../../../kernel/runtime/event-codec.ts';
import {
  type DistributionEvent,
  type DistributionState,
  distribution,
  ENGINE_RULES,
  type LinkAction,
  type OpenedRun,
} from '../../../streams/distribution.ts';
import {
  type DistributionRunEvent,
  type DistributionRunState,
  distributionRun,
  distributionRunEvents,
  type PlannedBatch,
  paymentKey,
} from '../../../streams/distribution-run.ts';
import type { ScanSums } from '../../../streams/scan-sums.ts';
import type { UnsoldReason } from '../../../streams/unsold-reasons.ts';
import { type Findings, type Place, recordedAt } from '../finding.ts';
import { allotAgain, sha256Of } from './allot-again.ts';
import { type AuditedLedgers, LedgerStoreFailed, LedgerUnreadable } from './audited-ledgers.ts';
import type { TokenRunEvent } from './token-history.ts';

/** Results of a re-executed run that the chain audit uses. */
export interface ExecutedRun {
  readonly open: OpenedRun;
  readonly token: DistributedToken;
  /** State after the run's last event. */
  readonly run: DistributionRunState;
  readonly events: readonly TokenRunEvent[];
  readonly isClosed: boolean;
  /** Undefined before the allotment, or if its file cannot be read. */
  readonly book: PaymentBook | undefined;
}

type Fields = { readonly [name: string]: unknown };

const NO_YIELD = async () => undefined;

export function createRunExecution({
  ledgers,
  findings,
  unreadable,
  unknownRules,
}: {
  readonly ledgers: AuditedLedgers;
  readonly findings: Findings;
  /** Called once per unreadable file. */
  readonly unreadable: (error: LedgerUnreadable, place: Place) => void;
  /** Called for a run with a rules version that this release does not include. */
  readonly unknownRules: (rules: number, place: Place) => void;
}) {
  let state: DistributionState = distribution.initial;
  const reported = new Set<string>();

  /** Executes the events from one `RunOpened` to the next; returns undefined for those before the first. */
  async function execute(events: readonly TokenRunEvent[]): Promise<ExecutedRun | undefined> {
    let run: DistributionRunState = distributionRun.initial;
    let open: OpenedRun | undefined;
    let token: DistributedToken | undefined;
    let book: PaymentBook | undefined;
    for (const event of events) {
      if (event.type === 'RunOpened') {
        open = event.data;
        token = tokenOf(open);
        if (open.rules !== ENGINE_RULES) unknownRules(open.rules, placeOf(event));
        compare(event, { ...event.data, number: state.runs + 1, carried: state.carried });
      } else if (open !== undefined && token !== undefined) {
        const ledger = event.type === 'RunAllotted' ? event.data.ledger : run.allotted?.ledger;
        try {
          if (book === undefined && ledger !== undefined && !reported.has(ledger))
            book = await readPaymentBook(await ledgers.allotment(ledger), open.mint, NO_YIELD);
          if (open.rules === ENGINE_RULES) await check(event, { state, open, run, token }, book);
        } catch (error) {
          if (error instanceof LedgerStoreFailed) throw error.cause;
          if (error instanceof LedgerUnreadable) {
            if (!reported.has(error.sha256)) unreadable(error, placeOf(event));
            reported.add(error.sha256);
          } else
            findings.add({
              what: `${event.type} follows from the rules`,
              expected: 'records that can be executed',
              found: errorMessage(error),
              ...placeOf(event),
            });
        }
      }
      if (isStep(event)) run = distributionRun.evolve(run, event);
      else state = distribution.evolve(state, event);
      // After a correction, the collected tax is split and allotted again.
      if (event.type === 'CollectionCorrected') book = undefined;
    }
    if (open === undefined || token === undefined) return undefined;
    return { open, token, run, events, isClosed: state.open === undefined, book };
  }

  async function check(event: TokenRunEvent, view: RunView, book: PaymentBook | undefined): Promise<void> {
    switch (event.type) {
      case 'HoldersScanned': {
        const { slots, sums, pool } = event.data;
        const [from, to] = [BigInt(slots[0]), BigInt(slots[1])];
        const facts = { ...event.data, slots: [from, to] as const, sums, ...(pool && { pool }) };
        compareDecision(event, decideScan({ ...view, run: distributionRun.initial }, facts));
        return checkScan(event, sums);
      }
      case 'TaxCollected': {
        const { balance, slot, withdraw, harvested, fees, at } = event.data;
        const facts = { balance: BigInt(balance), slot: BigInt(slot), fees: BigInt(fees), now: new Date(at) };
        return compareDecision(event, decideCollect(view, { withdraw, harvested, ...facts }));
      }
      case 'CollectionCorrected':
        return compareDecision(event, decideCorrect(view));
      case 'LinksRecorded':
        return checkLinks(event, view);
      case 'TaxSplit': {
        const { fees, epoch } = event.data;
        return compareDecision(
          event,
          view.state.landed.some(({ purpose }) => purpose === 'split')
            ? decideSplit(view, { fees: BigInt(fees), epoch: BigInt(epoch) })
            : decideSplit(view, NOTHING_SOLD),
        );
      }
      case 'RunAllotted': {
        const { decision, header, rows } = await allotAgain(event.data, view, ledgers);
        checkScan(event, header.scan);
        for (const row of rows)
          findings.add({ what: 'a row of a ledger follows from the rules', ...row, ...placeOf(event) });
        compareDecision(event, decision);
        if (book !== undefined) checkPots(event, view, book);
        return;
      }
      case 'RoundRecorded':
        for (const batch of event.data.batches) checkPlan(event, batch, view.run);
        return;
      case 'BatchReplanned':
        return checkPlan(event, event.data.batch, distributionRun.evolve(view.run, event));
      case 'BatchesSettled':
        return checkSettled(event, view.run, book);
      case 'RunClosed':
        return closeAgain(event, view, book);
      default:
        return;
    }
  }

  /** Checks a scan's sum of balances against the supply of the mint. */
  function checkScan(event: TokenRunEvent, sums: ScanSums): void {
    const [before, after] = sums.mint.map(({ slot, supply, withheld }) => ({
      slot: BigInt(slot),
      supply: BigInt(supply),
      withheld: BigInt(withheld),
    }));
    const verdict =
      after && judgeScan({ balances: BigInt(sums.balances), withheld: BigInt(sums.withheld), before, after });
    const found = verdict?.verdict === 'adds-up' ? `adds-up with ${verdict.slack}` : String(verdict?.verdict);
    findings.equal('a scan adds up to the supply', `adds-up with ${sums.slack}`, found, placeOf(event));
    if (before !== undefined && after !== undefined)
      findings.atLeast('the mint is read after the scan', before.slot, after.slot, placeOf(event));
  }

  function checkLinks(
    event: Recorded<Extract<DistributionEvent, { type: 'LinksRecorded' }>>,
    view: RunView,
  ): void {
    const { purpose, links, sale, unsold } = event.data;
    const actions = links.flatMap((link) => link.actions);
    const { till } = view.state;
    let previous = till === undefined ? undefined : { number: till.number, till: till.address };
    for (const link of links) {
      const { number, previous: spent } = link;
      findings.equal(
        'a link spends the till before it',
        `${previous?.till ?? 'none'} into ${(previous?.number ?? -1) + 1}`,
        `${spent ?? 'none'} into ${number}`,
        { ...placeOf(event), account: link.till },
      );
      if (!isTrueToContent(link, view.token))
        findings.add({
          what: "a till's address commits to the actions of its link",
          expected: 'the address of the recorded actions',
          found: link.till,
          ...placeOf(event),
          account: link.till,
        });
      previous = link;
    }
    if (purpose === 'close') {
      checkClosing(event, actions, view);
      return;
    }
    const again =
      purpose === 'begin' ? decideFirstTill(view) : purpose === 'open' ? openAgain(view) : splitAgain(view);
    const decided = again.kind === 'record-of-token' ? again.events[0] : undefined;
    if (decided?.type !== 'LinksRecorded') {
      compareDecision(event, again);
      return;
    }
    // The number of actions per link may differ between releases.
    const expected = decided.data.links.flatMap((link) => link.actions);
    compare(event, {
      ...event.data,
      ...(isDeepStrictEqual(expected, actions) ? {} : { links: decided.data.links }),
      sale: decided.data.sale,
      unsold: decided.data.unsold,
    });

    function splitAgain(at: RunView): Decision {
      const sold = actions.find((action) => action.kind === 'sell');
      const facts = { outcome: 'unsold', now: new Date(event.metadata.occurredAt) } as const;
      if (sold?.kind !== 'sell') {
        const reason = (unsold ?? 'nothing-to-sell') as UnsoldReason;
        return decideSplit(at, { ...facts, selling: { kind: 'keep', reason } });
      }
      const [amount, minimum] = [BigInt(sold.amount), BigInt(sold.minimum)];
      findings.atLeast('a sale sells no more than the settings allow', amount, saleable(at), placeOf(event));
      const { venue, market } = sold;
      const { mint, decimals } = at.open;
      const offered = { venue, market, mint, decimals, amount, minimum };
      return decideSplit(at, { ...facts, selling: { kind: 'sell', sale: offered, basis: sale ?? null } });
    }
  }

  /** The chain determines the remaining pots, so only their amounts are checked. */
  function checkClosing(
    event: TokenRunEvent,
    actions: readonly LinkAction[],
    { run: { allotted, pots } }: RunView,
  ): void {
    for (const action of actions) {
      const account =
        action.kind === 'close' ? action.pot : action.kind === 'revoke' ? action.delegate : action.kind;
      const index = (allotted?.pots ?? []).findIndex(
        ({ asset, address, delegate }) =>
          asset === (action.kind === 'close' ? 'sol' : 'token') &&
          account === (asset === 'sol' ? address : delegate),
      );
      findings.equal(
        'a close returns the rest of its pot',
        pots[index]?.value ?? 'no pot of the run',
        'left' in action ? action.left : action.kind,
        { ...placeOf(event), account },
      );
    }
  }

  /** The pots of an asset must partition its payments in order. */
  function checkPots(
    event: Recorded<Extract<DistributionRunEvent, { type: 'RunAllotted' }>>,
    { token, open }: RunView,
    book: PaymentBook,
  ): void {
    const next = { sol: 0, token: 0 };
    for (const { asset, address, seed, delegate, from, to, allowance } of event.data.pots) {
      const place = { ...placeOf(event), account: address };
      findings.equal('the pots of a run cover its payments', `from ${next[asset]}`, `from ${from}`, place);
      findings.equal(
        'a pot may pay the sum in the ledger',
        book.sum(asset, from, to),
        BigInt(allowance),
        place,
      );
      const own = asset === 'sol' ? seededAddress(token.wallet.address, seed, TOKEN_PROGRAM) : token.tokens;
      findings.equal("a pot is the wallet's", own, address, place);
      if (asset === 'sol')
        findings.equal('the distributor pays out of a pot of SOL', open.distributor, delegate, place);
      next[asset] = to;
    }
    for (const asset of ['sol', 'token'] as const)
      findings.equal(
        'the pots of a run cover its payments',
        `up to ${book.count[asset]}`,
        `up to ${next[asset]}`,
        placeOf(event),
      );
  }

  function checkPlan(event: TokenRunEvent, batch: PlannedBatch, run: DistributionRunState): void {
    const [planned, progress] = [run.allotted?.pots[batch.pot], run.pots[batch.pot]];
    const place = { ...placeOf(event), account: planned?.address ?? '' };
    findings.equal(
      'a batch pays the next payments of its pot',
      `${progress?.value} from ${progress?.next}`,
      `${batch.value} from ${batch.from}`,
      place,
    );
    if (planned !== undefined)
      findings.atLeast(
        'a batch pays the next payments of its pot',
        BigInt(batch.to),
        BigInt(planned.to),
        place,
      );
    const paid = planned?.asset ?? 'sol';
    for (const number of batch.without)
      if (run.refused[paymentKey(paid, number)] === undefined)
        findings.add({
          what: 'a batch leaves out only refused payments',
          expected: 'a refusal of the chain',
          found: `payment ${number} is left out`,
          ...place,
        });
  }

  function checkSettled(
    event: Recorded<Extract<DistributionRunEvent, { type: 'BatchesSettled' }>>,
    { allotted, pots }: DistributionRunState,
    book: PaymentBook | undefined,
  ): void {
    for (const { signature, slot: _slot, left, fee: _fee, ...plan } of event.data.batches) {
      const pot = allotted?.pots[plan.pot];
      const place = { ...placeOf(event), account: pot?.address ?? '', signature };
      if (pots[plan.pot]?.plans.some((each) => isDeepStrictEqual(each, plan)) !== true)
        findings.add({
          what: 'a batch is recorded before it is signed',
          expected: 'a plan of the run',
          found: JSON.stringify(plan),
          ...place,
        });
      if (book !== undefined && pot !== undefined)
        findings.equal(
          'a settled batch lowers its pot by its payments',
          BigInt(plan.value) - book.sumOfBatch(pot.asset, plan),
          BigInt(left),
          place,
        );
    }
  }

  async function closeAgain(
    event: Recorded<Extract<DistributionEvent, { type: 'RunClosed' }>>,
    view: RunView,
    book: PaymentBook | undefined,
  ): Promise<void> {
    const { closedAt, carried } = event.data;
    if (book === undefined || carried.settlement === null) return;
    const { header } = await ledgers.settlement(carried.settlement);
    const { address: till, lamports } = header.tillAfter;
    const tokens = BigInt(view.state.landed.at(-1)?.tokens ?? '0');
    const books = closingBooks(view, book, { till, lamports: BigInt(lamports), tokens });
    const settlement = books.broken === undefined ? sha256Of(settlementChunks(view, books)) : undefined;
    compareDecision(
      event,
      decideClose(view, { books, witness: undefined, settlement, now: new Date(closedAt) }),
    );
  }

  function compareDecision(event: TokenRunEvent, decision: Decision): void {
    const again =
      decision.kind === 'record-of-token' || decision.kind === 'record-of-run'
        ? decision.events[0]
        : undefined;
    if (again !== undefined && again.type === event.type) compare(event, again.data);
    else
      findings.equal(
        `${event.type} follows from the rules`,
        again?.type ?? (decision.kind === 'halt' ? `halt: ${decision.reason}` : decision.kind),
        event.type,
        placeOf(event),
      );
  }

  /** Reports all differing fields in one finding. */
  function compare(event: TokenRunEvent, again: object): void {
    const recorded: Fields = { ...event.data };
    const decided: Fields = { ...again };
    const differing = [...new Set([...Object.keys(recorded), ...Object.keys(decided)])].filter(
      (name) => !isDeepStrictEqual(recorded[name], decided[name]),
    );
    if (differing.length === 0) return;
    const shown = (fields: Fields) =>
      differing.map((name) => `${name} ${JSON.stringify(fields[name]) ?? 'absent'}`).join(', ');
    findings.add({
      what: `${event.type} follows from the rules`,
      expected: shown(decided),
      found: shown(recorded),
      ...placeOf(event),
    });
  }

  return {
    execute,
    get state() {
      return state;
    },
  };
}

const NOTHING_SOLD = {
  outcome: 'unsold',
  selling: { kind: 'keep', reason: 'nothing-to-sell' },
  now: new Date(0),
} as const;

function openAgain(view: RunView): Decision {
  return decideOpen(view, { now: new Date(view.run.allotted?.payAfter ?? 0) });
}

function isStep(event: TokenRunEvent): event is Recorded<DistributionRunEvent> {
  return event.type in distributionRunEvents;
}

export function placeOf(event: TokenRunEvent): Place {
  const { tokenId, runId } = event.data as { readonly tokenId: string; readonly runId?: string | null };
  return { ...recordedAt(event as Recorded), tokenId, ...(typeof runId === 'string' ? { runId } : {}) };
}

export function tokenOf({
  tokenId,
  mint,
  decimals,
  distributionWallet,
  distributor,
}: Pick<
  OpenedRun,
  'tokenId' | 'mint' | 'decimals' | 'distributionWallet' | 'distributor'
>): DistributedToken {
  const tokens = associatedTokenAddress(distributionWallet, mint);
  return {
    tokenId,
    mint,
    decimals,
    wallet: publicKeyOf(distributionWallet),
    tokens,
    distributor: publicKeyOf(distributor),
  };
}

/** Key pair without a secret key. */
function publicKeyOf(address: string): KeyPair {
  return {
    address,
    publicKey: addressBytes(address),
    secretKey: new Uint8Array(0),
    sign() {
      throw new Error('an audit cannot sign');
    },
  };
}
