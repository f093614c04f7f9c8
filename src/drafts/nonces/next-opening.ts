/** What to do next about a nonce account that is to be there on the chain. Pure. */

/** Milliseconds between two looks. */
export const OPENING_PAUSE = 250;
const OPENING_ROUNDS = 120;
/** A blockhash is valid for about 60 to 90 seconds: sign anew well after that, so that two creations cannot cross. */
const ROUNDS_PER_BLOCKHASH = 100;
const ROUNDS_PER_SEND = 8;
/** As many pauses as finality takes, and some more. */
const FINALITY_ROUNDS = 80;

export type OpeningAction =
  | { readonly kind: 'opened'; readonly value: string }
  /** Sign its creation, on a fresh blockhash, and send it. */
  | { readonly kind: 'sign' }
  /** Send what was signed once more. It did not land at once, so that the chain may have no nonces any more. */
  | { readonly kind: 'send-again' }
  | { readonly kind: 'wait' }
  | { readonly kind: 'give-up' };

/** What the chain shows at the account's address. */
export type OpeningSeen =
  | { readonly kind: 'nothing' }
  /** Ours, and its value can be spent in the next block. */
  | { readonly kind: 'usable'; readonly value: string }
  /** Somebody else's, or a value of this very block. */
  | { readonly kind: 'unusable' };

/** `round`: looks before this one. */
export function nextOpeningAction(round: number, seen: OpeningSeen): OpeningAction {
  if (round >= OPENING_ROUNDS) return { kind: 'give-up' };
  if (seen.kind === 'usable') return { kind: 'opened', value: seen.value };
  if (seen.kind === 'unusable') return { kind: 'wait' };
  if (round % ROUNDS_PER_BLOCKHASH === 0) return { kind: 'sign' };
  return { kind: round % ROUNDS_PER_SEND === 0 ? 'send-again' : 'wait' };
}

/** The lowest missing index: an interrupted opening may have left its account on the chain. */
export function lowestMissing(isTaken: (index: number) => boolean): number {
  let index = 0;
  while (isTaken(index)) index += 1;
  return index;
}

/** What to do when no account is free. `outdated`: those whose values were not the chain's; `rounds`: how often that was waited for. */
export function whenNoneIsFree({
  opened,
  outdated,
  rounds,
}: {
  readonly opened: string | undefined;
  readonly outdated: number;
  readonly rounds: number;
}): 'take-opened' | 'wait-for-outdated' | 'exhausted' {
  if (opened !== undefined) return 'take-opened';
  // A fork a moment ago: their new values become final shortly.
  return outdated > 0 && rounds < FINALITY_ROUNDS ? 'wait-for-outdated' : 'exhausted';
}
