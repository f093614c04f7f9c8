/** Signs and sends what is recorded for the till, one link after another, and records what has landed. */
import { isDeepStrictEqual } from 'node:util';
import { LinksLanded, type RecordedLink } from '../../../streams/distribution.ts';
import type { Wait } from '../../../streams/distribution-wait.ts';
import { type Decision, isDecision, recordsLinks, recordsOfToken, waits } from '../../decision.ts';
import { TROUBLE_PAUSE } from '../../engine-parts.ts';
import { driveTill } from '../../links/till-driver.ts';
import type { TillDriverParts, TillProgress } from '../../links/till-progress.ts';
import { settle } from '../../paying/settle-batches.ts';
import { linksInTurn, POTS_PER_CLOSE } from '../../pots.ts';
import { isFresh, saleWaitingFor } from '../../selling/run-sale.ts';
import { failuresIn } from '../../sending/failures.ts';
import { closedPots, lookAtPots, type PotsLeft } from '../closing-pots.ts';
import { payingOf } from '../paying-of.ts';
import type { StepAt } from '../step-at.ts';
import { type RunView, tillOf } from '../view.ts';
import { decideSplit, lookAtSale, type SplitFacts } from './split.ts';

/** What is to be known before another content takes the place of a link that cannot land. */
export type Instead =
  | { readonly kind: 'sale'; readonly sale: SplitFacts }
  /** Payments landed after the close of their pot was planned. */
  | { readonly kind: 'late'; readonly late: Decision }
  | { readonly kind: 'close'; readonly left: PotsLeft }
  /** Nothing else can take its place. */
  | { readonly kind: 'none' };

export type LinksFacts =
  | Extract<TillProgress, { readonly outcome: 'landed' }>
  | {
      readonly outcome: 'stuck';
      readonly link: RecordedLink;
      readonly why: Wait;
      readonly instead: Instead;
    };

export async function lookAtLinks(at: StepAt): Promise<LinksFacts | Decision> {
  const { parts, view, memory } = at;
  const failed = failuresIn(memory.failures);
  const progress = await driveTill(tillParts(at), view.token, view.state, memory);
  for (let each = failed; each < failuresIn(memory.failures); each++)
    parts.counts.transaction('link', 'failed');
  if (isDecision(progress) || progress.outcome === 'landed') return progress;
  if (progress.outcome === 'refused') parts.counts.transaction('link', 'refused');
  const { link } = progress;
  const why = progress.outcome === 'refused' ? progress.why : saleWaitingFor(undefined);
  return { outcome: 'stuck', link, why, instead: await lookForOther(at, link) };
}

async function lookForOther(at: StepAt, { actions }: RecordedLink): Promise<Instead> {
  const { pendingPurpose } = at.view.state;
  if (pendingPurpose === 'split' && actions.some(({ kind }) => kind === 'sell'))
    return { kind: 'sale', sale: await lookAtSale(at) };
  if (pendingPurpose !== 'close') return { kind: 'none' };
  const late = await lookForLatePayments(at);
  return late === undefined ? { kind: 'close', left: await lookAtPots(at) } : { kind: 'late', late };
}

async function lookForLatePayments(at: StepAt): Promise<Decision | undefined> {
  const { state, run } = at.view;
  const { allotted } = run;
  if (allotted === undefined) return undefined;
  const isClosed = closedPots(state);
  // Those without an open plan as well: whatever lowered such a pot is in no plan.
  const pots = allotted.pots.flatMap((planned, index) => {
    const progress = run.pots[index];
    return progress === undefined || isClosed(planned) ? [] : [{ index, planned, progress }];
  });
  const settled = await settle(at.parts, await payingOf(at, allotted), pots);
  // A missing pot is not late: the close itself may have taken it away.
  const isMissing = isDecision(settled) && settled.kind === 'halt' && settled.code === 'POT_MISSING';
  return isMissing || !isDecision(settled) ? undefined : settled;
}

export function decideLinks(view: RunView, facts: LinksFacts): Decision {
  const { tokenId, runId } = view.open;
  switch (facts.outcome) {
    case 'landed': {
      const purpose = view.state.pendingPurpose ?? 'begin';
      return recordsOfToken(LinksLanded({ tokenId, runId, purpose, ...facts.landed }));
    }
    case 'stuck':
      return decideOther(view, facts);
  }
}

/** Another content for the same till, where there is one. */
function decideOther(
  view: RunView,
  { link, why, instead }: Extract<LinksFacts, { readonly outcome: 'stuck' }>,
): Decision {
  switch (instead.kind) {
    case 'sale':
      return decideSplit(view, instead.sale);
    case 'late':
      return instead.late;
    case 'close':
      return decideClosing(view, link, instead.left, why);
    case 'none':
      return waits(why, TROUBLE_PAUSE);
  }
}

function decideClosing(
  { state, open, token }: RunView,
  link: RecordedLink,
  left: PotsLeft,
  why: Wait,
): Decision {
  const wanted = left.outcome === 'shown' ? left.actions : [];
  const isSame = isDeepStrictEqual(wanted.slice(0, link.actions.length), link.actions);
  if (wanted.length === 0 || isSame) return waits(why, TROUBLE_PAUSE);
  return recordsLinks({ open }, 'close', linksInTurn(token, tillOf(state), wanted, POTS_PER_CLOSE));
}

function tillParts({ parts, view }: StepAt): TillDriverParts {
  const { chain, sender, clock, markets, keyring } = parts;
  const now = () => clock.now().getTime();
  return {
    chain,
    sender,
    now,
    venueOf: markets.venueOf,
    isFresh(link) {
      const sale = link.actions.find((action) => action.kind === 'sell');
      const isFixed = sale?.kind !== 'sell' || markets.venueOf(sale.venue).price === 'fixed';
      return isFresh(link, view.state, { now: now(), isFixed });
    },
    delegates(address) {
      const key = keyring.distributorOfRun(view.open.runId);
      if (key.address !== address) throw new Error(`the key ${address} is not that of the open run`);
      return key;
    },
  };
}
