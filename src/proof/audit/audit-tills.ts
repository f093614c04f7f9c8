/**
 * The till chain, by the chain: from the marker on, each till is spent by one transaction into the next. Whatever leaves
 * a till goes into a pot of the books, or is a rent that was lent. What nobody may take is still there at the end.
 */
import { ASSOCIATED_TOKEN_PROGRAM, addressOf, associatedTokenAddress, NATIVE_MINT } from 'levy-solana-wire';
import { readTokenAccount, type TokenAccount } from '../../chain/token-accounts.ts';
import type { ChainHistory, PastTransaction } from './chain-history.ts';
import type { Action } from './decode-actions.ts';
import type { Findings } from './finding.ts';
import type { RunOutline, TokenBooks } from './run-books.ts';

type Books = TokenBooks<RunOutline>;

interface WalkedTill {
  readonly address: string;
  readonly made: PastTransaction;
}

interface WalkedTills {
  readonly tills: readonly WalkedTill[];
  /** The account of the last of them; undefined if it is no till of the wallet. */
  readonly last: TokenAccount | undefined;
}

export async function auditTills(token: Books, history: ChainHistory, findings: Findings): Promise<void> {
  // Read before the tills: what spends from it meanwhile is then seen as one link more.
  const held = await tokensOf(token, history);
  const signed = await signedByWallet(token, history);
  const { tills, last } = await walk(token, history, findings);
  const isMore = tills.length > token.links.length;
  // Read after the tills: whatever has landed by then was recorded before.
  const later = isMore ? await token.later?.() : undefined;
  if (later === undefined)
    findings.equal(
      'the chain has as many links as the books',
      BigInt(token.links.length),
      BigInt(tills.length),
    );
  const ofRuns = [...token.runs.flatMap(({ pots }) => pots), ...(later?.pots ?? [])];
  const pots = new Map(ofRuns.filter(({ asset }) => asset === 'sol').map((pot) => [pot.address, pot]));
  const approved = new Set(ofRuns.map(({ address, delegate }) => `${address} ${delegate}`));
  const own = token.distributor === '' ? { ...token, distributor: tills[0]?.made.payer ?? '' } : token;
  const lent = new Map<string, bigint>();
  for (const [number, { address, made }] of tills.entries()) {
    const booked = token.links[number];
    const link = booked ?? later?.links.get(address);
    const place = { account: address, signature: made.signature };
    if (booked === undefined && later !== undefined)
      findings.equal(
        'the wallet signs only links that are recorded',
        address,
        link?.till ?? 'none is recorded',
        place,
      );
    else if (link === undefined || link.till !== undefined)
      findings.equal('each till is the one that the books name', link?.till ?? 'none', address, place);
    if (link?.signature !== undefined)
      findings.equal('each link is the one that the books name', link.signature, made.signature, place);
    auditLink(
      { token: own, made, till: address, burned: link?.burned ?? 0n, pots, approved, lent },
      findings,
    );
  }
  const links = new Set(tills.map(({ made }) => made.signature));
  for (const [signature, found] of signed)
    if (!links.has(signature))
      findings.add({
        what: 'the wallet signs only links and collections of tax',
        expected: 'a link, or a withdrawal of tax into its own account',
        found,
        account: token.wallet,
        signature,
      });
  const account = tills.at(-1)?.address;
  if (account === undefined) return;
  if (last === undefined)
    findings.add({
      what: 'the last till is there',
      expected: "an account of wrapped SOL that is the wallet's",
      found: 'none',
      account,
    });
  // While a run is open, part of it is on its way.
  if (later !== undefined) return;
  if (last !== undefined)
    findings.atLeast('the till holds what is owed and what could not be divided', token.inTill, last.amount, {
      account,
    });
  findings.atLeast(
    "the wallet's account holds what is kept, owed and could not be divided",
    token.inAccount,
    held,
    { account: associatedTokenAddress(token.wallet, token.mint) },
  );
}

/** Transactions that the wallet signed for more than a collection of tax, with the first thing that they do for it. */
async function signedByWallet(
  { wallet, mint }: Books,
  history: ChainHistory,
): Promise<ReadonlyMap<string, string>> {
  const own = associatedTokenAddress(wallet, mint);
  const signed = new Map<string, string>();
  for await (const { signature, signers, actions } of history.of(wallet)) {
    if (!signers.includes(wallet)) continue;
    const found = actions.find(
      (action) =>
        ('authority' in action &&
          action.authority === wallet &&
          !(action.kind === 'withdraw' && action.to === own)) ||
        (action.kind === 'lamports' && action.from === wallet) ||
        (action.kind === 'other' && action.accounts.includes(wallet) && !isAccountFor(action)),
    );
    if (found !== undefined) signed.set(signature, found.kind);
  }
  return signed;
}

/** An associated token account that somebody makes for the wallet; the first account pays for it. */
function isAccountFor({ program, accounts }: Extract<Action, { kind: 'other' }>): boolean {
  return program === ASSOCIATED_TOKEN_PROGRAM && accounts[0] !== accounts[2];
}

/** What is kept, owed or undivided of the token itself lies in the wallet's own account. */
async function tokensOf({ wallet, mint }: Books, history: ChainHistory): Promise<bigint> {
  const account = await history.account(associatedTokenAddress(wallet, mint));
  return (account && readTokenAccount(account)?.amount) ?? 0n;
}

async function walk(token: Books, history: ChainHistory, findings: Findings): Promise<WalkedTills> {
  const tills = await firstTill(token, history);
  for (let reached = 0; ; reached = tills.length) {
    await walkOn(tills, history, findings);
    const last = tills.at(-1);
    // What is no till may have been spent since it was reached; here it was not.
    if (last === undefined || tills.length === reached) return { tills, last: undefined };
    const account = await history.account(last.address);
    const till = account && readTokenAccount(account);
    const isTill =
      till !== undefined && addressOf(till.mint) === NATIVE_MINT && addressOf(till.owner) === token.wallet;
    if (isTill) return { tills, last: till };
  }
}

async function firstTill(token: Books, history: ChainHistory): Promise<WalkedTill[]> {
  const genesis = await firstOf(history.of(token.marker), (past) => isOurs(past, token));
  const first = genesis?.actions.find(
    (action) =>
      action.kind === 'initialize' && action.owner === token.wallet && action.account !== token.marker,
  );
  return genesis === undefined || first?.kind !== 'initialize'
    ? []
    : [{ address: first.account, made: genesis }];
}

/** Adds those that follow the last one. */
async function walkOn(tills: WalkedTill[], history: ChainHistory, findings: Findings): Promise<void> {
  for (;;) {
    const till = tills.at(-1)?.address;
    if (till === undefined) return;
    const spent: WalkedTill[] = [];
    for await (const made of history.of(till))
      for (const action of made.actions)
        if (action.kind === 'close' && action.account === till) spent.push({ address: action.to, made });
    if (spent.length > 1) findings.equal('a till is spent once', 1n, BigInt(spent.length), { account: till });
    const [next] = spent;
    if (next === undefined) return;
    tills.push(next);
  }
}

async function firstOf(
  transactions: AsyncIterable<PastTransaction>,
  isIt: (past: PastTransaction) => boolean,
): Promise<PastTransaction | undefined> {
  for await (const past of transactions) if (isIt(past)) return past;
  return undefined;
}

interface AuditedLink {
  readonly token: Books;
  readonly made: PastTransaction;
  readonly till: string;
  readonly burned: bigint;
  readonly pots: ReadonlyMap<string, { readonly allowance: bigint }>;
  /** Pots of both assets, each with its delegate. */
  readonly approved: ReadonlySet<string>;
  /** Rents of accounts that are not closed yet. */
  readonly lent: Map<string, bigint>;
}

function auditLink(
  { token, made, till, burned, pots, approved, lent }: AuditedLink,
  findings: Findings,
): void {
  const { wallet, distributor } = token;
  const place = { account: till, signature: made.signature };
  const isMade = (address: string) =>
    made.actions.some((action) => action.kind === 'initialize' && action.account === address);
  const returnable = made.actions.reduce(
    (sum, action) => (action.kind === 'close' ? sum + (lent.get(action.account) ?? 0n) : sum),
    0n,
  );
  let returned = 0n;
  let burnedNow = 0n;
  for (const action of made.actions) {
    if (action.kind === 'lamports' && action.from === distributor && isMade(action.to))
      lent.set(action.to, (lent.get(action.to) ?? 0n) + action.amount);
    if (action.kind === 'approve' && action.authority === wallet) {
      const { account, delegate, amount } = action;
      if (!approved.has(`${account} ${delegate}`))
        findings.add({
          what: 'a link approves nobody but whom the books name',
          expected: 'a pot and its delegate',
          found: `${amount} to ${delegate}`,
          account,
          signature: made.signature,
        });
    }
    if (action.kind === 'burn' && action.authority === wallet) burnedNow += action.amount;
    if (action.kind === 'close') {
      lent.delete(action.account);
      if (action.authority === wallet)
        findings.equal('whatever a link closes goes into the new till', till, action.to, place);
    }
    const spent = spentFrom(action, till);
    if (spent === undefined) continue;
    if (spent.to === distributor) {
      returned += spent.amount ?? 0n;
      continue;
    }
    const pot = pots.get(spent.to);
    findings.equal(
      'what leaves a till goes into a pot of the books',
      pot === undefined ? 'nothing' : `${pot.allowance}`,
      `${spent.amount}`,
      { account: spent.to, signature: made.signature },
    );
  }
  findings.equal(
    'the distributor takes back the rents that it lent, and no more',
    returnable,
    returned,
    place,
  );
  findings.equal('a link burns what the books say', burned, burnedNow, place);
}

/** What leaves the till. A move to itself only checks what it holds. */
function spentFrom(action: Action, till: string): { to: string; amount: bigint | undefined } | undefined {
  if (action.kind !== 'move' && action.kind !== 'unwrap') return undefined;
  if (action.from !== till || action.to === till) return undefined;
  return { to: action.to, amount: action.amount };
}

function isOurs({ signers }: PastTransaction, { wallet }: Books): boolean {
  return signers.includes(wallet);
}
