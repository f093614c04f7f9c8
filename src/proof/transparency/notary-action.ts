/**
 * Decides what the notary does next. A first start, normal work, and going on after a failure or a kill ask this one
 * function, so that a tree is signed in one order, whatever came before.
 */

/** The steps that a tree has behind it, in their order. */
export type RoundProgress =
  | 'begun'
  | 'full files written'
  | 'owner checked'
  | 'claimed'
  | 'head stored'
  | 'tiles checked'
  | 'signed';

export interface NotaryState {
  /** How far the log was compared with the record. `ended`: all of it was read, and nothing is decided yet. */
  readonly log: 'unread' | 'comparing' | 'ended' | 'compared';
  readonly isTermHeld: boolean;
  /** Whether the pause since the last round, or the last look at the files, is over. */
  readonly isRested: boolean;
  /** Whether the files were not read for long. */
  readonly isLookDue: boolean;
  /** Entries in the tree. */
  readonly size: number;
  /** Whether entries of the head stand elsewhere in the store than it says. */
  readonly isMoved: boolean;
  /** The sizes of the published checkpoint, and of the largest tree that may have been signed. */
  readonly published: number | undefined;
  readonly signed: number | undefined;
  /** The tree that is being signed. */
  readonly round: { readonly size: number; readonly progress: RoundProgress } | undefined;
}

/** `read record` reads what was signed before, and begins to follow the log. */
export type NotaryAction =
  | 'read record'
  | 'end comparison'
  | 'rest'
  | 'begin round'
  | 'write full files'
  | 'check owner'
  | 'claim'
  | 'store head'
  | 'check tiles'
  | 'sign'
  | 'publish'
  | 'end term';

export function nextAction(state: NotaryState): NotaryAction {
  const { log, round } = state;
  if (log === 'unread') return 'read record';
  if (log === 'comparing') return 'rest';
  if (log === 'ended') return 'end comparison';
  if (round === undefined) return betweenRounds(state);
  if (!state.isTermHeld) return 'end term';
  switch (round.progress) {
    case 'begun':
      return 'write full files';
    case 'full files written':
      return 'check owner';
    case 'owner checked':
      return round.size > (state.signed ?? 0) ? 'claim' : 'store head';
    case 'claimed':
      return 'store head';
    case 'head stored':
      return 'check tiles';
    case 'tiles checked':
      return 'sign';
    case 'signed':
      return 'publish';
  }
}

function betweenRounds({
  isRested,
  isLookDue,
  size,
  isMoved,
  published,
}: NotaryState): 'rest' | 'begin round' | 'check owner' {
  if (!isRested) return 'rest';
  if (size > 0 && (size !== published || isMoved)) return 'begin round';
  return isLookDue ? 'check owner' : 'rest';
}
