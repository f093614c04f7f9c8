/** Writes the ledger of all payments, and plans the pots that make them. */
import { RunAllotted } from '../../../streams/distribution-run.ts';
import { waitFor } from '../../../streams/distribution-wait.ts';
import { allotRun, type RunToAllot } from '../../allotting/allot-run.ts';
import { AGAIN, type Decision, recordsOfRun, waits } from '../../decision.ts';
import type { EngineParts } from '../../engine-parts.ts';
import { previousLedger } from '../../ledger/open-ledgers.ts';
import { planPots } from '../../pots.ts';
import type { TokenMemory } from '../../token-memory.ts';
import type { RunView, StepAt } from '../../view.ts';
import { bookOf } from '../open-payments.ts';

interface AllotmentFacts {
  readonly written: NonNullable<Awaited<ReturnType<typeof allotRun>>>;
  readonly rentFloor: bigint;
  readonly pots: ReturnType<typeof planPots>;
  /** Earliest time of the first payment. */
  readonly payAfter: Date;
}

export async function writeLedger({ parts, view, memory }: StepAt): Promise<AllotmentFacts | Decision> {
  const { keyring, clock, policy } = parts;
  const { open, token } = view;
  const { owners } = memory;
  const { split } = view.run;
  if (owners === undefined || split === undefined) return AGAIN;
  const { verdicts } = owners;
  const unconfirmed = () =>
    waits(waitFor('scheduled', `${verdicts.open} owners are read again before the ledger is written.`));
  // Confirm first, because deciding a million rows takes longer than reading a few accounts again.
  if (verdicts.open > 0) {
    await verdicts.confirm(parts);
    if (verdicts.open > 0) return unconfirmed();
  }
  const run = await runToAllot(parts, { token, open, split }, owners);
  const written = await allotRun(parts, run);
  if (written === undefined) return unconfirmed();
  const pots = planPots({
    token,
    runId: open.runId,
    book: await bookOf({ parts, view, memory }, written.ledger),
    maxPots: policy.maxPots,
    delegate: keyring.distributorOfRun(open.runId).address,
    recipients: policy.recipients,
  });
  const payAfter = new Date(clock.now().getTime() + policy.announce);
  return { written, rentFloor: run.rentFloor, pots, payAfter };
}

/** Inputs of the ledger's rows, available once the tax is split. */
export async function runToAllot(
  { ledgers, chain }: Pick<EngineParts, 'ledgers' | 'chain'>,
  run: Pick<RunToAllot, 'token' | 'open' | 'split'>,
  { scanned, slots, sums, verdicts }: NonNullable<TokenMemory['owners']>,
): Promise<RunToAllot> {
  return {
    ...run,
    scanned,
    slots: [slots[0].toString(), slots[1].toString()],
    sums,
    previous: await previousLedger(ledgers, run.open.carried),
    rentFloor: await chain.rentExemption(0),
    verdicts,
  };
}

/** Records the ledger, which is public before a lamport moves. */
export function decideAllot(
  { open }: Pick<RunView, 'open'>,
  { written, rentFloor, pots, payAfter }: AllotmentFacts,
): Decision {
  const { header, ledger, root, shares, dust } = written;
  return recordsOfRun(
    RunAllotted({
      tokenId: open.tokenId,
      runId: open.runId,
      mint: open.mint,
      asset: open.asset,
      slots: header.slots,
      ledger,
      root,
      records: header.records,
      divided: header.divided,
      sumOfWeights: header.sumOfWeights,
      shares: shares.toString(),
      dust: dust.toString(),
      payments: header.payments,
      rentFloor: rentFloor.toString(),
      pots: [...pots],
      payAfter: payAfter.toISOString(),
    }),
  );
}
