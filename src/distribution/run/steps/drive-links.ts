/** Signs and sends the recorded links of the till, one after another, and records the landed ones. */
import { isDeepStrictEqual } from 'node:util';
import { LinksLanded, type RecordedLink } from '../../../streams/distribution.ts';
import type { Wait } from '../../../streams/distribution-wait.ts';
import { type Decision, isDecision, recordsLinks, recordsOfToken, waits } from '../../decision.ts';
import { TROUBLE_PAUSE } from '../../engine-parts.ts';
import type { TillProgress } from '../../links/judge-links.ts';
import { driveTill } from '../../links/till-driver.ts';
import { settle } from '../../paying/settle-batches.ts';
import { consecutiveLinks, POTS_PER_CLOSE } from '../../pots.ts';
import { saleWaitingFor } from '../../selling/run-sale.ts';
import { failuresIn } from '../../sending/failures.ts';
import { type RunView, type StepAt, tillOf } from '../../view.ts';
import { closedPots, type OpenPots, readOpenPots } from '../closing-pots.ts';
import { payingFor } from '../open-payments.ts';
import { decideSplit, quoteSale } from './split.ts';

export async function driveLinks(at: StepAt): Promise<Decision> {
  const { parts, memory, view } = at;
  const failed = failuresIn(memory.failures);
  const progress = await driveTill(at);
  for (let each = failed; each < failuresIn(memory.failures); each++)
    parts.counts.transaction('link', 'failed');
  if (isDecision(progress)) return progress;
  if ('landed' in progress) return decideLanded(view, progress.landed);
  const { stuck, why } = progress;
  if (why !== undefined) parts.counts.transaction('link', 'refused');
  return findOtherTransaction(at, stuck, why ?? saleWaitingFor(undefined));
}

/** Replaces the content of a link that cannot land, or waits if that is impossible. */
async function findOtherTransaction(at: StepAt, link: RecordedLink, why: Wait): Promise<Decision> {
  const { view } = at;
  const { pendingPurpose } = view.state;
  if (pendingPurpose === 'split' && link.actions.some(({ kind }) => kind === 'sell'))
    return decideSplit(view, await quoteSale(at));
  if (pendingPurpose !== 'close') return waits(why, TROUBLE_PAUSE);
  return (await findLatePayments(at)) ?? decideClosing(view, link, await readOpenPots(at), why);
}

/** Settles payments that landed after the close of their pot was planned. */
async function findLatePayments(at: StepAt): Promise<Decision | undefined> {
  const { state, run } = at.view;
  const { allotted } = run;
  if (allotted === undefined) return undefined;
  const isClosed = closedPots(state);
  // Include pots without an open plan: their meter may have been lowered outside any plan.
  const pots = allotted.pots.flatMap((planned, index) => {
    const progress = run.pots[index];
    return progress === undefined || isClosed(planned) ? [] : [{ index, planned, progress }];
  });
  const settled = await settle(at.parts, await payingFor(at, allotted), pots);
  // A missing pot is not an error here: its own close may have landed.
  const isMissing = isDecision(settled) && settled.kind === 'halt' && settled.code === 'POT_MISSING';
  return isMissing || !isDecision(settled) ? undefined : settled;
}

function decideLanded(
  { open: { tokenId, runId }, state }: Pick<RunView, 'open' | 'state'>,
  landed: Extract<TillProgress, { readonly landed: unknown }>['landed'],
): Decision {
  const purpose = state.pendingPurpose ?? 'begin';
  return recordsOfToken(LinksLanded({ tokenId, runId, purpose, ...landed }));
}

export function decideClosing(
  { state, open, token }: RunView,
  link: RecordedLink,
  left: OpenPots,
  why: Wait,
): Decision {
  const wanted = 'actions' in left ? left.actions : [];
  const isSame = isDeepStrictEqual(wanted.slice(0, link.actions.length), link.actions);
  if (wanted.length === 0 || isSame) return waits(why, TROUBLE_PAUSE);
  return recordsLinks({ open }, 'close', consecutiveLinks(token, tillOf(state), wanted, POTS_PER_CLOSE));
}
