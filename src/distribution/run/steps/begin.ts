/** Makes the token's first till. In its first run only. */

import { type Decision, recordsLinks } from '../../decision.ts';
import { recordLink } from '../../links/link-content.ts';
import type { RunView } from '../../view.ts';

export function decideBegin(view: RunView): Decision {
  return recordsLinks(view, 'begin', [recordLink({ number: 0, previous: null, actions: [] }, view.token)]);
}
