/** What can be done about a draft, as data: what comes next is decided by pure functions, and done by the settler. */

import type { Search, SearchOutcome } from '../../chain/history-search.ts';
import type { DraftEvent } from '../../streams/draft-events.ts';

/** What a search can lead to. */
export type Conclusion = { readonly kind: 'wait' } | { readonly kind: 'record'; readonly event: DraftEvent };

/** What to do about a draft now. */
export type Step =
  | Conclusion
  /** Base64; skipped if the same bytes were sent a moment ago. */
  | { readonly kind: 'send'; readonly transaction: string }
  | {
      readonly kind: 'search';
      readonly search: Search;
      readonly conclude: (outcome: SearchOutcome) => Conclusion;
    }
  /** Recorded once it was observed several times in a row: what one node does not show may be there. */
  | { readonly kind: 'absent'; readonly event: DraftEvent };
