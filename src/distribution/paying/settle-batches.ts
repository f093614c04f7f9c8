/** Determines which recorded batches have landed, from finalized meters and the transactions that lowered them. */
import pMap from 'p-map';
import { type AllottedRun, BatchesSettled, type SettledBatch } from '../../streams/distribution-run.ts';
import { type Wait, waitFor } from '../../streams/distribution-wait.ts';
import { isConfirmed } from '../absences.ts';
import { type Decision, halts, recordsOfRun, waits } from '../decision.ts';
import { type FoundPayment, findPayment } from './find-payment.ts';
import { type Meter, nameOf, paymentsOf, readMeters } from './meters.ts';
import type { OpenPot, Paying, PayingParts } from './paying-memory.ts';
import { batchKey } from './plan-batches.ts';

const CONCURRENT_CALLS = 10;

/** A decision, or the pots whose meters show the planned value: their batches may be sent again. */
type Settling = Decision | { readonly pots: readonly OpenPot[] };

/** Meter of a pot, and the payment that lowered it. */
interface PotReading {
  readonly pot: OpenPot;
  readonly meter: Meter;
  /** True if the pot, or a settled payment, was missing often enough to be gone permanently. */
  readonly isGone: boolean;
  /** The payment that lowered the meter; undefined if the node does not show it. */
  readonly found: FoundPayment | undefined;
}

/**
 * Reads the meters at `finalized`, and finds the transaction that lowered each fallen meter. Batches whose pots show the planned
 * value stay unsettled, because they may still land.
 */
export async function settle(
  { chain, yieldToOthers, clock }: PayingParts,
  paying: Paying,
  pots: readonly OpenPot[],
): Promise<Settling> {
  const { memory, absences } = paying;
  const meters = await readMeters(chain, paying, pots);
  const at = { slot: memory.slot, at: clock.now().getTime() };
  const shown = pots.map((pot, place) => ({ pot, meter: meters[place] }));
  for (const { pot, meter } of shown) {
    if (typeof meter === 'bigint') absences.delete(nameOf(pot.planned.address));
    if (typeof meter === 'bigint' && !hasRisen(pot, meter)) absences.delete(paymentsOf(pot.planned.address));
  }
  const readPot = async ({ pot, meter }: (typeof shown)[number]): Promise<PotReading> => {
    const { address } = pot.planned;
    const absent = meter === 'missing' ? nameOf(address) : paymentsOf(address);
    const isAbsent = meter === 'missing' || hasRisen(pot, meter);
    if (!hasFallen(pot, meter))
      return { pot, meter, isGone: isAbsent && isConfirmed(absences, absent, at), found: undefined };
    const found = await findPayment(chain, paying, pot);
    await yieldToOthers();
    // A node may list the matching payment late. So a foreign transaction counts only if repeated reads find no other.
    const name = `what lowered the pot ${address}`;
    if (found?.isForeign === true && !isConfirmed(absences, name, at))
      return { pot, meter, isGone: false, found: undefined };
    if (found?.isForeign === false) absences.delete(name);
    return { pot, meter, isGone: false, found };
  };
  const readings = await pMap(shown, readPot, { concurrency: CONCURRENT_CALLS });
  for (const batch of readings.flatMap(settledBatch)) memory.signed.delete(batchKey(batch));
  return judgePots(readings, memory.slot, paying.run);
}

function hasFallen({ progress }: OpenPot, meter: Meter): boolean {
  return typeof meter === 'bigint' && meter < BigInt(progress.value);
}

/** A meter never rises: a higher value means that this response is outdated, or that an earlier one was wrong. */
function hasRisen({ progress }: OpenPot, meter: Meter): boolean {
  return typeof meter === 'bigint' && meter > BigInt(progress.value);
}

export function potMissingReason(pot: string, slot: bigint): string {
  return `The pot ${pot} is gone at slot ${slot}, but its close was not recorded.`;
}

export function waitForHiddenPot(pot: string, slot: bigint): Wait {
  return waitFor('chain-unavailable', `The chain node does not show the pot ${pot} at slot ${slot}.`);
}

export function paymentMissingReason(
  pot: string,
  { meter, value, slot }: { readonly meter: Meter; readonly value: string; readonly slot: bigint },
): string {
  return `At slot ${slot} the pot ${pot} may still pay ${meter}, but only ${value} after its settled payments: a settled payment is not on the chain.`;
}

/** Checks for an unknown payment first, and settles landed payments before it waits. Pure. */
export function judgePots(
  looks: readonly PotReading[],
  slot: bigint,
  { tokenId, runId }: Pick<AllottedRun, 'tokenId' | 'runId'>,
): Settling {
  const fallen = looks.filter(({ pot, meter }) => hasFallen(pot, meter));
  const unknown = fallen.find(({ found }) => found !== undefined && found.batch === undefined);
  if (unknown !== undefined) {
    const { planned, progress } = unknown.pot;
    return halts(
      'PAYMENT_UNKNOWN',
      `The transaction ${unknown.found?.signature} lowered the pot ${planned.address} from ${progress.value}, but its payments match no plan.`,
    );
  }
  const batches = fallen.flatMap(settledBatch);
  if (batches.length > 0) return recordsOfRun(BatchesSettled({ tokenId, runId, batches }));
  const gone = looks.find((each) => each.isGone);
  if (gone !== undefined && gone.meter !== 'missing') {
    const { planned, progress } = gone.pot;
    return halts(
      'BOOKS_DISAGREE',
      paymentMissingReason(planned.address, { meter: gone.meter, value: progress.value, slot }),
    );
  }
  if (gone !== undefined) return halts('POT_MISSING', potMissingReason(gone.pot.planned.address, slot));
  const unchanged = looks.filter(({ pot, meter }) => meter === BigInt(pot.progress.value));
  const hidden = looks.findLast((each) => !unchanged.includes(each));
  if (unchanged.length > 0 || hidden === undefined) return { pots: unchanged.map(({ pot }) => pot) };
  return waits(waitForPot(hidden, slot));
}

/**
 * Returns the batch that the transaction paid, if the meter fell by at least its sum; a higher meter contradicts the
 * transaction. If the meter fell further, the next read finds the other transaction.
 */
function settledBatch({ pot: { progress }, meter, found }: PotReading): readonly SettledBatch[] {
  if (found?.batch === undefined || typeof meter !== 'bigint') return [];
  const { batch, signature, slot, fee, paid } = found;
  const left = BigInt(progress.value) - paid;
  return meter > left ? [] : [{ ...batch, signature, slot, fee, left: left.toString() }];
}

function waitForPot({ pot, meter }: PotReading, slot: bigint) {
  const { address } = pot.planned;
  if (meter === 'missing') return waitForHiddenPot(address, slot);
  // A value above the planned one comes from an outdated node.
  return hasFallen(pot, meter)
    ? waitFor(
        'chain-unavailable',
        `The chain node does not show the transaction that lowered the pot ${address}.`,
      )
    : waitFor('chain-unavailable', `The chain node shows an outdated meter of the pot ${address}.`);
}
