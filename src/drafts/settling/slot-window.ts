/** The slots in which a submission can have landed. Pure. */
import type { SlotWindow } from '../../chain/history-search.ts';
import type { ChainTip } from '../../ports/chain.ts';
import type { DraftState } from '../../streams/draft.ts';

/** Nodes of one cluster are some slots apart, and one of them told the slot. */
const MARGIN = 32n;

/** `tip`: a final block, for bytes on a recent blockhash. */
export function windowOf(
  { issued, accepted }: Pick<DraftState, 'issued' | 'accepted'>,
  tip?: ChainTip,
): SlotWindow {
  return { from: firstSlot(accepted?.afterSlot), to: tip && issued && lastSlot(issued.lifetime, tip) };
}

function firstSlot(afterSlot: string | undefined): bigint | undefined {
  if (afterSlot === undefined) return undefined;
  const slot = BigInt(afterSlot) - MARGIN;
  return slot > 0n ? slot : 0n;
}

/** Heights count blocks, and each block has a slot of its own: a block that is lower by some blocks is so by slots as well. */
function lastSlot(
  lifetime: NonNullable<DraftState['issued']>['lifetime'],
  { slot, blockHeight }: ChainTip,
): bigint | undefined {
  if (lifetime.kind !== 'recent-blockhash') return undefined;
  const blocksSince = blockHeight - BigInt(lifetime.lastValidBlockHeight);
  return blocksSince > 0n ? slot - blocksSince : undefined;
}
