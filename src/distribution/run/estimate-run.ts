/** Estimates the fees and the result of a run opened now, and decides if it is worth opening. */
import { readTokenAccount } from '../../chain/token-accounts.ts';
import type { DistributionState, RewardAsset, SkipReason } from '../../streams/distribution.ts';
import type { TokenState } from '../../streams/token.ts';
import { QUOTE_REFUSALS, type QuoteRefusal } from '../../streams/unsold-reasons.ts';
import { inSol } from '../../streams/value-types.ts';
import { reservedTokens, split as splitTax, sumOf, tokensBefore } from '../amounts/split-tax.ts';
import { ACCOUNTS_PER_HARVEST } from '../collecting/harvest-tax.ts';
import type { OwnerCollector } from '../collecting/scanned-owners.ts';
import type { DistributedToken } from '../distributed-token.ts';
import type { DistributionPolicy, EngineParts } from '../engine-parts.ts';
import { RECIPIENTS, rangesOf } from '../paying/plan-batches.ts';
import { POTS_PER_CLOSE, POTS_PER_OPEN } from '../pots.ts';
import { movedWithin } from '../selling/impact-budget.ts';
import { ESTIMATE } from '../selling/sale-venue.ts';
import { readTaxedMint } from '../sending/current-tax.ts';
import { SIGNATURE_FEE } from '../sending/sender.ts';

export interface RunEstimate {
  /** Base units that the run would collect. */
  readonly collectable: bigint;
  readonly kept: bigint;
  readonly burned: bigint;
  /** Base units that would be sold, or paid out if the token itself is paid. */
  readonly sold: bigint;
  /** Lamports from the sale; 0 if the token itself is paid. */
  readonly proceeds: bigint;
  /** Reason why nothing would be sold. */
  readonly unsold: QuoteRefusal | undefined;
  /** Lamports. */
  readonly fees: bigint;
}

/** Figures of a scan that an estimate uses. */
export type ScanFigures = Pick<OwnerCollector, 'accounts' | 'withheld' | 'withWithheld'>;

/** Estimates a run after a scan. */
export async function estimateRun(
  { chain, clock, markets, policy }: Pick<EngineParts, 'chain' | 'clock' | 'markets' | 'policy'>,
  run: {
    readonly token: DistributedToken;
    readonly state: DistributionState;
    readonly created: NonNullable<TokenState>;
    readonly asset: RewardAsset;
    readonly found: ScanFigures;
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
  const collectable = found.withheld() + withheld + free;
  const parted = splitTax(collectable, before, created.settings, undefined);
  const wanted = sumOf(parted.sold);
  const fees = estimateFees({
    asset,
    withWithheld: found.withWithheld,
    owners: found.accounts,
    maxPots: policy.maxPots,
    isFirst: state.till === undefined,
  });
  const common = { collectable, kept, burned: parted.burned, fees };
  if (asset === 'token' || wanted === 0n) return { ...common, sold: wanted, proceeds: 0n, unsold: undefined };
  const onSale = { mint: token.mint, decimals: token.decimals, supply, tax };
  const moved = movedWithin(state.impacts, clock.now().getTime());
  const quote = await markets.quote(onSale, wanted, { ...ESTIMATE, moved });
  return 'reason' in quote
    ? { ...common, sold: 0n, proceeds: 0n, unsold: quote.reason }
    : { ...common, sold: quote.sale.amount, proceeds: quote.expected, unsold: undefined };
}

/** Reason against opening a run; undefined if the run may be opened. */
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
    if (fees > maxCosts(proceeds, policy))
      return {
        reason: 'not-worth-its-costs',
        detail:
          `The run would yield about ${inSol(proceeds)} and cost about ${inSol(fees)}; it is skipped until its costs are at most ` +
          `${policy.costsMaxBasisPoints / 100} % of its proceeds.`,
      };
    return undefined;
  }
  const day = clock.now().toISOString().slice(0, 10);
  const spent = state.unrepaid?.day === day ? BigInt(state.unrepaid.lamports) : 0n;
  if (spent + fees > policy.selfCostsPerDay)
    return {
      reason: 'not-worth-its-costs',
      detail: `Runs of this token that do not recover their costs have cost ${inSol(spent)} today, and this one would cost about ${inSol(fees)}; the limit is ${inSol(policy.selfCostsPerDay)} a day.`,
    };
  return undefined;
}

/** Signature fees in lamports, without priority fees. */
export function estimateFees(run: {
  readonly asset: RewardAsset;
  readonly withWithheld: number;
  readonly owners: number;
  readonly maxPots: number;
  readonly isFirst: boolean;
}): bigint {
  const { asset, withWithheld, owners, maxPots, isFirst } = run;
  // Tokens are paid from a single account.
  const pots = rangesOf(owners, RECIPIENTS[asset], asset === 'sol' ? maxPots : 1).length;
  const harvests = Math.ceil(withWithheld / ACCOUNTS_PER_HARVEST);
  const payments = Math.ceil(owners / RECIPIENTS[asset]);
  // The withdrawal, the split and, once, the first link.
  const links =
    1 + 1 + (isFirst ? 1 : 0) + Math.ceil(pots / POTS_PER_OPEN) + Math.ceil(pots / POTS_PER_CLOSE);
  // The distributor signs as payer; if the token itself is paid, the run's key signs too.
  const signers = asset === 'sol' ? 1 : 2;
  return SIGNATURE_FEE * BigInt(harvests + signers * payments + 2 * links);
}

/** Maximum lamports of a sale's proceeds that may pay the run's fees. */
export function maxCosts(
  proceeds: bigint,
  { costsMaxBasisPoints }: Pick<DistributionPolicy, 'costsMaxBasisPoints'>,
): bigint {
  return (proceeds * BigInt(costsMaxBasisPoints)) / 10_000n;
}
