/** Reads all accounts of the token. What it finds stays in memory: it is large, and can be read again. */
import { HoldersScanned } from '../../../streams/distribution-run.ts';
import type { ScanSums } from '../../../streams/scan-sums.ts';
import { driven } from '../../allotting/allot-run.ts';
import { createPayeeLooks } from '../../allotting/look-at-payees.ts';
import { type HoldersLook, lookAtHolders, lookPartsOf } from '../../collecting/look-at-holders.ts';
import { slotReached } from '../../slot-reached.ts';
import { AGAIN, type Decision, halts, recordsOfRun, waits } from '../decision.ts';
import type { StepAt } from '../step-at.ts';
import type { RunView } from '../view.ts';

export interface FoundHolders {
  readonly slots: readonly [bigint, bigint];
  readonly accounts: number;
  readonly owners: number;
  readonly sums: ScanSums;
}

export type HoldersFacts =
  | Exclude<HoldersLook, { readonly outcome: 'believed' }>
  | { readonly outcome: 'found'; readonly found: FoundHolders };

export async function lookForHolders({ parts, view, memory }: StepAt): Promise<HoldersFacts> {
  const look = await lookAtHolders(lookPartsOf(parts), view.token.mint, memory, slotReached(view.state));
  if (look.outcome !== 'believed') return look;
  const { scan, sums } = look;
  const { collector, slots } = scan;
  const scanned = await driven(collector.finish(), parts.rest);
  memory.owners = { scanned, slots, sums, looks: createPayeeLooks() };
  return { outcome: 'found', found: { slots, accounts: collector.accounts, owners: scanned.count, sums } };
}

export function decideScan({ open, run }: Pick<RunView, 'open' | 'run'>, facts: HoldersFacts): Decision {
  switch (facts.outcome) {
    case 'disagrees':
      return halts('SCAN_DISAGREES', facts.reason);
    case 'reading':
      return AGAIN;
    case 'waiting':
      return waits(facts.for, facts.pause);
    case 'found':
      // A process that begins again reads again what is recorded already.
      return run.scanned === undefined ? recordsOfRun(holdersScanned(open, facts.found)) : AGAIN;
  }
}

function holdersScanned(
  { tokenId, runId }: RunView['open'],
  { slots, accounts, owners, sums }: FoundHolders,
): ReturnType<typeof HoldersScanned> {
  const [, mint] = sums.mint;
  return HoldersScanned({
    tokenId,
    runId,
    slots: [slots[0].toString(), slots[1].toString()],
    accounts,
    owners,
    withheld: (BigInt(sums.withheld) + BigInt(mint.withheld)).toString(),
    supply: mint.supply,
    sums,
  });
}
