/** Searches settled payments in the finalized history of the accounts that made them. */
import { startSearch } from '../../chain/history-search.ts';
import type { Chain } from '../../kernel/ports/chain.ts';

/** Maximum calls to the node within one step of a token. */
const CALLS_PER_STEP = 256;

interface SettledPayment {
  /** The paying pot. */
  readonly account: string;
  readonly signature: string;
}

/** Listings in progress, by account. Losing them costs calls. */
export type PaymentListings = Map<string, ReturnType<typeof newListing>>;

/**
 * Returns the first payment that the history does not list as successful, or undefined if it lists all. Anybody may name the
 * account in any number of transactions, so each call reads a part of the history. `settled`: all settled payments of the run.
 * Only their signatures are stored, which bounds the memory.
 */
export async function unlistedPayment<Payment extends SettledPayment>(
  chain: Pick<Chain, 'signaturesOf' | 'transaction'>,
  listings: PaymentListings,
  payments: readonly Payment[],
  {
    settled,
    atLeastSlot,
  }: {
    readonly settled: readonly { readonly signature: string; readonly slot: string }[];
    readonly atLeastSlot: bigint;
  },
) {
  for (const { account } of payments) {
    const listing = listings.get(account) ?? newListing(chain, account, settled, atLeastSlot);
    listings.set(account, listing);
    const next = () => payments.find((each) => each.account === account && !listing.seen.has(each.signature));
    if (next() === undefined) continue;
    const turn = await listing.search.advance(CALLS_PER_STEP);
    const payment = next();
    if (payment !== undefined) return { payment, isComplete: turn.kind !== 'more' };
  }
  return undefined;
}

function newListing(
  chain: Pick<Chain, 'signaturesOf' | 'transaction'>,
  address: string,
  settled: readonly { readonly signature: string; readonly slot: string }[],
  atLeastSlot: bigint,
) {
  const wanted = new Set(settled.map(({ signature }) => signature));
  const slots = settled.map(({ slot }) => BigInt(slot));
  const from = slots.reduce((earliest, slot) => (slot < earliest ? slot : earliest), atLeastSlot);
  const seen = new Set<string>();
  const search = startSearch(chain, {
    name: 'settled payments',
    commitment: 'finalized',
    known: [],
    history: {
      address,
      atLeastSlot,
      window: { from, to: undefined },
      likelihood({ signature, error }) {
        if (error === undefined && wanted.has(signature)) seen.add(signature);
        // The list itself is the evidence: a node could invent a transaction for a given signature.
        return 'ruled-out';
      },
    },
    matches: () => false,
  });
  return { search, seen };
}
