/**
 * Brings the recorded links of a token onto the chain, one after another, and says what the chain has made of them. Why
 * none can happen twice stands in `once/till-chain.ts`; here is only pace: signing again what has expired, and looking.
 */
import { addressBytes } from 'levy-solana-wire';
import type { DistributionState } from '../../streams/distribution.ts';
import { waitFor } from '../../streams/distribution-wait.ts';
import { isGone } from '../absences.ts';
import { halts, isDecision, waits } from '../decision.ts';
import type { DistributedToken } from '../distributed-token.ts';
import { pauseLeft } from '../sending/failures.ts';
import { slotReached } from '../slot-reached.ts';
import { judgeLinks } from './judge-links.ts';
import { isTrueToContent } from './link-content.ts';
import { lookAtTills, type TillsShown } from './look-at-tills.ts';
import { hasLandedWhole, type NextLink, nextLink } from './next-link.ts';
import { accountName, settleLinks } from './settle-links.ts';
import { isAlive, signLink, underWay } from './sign-link.ts';
import type { DrivenTill, TillDriverParts, TillMemory, TillProgress } from './till-progress.ts';

export async function driveTill(
  parts: TillDriverParts,
  token: DistributedToken,
  state: Pick<DistributionState, 'till' | 'pending'>,
  memory: TillMemory,
): Promise<TillProgress> {
  const { chain } = parts;
  const altered = state.pending.find((link) => !isTrueToContent(link, token));
  if (altered !== undefined)
    return halts('CONTENT_MISMATCH', `The till ${altered.till} does not commit to its recorded content.`);
  const final = await lookAtTills(chain, token, state, 'finalized', {
    atLeastSlot: slotReached(state),
    elsewhere: memory.absences.has(tillsName(state)) || memory.absences.has(accountName(token)),
  });
  const driven: DrivenTill = { parts, token, state, memory, final };
  const verdict = judgeLinks({
    wallet: addressBytes(token.wallet.address),
    till: state.till?.address,
    pending: state.pending,
    markerExists: final.markerExists,
    accountOf: final.accountOf,
  });
  if (verdict.outcome === 'ahead') return aheadOrHidden(driven);
  memory.absences.delete(tillsName(state));
  const landed = verdict.outcome === 'landed' ? verdict : { path: [], lamports: 0n };
  if (hasLandedWhole(landed.path, state.pending)) return settleLinks(driven, landed);
  const latest = await lookAtTills(chain, token, state, 'confirmed', { atLeastSlot: final.slot });
  const next = nextLink(state, latest);
  const progress = isDecision(next) ? next : await bringOn(driven, next, latest);
  const isStuck = !isDecision(progress) && progress.outcome !== 'landed';
  // What has landed before it is recorded first: another content may then take its place.
  return isStuck && landed.path.length > 0 ? settleLinks(driven, landed) : progress;
}

/** With another link recorded, there is another till to look for. */
function tillsName({ till, pending }: DrivenTill['state']): string {
  return `tills from ${till?.address} to ${pending.at(-1)?.till}`;
}

/** No till is shown that the log knows of: a node may hide it for a while. */
function aheadOrHidden({ parts, state, memory: { absences }, final: { slot } }: DrivenTill): TillProgress {
  const tills = tillsName(state);
  if (!isGone(absences, tills, { slot, at: parts.now() }))
    return waits(waitFor('chain-unavailable', `The chain node shows no till of the wallet at slot ${slot}.`));
  absences.delete(tills);
  return halts(
    'CHAIN_AHEAD_OF_LOG',
    `At slot ${slot} the till ${state.till?.address ?? 'of the first link'} is gone, and none that the log knows of took its place.`,
  );
}

/** Sends again what was signed and may still land, or signs anew. */
async function bringOn(
  driven: DrivenTill,
  { link, current }: NextLink,
  latest: TillsShown,
): Promise<TillProgress> {
  const { parts, memory } = driven;
  const before = memory.links.get(link.till);
  const { failures } = memory;
  if (before !== undefined && (await isAlive(parts, before, { failures, till: link.till }))) {
    await parts.sender.send(before);
    return waits(underWay(link));
  }
  const pause = pauseLeft(failures, link.till, parts.now());
  if (pause !== undefined) return waits(pause);
  if (!parts.isFresh(link)) return { outcome: 'stale', link };
  return signLink(driven, link, latest, current);
}
