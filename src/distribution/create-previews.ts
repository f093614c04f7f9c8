/** Says what a run of a token would do now: scans, quotes and divides as a run does, and records and sends nothing. */
import { distribution } from '../streams/distribution.ts';
import { distributionOwners, ownersAt } from '../streams/distribution-owners.ts';
import { rejection } from '../streams/rejections.ts';
import { rewardAsset } from '../streams/reward-asset.ts';
import { token as tokenStream } from '../streams/token.ts';
import { decideAllotment, driven } from './allotting/allot-run.ts';
import { divideProceeds, split as splitTax } from './amounts/split.ts';
import { recordedBuckets, recordedOwnTax, tokensBefore } from './carried-over.ts';
import { type LookMemory, lookAtHolders, NOT_LOOKED } from './collecting/look-at-holders.ts';
import { MintNotShown } from './collecting/read-mint.ts';
import type { HolderScan } from './collecting/scan-holders.ts';
import type { ScannedOwners } from './collecting/scanned-owners.ts';
import { mostCosts } from './costs.ts';
import { distributedToken } from './distributed-token.ts';
import type { EngineParts } from './engine-parts.ts';
import { ledgerRefusal } from './ledger/ledger-refusal.ts';
import { previousLedger } from './ledger/open-ledgers.ts';
import { REASONS } from './ledger/record.ts';
import type { DistributionPreview, DistributionPreviews } from './previews.ts';
import { estimateRun, refusalOf, type ScanFigures } from './run/estimate-run.ts';
import { slotReached } from './slot-reached.ts';

/** Milliseconds for which a scan is young. */
const YOUNG = 60_000;
/** Scans that are kept: each has the columns of all owners. */
const MOST_SCANS = 8;

/** The collector itself is let go: where the tax is withheld is nothing to a preview. */
interface YoungScan {
  readonly at: number;
  readonly slots: HolderScan['slots'];
  readonly found: ScanFigures;
  readonly owners: ScannedOwners;
  readonly withheld: bigint;
}

export function createPreviews(
  parts: Omit<EngineParts, 'prices' | 'counts' | 'suitability' | 'witness' | 'witnessSaid'>,
): DistributionPreviews {
  const { executor, chain, clock, keyring, ledgers, policy, rest } = parts;
  const scans = new Map<string, Promise<YoungScan>>();
  // What a preview shows moves no money: the second node is not asked.
  const lookParts = {
    chain,
    witness: undefined,
    witnessSaid() {},
    counts: { scanned() {} },
    now: () => clock.now().getTime(),
  };

  async function scanned(mint: string, since: bigint): Promise<YoungScan> {
    const now = clock.now().getTime();
    const known = await scans.get(mint)?.catch(() => undefined);
    if (known !== undefined && now - known.at < YOUNG) return known;
    const fresh = scanAll(mint, now, since);
    scans.delete(mint);
    scans.set(mint, fresh);
    const [oldest] = scans.keys();
    if (scans.size > MOST_SCANS && oldest !== undefined) scans.delete(oldest);
    return fresh;
  }

  async function scanAll(mint: string, at: number, since: bigint): Promise<YoungScan> {
    const memory: LookMemory = { scan: undefined, looks: NOT_LOOKED };
    for (;;) {
      const look = await lookAtHolders(lookParts, mint, memory, since).catch(notFinalYet);
      await rest();
      if (look.outcome === 'reading') continue;
      if (look.outcome !== 'believed')
        throw rejection(
          'PREVIEW_UNAVAILABLE',
          'The holders cannot be read now so that they add up to the supply; try again.',
          { retryAfterSeconds: 30 },
        );
      const { scan, sums } = look;
      const { collector, slots } = scan;
      const owners = await driven(collector.finish(), rest);
      const { accounts, withWithheld } = collector;
      const inAccounts = collector.withheld();
      const found = { accounts, withWithheld, withheld: () => inAccounts };
      return { at, slots, found, owners, withheld: inAccounts + BigInt(sums.mint[1].withheld) };
    }
  }

  return {
    async of(tokenId): Promise<DistributionPreview> {
      const { state: created } = await executor.load(tokenStream, tokenId);
      if (created === undefined) throw rejection('TOKEN_NOT_FOUND', 'There is no token with this id.');
      const { mintAddress: mint, decimals, walletId } = created.created.token;
      const asset = rewardAsset(created.settings, mint);
      if (asset === undefined)
        throw rejection('REWARD_TOKEN_UNSUPPORTED', `Nothing is paid in ${created.settings.rewardToken}.`);
      const { state } = await executor.load(distribution, tokenId);
      const { state: lists } = await executor.load(distributionOwners, tokenId);
      const token = distributedToken(keyring, { tokenId, mint, decimals, walletId });
      const { at, slots, found, owners, withheld } = await scanned(mint, slotReached(state));
      const estimate = await estimateRun(parts, { token, state, created, asset, found });
      const { carried } = state;
      const before = tokensBefore(carried);
      const parted = splitTax(
        estimate.collectable,
        before,
        created.settings,
        asset === 'sol' ? estimate.sold : undefined,
      );
      const most = mostCosts(estimate.proceeds, policy);
      const costs = estimate.fees < most ? estimate.fees : most;
      const divided =
        asset === 'sol'
          ? divideProceeds(estimate.proceeds, costs, parted.sold)
          : { costs: 0n, ...parted.sold };
      const { telegramGroupId: _private, ...settings } = created.settings;
      const previous = await previousLedger(ledgers, carried).catch(refused);
      const decided = await decideAllotment(
        { chain, policy, rest },
        {
          token,
          open: {
            asset,
            settings,
            carried,
            owners: ownersAt(lists, clock.now().toISOString()),
          },
          split: {
            costs: divided.costs.toString(),
            developer: divided.developer.toString(),
            holders: divided.holders.toString(),
          },
          scanned: owners,
          slots: [slots[0].toString(), slots[1].toString()],
          previous,
          excluded: [keyring.desk.address],
        },
      ).catch(refused);
      const counts = new Map<string, number>();
      for (let index = 0; index < decided.count; index++) {
        const reason = REASONS[decided.columns.reasons[index] ?? 0] ?? 'planned';
        counts.set(reason, (counts.get(reason) ?? 0) + 1);
      }
      const payments = decided.sums.payments()[asset];
      const refusal = refusalOf(parts, state, asset, estimate, false);
      return {
        scan: {
          at: new Date(at).toISOString(),
          slots: [slots[0].toString(), slots[1].toString()],
          accounts: found.accounts,
          owners: owners.count,
          withheld: withheld.toString(),
        },
        asset,
        amounts: {
          kept: recordedBuckets(before.kept),
          collected: estimate.collectable.toString(),
          burned: parted.burned.toString(),
          sold: recordedBuckets(parted.sold),
          keptAfter: recordedBuckets(parted.kept),
          ownTax: recordedOwnTax(carried, parted, estimate.taxOfSale),
          proceeds: estimate.proceeds.toString(),
          costs: divided.costs.toString(),
          developer: divided.developer.toString(),
          holders: divided.holders.toString(),
          dust: carried.dust[asset],
          dustAfter: decided.allotted.dust.toString(),
          shares: decided.allotted.sumOfShares.toString(),
          planned: payments.sum,
        },
        payments: payments.count,
        owners: [...counts].map(([reason, count]) => ({ reason, count })),
        skipped: refusal ?? null,
      };
    },
  };
}

function refused(error: unknown): never {
  throw ledgerRefusal(error) ?? error;
}

function notFinalYet(error: unknown): never {
  if (!(error instanceof MintNotShown)) throw error;
  throw rejection(
    'PREVIEW_UNAVAILABLE',
    'The creation of the token is not final on the chain yet; try again in half a minute.',
    { retryAfterSeconds: 30 },
  );
}
