/** Opens a token's run if it is due and worth its costs; the run pins the token's settings. */
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
import { scanHolders } from '../../collecting/confirm-scan.ts';
import { AGAIN, type Decision, isDecision, recordsOfToken, waits } from '../../decision.ts';
import { distributedToken } from '../../distributed-token.ts';
import { type EngineParts, MAX_PAUSE, TROUBLE_PAUSE } from '../../engine-parts.ts';
import { REFERENCE_WINDOW } from '../../selling/price-reference.ts';
import { readTaxedMint } from '../../sending/current-tax.ts';
import { type DueRun, dueRun } from '../../timetable.ts';
import type { TokenMemory } from '../../token-memory.ts';
import { type Recorded, slotReached } from '../../view.ts';
import { estimateRun, refusalOf } from '../estimate-run.ts';

type MintFacts = Awaited<ReturnType<typeof readTaxedMint>>;

/** Facts captured when a run opens. */
interface RunToOpen {
  readonly runId: string;
  /** State after the scan, to include changes made during it. */
  readonly created: NonNullable<TokenState>;
  readonly owners: Pick<ListedOwners, 'excludedOwners' | 'allowedOwners'>;
  readonly tax: Pick<MintFacts, 'older' | 'newer' | 'epoch'>;
  readonly asset: RewardAsset;
  readonly terms: Pick<OpenedRun, 'policy' | 'distributor' | 'serviceAddresses'>;
}

/** The service's terms for a run that is opened now. */
export function serviceTerms({
  policy: { holding, minShare, minimumPayout, costsMaxBasisPoints },
  keyring,
}: Pick<EngineParts, 'policy' | 'keyring'>): RunToOpen['terms'] {
  return {
    policy: {
      holding,
      leastShare: minShare.toString(),
      minimumPayout: minimumPayout.toString(),
      costsMaxBasisPoints,
    },
    distributor: keyring.distributor.address,
    serviceAddresses: [...serviceAddresses(keyring)],
  };
}

interface Refusal {
  readonly reason: SkipReason;
  readonly detail: string;
}

/** `idle`: no run is due, or the token has no runs. */
interface Considered {
  readonly step: 'idle' | 'consider';
  readonly decision: Decision;
}

const idle = (pause: number, reason?: Wait): Considered => ({
  step: 'idle',
  decision: waits(reason, pause),
});

interface ConsiderAt {
  readonly parts: EngineParts;
  readonly recorded: Recorded;
  readonly memory: TokenMemory;
}

/** The cached state is enough to decide that nothing is due; any new event invalidates it. */
export async function considerRun(at: ConsiderAt): Promise<Considered> {
  const { executor } = at.parts;
  const known = await checkDueTime(
    at,
    (await executor.load(tokenStream, at.recorded.tokenId, { trust: 'cached' })).state,
  );
  if ('decision' in known) return known;
  const found = await checkDueTime(at, (await executor.load(tokenStream, at.recorded.tokenId)).state);
  return 'decision' in found ? found : considerDue(at, found.created, found.due);
}

/** The due run, or the reason why no run is due. */
async function checkDueTime(
  at: ConsiderAt,
  created: TokenState,
): Promise<{ readonly created: NonNullable<TokenState>; readonly due: DueRun } | Considered> {
  const { parts, recorded, memory } = at;
  const { tokenId, state } = recorded;
  const { clock, keyring, prices } = parts;
  const keptFrom = recipientOfEverything(created);
  if (created === undefined || keptFrom !== undefined) {
    memory.scan = undefined;
    return idle(MAX_PAUSE, waitFor('paused', keptFrom));
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
    return idle(Math.max(1_000, Math.min(MAX_PAUSE, due.opensAt - now)));
  }
  return { created, due };
}

/** Reason why a token has no runs; undefined if it has runs. */
function recipientOfEverything(created: TokenState): string | undefined {
  if (created === undefined || !created.exists)
    return 'The creation of the token is not recorded, or was reverted by a fork.';
  if (!created.settings.distributionEnabled) return 'The creator has disabled the distribution.';
  if (created.hidden !== undefined) return 'An operator has hidden the token.';
  return undefined;
}

/** ISO 8601 time at which the creation was recorded; intervals are counted from it. */
async function createdAtOf({
  parts,
  recorded: { tokenId },
  memory: { opening },
}: ConsiderAt): Promise<string> {
  if (opening.createdAt === undefined) {
    const { events } = await parts.executor.load(tokenStream, tokenId, { trust: 'cached' });
    const event = events.findLast(({ type }) => type === 'TokenCreated');
    if (event === undefined) throw new Error(`the token ${tokenId} has no TokenCreated event`);
    opening.createdAt = event.metadata.occurredAt;
  }
  return opening.createdAt;
}

async function considerDue(
  at: ConsiderAt,
  created: NonNullable<TokenState>,
  due: DueRun,
): Promise<Considered> {
  const { parts, recorded, memory } = at;
  const { chain, keyring, clock } = parts;
  const { tokenId, state } = recorded;
  const { mintAddress: mint, decimals, walletId } = created.created.token;
  const isRequested = state.requested !== undefined;
  // A run requested before its due time does not replace the due run.
  const dueAt = isRequested ? Math.min(due.dueAt, clock.now().getTime()) : due.dueAt;
  const refused = (refusal: Refusal): Considered => {
    memory.opening.handled = dueAt;
    delete memory.opening.awaited;
    return { step: 'idle', decision: decideRefused(recorded, dueAt, refusal) };
  };
  const considers = (decision: Decision): Considered => ({ step: 'consider', decision });
  const asset = rewardAsset(created.settings, mint);
  if (asset === undefined)
    return refused({
      reason: 'reward-token-unsupported',
      detail: `Holders cannot be paid in ${created.settings.rewardToken}.`,
    });
  const ofAll = await refusalOfAll(parts);
  if (ofAll !== undefined) return refused(ofAll);

  // Every transfer of a taxed token names its mint, so without a new transaction there is no new tax.
  const [newest] = await chain.signaturesOf(mint, { limit: 1, commitment: 'finalized' });
  const activity = newest?.signature;
  if (isRequested && (await isAwaited(parts, mint, memory)))
    return considers(waits(waitFor('finality', 'The latest transfers of the token are not final yet.')));
  if (!isRequested && activity !== undefined && activity === memory.opening.activity) {
    memory.opening.handled = due.dueAt;
    return idle(1_000);
  }
  const progress = await scanHolders(parts, mint, memory, slotReached(state));
  if (isDecision(progress)) return considers(progress);
  const token = distributedToken(keyring, { tokenId, mint, decimals, walletId });
  const found = progress.scan.collector;
  const estimate = await estimateRun(parts, { token, state, created, asset, found });
  if (activity !== undefined) memory.opening.activity = activity;
  const refusal = refusalOf(parts, state, asset, estimate, isRequested);
  if (refusal !== undefined) {
    memory.scan = undefined;
    return refused(refusal);
  }
  delete memory.opening.awaited;
  const run = await runToOpen(at, asset);
  // The opened run reuses this scan by its `runId`. Without a run, the scan is discarded, because it is too old for a
  // later one.
  if (run === undefined) {
    memory.scan = undefined;
    return considers(AGAIN);
  }
  memory.runId = run.runId;
  return considers(recordsOfToken(runOpened(recorded, { dueAt, run })));
}

/** Reasons that prevent the service from opening any run. */
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
      detail: `The distributor ${address} holds ${balance} lamports; opening a run requires ${policy.floor}.`,
    };
  // Simulate again: the last simulation may have failed because the distributor had no SOL.
  const unsuitable = await suitability.check();
  return unsuitable === undefined ? undefined : { reason: 'chain-unavailable', detail: unsuitable };
}

/** A manual run includes the newest transfer, so wait until that transfer is finalized. */
async function isAwaited({ chain }: EngineParts, mint: string, { opening }: TokenMemory): Promise<boolean> {
  if (opening.awaited === undefined) {
    const [latest] = await chain.signaturesOf(mint, { limit: 1, commitment: 'confirmed' });
    opening.awaited = latest?.signature ?? '';
  }
  if (opening.awaited === '') return false;
  const [status] = await chain.statuses([opening.awaited]);
  // The node does not return a transaction that a fork has dropped.
  return status !== undefined && status.commitment !== 'finalized';
}

/** Undefined if the run must not be opened any more. */
async function runToOpen(
  { parts, recorded: { tokenId } }: ConsiderAt,
  asset: RewardAsset,
): Promise<RunToOpen | undefined> {
  const { executor, chain, clock } = parts;
  const { state: created } = await executor.load(tokenStream, tokenId);
  const { state: lists } = await executor.load(distributionOwners, tokenId);
  if (created === undefined || recipientOfEverything(created) !== undefined) return undefined;
  const { mintAddress } = created.created.token;
  if (rewardAsset(created.settings, mintAddress) !== asset) return undefined;
  const tax = await readTaxedMint(chain, mintAddress);
  const owners = ownersAt(lists, clock.now().toISOString());
  return { runId: randomId(), created, owners, tax, asset, terms: serviceTerms(parts) };
}

/** Records a repeated reason only once. Pure. */
export function decideRefused(
  { tokenId, state }: Pick<Recorded, 'tokenId' | 'state'>,
  dueAt: number,
  { reason, detail }: Refusal,
): Decision {
  const waiting = { for: waitFor(reason, detail), pause: TROUBLE_PAUSE };
  if (state.skipped === reason && state.requested === undefined) return { kind: 'wait', waiting };
  const skipped = RunSkipped({ tokenId, dueAt: new Date(dueAt).toISOString(), reason, detail });
  return { kind: 'record-of-token', events: [skipped], waiting };
}

export function runOpened(
  { tokenId, state }: Pick<Recorded, 'tokenId' | 'state'>,
  { dueAt, run }: { readonly dueAt: number; readonly run: RunToOpen },
): ReturnType<typeof RunOpened> {
  const { runId, created, asset, tax } = run;
  const { mintAddress, decimals, walletId, distributionWallet, partner } = created.created.token;
  const { telegramGroupId: _private, ...pinned } = created.settings;
  const rate = ({ epoch, basisPoints, maximumFee }: MintFacts['older']) => ({
    epoch: epoch.toString(),
    basisPoints,
    maximumFee: maximumFee.toString(),
  });
  const { excludedOwners, allowedOwners } = run.owners;
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
    owners: { excludedOwners, allowedOwners },
    carried: state.carried,
    rules: ENGINE_RULES,
    ...run.terms,
    ...(partner !== undefined && { partner }),
  });
}
