/** Finds out whether a token's run is due and worth its costs, and opens it: from then on its settings stay as they are. */
import { serviceAddresses } from '../../../chain/keys.ts';
import { randomId } from '../../../kernel/runtime/ids.ts';
import {
  ENGINE_RULES,
  type OpenedRun,
  type RewardAsset,
  RunOpened,
  RunSkipped,
  type SkipReason,
} from '../../../streams/distribution.ts';
import { distributionOwners, type ListedOwners, ownersAt } from '../../../streams/distribution-owners.ts';
import { type Wait, waitFor } from '../../../streams/distribution-wait.ts';
import { rewardAsset } from '../../../streams/reward-asset.ts';
import { type TokenState, token as tokenStream } from '../../../streams/token.ts';
import { lookAtHolders } from '../../collecting/look-at-holders.ts';
import { AGAIN, type Decision, halts, recordsOfToken, waits } from '../../decision.ts';
import { distributedToken } from '../../distributed-token.ts';
import { type EngineParts, LONGEST_PAUSE, LOOK_PAUSE, TROUBLE_PAUSE } from '../../engine-parts.ts';
import { REFERENCE_WINDOW } from '../../selling/price-reference.ts';
import { readTaxedMint } from '../../sending/tax-now.ts';
import { slotReached } from '../../slot-reached.ts';
import { type DueRun, dueRun } from '../../timing.ts';
import type { TokenMemory } from '../../token-memory.ts';
import { estimateRun, refusalOf } from '../estimate-run.ts';
import type { Recorded } from '../view.ts';

type MintFacts = Awaited<ReturnType<typeof readTaxedMint>>;

/** What a run begins with. */
export interface RunToOpen {
  readonly runId: string;
  /** As it is after the scan: what was changed meanwhile counts already. */
  readonly created: NonNullable<TokenState>;
  readonly owners: Pick<ListedOwners, 'keptOut' | 'listedIn'>;
  readonly tax: Pick<MintFacts, 'older' | 'newer' | 'epoch'>;
  readonly asset: RewardAsset;
  readonly terms: Pick<OpenedRun, 'policy' | 'distributor' | 'serviceAddresses'>;
}

/** The service's part of the terms of a run that is opened now. */
export function serviceTerms({
  policy: { holding, leastShare, minimumPayout, costsMaxBasisPoints },
  keyring,
}: Pick<EngineParts, 'policy' | 'keyring'>): RunToOpen['terms'] {
  return {
    policy: {
      holding,
      leastShare: leastShare.toString(),
      minimumPayout: minimumPayout.toString(),
      costsMaxBasisPoints,
    },
    distributor: keyring.distributor.address,
    serviceAddresses: [...serviceAddresses(keyring)],
  };
}

export type DueFacts =
  /** Nothing is due, or the token has no runs. Milliseconds. */
  | { readonly outcome: 'idle'; readonly pause: number; readonly for?: Wait }
  /** It is found out still. */
  | { readonly outcome: 'looking'; readonly pause: number; readonly for?: Wait }
  | { readonly outcome: 'disagrees'; readonly reason: string }
  | { readonly outcome: 'refused'; readonly dueAt: number; readonly refusal: Refusal }
  | { readonly outcome: 'worth'; readonly dueAt: number; readonly run: RunToOpen };

export interface Refusal {
  readonly reason: SkipReason;
  readonly detail: string;
}

export interface ConsiderAt {
  readonly parts: EngineParts;
  readonly recorded: Recorded;
  readonly memory: TokenMemory;
}

/** What this process knows suffices to leave a token alone: whatever is recorded of it wakes it. */
export async function lookWhetherDue(at: ConsiderAt): Promise<DueFacts> {
  const { executor } = at.parts;
  const known = await lookAtTime(
    at,
    (await executor.load(tokenStream, at.recorded.tokenId, { trust: 'cached' })).state,
  );
  if ('outcome' in known) return known;
  const found = await lookAtTime(at, (await executor.load(tokenStream, at.recorded.tokenId)).state);
  return 'outcome' in found ? found : lookWhetherWorth(at, found.created, found.due);
}

/** The run whose time has come, or why there is none. */
async function lookAtTime(
  at: ConsiderAt,
  created: TokenState,
): Promise<
  { readonly created: NonNullable<TokenState>; readonly due: DueRun } | Extract<DueFacts, { outcome: 'idle' }>
> {
  const { parts, recorded, memory } = at;
  const { tokenId, state } = recorded;
  const { clock, keyring, prices } = parts;
  const keptFrom = whoKeeps(created);
  if (created === undefined || keptFrom !== undefined) {
    memory.scan = undefined;
    return { outcome: 'idle', pause: LONGEST_PAUSE, for: waitFor('paused', keptFrom) };
  }
  const now = clock.now().getTime();
  const due = dueRun(
    {
      tokenId,
      createdAt: await createdAtOf(at),
      interval: created.settings.distributionInterval,
      lastDueAt: state.lastDueAt,
    },
    now,
    keyring.scanMoment,
  );
  const { mintAddress } = created.created.token;
  if (due.opensAt - now < REFERENCE_WINDOW && rewardAsset(created.settings, mintAddress) === 'sol')
    prices.want(mintAddress);
  const isHandled = (memory.opening.handled ?? 0) >= due.dueAt;
  if (state.requested === undefined && (due.opensAt > now || isHandled)) {
    memory.scan = undefined;
    return { outcome: 'idle', pause: Math.max(1_000, Math.min(LONGEST_PAUSE, due.opensAt - now)) };
  }
  return { created, due };
}

/** Why a token has no runs. */
function whoKeeps(created: TokenState): string | undefined {
  if (created === undefined || !created.exists)
    return 'The creation of the token is not recorded, or was taken back.';
  if (!created.settings.distributionEnabled) return 'The creator has switched the distribution off.';
  if (created.hidden !== undefined) return 'An operator hides the token.';
  return undefined;
}

/** The moment of the grid's beginning: when the creation was recorded. */
async function createdAtOf({
  parts,
  recorded: { tokenId },
  memory: { opening },
}: ConsiderAt): Promise<string> {
  if (opening.createdAt === undefined) {
    const { events } = await parts.executor.load(tokenStream, tokenId, { trust: 'cached' });
    const event = events.findLast(({ type }) => type === 'TokenCreated');
    if (event === undefined) throw new Error(`the token ${tokenId} has no creation`);
    opening.createdAt = event.metadata.occurredAt;
  }
  return opening.createdAt;
}

async function lookWhetherWorth(
  at: ConsiderAt,
  created: NonNullable<TokenState>,
  due: DueRun,
): Promise<DueFacts> {
  const { parts, recorded, memory } = at;
  const { chain, keyring, clock } = parts;
  const { tokenId, state } = recorded;
  const { mintAddress: mint, decimals, walletId } = created.created.token;
  const isRequested = state.requested !== undefined;
  // A run that was asked for before it was due does not take the place of the one that is due.
  const dueAt = isRequested ? Math.min(due.dueAt, clock.now().getTime()) : due.dueAt;
  const refused = (refusal: Refusal): DueFacts => {
    memory.opening.handled = dueAt;
    delete memory.opening.awaited;
    return { outcome: 'refused', dueAt, refusal };
  };
  const asset = rewardAsset(created.settings, mint);
  if (asset === undefined)
    return refused({
      reason: 'reward-token-unsupported',
      detail: `Nothing is paid in ${created.settings.rewardToken}.`,
    });
  const ofAll = await refusalOfAll(parts);
  if (ofAll !== undefined) return refused(ofAll);

  // Every transfer of a taxed token names its mint: without a new one there is no new tax.
  const [newest] = await chain.signaturesOf(mint, { limit: 1, commitment: 'finalized' });
  const activity = newest?.signature;
  if (isRequested && (await isAwaited(parts, mint, memory)))
    return {
      outcome: 'looking',
      pause: LOOK_PAUSE,
      for: waitFor('finality', 'The latest transfers of the token are not final yet.'),
    };
  if (!isRequested && activity !== undefined && activity === memory.opening.activity) {
    memory.opening.handled = due.dueAt;
    return { outcome: 'idle', pause: 1_000 };
  }
  const look = await lookAtHolders(parts, mint, memory, slotReached(state));
  if (look.outcome === 'disagrees') return look;
  if (look.outcome === 'reading') return { outcome: 'looking', pause: 0 };
  if (look.outcome === 'waiting') return { outcome: 'looking', pause: look.pause, for: look.for };
  const token = distributedToken(keyring, { tokenId, mint, decimals, walletId });
  const found = look.scan.collector;
  const estimate = await estimateRun(parts, { token, state, created, asset, found });
  if (activity !== undefined) memory.opening.activity = activity;
  const refusal = refusalOf(parts, state, asset, estimate, isRequested);
  if (refusal !== undefined) {
    memory.scan = undefined;
    return refused(refusal);
  }
  delete memory.opening.awaited;
  const run = await runToOpen(at, asset);
  // A scan that no run begins with is too old for the next; with this name the run takes over what was found just now.
  if (run === undefined) memory.scan = undefined;
  else memory.runId = run.runId;
  return run === undefined ? { outcome: 'looking', pause: 0 } : { outcome: 'worth', dueAt, run };
}

/** What keeps every run of the service from being opened. */
async function refusalOfAll({
  chain,
  keyring,
  policy,
  suitability,
}: EngineParts): Promise<Refusal | undefined> {
  const { address } = keyring.distributor;
  const balance = await chain.balance(address);
  if (balance < policy.floor)
    return {
      reason: 'distributor-unfunded',
      detail: `The distributor ${address} holds ${balance} lamports, and opens no run below ${policy.floor}.`,
    };
  // What was found before may be out of date: the distributor may have been funded a moment ago.
  const unsuitable = await suitability.look();
  return unsuitable === undefined ? undefined : { reason: 'chain-unavailable', detail: unsuitable };
}

/** Whoever asks for a run right after a transfer means its tax too: the newest one at the first look is waited for. */
async function isAwaited({ chain }: EngineParts, mint: string, { opening }: TokenMemory): Promise<boolean> {
  if (opening.awaited === undefined) {
    const [latest] = await chain.signaturesOf(mint, { limit: 1, commitment: 'confirmed' });
    opening.awaited = latest?.signature ?? '';
  }
  if (opening.awaited === '') return false;
  const [status] = await chain.statuses([opening.awaited]);
  // One that a fork has dropped is not known any more.
  return status !== undefined && status.commitment !== 'finalized';
}

/** Undefined where no run is to be opened any more. */
async function runToOpen(
  { parts, recorded: { tokenId } }: ConsiderAt,
  asset: RewardAsset,
): Promise<RunToOpen | undefined> {
  const { executor, chain, clock } = parts;
  const { state: created } = await executor.load(tokenStream, tokenId);
  const { state: lists } = await executor.load(distributionOwners, tokenId);
  if (created === undefined || whoKeeps(created) !== undefined) return undefined;
  const { mintAddress } = created.created.token;
  if (rewardAsset(created.settings, mintAddress) !== asset) return undefined;
  const tax = await readTaxedMint(chain, mintAddress);
  const owners = ownersAt(lists, clock.now().toISOString());
  return { runId: randomId(), created, owners, tax, asset, terms: serviceTerms(parts) };
}

/** What the answers call the step, and what is decided. */
export function decideConsider(
  { tokenId, state }: Pick<Recorded, 'tokenId' | 'state'>,
  facts: DueFacts,
): { readonly step: 'idle' | 'consider'; readonly decision: Decision } {
  switch (facts.outcome) {
    case 'idle':
      return { step: 'idle', decision: waits(facts.for, facts.pause) };
    case 'looking':
      return {
        step: 'consider',
        decision: facts.for === undefined && facts.pause === 0 ? AGAIN : waits(facts.for, facts.pause),
      };
    case 'disagrees':
      return { step: 'consider', decision: halts('SCAN_DISAGREES', facts.reason) };
    case 'refused': {
      const { reason, detail } = facts.refusal;
      const waiting = { for: waitFor(reason, detail), pause: TROUBLE_PAUSE };
      // The same reason again is reported once.
      const isKnown = state.skipped === reason && state.requested === undefined;
      const dueAt = new Date(facts.dueAt).toISOString();
      const decision: Decision = isKnown
        ? { kind: 'wait', waiting }
        : {
            kind: 'record-of-token',
            events: [RunSkipped({ tokenId, dueAt, reason, detail })],
            waiting,
          };
      return { step: 'idle', decision };
    }
    case 'worth':
      return { step: 'consider', decision: recordsOfToken(runOpened({ tokenId, state }, facts)) };
  }
}

function runOpened(
  { tokenId, state }: Pick<Recorded, 'tokenId' | 'state'>,
  { dueAt, run }: Extract<DueFacts, { readonly outcome: 'worth' }>,
): ReturnType<typeof RunOpened> {
  const { runId, created, asset, tax } = run;
  const { mintAddress, decimals, walletId, distributionWallet } = created.created.token;
  const { telegramGroupId: _private, ...pinned } = created.settings;
  const rate = ({ epoch, basisPoints, maximumFee }: MintFacts['older']) => ({
    epoch: epoch.toString(),
    basisPoints,
    maximumFee: maximumFee.toString(),
  });
  const { keptOut, listedIn } = run.owners;
  return RunOpened({
    tokenId,
    runId,
    number: state.runs + 1,
    mint: mintAddress,
    decimals,
    walletId,
    distributionWallet,
    dueAt: new Date(dueAt).toISOString(),
    requested: state.requested !== undefined,
    asset,
    settings: pinned,
    epoch: tax.epoch.toString(),
    tax: { older: rate(tax.older), newer: rate(tax.newer) },
    owners: { keptOut, listedIn },
    carried: state.carried,
    rules: ENGINE_RULES,
    ...run.terms,
  });
}
