/** Reads all accounts of the token. The result stays in memory, because it is large and can be read again. */
import { marketCap } from '../../../chain/venue/curve.ts';
import { judgePool } from '../../../chain/venue/judge-launch.ts';
import { HoldersScanned, ScanDisagreed } from '../../../streams/distribution-run.ts';
import { launch } from '../../../streams/launch.ts';
import { issuedLaunchOf } from '../../../streams/recorded-launch.ts';
import type { ScannedPool, ScanSums } from '../../../streams/scan-sums.ts';
import { failureOfNode } from '../../absences.ts';
import { countHolders, ownAddresses, runInSlices } from '../../allotting/allot-run.ts';
import { createPayeeVerdicts } from '../../allotting/payee-verdicts.ts';
import { type ScanAttempts, scanHolders } from '../../collecting/confirm-scan.ts';
import { DISAGREEING_FOR } from '../../collecting/judge-scan.ts';
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

interface FoundHolders {
  readonly slots: readonly [bigint, bigint];
  readonly accounts: number;
  readonly owners: number;
  readonly sums: ScanSums;
  readonly pool?: ScannedPool | undefined;
}

export async function readHolders({ parts, view, memory }: StepAt): Promise<FoundHolders | Decision> {
  memory.attempts = withRecorded(memory.attempts, view.run.scanDisagreedAt, parts.clock.now());
  const progress = await scanHolders(parts, view.token.mint, memory, slotReached(view.state));
  if (isDecision(progress))
    return progress.kind === 'wait'
      ? decideWaiting(view, progress.waiting, memory.attempts.earlier.disagreedAt)
      : progress;
  const { scan, sums } = progress;
  const { collector, slots } = scan;
  const scanned = await runInSlices(collector.finish(), parts.yieldToOthers);
  memory.owners = { scanned, slots, sums, verdicts: createPayeeVerdicts() };
  const pool =
    view.run.scanned === undefined ? await readPoolAccounts(parts, view.open.tokenId, sums) : undefined;
  const owners = await countHolders(scanned, ownAddresses(view), parts.yieldToOthers);
  return { slots, accounts: collector.accounts, owners, sums, pool };
}

/** Requested once, because no decision needs the price and the run continues without it. */
async function readPoolAccounts(
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
    failureOfNode(error);
    return undefined;
  }
}

/**
 * After a restart, disagreements are counted from the recorded time, unless that time is so old that the token must have been
 * halted and resumed since.
 */
function withRecorded(looks: ScanAttempts, recorded: string | undefined, now: Date): ScanAttempts {
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
