/** Previews of a token's next run, from a recent scan of the holders. */
import { type Static, Type } from '@sinclair/typebox';
import { addressBytes, keyOf } from 'levy-solana-wire';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { distribution, type OpenedRun, RewardAsset, SkipReason, Total } from '../streams/distribution.ts';
import { distributionOwners, ownersAt } from '../streams/distribution-owners.ts';
import { rejection } from '../streams/rejections.ts';
import { rewardAsset } from '../streams/reward-asset.ts';
import { RunAmounts } from '../streams/run-amounts.ts';
import type { ScanSums } from '../streams/scan-sums.ts';
import { type TokenState, token as tokenStream } from '../streams/token.ts';
import { Address, Amount, described, orNull, Timestamp } from '../streams/value-types.ts';
import {
  countHolders,
  type DecidedAllotment,
  decideAllotment,
  ownAddresses,
  runInSlices,
} from './allotting/allot-run.ts';
import { createPayeeVerdicts } from './allotting/payee-verdicts.ts';
import { developerParts } from './amounts/developer-parts.ts';
import { NO_ATTEMPTS, type ScanMemory, scanHolders } from './collecting/confirm-scan.ts';
import { type HolderScan, MintMissing } from './collecting/holder-scan.ts';
import type { ScannedOwners } from './collecting/scanned-owners.ts';
import { isDecision } from './decision.ts';
import { distributedToken } from './distributed-token.ts';
import type { EngineParts } from './engine-parts.ts';
import { KINDS, REASONS } from './ledger/ledger-record.ts';
import { ledgerRefusal } from './ledger/open-ledgers.ts';
import { splitAmounts } from './run/closing-books.ts';
import { estimateRun, type RunEstimate, refusalOf, type ScanFigures } from './run/estimate-run.ts';
import { runToAllot } from './run/steps/allot.ts';
import { runOpened, serviceTerms } from './run/steps/consider-run.ts';
import { dividedTax } from './run/steps/split.ts';
import { readTaxedMint } from './sending/current-tax.ts';
import { slotReached } from './view.ts';

const Count = Type.Integer({ minimum: 0, examples: [1_200] });

export const DistributionPreview = Type.Object(
  {
    scan: Type.Object(
      {
        at: Timestamp,
        slots: Type.Tuple([Amount, Amount], { examples: [['4098', '4101']] }),
        accounts: Count,
        ownerCount: Count,
        withheld: Type.String({ ...Total, description: 'Base units.' }),
      },
      {
        description: "Scan of the token's accounts; a scan is reused for one minute.",
      },
    ),
    asset: RewardAsset,
    amounts: Type.Object(
      {
        ...Type.Omit(RunAmounts, ['sold', 'shares', 'owed', 'owedAfter', 'paid']).properties,
        soldParts: RunAmounts.properties.sold,
        allotted: RunAmounts.properties.shares,
        proceeds: Type.String({ ...Amount, description: 'Lamports at the current price.' }),
      },
      { description: 'Estimated amounts, as in `amounts` of a run.' },
    ),
    developerParts: Type.Array(Type.Object({ wallet: Address, amount: Amount }), {
      description:
        "Estimated division of `amounts.developer` among the partner's wallet, `developerWallets` and `developerWallet`.",
    }),
    paymentCount: Count,
    owners: Type.Array(Type.Object({ reason: Type.String({ examples: ['planned'] }), count: Count }), {
      description: 'Number of owners by reason.',
    }),
    ownPayment: orNull(
      Type.Object({
        reason: Type.String({ examples: ['planned'] }),
        amount: described(Amount, 'Expected payment in `asset`, including amounts owed from earlier runs.'),
      }),
      { description: 'The calling wallet as a holder; null if the scan found no account of it.' },
    ),
    skipped: Type.Union(
      [
        Type.Object({ reason: SkipReason, detail: Type.String({ examples: ['No tax is withheld.'] }) }),
        Type.Null(),
      ],
      { description: 'Reason why no run would be opened; null if a run would be opened.', examples: [null] },
    ),
  },
  { title: 'DistributionPreview' },
);

export type DistributionPreview = Static<typeof DistributionPreview>;

type DistributionPreviews = ReturnType<typeof createPreviews>;

export interface PreviewServices {
  /** Undefined on deployments without previews. */
  readonly distributionPreviews: DistributionPreviews | undefined;
}

type PreviewParts = Omit<EngineParts, 'prices' | 'counts' | 'suitability' | 'witness' | 'onWitnessVerdict'>;

const CONCURRENT_PREVIEWS = 4;
const HOLDER = KINDS.indexOf('holder');

/** Placeholder for the id of a run. */
const NO_RUN = '00000000-0000-4000-8000-000000000000';

/** Computes a run of a token at this time, with the reads and arithmetic of the real steps. */
export function createPreviews(parts: PreviewParts) {
  const scans = createPreviewScans(parts);
  const limit = pLimit(CONCURRENT_PREVIEWS);
  return {
    /** `wallet`: the calling wallet. Records and sends nothing. Rejects like reads of the chain. */
    async of(tokenId: string, wallet: string): Promise<DistributionPreview> {
      const { state: created } = await parts.executor.load(tokenStream, tokenId);
      if (created === undefined) throw rejection('TOKEN_NOT_FOUND', 'Token not found.');
      const { state } = await parts.executor.load(distribution, tokenId);
      if (rewardAsset(created.settings, created.created.token.mintAddress) === undefined)
        throw rejection(
          'REWARD_TOKEN_UNSUPPORTED',
          `Holders cannot be paid in ${created.settings.rewardToken}.`,
        );
      const scan = await scans.of(created.created.token.mintAddress, slotReached(state));
      return limit(() => previewOf(parts, { tokenId, wallet }, created, scan));
    },
  };
}

async function previewOf(
  parts: PreviewParts,
  { tokenId, wallet }: { readonly tokenId: string; readonly wallet: string },
  created: NonNullable<TokenState>,
  { at, slots, found, owners: scanned, sums }: RecentScan,
): Promise<DistributionPreview> {
  const { executor, chain, clock, keyring } = parts;
  const { mintAddress: mint, decimals, walletId } = created.created.token;
  const { state } = await executor.load(distribution, tokenId);
  const { state: lists } = await executor.load(distributionOwners, tokenId);
  const asset = rewardAsset(created.settings, mint) ?? 'sol';
  const token = distributedToken(keyring, { tokenId, mint, decimals, walletId });
  const estimate = await estimateRun(parts, { token, state, created, asset, found });
  const now = clock.now();
  const { data: open } = runOpened(
    { tokenId, state },
    {
      dueAt: now.getTime(),
      run: {
        runId: NO_RUN,
        created,
        owners: ownersAt(lists, now.toISOString()),
        tax: await readTaxedMint(chain, mint),
        asset,
        terms: serviceTerms(parts),
      },
    },
  );
  const split = expectedSplit(open, estimate);
  const { sold: soldParts, ...amounts } = splitAmounts(open, estimate.collectable.toString(), split);
  const owners = { scanned, slots, sums, verdicts: createPayeeVerdicts() };
  const holders = await countHolders(scanned, ownAddresses({ token, open }), parts.yieldToOthers);
  const decided = await runToAllot(parts, { token, open, split }, owners)
    .then((run) => decideAllotment(parts, run))
    .catch(refused);
  const payments = decided.sums.payments()[asset];
  const withheld = found.withheld() + BigInt(sums.mint[1].withheld);
  return {
    scan: {
      at: new Date(at).toISOString(),
      slots: [slots[0].toString(), slots[1].toString()],
      accounts: found.accounts,
      ownerCount: holders,
      withheld: withheld.toString(),
    },
    asset,
    amounts: {
      ...amounts,
      soldParts,
      dustAfter: decided.allotted.dust.toString(),
      allotted: decided.allotted.sumOfShares.toString(),
      planned: payments.sum,
    },
    developerParts: [...developerParts(open.settings, BigInt(split.developer))].map(([wallet, part]) => ({
      wallet,
      amount: part.toString(),
    })),
    paymentCount: payments.count,
    owners: countedByReason(decided),
    ownPayment: ownPaymentOf(decided, wallet),
    skipped: refusalOf(parts, state, asset, estimate, false) ?? null,
  };
}

/** Division of the tax if the run sold now at the quoted price. Pure. */
export function expectedSplit(open: OpenedRun, estimate: RunEstimate): ReturnType<typeof dividedTax> {
  const { collectable, sold, proceeds: brought, fees, unsold = null } = estimate;
  const sale = { sold, brought, fees, epoch: BigInt(open.epoch), unsold };
  return dividedTax(open, collectable, open.asset === 'token' ? undefined : sale);
}

function countedByReason({ count, columns }: DecidedAllotment): DistributionPreview['owners'] {
  const counts = new Map<string, number>();
  for (let index = 0; index < count; index++) {
    const reason = REASONS[columns.reasons[index] ?? 0] ?? 'planned';
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return [...counts].map(([reason, each]) => ({ reason, count: each }));
}

function ownPaymentOf({ count, columns }: DecidedAllotment, wallet: string) {
  const key = keyOf(addressBytes(wallet));
  for (let index = 0; index < count; index++)
    if (columns.kinds[index] === HOLDER && keyOf(columns.ownerAt(index)) === key)
      return {
        reason: REASONS[columns.reasons[index] ?? 0] ?? 'planned',
        amount: columns.amounts.planned.get(index).toString(),
      };
  return null;
}

function refused(error: unknown): never {
  throw ledgerRefusal(error) ?? error;
}

/** Lifetime in milliseconds of a cached scan. */
const SCAN_REUSED = 60_000;
/** Maximum number of cached scans; each holds columns of all owners. */
const MAX_SCANS = 8;
/** Maximum number of concurrent scans; each reads all token accounts of a mint. */
const CONCURRENT_SCANS = 4;

/** A finished scan without its collector, whose list of accounts a preview does not need. */
interface RecentScan {
  readonly at: number;
  readonly slots: HolderScan['slots'];
  readonly found: ScanFigures;
  readonly owners: ScannedOwners;
  readonly sums: ScanSums;
}

type ScanParts = Pick<EngineParts, 'chain' | 'clock' | 'yieldToOthers'>;

/** Scan cache for previews. Previews move no money, so the second node is not read. */
export function createPreviewScans(parts: ScanParts) {
  let underWay = 0;
  const scans = new LRUCache<string, Promise<RecentScan>>({ max: MAX_SCANS });
  return {
    /** `since`: minimum slot of the scan. */
    async of(mint: string, since: bigint) {
      const now = parts.clock.now().getTime();
      const known = await scans.get(mint)?.catch(() => undefined);
      if (known !== undefined && now - known.at < SCAN_REUSED) return known;
      if (underWay >= CONCURRENT_SCANS) {
        throw previewUnavailableRejection('Previews of other tokens are running; try again.');
      }
      underWay += 1;
      const fresh = scanAll(parts, mint, now, since).finally(() => {
        underWay -= 1;
      });
      scans.set(mint, fresh);
      return fresh;
    },
  };
}

async function scanAll(
  { chain, clock, yieldToOthers }: ScanParts,
  mint: string,
  at: number,
  since: bigint,
): Promise<RecentScan> {
  const scanParts = {
    chain,
    witness: undefined,
    onWitnessVerdict() {},
    counts: { scanned() {} },
    clock,
  };
  const memory: ScanMemory = { scan: undefined, attempts: NO_ATTEMPTS };
  for (;;) {
    const progress = await scanHolders(scanParts, mint, memory, since).catch(notFinalYet);
    await yieldToOthers();
    if (isDecision(progress)) {
      if (progress.kind === 'wait' && progress.waiting.pause === 0) continue;
      throw previewUnavailableRejection(
        'The balances of the holders do not add up to the supply; try again.',
      );
    }
    const { scan, sums } = progress;
    const { collector, slots } = scan;
    const owners = await runInSlices(collector.finish(), yieldToOthers);
    const { accounts, withWithheld } = collector;
    const inAccounts = collector.withheld();
    return { at, slots, found: { accounts, withWithheld, withheld: () => inAccounts }, owners, sums };
  }
}

function notFinalYet(error: unknown): never {
  if (!(error instanceof MintMissing)) throw error;
  throw previewUnavailableRejection(
    'The creation of the token is not final on the chain yet; try again in 30 seconds.',
  );
}

function previewUnavailableRejection(reason: string) {
  return rejection('PREVIEW_UNAVAILABLE', reason, { retryAfterSeconds: 30 });
}
