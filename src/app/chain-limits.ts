/** How long the chain may take before readiness says so: as configured, and never shorter than an embedded chain needs. */
import type { Configuration } from '../operations/config/configuration.ts';
import type { NodeLimits } from '../operations/node-watch.ts';

/** In slots: several times what finality takes. */
const [STALL, LAG, SETTLE_GRACE] = [50, 150, 64];
/** Blocks lie behind for longer than slots stand still: the cluster may go on without this node. */
const LAG_IN_STALLS = LAG / STALL;

export interface ChainLimits extends NodeLimits {
  /** Milliseconds after its deadline until a submission is overdue. */
  readonly settleGrace: number;
}

export function chainLimits(configuration: Configuration): ChainLimits {
  const { chain, localChainSlotMs, chainStallMs, settleGraceMs } = configuration;
  // An embedded chain may have slots of a minute.
  const slot = chain.isEmbedded ? localChainSlotMs : 0;
  return {
    stall: Math.max(chainStallMs, STALL * slot),
    lag: Math.max(LAG_IN_STALLS * chainStallMs, LAG * slot),
    settleGrace: Math.max(settleGraceMs, SETTLE_GRACE * slot),
  };
}
