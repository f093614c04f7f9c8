/** What the links of a till are driven with, and how far they have come. */
import type { KeyPair } from '../../chain/keys.ts';
import type { Chain } from '../../kernel/ports/chain.ts';
import type { DistributionState, LandedLinks, RecordedLink } from '../../streams/distribution.ts';
import type { Wait } from '../../streams/distribution-wait.ts';
import type { Absences } from '../absences.ts';
import type { Decision } from '../decision.ts';
import type { DistributedToken } from '../distributed-token.ts';
import type { SaleVenue, VenueName } from '../selling/sale-venue.ts';
import type { Failures } from '../sending/failures.ts';
import type { HistorySearches } from '../sending/find-transaction.ts';
import type { Sender, SignedTransaction } from '../sending/sender.ts';
import type { TillsShown } from './look-at-tills.ts';

export type TillProgress =
  /** These landed for good. Links that build on them may be left. */
  | {
      readonly outcome: 'landed';
      readonly landed: Pick<LandedLinks, 'links' | 'slot' | 'lamports' | 'tokens'>;
    }
  /** The next link would fail now. */
  | { readonly outcome: 'refused'; readonly link: RecordedLink; readonly why: Wait }
  /** The next link was recorded too long ago to be signed again. */
  | { readonly outcome: 'stale'; readonly link: RecordedLink }
  /** Something is under way, or the chain and the log do not agree. */
  | Decision;

export interface TillDriverParts {
  readonly chain: Chain;
  readonly sender: Sender;
  readonly venueOf: (name: VenueName) => SaleVenue;
  /** The key of a run, by its address. */
  readonly delegates: (address: string) => KeyPair;
  /** Milliseconds. */
  readonly now: () => number;
  /** Whether a link may still be signed. */
  readonly isFresh: (link: RecordedLink) => boolean;
}

/** The newest signature of each link, by the till that it makes. Forgetting them costs a signature. */
export type SignedLinks = Map<string, SignedTransaction>;

export interface TillMemory {
  readonly links: SignedLinks;
  readonly absences: Absences;
  readonly searches: HistorySearches;
  /** By the till that the link makes. */
  readonly failures: Failures;
}

export interface DrivenTill {
  readonly parts: TillDriverParts;
  readonly token: DistributedToken;
  readonly state: Pick<DistributionState, 'till' | 'pending'>;
  readonly memory: TillMemory;
  /** What is final. */
  readonly final: TillsShown;
}
