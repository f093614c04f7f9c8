/** Reads all accounts of the token. The result stays in memory, because it is large and can be read again. */
import { marketCap } from '../../../chain/venue/curve.ts';
import { judgePool } from '../../../chain/venue/judge-launch.ts';
import { HoldersScanned, ScanDisagreed } from '../../../streams/distribution-run.ts';
import { launch } from '../../../streams/launch.ts';
import { issuedLaunchOf } from '../../../streams/recorded-launch.ts';
import type { ScannedPool, ScanSums } from '../../../streams/scan-sums.ts';
import { silenceIn } from '../../absences.ts';
import { countHolders, driven, ownAddresses } from '../../allotting/allot-run.ts';
import { createPayeeLooks } from '../../allotting/look-at-payees.ts';
import { DISAGREEING_FOR } from '../../collecting/judge-scan.ts';
import { type LooksSoFar, lookAtHolders } from '../../collecting/look-at-holders.ts';
import {
  AGAIN,
  type Decision,
  isDecision,
  recordsAndWaits,
  recordsOfRun,
  type Waiting,
} from '../../decision.ts';
import type { EngineParts } from '../../engine-parts.ts';
import { type RunView, type StepAt, slotReached } from '../../view.ts';

export interface FoundHolders {
  readonly slots: readonly [bigint, bigint];
  readonly accounts: number;
  readonly owners: number;
  readonly sums: ScanSums;
  readonly pool?: ScannedPool | undefined;
}

export async function lookForHolders({ parts, view, memory }: StepAt): Promise<FoundHolders | Decision> {
  memory.looks = withRecorded(memory.looks, view.run.scanDisagreedAt, parts.clock.now());
  const look = await lookAtHolders(parts, view.token.mint, memory, slotReached(view.state));
  if (isDecision(look))
    return look.kind === 'wait' ? decideWaiting(view, look.waiting, memory.looks.earlier.disagreedAt) : look;
  const { scan, sums } = look;
  const { collector, slots } = scan;
  const scanned = await driven(collector.finish(), parts.rest);
  memory.owners = { scanned, slots, sums, looks: createPayeeLooks() };
  const pool = view.run.scanned === undefined ? await lookAtPool(parts, view.open.tokenId, sums) : undefined;
  const owners = await countHolders(scanned, ownAddresses(view), parts.rest);
  return { slots, accounts: collector.accounts, owners, sums, pool };
}

/** Requested once, because no decision needs the price and the run continues without it. */
async function lookAtPool(
  { executor, chain }: EngineParts,
  tokenId: string,
  { mint: [, mint] }: ScanSums,
): Promise<ScannedPool | undefined> {
  const { state } = await executor.load(launch, tokenId);
  if (state === undefined) return undefined;
  const issued = issuedLaunchOf(state.started.launch, state.started.creator);
  const { poolAddress: address, sqrtMinPrice, sqrtMaxPrice } = issued;
  try {
    const { slot, accounts } = await chain.accountsAt([address], 'finalized', {
      atLeastSlot: BigInt(mint.slot),
    });
    const pool = judgePool(issued, accounts[0]);
    if (pool === undefined) return undefined;
    const { sqrtPrice } = pool;
    return sqrtPrice < sqrtMinPrice || sqrtPrice > sqrtMaxPrice
      ? undefined
      : {
          address,
          slot: slot.toString(),
          sqrtPrice: sqrtPrice.toString(),
          marketCap: marketCap(sqrtPrice, BigInt(mint.supply)).toString(),
        };
  } catch (error) {
    silenceIn(error);
    return undefined;
  }
}

/**
 * After a restart, disagreements are counted from the recorded time, unless it is so old that the token must have been halted and
 * resumed since.
 */
function withRecorded(looks: LooksSoFar, recorded: string | undefined, now: Date): LooksSoFar {
  const { earlier, sums } = looks;
  if (recorded === undefined || earlier.disagreedAt !== undefined || sums !== undefined) return looks;
  const disagreedAt = Date.parse(recorded);
  if (now.getTime() - disagreedAt >= 2 * DISAGREEING_FOR) return looks;
  return { ...looks, earlier: { ...earlier, disagreedAt } };
}

export function decideScan({ open, run }: Pick<RunView, 'open' | 'run'>, found: FoundHolders): Decision {
  // A restarted process repeats a scan that is recorded already.
  return run.scanned === undefined ? recordsOfRun(holdersScanned(open, found)) : AGAIN;
}

/** Records a disagreement once, with the time of the first. */
export function decideWaiting(
  { open: { tokenId, runId }, run }: Pick<RunView, 'open' | 'run'>,
  waiting: Waiting,
  disagreedAt: number | undefined,
): Decision {
  const at = disagreedAt === undefined ? undefined : new Date(disagreedAt).toISOString();
  const isRecorded = at === undefined || at === run.scanDisagreedAt;
  return recordsAndWaits(isRecorded ? undefined : ScanDisagreed({ tokenId, runId, at }), waiting);
}

function holdersScanned(
  { tokenId, runId }: RunView['open'],
  { slots, accounts, owners, sums, pool }: FoundHolders,
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
    ...(pool === undefined ? {} : { pool }),
  });
}
