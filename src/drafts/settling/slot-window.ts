/** The slots in which a submission can have landed. Pure. */
import type { SlotWindow } from '../../chain/search-progress.ts';
import type { ChainTip } from '../../kernel/ports/chain.ts';
import type { AcceptedSubmission, IssuedDraft, Lifetime } from '../../streams/draft-events.ts';

/** Nodes of one cluster are some slots apart, and the slot is one node's. */
const MARGIN = 32n;

interface Bytes {
  readonly issued: Pick<IssuedDraft, 'lifetime'>;
  readonly accepted: AcceptedSubmission | undefined;
}

/** `tip`: a final block, for bytes on a recent blockhash. */
export function windowOf({ issued, accepted }: Bytes, tip?: ChainTip): SlotWindow {
  return { from: firstSlot(accepted?.afterSlot), to: tip && lastSlot(issued.lifetime, tip) };
}

function firstSlot(afterSlot: string | undefined): bigint | undefined {
  if (afterSlot === undefined) return undefined;
  const slot = BigInt(afterSlot) - MARGIN;
  return slot > 0n ? slot : 0n;
}

/** Heights count blocks, and each block has a slot of its own: a block that is lower by some blocks is so by slots as well. */
function lastSlot(lifetime: Lifetime, { slot, blockHeight }: ChainTip): bigint | undefined {
  if (lifetime.kind !== 'recent-blockhash') return undefined;
  const blocksSince = blockHeight - BigInt(lifetime.lastValidBlockHeight);
  return blocksSince > 0n ? slot - blocksSince : undefined;
}
