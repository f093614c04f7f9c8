/** What the read models show of the distributions of all tokens, for readiness and metrics. Reads hardly any documents. */
import type { ReadModel } from '../kernel/ports/read-model.ts';
import type { Clock } from '../kernel/runtime/clock.ts';
import { throttled } from '../kernel/runtime/throttle.ts';
import { distributionSwitch } from '../projections/distribution-switch.ts';
import {
  ALL_DISTRIBUTIONS,
  type DistributionTotalsDocument,
  distributionTotals,
  NO_DISTRIBUTIONS,
} from '../projections/distribution-totals.ts';
import { distributions } from '../projections/distributions.ts';
import { HALT_CODES, type HaltCode } from '../streams/distribution.ts';
import { DISTRIBUTION_SWITCH } from '../streams/distribution-switch.ts';

/** Milliseconds: readiness is public. */
const SEEN_FOR = 1_000;
/** How many halted tokens readiness names; the operators' list has all. */
const HALTED_SHOWN = 10;

export interface DistributionsSeen {
  readonly totals: DistributionTotalsDocument;
  /** Halted tokens by code. */
  readonly halted: { readonly [Code in HaltCode]: number };
  /** Some of them, those that a failed check halted first. */
  readonly haltedTokens: readonly {
    readonly tokenId: string;
    readonly code: HaltCode;
    readonly since: string;
  }[];
  /** Since when all tokens are halted; ISO 8601. Undefined if they are not. */
  readonly allHaltedSince: string | undefined;
}

export interface DistributionWatch {
  /** At most a second old. */
  look(): Promise<DistributionsSeen>;
}

export function createDistributionWatch(readModel: ReadModel, clock: Clock): DistributionWatch {
  const counted = (code: HaltCode) => readModel.count(distributions, 'halted', code);
  const found = (code: HaltCode) =>
    readModel.find(distributions, 'halted', code, { limit: HALTED_SHOWN, descending: true });

  async function look(): Promise<DistributionsSeen> {
    const [totals, counts, documents, allHalted] = await Promise.all([
      readModel.get(distributionTotals, ALL_DISTRIBUTIONS),
      Promise.all(HALT_CODES.map(async (code) => [code, await counted(code)] as const)),
      Promise.all([...HALT_CODES].sort(checksFirst).map(found)),
      readModel.get(distributionSwitch, DISTRIBUTION_SWITCH),
    ]);
    const haltedTokens = documents
      .flat()
      .flatMap(({ tokenId, halted }) =>
        halted === null ? [] : [{ tokenId, code: halted.code, since: halted.since }],
      );
    return {
      totals: totals ?? NO_DISTRIBUTIONS,
      // Every code is in the list.
      halted: Object.fromEntries(counts) as Record<HaltCode, number>,
      haltedTokens: haltedTokens.slice(0, HALTED_SHOWN),
      allHaltedSince: allHalted?.since,
    };
  }

  return { look: throttled(SEEN_FOR, clock, look) };
}

function checksFirst(one: HaltCode, other: HaltCode): number {
  return Number(one === 'OPERATOR') - Number(other === 'OPERATOR');
}
