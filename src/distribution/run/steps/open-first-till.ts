/** Creates the token's first till, in its first run only. */

import { type Decision, recordsLinks } from '../../decision.ts';
import { recordLink } from '../../links/link-content.ts';
import type { RunView } from '../../view.ts';

export function decideFirstTill(view: RunView): Decision {
  return recordsLinks(view, 'begin', [recordLink({ number: 0, previous: null, actions: [] }, view.token)]);
}
