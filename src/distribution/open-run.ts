/** Decides whether a token's run is due and worth its costs, and opens it: from then on its settings stay as they are. */
import { feeOfTransfer, readTokenAccount } from 'levy-solana-wire';
import type { Clock } from '../runtime/clock.ts';
import { causeOf } from '../runtime/execute.ts';
import { randomId } from '../runtime/ids.ts';
import {
  DistributionHalted,
  type DistributionState,
  distribution,
  type RewardAsset,
  RunOpened,
  RunSkipped,
  type SkipReason,
} from '../streams/distribution.ts';
import { distributionOwners, ownersAt } from '../streams/distribution-owners.ts';
import { type WaitCode, waitFor } from '../streams/distribution-wait.ts';
import { rewardAsset } from '../streams/reward-asset.ts';
import { type TokenState, token as tokenStream } from '../streams/token.ts';
import { QUOTE_REFUSALS, type QuoteRefusal } from '../streams/unsold-reasons.ts';
import { split as splitTax, sumOf } from './amounts/split.ts';
import { reservedTokens, tokensBefore } from './carried-over.ts';
import { lookAtHolders, lookPartsOf } from './collecting/look-at-holders.ts';
import type { OwnerCollector } from './collecting/scanned-owners.ts';
import { estimateFees, mostCosts } from './costs.ts';
import { type DistributedToken, distributedToken } from './distributed-token.ts';
import {
  type EngineParts,
  LONGEST_PAUSE,
  LOOK_PAUSE,
  type StepResult,
  TROUBLE_PAUSE,
} from './engine-parts.ts';
import { movedWithin } from './selling/impact-budget.ts';
import { REFERENCE_WINDOW } from './selling/price-reference.ts';
import { ESTIMATE } from './selling/sale-venue.ts';
import { readTaxedMint } from './sending/tax-now.ts';
import { type DueRun, dueRun } from './timing.ts';
import type { TokenMemory } from './token-memory.ts';

export async function considerRun(
  parts: EngineParts,
  tokenId: string,
  state: DistributionState,
  memory: TokenMemory,
): Promise<StepResult> {
  const { executor, clock, keyring } = parts;
  const { state: created } = await executor.load(tokenStream, tokenId);
  const isRequested = state.requested !== undefined;
  const keptFrom = whoKeeps(created);
  if (created === undefined || keptFrom !== undefined) {
    memory.scan = undefined;
    return { pause: LONGEST_PAUSE, step: 'idle', waitingFor: waitFor(keptFrom ?? 'token-missing') };
  }

  const now = clock.now().getTime();
  const due = dueRun(
    {
      tokenId,
      createdAt: await createdAtOf(parts, tokenId, memory),
      interval: created.settings.distributionInterval,
      lastDueAt: state.lastDueAt,
    },
    now,
    keyring.scanMoment,
  );
  if (
    due.opensAt - now < REFERENCE_WINDOW &&
    rewardAsset(created.settings, created.created.token.mintAddress) === 'sol'
  )
    parts.prices.want(created.created.token.mintAddress);
  const isHandled = (memory.opening.handled ?? 0) >= due.dueAt;
  if (!isRequested && (due.opensAt > now || isHandled)) {
    memory.scan = undefined;
    return { pause: Math.max(1_000, Math.min(LONGEST_PAUSE, due.opensAt - now)), step: 'idle' };
  }
  return openIfWorth(parts, { tokenId, state, created, due, isRequested, memory });
}

/** Why a token has no runs. */
function whoKeeps(created: TokenState): WaitCode | undefined {
  if (created === undefined || !created.exists) return 'token-missing';
  if (!created.settings.distributionEnabled) return 'disabled';
  if (created.hidden !== undefined) return 'hidden';
  return undefined;
}

interface Considered {
  readonly tokenId: string;
  readonly state: DistributionState;
  readonly created: NonNullable<TokenState>;
  readonly due: DueRun;
  readonly isRequested: boolean;
  readonly memory: TokenMemory;
}

/** The moment of the grid's beginning: when the creation was recorded. */
async function createdAtOf(
  { executor }: EngineParts,
  tokenId: string,
  { opening }: TokenMemory,
): Promise<string> {
  if (opening.createdAt === undefined) {
    const { event } = await executor.findLast(tokenStream, tokenId, { type: 'TokenCreated' });
    if (event === undefined) throw new Error(`the token ${tokenId} has no creation`);
    opening.createdAt = event.metadata.occurredAt;
  }
  return opening.createdAt;
}

async function openIfWorth(parts: EngineParts, considered: Considered): Promise<StepResult> {
  const { chain, keyring, policy } = parts;
  const { tokenId, state, created, memory, isRequested } = considered;
  const { token: facts } = created.created;
  const { mintAddress: mint, decimals, walletId } = facts;
  const asset = rewardAsset(created.settings, mint);
  if (asset === undefined)
    return skip(
      parts,
      considered,
      'reward-token-unsupported',
      `Nothing is paid in ${created.settings.rewardToken}.`,
    );
  const balance = await chain.balance(keyring.distributor.address);
  if (balance < policy.floor)
    return skip(
      parts,
      considered,
      'distributor-unfunded',
      `The distributor ${keyring.distributor.address} holds ${balance} lamports, and opens no run below ${policy.floor}.`,
    );

  // What was found before may be out of date: the distributor may have been funded a moment ago.
  const unsuitable = await parts.suitability.look();
  if (unsuitable !== undefined) return skip(parts, considered, 'chain-unsuitable', unsuitable);

  // Every transfer of a taxed token names its mint: without a new one there is no new tax.
  const [newest] = await chain.signaturesOf(mint, { limit: 1, commitment: 'finalized' });
  const activity = newest?.signature;
  if (isRequested && (await isAwaited(parts, mint, memory)))
    return { pause: LOOK_PAUSE, step: 'consider', waitingFor: waitFor('transfer-finality') };
  if (!isRequested && activity !== undefined && activity === memory.opening.activity) {
    memory.opening.handled = considered.due.dueAt;
    return { pause: 1_000, step: 'idle' };
  }
  const token = distributedToken(keyring, { tokenId, mint, decimals, walletId });
  const look = await lookAtHolders(lookPartsOf(parts), mint, memory);
  if (look.outcome === 'disagrees') return halt(parts, tokenId, look.reason);
  if (look.outcome === 'reading') return { pause: 0, step: 'consider' };
  if (look.outcome === 'waiting') return { pause: look.pause, step: 'consider', waitingFor: look.for };
  const found = look.scan.collector;
  const estimate = await estimateRun(parts, { token, state, created, asset, found });
  if (activity !== undefined) memory.opening.activity = activity;
  const refusal = refusalOf(parts, state, asset, estimate, isRequested);
  if (refusal !== undefined) {
    memory.scan = undefined;
    return skip(parts, considered, refusal.reason, refusal.detail);
  }
  delete memory.opening.awaited;
  const runId = await open(parts, considered, asset);
  // The run begins with what was found just now; a scan that no run begins with is too old for the next.
  if (runId === undefined) memory.scan = undefined;
  memory.runId = runId;
  return { pause: 0, step: 'consider' };
}

/** Before a run is opened. */
async function halt({ executor }: EngineParts, tokenId: string, reason: string): Promise<StepResult> {
  await executor.execute(distribution, tokenId, causeOf('distributor'), (current) =>
    current.halted === undefined && current.open === undefined
      ? [DistributionHalted({ tokenId, runId: null, code: 'SCAN_DISAGREES', reason })]
      : [],
  );
  return { pause: LONGEST_PAUSE, step: 'halted', waitingFor: waitFor('halted', reason) };
}

/** Whoever asks for a run right after a transfer means its tax too: the newest one at the first look is waited for. */
async function isAwaited({ chain }: EngineParts, mint: string, memory: TokenMemory): Promise<boolean> {
  const { opening } = memory;
  if (opening.awaited === undefined) {
    const [latest] = await chain.signaturesOf(mint, { limit: 1, commitment: 'confirmed' });
    opening.awaited = latest?.signature ?? '';
  }
  if (opening.awaited === '') return false;
  const [status] = await chain.statuses([opening.awaited]);
  // One that a fork has dropped is not known any more.
  return status !== undefined && status.commitment !== 'finalized';
}

export interface RunEstimate {
  /** Base units that a run would collect. */
  readonly collectable: bigint;
  readonly kept: bigint;
  readonly burned: bigint;
  /** Base units that would be sold, or paid out where the token itself is paid. */
  readonly sold: bigint;
  /** Lamports that the sale would bring; 0 where the token itself is paid. */
  readonly proceeds: bigint;
  /** Base units that the chain would withhold of the sale. */
  readonly taxOfSale: bigint;
  /** Why nothing would be sold. */
  readonly unsold: QuoteRefusal | undefined;
  /** Lamports. */
  readonly fees: bigint;
  readonly owners: number;
}

/** What an estimate needs of a scan. */
export type ScanFigures = Pick<OwnerCollector, 'accounts' | 'withheld' | 'withWithheld'>;

/** What a run would do now, after a scan. */
export async function estimateRun(
  { chain, clock, markets, policy }: Pick<EngineParts, 'chain' | 'clock' | 'markets' | 'policy'>,
  run: {
    readonly token: DistributedToken;
    readonly state: DistributionState;
    readonly created: NonNullable<TokenState>;
    readonly asset: RewardAsset;
    readonly found: ScanFigures | undefined;
  },
): Promise<RunEstimate> {
  const { token, state, created, asset, found } = run;
  const { carried } = state;
  const { supply, withheld, now: tax } = await readTaxedMint(chain, token.mint);
  const [account] = await chain.accounts([token.tokens], 'finalized');
  const held = (account && readTokenAccount(account)?.amount) ?? 0n;
  const before = tokensBefore(carried);
  const kept = sumOf(before.kept);
  const reserved = reservedTokens(carried);
  const free = held > reserved ? held - reserved : 0n;
  const collectable = (found?.withheld() ?? 0n) + withheld + free;
  const parted = splitTax(collectable, before, created.settings, undefined);
  const wanted = sumOf(parted.sold);
  const owners = found?.accounts ?? 0;
  const fees = estimateFees({
    asset,
    withWithheld: found?.withWithheld ?? 0,
    owners,
    mostPots: policy.mostPots,
    isFirst: state.till === undefined,
  });
  const common = { collectable, kept, burned: parted.burned, taxOfSale: 0n, fees, owners };
  if (asset === 'token' || wanted === 0n) return { ...common, sold: wanted, proceeds: 0n, unsold: undefined };
  const onSale = { mint: token.mint, decimals: token.decimals, supply, tax };
  const moved = movedWithin(state.impacts ?? [], clock.now().getTime());
  const quote = await markets.quote(onSale, wanted, { ...ESTIMATE, moved });
  return quote.outcome === 'sale'
    ? {
        ...common,
        sold: quote.sale.amount,
        proceeds: quote.expected,
        taxOfSale: feeOfTransfer(tax, quote.sale.amount),
        unsold: undefined,
      }
    : { ...common, sold: 0n, proceeds: 0n, unsold: quote.reason };
}

/** Why no run would be opened; undefined if one would. */
export function refusalOf(
  { policy, clock }: Pick<EngineParts, 'policy' | 'clock'>,
  state: DistributionState,
  asset: RewardAsset,
  estimate: RunEstimate,
  isRequested: boolean,
): { readonly reason: SkipReason; readonly detail: string } | undefined {
  const { collectable, kept, sold, burned, proceeds, unsold, fees } = estimate;
  if (collectable === 0n && kept === 0n)
    return { reason: 'nothing-collected', detail: 'No tax is withheld anywhere.' };
  if (unsold !== undefined && burned === 0n)
    return { reason: 'no-market', detail: `The tax cannot be sold now. ${QUOTE_REFUSALS[unsold]}` };
  if (isRequested) return undefined;
  if (asset === 'sol' && sold > 0n) {
    if (fees > mostCosts(proceeds, policy))
      return {
        reason: 'not-worth-its-costs',
        detail: `The run would bring about ${proceeds} lamports and cost about ${fees}.`,
      };
    return undefined;
  }
  const day = clock.now().toISOString().slice(0, 10);
  const spent = state.unrepaid?.day === day ? BigInt(state.unrepaid.lamports) : 0n;
  if (spent + fees > policy.selfCostsPerDay)
    return {
      reason: 'not-worth-its-costs',
      detail: `Runs of this token that repay no costs have cost ${spent} lamports today, and this one would cost about ${fees}.`,
    };
  return undefined;
}

/** A run that was asked for before it was due does not take the place of the one that is due. Milliseconds. */
function dueAtOf({ due, isRequested }: Considered, clock: Clock): number {
  return isRequested ? Math.min(due.dueAt, clock.now().getTime()) : due.dueAt;
}

async function skip(
  { executor, clock }: EngineParts,
  considered: Considered,
  reason: SkipReason,
  detail: string,
): Promise<StepResult> {
  const { tokenId, memory } = considered;
  const dueAt = dueAtOf(considered, clock);
  memory.opening.handled = dueAt;
  delete memory.opening.awaited;
  await executor.execute(distribution, tokenId, causeOf('distributor'), (current) =>
    current.open !== undefined || (current.skipped === reason && current.requested === undefined)
      ? []
      : [RunSkipped({ tokenId, dueAt: new Date(dueAt).toISOString(), reason, detail })],
  );
  return { pause: TROUBLE_PAUSE, step: 'idle', waitingFor: waitFor(reason, detail) };
}

/** The run's id; undefined where none is to be opened any more, or another process was first. */
async function open(
  { executor, chain, clock }: EngineParts,
  considered: Considered,
  asset: RewardAsset,
): Promise<string | undefined> {
  const { tokenId, isRequested } = considered;
  // Read again: what was changed during the scan counts already.
  const { state: created } = await executor.load(tokenStream, tokenId);
  const { state: lists } = await executor.load(distributionOwners, tokenId);
  if (created === undefined || !created.exists || created.hidden !== undefined) return undefined;
  const { mintAddress: mint, decimals, walletId, distributionWallet } = created.created.token;
  const { settings } = created;
  if (!settings.distributionEnabled || rewardAsset(settings, mint) !== asset) return undefined;
  const { telegramGroupId: _private, ...pinned } = settings;
  const { older, newer, epoch } = await readTaxedMint(chain, mint);
  const rate = ({ epoch: since, basisPoints, maximumFee }: typeof older) => ({
    epoch: since.toString(),
    basisPoints,
    maximumFee: maximumFee.toString(),
  });
  const { keptOut, listedIn } = ownersAt(lists, clock.now().toISOString());
  const runId = randomId();
  const { recorded } = await executor.execute(distribution, tokenId, causeOf('distributor'), (state) =>
    state.open !== undefined || state.halted !== undefined
      ? []
      : [
          RunOpened({
            tokenId,
            runId,
            number: state.runs + 1,
            mint,
            decimals,
            walletId,
            distributionWallet,
            dueAt: new Date(dueAtOf(considered, clock)).toISOString(),
            requested: isRequested,
            asset,
            settings: pinned,
            epoch: epoch.toString(),
            tax: { older: rate(older), newer: rate(newer) },
            owners: { keptOut, listedIn },
            carried: state.carried,
          }),
        ],
  );
  return recorded.length > 0 ? runId : undefined;
}
