/**
 * Sends the recorded links of a token, one after another, and returns their state on the chain. `once/till-chain.ts` explains
 * why no link can land twice; this file signs expired links again and reads the chain.
 */
import { ACCOUNT_SIZE } from '@solana/spl-token';
import { addressBytes } from 'levy-solana-wire';
import { reserveOf } from '../../chain/reserve.ts';
import type { DistributionState, RecordedLink } from '../../streams/distribution.ts';
import { type Wait, waitFor } from '../../streams/distribution-wait.ts';
import { isConfirmed } from '../absences.ts';
import { type Decision, halts, isDecision, waitForNode, waits } from '../decision.ts';
import type { EngineParts } from '../engine-parts.ts';
import { linkInstructions } from '../once/till-chain.ts';
import { isFresh } from '../selling/run-sale.ts';
import { readTaxedMint } from '../sending/current-tax.ts';
import { explainRefusal } from '../sending/explain-refusal.ts';
import { type Failures, pauseLeft, recordFailure } from '../sending/failures.ts';
import type { SignedTransaction } from '../sending/sender.ts';
import { type StepAt, slotReached } from '../view.ts';
import {
  type DrivenTill,
  judgeLinks,
  readTills,
  type TillProgress,
  type TillReadings,
} from './judge-links.ts';
import { isTrueToContent, linkOf, signersOf } from './link-content.ts';
import { accountName, settleLinks } from './settle-links.ts';

export async function driveTill(at: StepAt): Promise<TillProgress> {
  const { memory } = at;
  const { chain } = at.parts;
  const { token, state } = at.view;
  const altered = state.pending.find((link) => !isTrueToContent(link, token));
  if (altered !== undefined)
    return halts('CONTENT_MISMATCH', `The till ${altered.till} does not commit to its recorded content.`);
  const final = await readTills(chain, token, state, 'finalized', {
    atLeastSlot: slotReached(state),
    elsewhere: memory.absences.has(tillsName(state)) || memory.absences.has(accountName(token)),
  });
  const driven: DrivenTill = { ...at, final };
  const landed = judgeLinks({
    wallet: addressBytes(token.wallet.address),
    till: state.till?.address,
    pending: state.pending,
    markerExists: final.markerExists,
    accountOf: final.accountOf,
  });
  if (landed === undefined) return aheadOrHidden(driven);
  memory.absences.delete(tillsName(state));
  if (hasLandedEntirely(landed.path, state.pending)) return settleLinks(driven, landed);
  const latest = await readTills(chain, token, state, 'confirmed', { atLeastSlot: final.slot });
  const next = nextLink(state, latest);
  const progress = isDecision(next) ? next : await bringOn(driven, next, latest);
  // Record landed links first; then another content may replace the stuck one.
  return 'stuck' in progress && landed.path.length > 0 ? settleLinks(driven, landed) : progress;
}

/** Name in `Absences`; changes with each recorded link, because each adds a possible till. */
function tillsName({ till, pending }: Pick<DistributionState, 'till' | 'pending'>): string {
  return `tills from ${till?.address} to ${pending.at(-1)?.till}`;
}

/** The node shows no known till: it omits the till temporarily, or the chain is ahead of the log. */
function aheadOrHidden({ parts, view, memory: { absences }, final: { slot } }: DrivenTill): TillProgress {
  const { state } = view;
  const tills = tillsName(state);
  if (!isConfirmed(absences, tills, { slot, at: parts.clock.now().getTime() }))
    return waits(waitFor('chain-unavailable', `The chain node shows no till of the wallet at slot ${slot}.`));
  absences.delete(tills);
  return halts(
    'CHAIN_AHEAD_OF_LOG',
    `At slot ${slot} the till ${state.till?.address ?? 'of the first link'} is gone, and no till in the log has replaced it.`,
  );
}

/** Resends a signature that may still land, or signs the link again. */
async function bringOn(
  driven: DrivenTill,
  { link, current }: NextLink,
  latest: TillReadings,
): Promise<TillProgress> {
  const { parts, memory } = driven;
  const before = memory.links.get(link.till);
  const { failures } = memory;
  if (before !== undefined && (await isAlive(parts, before, { failures, till: link.till }))) {
    await parts.sender.send(before);
    return waits(underWay(link));
  }
  const now = parts.clock.now().getTime();
  const pause = pauseLeft(failures, link.till, now);
  if (pause !== undefined) return waits(pause);
  if (!isFresh(link, driven.view.state, now)) return { stuck: link };
  return signLink(driven, link, latest, current);
}

interface NextLink {
  readonly link: RecordedLink;
  /** The till that the link spends; undefined for the first link. */
  readonly current: string | undefined;
}

/** True if the links have landed and no recorded link builds on them, so nothing is left to sign. */
function hasLandedEntirely(
  path: readonly Pick<RecordedLink, 'till'>[],
  pending: readonly Pick<RecordedLink, 'previous'>[],
): boolean {
  const last = path.at(-1);
  return last !== undefined && !pending.some(({ previous }) => previous === last.till);
}

/** Chooses the recorded link to send next from the state of the tills. Pure. */
function nextLink(
  { till, pending }: Pick<DistributionState, 'till' | 'pending'>,
  { isTill, markerExists }: Pick<TillReadings, 'isTill' | 'markerExists'>,
): NextLink | Decision {
  const known = [...pending.map((link) => link.till), ...(till === undefined ? [] : [till.address])];
  const current = known.find(isTill);
  if (current === undefined && markerExists) return waitForNode('the till');
  // A till may have several contents: only the one recorded last can still land.
  const link = pending.findLast(({ previous }) => previous === (current ?? null));
  return link === undefined
    ? waits(waitFor('finality', 'A transaction of the run is not final yet.'))
    : { link, current };
}

/** True if the signed link may still land. Records its failure, if any. */
async function isAlive(
  { chain, clock }: Pick<EngineParts, 'chain' | 'clock'>,
  { signature, lastValidBlockHeight }: SignedTransaction,
  failed: { readonly failures: Failures; readonly till: string },
): Promise<boolean> {
  const [status] = await chain.statuses([signature]);
  if (status?.error !== undefined) {
    const at = clock.now().getTime();
    recordFailure(failed.failures, failed.till, { signature, error: status.error, at });
    return false;
  }
  return (await chain.tip('confirmed')).blockHeight <= lastValidBlockHeight;
}

/** Signs with the tax, the rents and the fees of the latest slot. `current`: the till that the link spends. */
async function signLink(
  driven: DrivenTill,
  link: RecordedLink,
  latest: TillReadings,
  current: string | undefined,
): Promise<TillProgress> {
  const { parts, view, memory } = driven;
  const { chain, sender, keyring, markets } = parts;
  const { open, token } = view;
  const { now: tax } = await readTaxedMint(chain, token.mint, { atLeastSlot: latest.slot });
  const rent = await chain.rentExemption(ACCOUNT_SIZE);
  const payer = token.distributor.address;
  await sender.price([payer, token.wallet.address]);
  const spent = latest.accountOf(current ?? '');
  const instructions = linkInstructions(linkOf(link, token, { tax, rent }), payer, {
    today: rent,
    ofPrevious: reserveOf(spent),
  });
  const simulation = await sender.simulate(instructions, payer, { atLeastSlot: latest.slot });
  if (simulation.error !== undefined) {
    const why = explainRefusal(simulation.error, { instructions, token, what: `link ${link.number}` });
    return { stuck: link, why };
  }
  const ofRun = (address: string) => {
    const key = keyring.distributorOfRun(open.runId);
    if (key.address !== address) throw new Error(`the key ${address} does not belong to the open run`);
    return key;
  };
  const keys = signersOf(link, token, ofRun, markets.venueOf);
  const fresh = await sender.sign(
    instructions,
    keys,
    simulation.unitsConsumed,
    await chain.recentBlockhash(),
  );
  memory.links.set(link.till, fresh);
  await sender.send(fresh);
  return waits(underWay(link));
}

function underWay({ number }: Pick<RecordedLink, 'number'>): Wait {
  return waitFor('finality', `The link that creates till ${number} is not final yet.`);
}
