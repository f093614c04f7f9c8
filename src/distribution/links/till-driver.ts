/**
 * Brings the recorded links of a token onto the chain, one after another, and says what the chain has made of them. Why
 * none can happen twice stands in `once/till-chain.ts`; here is only pace: signing again what has expired, and looking.
 */
import { addressBytes, addressOf, decodeTransaction, SYSTEM_PROGRAM } from 'levy-solana-wire';
import type { KeyPair } from '../../chain/keys.ts';
import { isAllocateWithSeed } from '../../chain/system-instructions.ts';
import { readTokenAccount } from '../../chain/token-accounts.ts';
import { TOKEN_ACCOUNT_SIZE } from '../../chain/wrapped-sol-instructions.ts';
import type { AccountsAtSlot, Chain, ChainAccount, LandedTransaction } from '../../ports/chain.ts';
import type { DistributionState, LandedLinks, RecordedLink } from '../../streams/distribution.ts';
import { type Wait, waitFor } from '../../streams/distribution-wait.ts';
import { type Absences, isGone } from '../absences.ts';
import type { DistributedToken } from '../distributed-token.ts';
import { linkInstructions, markerOf } from '../once/till-chain.ts';
import { lamportsToLend, PAYMENT_UNITS } from '../run-keys/lending.ts';
import type { SaleVenue, VenueName } from '../selling/sale-venue.ts';
import { explainRefusal } from '../sending/explain-refusal.ts';
import { findTransaction, type HistorySearches } from '../sending/find-transaction.ts';
import type { Sender, SignedTransaction } from '../sending/sender.ts';
import { readTaxedMint } from '../sending/tax-now.ts';
import { slotReached } from '../slot-reached.ts';
import { judgeLinks, lamportsOfTill } from './judge-links.ts';
import { isTrueToContent, type LinkConditions, linkOf, signersOf } from './link-content.ts';

export type TillProgress =
  /** These landed for good. Links that build on them may be left. */
  | {
      readonly outcome: 'landed';
      readonly landed: Pick<LandedLinks, 'links' | 'slot' | 'lamports' | 'tokens'>;
    }
  /** Something is under way. */
  | { readonly outcome: 'waiting'; readonly for: Wait }
  /** The next link would fail now. */
  | { readonly outcome: 'refused'; readonly link: RecordedLink; readonly why: Wait }
  /** The next link was recorded too long ago to be signed again. */
  | { readonly outcome: 'stale'; readonly link: RecordedLink }
  | { readonly outcome: 'ahead'; readonly reason: string }
  | { readonly outcome: 'mismatch'; readonly reason: string };

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
}

export async function driveTill(
  { chain, sender, venueOf, delegates, now, isFresh }: TillDriverParts,
  token: DistributedToken,
  state: Pick<DistributionState, 'till' | 'pending'>,
  { links: signed, absences, searches }: TillMemory,
): Promise<TillProgress> {
  const { wallet, tokens } = token;
  const { till, pending } = state;
  const altered = pending.find((link) => !isTrueToContent(link, token));
  if (altered !== undefined)
    return {
      outcome: 'mismatch',
      reason: `The till ${altered.till} does not commit to its recorded content.`,
    };

  const marker = markerOf(wallet.address);
  const addresses = [
    tokens,
    marker,
    ...(till === undefined ? [] : [till.address]),
    ...pending.map((link) => link.till),
  ];
  const owner = addressBytes(wallet.address);

  // With another link recorded, there is another till to look for.
  const tills = `tills from ${till?.address} to ${pending.at(-1)?.till}`;
  const account = `the account ${tokens}`;
  const final = await readAll(chain, addresses, 'finalized', {
    atLeastSlot: slotReached(state),
    elsewhere: absences.has(tills) || absences.has(account),
  });
  const accountOf = (address: string) => final.accounts.get(address);
  const verdict = judgeLinks({
    wallet: owner,
    till: till?.address,
    pending,
    markerExists: lamportsOfTill(accountOf(marker), owner) !== undefined,
    accountOf,
  });
  const look = () => ({ slot: final.slot, at: now() });
  if (verdict.outcome === 'ahead' && !isGone(absences, tills, look()))
    return {
      outcome: 'waiting',
      for: waitFor('node-behind', `The chain node shows no till of the wallet at slot ${final.slot}.`),
    };
  absences.delete(tills);
  if (verdict.outcome === 'ahead')
    return {
      outcome: 'ahead',
      reason: `At slot ${final.slot} the till ${till?.address ?? 'of the first link'} is gone, and none that the log knows of took its place.`,
    };
  const path = verdict.outcome === 'landed' ? verdict.path : [];
  const last = path.at(-1);
  if (last !== undefined && !pending.some((link) => link.previous === last.till)) return settle(path);

  const latest = await readAll(chain, addresses, 'confirmed', { atLeastSlot: final.slot });
  const current = [...pending.map((link) => link.till), ...(till === undefined ? [] : [till.address])].find(
    (address) => lamportsOfTill(latest.accounts.get(address), owner) !== undefined,
  );
  const isBegun = current !== undefined || lamportsOfTill(latest.accounts.get(marker), owner) !== undefined;
  if (isBegun && current === undefined)
    return { outcome: 'waiting', for: waitFor('node-behind', 'The chain node does not show the till.') };
  // Of several contents for one till the one recorded last: the others could not land.
  const next = pending.findLast(({ previous }) => previous === (current ?? null));
  if (next === undefined) return { outcome: 'waiting', for: waitFor('link-finality') };

  const before = signed.get(next.till);
  if (before !== undefined && (await isAlive(before))) {
    await sender.send(before);
    return underWay(next);
  }
  if (!isFresh(next)) return path.length > 0 ? settle(path) : { outcome: 'stale', link: next };
  return signAnew(next, latest.accounts.get(current ?? ''));

  async function settle(landedPath: readonly RecordedLink[]): Promise<TillProgress> {
    // Only the first link of all may come before the account.
    const isHidden = till !== undefined && accountOf(tokens) === undefined;
    if (isHidden && !isGone(absences, account, look()))
      return {
        outcome: 'waiting',
        for: waitFor('node-behind', "The chain node does not show the wallet's account of the token."),
      };
    absences.delete(account);
    const links: LandedLinks['links'] = [];
    for (const link of landedPath) {
      const { number, till: made } = link;
      const own = signed.get(made);
      const found = await findTransaction(chain, searches, {
        address: made,
        name: 'what made the till',
        likely: own === undefined ? [] : [own.signature],
        matches: (landed) => isLinkTo(landed, made, token),
      });
      if (found === undefined)
        return {
          outcome: 'waiting',
          for: waitFor(
            'transaction-unseen',
            `The chain node does not show the transaction that made till ${number}.`,
          ),
        };
      const { signature, transaction } = found;
      links.push({ ...link, signature, fee: transaction.fee.toString() });
    }
    for (const { till: made } of landedPath) signed.delete(made);
    return {
      outcome: 'landed',
      landed: {
        links,
        slot: final.slot.toString(),
        lamports: (verdict.outcome === 'landed' ? verdict.lamports : 0n).toString(),
        tokens: tokensIn(accountOf(tokens)).toString(),
      },
    };
  }

  async function isAlive({ signature, lastValidBlockHeight }: SignedTransaction): Promise<boolean> {
    const [status] = await chain.statuses([signature]);
    // What failed stays failed: another signature may not.
    if (status?.error !== undefined) return false;
    return (await chain.tip('confirmed')).blockHeight <= lastValidBlockHeight;
  }

  async function signAnew(link: RecordedLink, previousTill: ChainAccount | undefined): Promise<TillProgress> {
    const { now: tax } = await readTaxedMint(chain, token.mint, { atLeastSlot: latest.slot });
    const rent = await chain.rentExemption(TOKEN_ACCOUNT_SIZE);
    await sender.price([token.distributor.address, wallet.address]);
    const conditions = { tax, rent, venueOf, lamportsFor: await lendingOf(link) };
    const reserve = previousTill && readTokenAccount(previousTill)?.nativeReserve;
    const payer = token.distributor.address;
    const instructions = linkInstructions(linkOf(link, token, conditions), payer, {
      today: rent,
      ofPrevious: reserve ?? 0n,
    });
    const whyRefused = (error: string) =>
      explainRefusal(error, {
        instructions,
        payer,
        distributor: payer,
        tokens,
        otherwise: 'link-refused',
        what: `link ${link.number}`,
      });
    const simulation = await sender.simulate(instructions, payer, { atLeastSlot: latest.slot });
    // What has landed before it is recorded first: another content may then take its place.
    if (simulation.error !== undefined)
      return path.length > 0 ? settle(path) : { outcome: 'refused', link, why: whyRefused(simulation.error) };
    const keys = signersOf(link, token, delegates, venueOf);
    const fresh = await sender.sign(
      instructions,
      keys,
      simulation.unitsConsumed,
      await chain.recentBlockhash(),
    );
    signed.set(link.till, fresh);
    await sender.send(fresh);
    return underWay(link);
  }

  /** What is lent may differ between two signatures: of all that was signed for a till one lands. */
  async function lendingOf({ actions }: RecordedLink): Promise<LinkConditions['lamportsFor']> {
    const keys = actions.flatMap((action) => (action.kind === 'lend' ? [action.key] : []));
    if (keys.length === 0) return () => 0n;
    const { accounts } = await readAll(chain, keys, 'confirmed', { atLeastSlot: final.slot });
    const rent = await chain.rentExemption(0);
    const fee = sender.feeOf(PAYMENT_UNITS, 1);
    return (key, payments) =>
      lamportsToLend({ held: accounts.get(key)?.lamports ?? 0n, rent, fee }, payments);
  }
}

function underWay({ number }: RecordedLink): TillProgress {
  return {
    outcome: 'waiting',
    for: waitFor('link-finality', `The link that makes till ${number} is on its way to being final.`),
  };
}

interface AccountsByAddress {
  readonly slot: bigint;
  readonly accounts: ReadonlyMap<string, ChainAccount | undefined>;
}

const ACCOUNTS_PER_READ = 100;

/** All from one slot. Rejects if there are more than one call can show. */
async function readAll(
  chain: Chain,
  addresses: readonly string[],
  commitment: 'confirmed' | 'finalized',
  options: { readonly atLeastSlot: bigint; readonly elsewhere?: boolean },
): Promise<AccountsByAddress> {
  if (addresses.length > ACCOUNTS_PER_READ) throw new RangeError('too many tills to look at');
  const { slot, accounts }: AccountsAtSlot = await chain.accountsAt(addresses, commitment, options);
  return { slot, accounts: new Map(addresses.map((address, index) => [address, accounts[index]])) };
}

function tokensIn(account: ChainAccount | undefined): bigint {
  return (account && readTokenAccount(account)?.amount) ?? 0n;
}

/** Only the service can have the distributor pay a transaction that the wallet signs, and this one makes the till. */
function isLinkTo({ wire }: LandedTransaction, till: string, token: DistributedToken): boolean {
  const decoded = decodeTransaction(wire);
  if (!decoded.ok) return false;
  const { accountKeys, requiredSignatures, instructions } = decoded.transaction.message;
  const keys = accountKeys.map(addressOf);
  const signers = keys.slice(0, requiredSignatures);
  return (
    signers[0] === token.distributor.address &&
    signers.includes(token.wallet.address) &&
    instructions.some(
      ({ programIndex, accountIndexes, data }) =>
        keys[programIndex] === SYSTEM_PROGRAM &&
        isAllocateWithSeed(data) &&
        keys[accountIndexes[0] ?? -1] === till,
    )
  );
}
