/** Closes the books of a run: checks every equation, writes the settlement, and records what the next run takes over. */
import { addressBytes, readTokenAccount } from 'levy-solana-wire';
import { type Chain, ChainAnswerInvalid, ChainUnavailable } from '../ports/chain.ts';
import { causeOf } from '../runtime/execute.ts';
import {
  type DistributionState,
  distribution,
  type LinkPurpose,
  type OpenedRun,
  REWARD_ASSETS,
  type RewardAsset,
  RunClosed,
} from '../streams/distribution.ts';
import {
  type DistributionRunState,
  paymentKey,
  type SettledBatch,
  type WitnessWord,
} from '../streams/distribution-run.ts';
import { type Wait, waitFor } from '../streams/distribution-wait.ts';
import { isGone } from './absences.ts';
import type { DistributedToken } from './distributed-token.ts';
import type { EngineParts } from './engine-parts.ts';
import {
  createSettlementWriter,
  type LandedBatch,
  type RefusedPayment,
  type SettlementHeader,
} from './ledger/settlement-file.ts';
import { lamportsOfTill } from './links/judge-links.ts';
import type { PaymentBook } from './paying/payment-book.ts';
import { isSameMoment } from './same-moment.ts';
import type { WitnessState } from './services.ts';
import type { TokenMemory } from './token-memory.ts';

export type ClosingOutcome =
  | { readonly outcome: 'closed' }
  | { readonly outcome: 'waiting'; readonly for: Wait; readonly witness?: WitnessWord }
  /** The last till is gone: nothing is recorded. */
  | { readonly outcome: 'ahead'; readonly reason: string }
  /** An equation does not hold: nothing is recorded. */
  | { readonly outcome: 'disagree'; readonly reason: string };

export interface ClosingRun {
  readonly state: DistributionState;
  readonly open: OpenedRun;
  readonly run: DistributionRunState;
  readonly token: DistributedToken;
  readonly book: PaymentBook;
  readonly memory: Pick<TokenMemory, 'absences'>;
}

interface PaidOfAsset {
  readonly batches: readonly LandedBatch[];
  readonly refused: readonly RefusedPayment[];
  readonly sum: bigint;
  readonly count: number;
}

const SIGNATURES_PER_READ = 256;

export async function closeRun(parts: EngineParts, closing: ClosingRun): Promise<ClosingOutcome> {
  const { state, open, run, token } = closing;
  const { allotted, split, collected } = run;
  if (allotted === undefined || split === undefined || collected === undefined)
    throw new Error('a run is closed when everything is paid');
  const { asset, carried } = open;
  const other: RewardAsset = asset === 'sol' ? 'token' : 'sol';
  const paid = { sol: paidOf(closing, 'sol'), token: paidOf(closing, 'token') };
  const last = await booksShown(parts, closing);
  if ('outcome' in last) return last;

  const [owed, dust] = [BigInt(carried.owed[asset]), BigInt(carried.dust[asset])];
  const [costs, developer, holders] = [split.costs, split.developer, split.holders].map(BigInt) as [
    bigint,
    bigint,
    bigint,
  ];
  const shares = BigInt(allotted.shares);
  const dustAfter = BigInt(allotted.dust);
  const owedAfter = owed + costs + developer + shares - paid[asset].sum;
  const otherOwed = BigInt(carried.owed[other]) - paid[other].sum;
  const kept = BigInt(split.kept.developer) + BigInt(split.kept.holders);
  const owedNow = byAsset(asset, owedAfter, otherOwed);
  const dustNow = byAsset(asset, dustAfter, BigInt(carried.dust[other]));

  const broken = [
    check(
      'collected + kept = burned + sold + kept afterwards',
      BigInt(collected.collected) + BigInt(carried.kept.developer) + BigInt(carried.kept.holders),
      BigInt(split.burned) + BigInt(split.sold.developer) + BigInt(split.sold.holders) + kept,
    ),
    asset === 'sol'
      ? check('proceeds = costs + developer + holders', BigInt(split.proceeds), costs + developer + holders)
      : undefined,
    check('holders + dust = shares + dust afterwards', holders + dust, shares + dustAfter),
    owedAfter < 0n || otherOwed < 0n ? 'more was paid than was owed' : undefined,
    last.lamports < owedNow.sol + dustNow.sol
      ? `the till holds ${last.lamports} lamports, and ${owedNow.sol + dustNow.sol} are owed or undivided`
      : undefined,
    last.tokens < kept + owedNow.token + dustNow.token
      ? `the wallet's account holds ${last.tokens} base units, and ${kept + owedNow.token + dustNow.token} are kept, owed or undivided`
      : undefined,
  ].find((each) => each !== undefined);
  if (broken !== undefined) return { outcome: 'disagree', reason: `The books do not agree: ${broken}.` };

  if (parts.witness !== undefined) {
    const word = await wordOf(parts.witness, token, state, run.settled, last.lamports);
    parts.witnessSaid(word);
    if (word.state !== 'agrees')
      return {
        outcome: 'waiting',
        for: waitFor(`witness-${word.state}`, `The second node ${word.detail ?? 'does not answer'}.`),
        witness: word.state,
      };
  }

  const signaturesOf = (purpose: LinkPurpose) =>
    state.landed
      .filter((each) => each.purpose === purpose)
      .flatMap(({ links }) => links.map(({ signature }) => signature));
  const settledOf = (one: RewardAsset) => ({
    payments: allotted.payments[one].count,
    batches: paid[one].batches.length,
    paid: paid[one].count,
    sum: paid[one].sum.toString(),
    refused: paid[one].refused.length,
  });
  const header: SettlementHeader = {
    format: 'levy-settlement-1',
    runId: open.runId,
    tokenId: open.tokenId,
    mint: open.mint,
    allotment: allotted.ledger,
    root: allotted.root,
    sol: settledOf('sol'),
    token: settledOf('token'),
    owedAfter: digits(owedNow),
    dustAfter: digits(dustNow),
    tillAfter: { address: last.till, lamports: last.lamports.toString() },
    pots: allotted.pots.map(({ asset: paidIn, address, allowance }, index) => ({
      asset: paidIn,
      address,
      allowance,
      left: run.pots[index]?.value ?? allowance,
    })),
    transactions: {
      withdraw: [...collected.withdraw],
      split: signaturesOf('split'),
      open: signaturesOf('open'),
      close: signaturesOf('close'),
    },
  };
  const writer = createSettlementWriter(header);
  const settlement = await parts.blobs.put(
    (function* () {
      yield writer.begin;
      for (const one of REWARD_ASSETS) yield writer.landed(paid[one].batches);
      for (const one of REWARD_ASSETS) yield writer.refused(paid[one].refused);
      writer.end();
    })(),
  );

  const linkFees = state.landed.flatMap(({ links }) => links.map(({ fee }) => BigInt(fee)));
  const fees = [...linkFees, ...run.settled.map(({ fee }) => BigInt(fee))].reduce(
    (sum, fee) => sum + fee,
    BigInt(collected.fees),
  );
  await parts.executor.execute(distribution, open.tokenId, causeOf('distributor'), (current) =>
    // A link that was recorded meanwhile belongs to this run, and lands before it closes.
    isSameMoment(current, state) && current.halted === undefined
      ? [
          RunClosed({
            tokenId: open.tokenId,
            runId: open.runId,
            number: open.number,
            asset,
            amounts: {
              kept: carried.kept,
              collected: collected.collected,
              burned: split.burned,
              sold: split.sold,
              keptAfter: split.kept,
              ...(split.ownTax && { ownTax: split.ownTax }),
              proceeds: split.proceeds,
              costs: split.costs,
              developer: split.developer,
              holders: split.holders,
              dust: carried.dust[asset],
              dustAfter: allotted.dust,
              shares: allotted.shares,
              owed: carried.owed[asset],
              owedAfter: owedAfter.toString(),
              planned: allotted.payments[asset].sum,
              paid: paid[asset].sum.toString(),
            },
            paidDebts: paid[other].sum.toString(),
            walletsPaid: paid.sol.count + paid.token.count,
            fees: fees.toString(),
            closedAt: parts.clock.now().toISOString(),
            carried: {
              kept: split.kept,
              ...(split.ownTax && { ownTax: split.ownTax.after }),
              owed: digits(owedNow),
              dust: digits(dustNow),
              root: allotted.root,
              ledger: allotted.ledger,
              settlement,
            },
          }),
        ]
      : [],
  );
  return { outcome: 'closed' };
}

function check(equation: string, left: bigint, right: bigint): string | undefined {
  return left === right ? undefined : `${equation}, but ${left} is not ${right}`;
}

function byAsset(asset: RewardAsset, own: bigint, other: bigint) {
  return asset === 'sol' ? { sol: own, token: other } : { sol: other, token: own };
}

function digits({ sol, token }: { readonly sol: bigint; readonly token: bigint }) {
  return { sol: sol.toString(), token: token.toString() };
}

/** What landed of an asset, in the order of the payments. */
function paidOf({ run, book }: ClosingRun, asset: RewardAsset): PaidOfAsset {
  const pots = run.allotted?.pots ?? [];
  const own = run.settled
    .filter(({ pot }) => pots[pot]?.asset === asset)
    .sort((one, other) => one.from - other.from);
  const batches = own.map((batch) => ({
    pot: batch.pot,
    from: batch.from,
    to: batch.to,
    signature: batch.signature,
    slot: BigInt(batch.slot),
    sum: book.sumOfBatch(asset, batch),
  }));
  const count = own.reduce((sum, { from, to, without }) => sum + (to - from - without.length), 0);
  const refused = Object.entries(run.refused)
    .flatMap(([key, refusal]): RefusedPayment[] => {
      const number = Number(key.slice(asset.length + 1));
      return key === paymentKey(asset, number) ? [{ asset, number, refusal }] : [];
    })
    // A refusal counts only for who was not paid after all.
    .filter(({ number }) => !isPaid(own, number))
    .sort((one, other) => one.number - other.number);
  return { batches, refused, count, sum: batches.reduce((total, { sum }) => total + sum, 0n) };
}

/** The batches are sorted by their first payment, and do not overlap. */
function isPaid(batches: readonly SettledBatch[], number: number): boolean {
  let [low, high] = [0, batches.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((batches[middle]?.to ?? 0) <= number) low = middle + 1;
    else high = middle;
  }
  const batch = batches[low];
  return batch !== undefined && batch.from <= number && !batch.without.includes(number);
}

interface LastBooks {
  readonly till: string;
  readonly lamports: bigint;
  readonly tokens: bigint;
}

/** Undefined is what the node does not show. */
async function latestBooks(
  chain: Pick<Chain, 'accountsAt'>,
  { wallet, tokens }: DistributedToken,
  { till }: DistributionState,
  options: { readonly elsewhere?: boolean } = {},
): Promise<{ readonly slot: bigint; readonly till: string } & Partial<Omit<LastBooks, 'till'>>> {
  if (till === undefined) throw new Error('a run is closed when its links have landed');
  const { slot, accounts } = await chain.accountsAt([till.address, tokens], 'finalized', {
    atLeastSlot: BigInt(till.slot),
    ...options,
  });
  const lamports = lamportsOfTill(accounts[0], addressBytes(wallet.address));
  const held = accounts[1] && readTokenAccount(accounts[1]);
  return {
    slot,
    till: till.address,
    ...(lamports === undefined ? {} : { lamports }),
    ...(held === undefined ? {} : { tokens: held.amount }),
  };
}

/** The latest books; what is missing in them is looked at again before it counts as gone. */
async function booksShown(
  { chain, clock }: Pick<EngineParts, 'chain' | 'clock'>,
  { token, state, memory: { absences } }: ClosingRun,
): Promise<LastBooks | Exclude<ClosingOutcome, { outcome: 'closed' }>> {
  const [tillName, accountName] = [`the till ${state.till?.address}`, `the account ${token.tokens}`];
  const shown = await latestBooks(chain, token, state, {
    elsewhere: absences.has(tillName) || absences.has(accountName),
  });
  const { slot, till, lamports, tokens } = shown;
  const look = { slot, at: clock.now().getTime() };
  const isTillGone = lamports === undefined && isGone(absences, tillName, look);
  const isAccountGone = tokens === undefined && isGone(absences, accountName, look);
  if (lamports !== undefined) absences.delete(tillName);
  if (tokens !== undefined) absences.delete(accountName);
  if (isTillGone)
    return {
      outcome: 'ahead',
      reason: `At slot ${slot} the till ${till} is gone, and no link after it was recorded.`,
    };
  if (isAccountGone)
    return {
      outcome: 'disagree',
      reason: `At slot ${slot} the wallet's account ${token.tokens} is gone.`,
    };
  if (lamports === undefined || tokens === undefined) {
    const missing = lamports === undefined ? 'the last till' : "the wallet's account of the token";
    return { outcome: 'waiting', for: waitFor('node-behind', `The chain node does not show ${missing}.`) };
  }
  return { till, lamports, tokens };
}

async function wordOf(...asked: Parameters<typeof askWitness>): Promise<Omit<WitnessState, 'since'>> {
  try {
    const detail = await askWitness(...asked);
    return { state: detail === undefined ? 'agrees' : 'disagrees', detail };
  } catch (error) {
    if (!(error instanceof ChainUnavailable || error instanceof ChainAnswerInvalid)) throw error;
    return { state: 'silent', detail: `does not answer (${error.message})` };
  }
}

/** Why the second node does not vouch for the books; undefined if it does. */
async function askWitness(
  witness: Chain,
  token: DistributedToken,
  state: DistributionState,
  settled: readonly SettledBatch[],
  lamports: bigint,
): Promise<string | undefined> {
  const seen = await latestBooks(witness, token, state);
  if (seen.lamports === undefined || seen.tokens === undefined) return 'does not show the last till';
  if (seen.lamports < lamports) return `shows ${seen.lamports} lamports in the till instead of ${lamports}`;
  const signatures = [
    ...settled.map(({ signature }) => signature),
    ...state.landed.flatMap(({ links }) => links.map(({ signature }) => signature)),
  ];
  for (let from = 0; from < signatures.length; from += SIGNATURES_PER_READ) {
    const page = signatures.slice(from, from + SIGNATURES_PER_READ);
    const statuses = await witness.statuses(page);
    const missing = page.find(
      (_signature, index) =>
        statuses[index]?.commitment !== 'finalized' || statuses[index]?.error !== undefined,
    );
    if (missing !== undefined) return `does not show the transaction ${missing} as final`;
  }
  return undefined;
}
