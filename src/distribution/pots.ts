/** Plans the pots of a run, and the links that open and close them. Pure. */
import { createHash } from 'node:crypto';
import { seededAddress, TOKEN_PROGRAM } from 'levy-solana-wire';
import type { LinkAction, RecordedLink } from '../streams/distribution.ts';
import type { PlannedPot } from '../streams/distribution-run.ts';
import type { DistributedToken } from './distributed-token.ts';
import { recordLink } from './links/link-content.ts';
import type { PaymentBook } from './paying/payment-book.ts';
import { type RECIPIENTS, rangesOf } from './paying/plan-batches.ts';

/** Pots per opening link: a transaction holds 64 instructions, and five open a pot. */
export const POTS_PER_OPEN = 10;
/** Pots per closing link: two instructions close a pot. */
export const POTS_PER_CLOSE = 20;
const SEED_LENGTH = 32;

export function planPots(plan: {
  readonly token: DistributedToken;
  readonly runId: string;
  readonly book: PaymentBook;
  readonly maxPots: number;
  /** The key of the run, which is the delegate if the token itself is paid. */
  readonly delegate: string;
  readonly recipients: typeof RECIPIENTS;
}): readonly PlannedPot[] {
  const { token, runId, book, maxPots, delegate, recipients } = plan;
  const sol = rangesOf(book.count.sol, recipients.sol, maxPots).map(({ from, to }, index): PlannedPot => {
    const seed = potSeed(runId, index);
    return {
      asset: 'sol',
      address: seededAddress(token.wallet.address, seed, TOKEN_PROGRAM),
      delegate: token.distributor.address,
      seed,
      from,
      to,
      allowance: book.sum('sol', from, to).toString(),
    };
  });
  const { token: payments } = book.count;
  if (payments === 0) return sol;
  return [
    ...sol,
    {
      asset: 'token',
      address: token.tokens,
      delegate,
      seed: '',
      from: 0,
      to: payments,
      allowance: book.sum('token', 0, payments).toString(),
    },
  ];
}

/** Seed of a pot, unique to its run, because a delegate is approved once per address. */
function potSeed(runId: string, index: number): string {
  return createHash('sha256').update(`pot ${runId} ${index}`).digest('base64url').slice(0, SEED_LENGTH);
}

/** The first link carries the ledger's root, so that the chain dates it before the first payment. */
export function openingLinks(
  token: DistributedToken,
  till: { readonly number: number; readonly address: string },
  pots: readonly PlannedPot[],
  memo: string,
): readonly RecordedLink[] {
  const actions = pots.map(
    ({ asset, seed, address, delegate, allowance }): LinkAction =>
      asset === 'sol'
        ? { kind: 'open', seed, pot: address, allowance }
        : { kind: 'approve', delegate, allowance },
  );
  return consecutiveLinks(token, till, [{ kind: 'memo', text: memo }, ...actions], POTS_PER_OPEN);
}

/** Consecutive links, each with at most `perLink` actions. */
export function consecutiveLinks(
  token: DistributedToken,
  till: { readonly number: number; readonly address: string },
  actions: readonly LinkAction[],
  perLink: number,
): readonly RecordedLink[] {
  const links: RecordedLink[] = [];
  let previous = till;
  for (let from = 0; from < actions.length; from += perLink) {
    const link = recordLink(
      {
        number: previous.number + 1,
        previous: previous.address,
        actions: actions.slice(from, from + perLink),
      },
      token,
    );
    links.push(link);
    previous = { number: link.number, address: link.till };
  }
  return links;
}
