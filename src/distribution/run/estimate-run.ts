/** What a run would do and cost now, and whether it is worth it. */
import { readTokenAccount } from '../../chain/token-accounts.ts';
import type { DistributionState, RewardAsset, SkipReason } from '../../streams/distribution.ts';
import type { TokenState } from '../../streams/token.ts';
import { QUOTE_REFUSALS, type QuoteRefusal } from '../../streams/unsold-reasons.ts';
import { split as splitTax, sumOf } from '../amounts/split.ts';
import { reservedTokens, tokensBefore } from '../carried-over.ts';
import type { OwnerCollector } from '../collecting/scanned-owners.ts';
import { estimateFees, mostCosts } from '../costs.ts';
import type { DistributedToken } from '../distributed-token.ts';
import type { EngineParts } from '../engine-parts.ts';
import { movedWithin } from '../selling/impact-budget.ts';
import { ESTIMATE, type SaleQuote } from '../selling/sale-venue.ts';
import { readTaxedMint } from '../sending/tax-now.ts';

export interface RunEstimate {
  /** Base units that a run would collect. */
  readonly collectable: bigint;
  readonly kept: bigint;
  readonly burned: bigint;
  /** Base units that would be sold, or paid out where the token itself is paid. */
  readonly sold: bigint;
  /** Lamports that the sale would bring; 0 where the token itself is paid. */
  readonly proceeds: bigint;
  /** What the market offers now; undefined where nothing is to be sold. */
  readonly quote: SaleQuote | undefined;
  /** Why nothing would be sold. */
  readonly unsold: QuoteRefusal | undefined;
  /** Lamports. */
  readonly fees: bigint;
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
    mostPots: policy.mostPots,
    isFirst: state.till === undefined,
  });
  const common = { collectable, kept, burned: parted.burned, fees };
  if (asset === 'token' || wanted === 0n)
    return { ...common, sold: wanted, proceeds: 0n, quote: undefined, unsold: undefined };
  const onSale = { mint: token.mint, decimals: token.decimals, supply, tax };
  const moved = movedWithin(state.impacts, clock.now().getTime());
  const quote = await markets.quote(onSale, wanted, { ...ESTIMATE, moved });
  return quote.outcome === 'sale'
    ? { ...common, sold: quote.sale.amount, proceeds: quote.expected, quote, unsold: undefined }
    : { ...common, sold: 0n, proceeds: 0n, quote, unsold: quote.reason };
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
