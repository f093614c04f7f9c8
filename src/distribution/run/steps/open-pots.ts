/** Opens the pots for the payments, once the announced time is reached. */
import { waitFor } from '../../../streams/distribution-wait.ts';
import { AGAIN, type Decision, recordsLinks, waits } from '../../decision.ts';
import { TROUBLE_PAUSE } from '../../engine-parts.ts';
import { openingLinks } from '../../pots.ts';
import { type RunView, tillOf } from '../../view.ts';

export function decideOpen(view: RunView, { now }: { readonly now: Date }): Decision {
  const { state, open, run, token } = view;
  const { allotted } = run;
  if (allotted === undefined) return AGAIN;
  const left = Date.parse(allotted.payAfter) - now.getTime();
  if (left > 0)
    return waits(
      waitFor('scheduled', `Nothing is paid before ${allotted.payAfter}.`),
      Math.min(left, TROUBLE_PAUSE),
    );
  const memo = `levy:${open.runId}:${allotted.root}`;
  return recordsLinks(view, 'open', openingLinks(token, tillOf(state), allotted.pots, memo));
}
