/**
 * What a run collected and what its sale brought, by the balances that the chain shows behind its transactions. A stranger
 * may give tokens or lamports between two of them, and what is given counts: so each sum lies between what was there right
 * behind one transaction and what the next one found.
 */
import { associatedTokenAddress } from 'levy-solana-wire';
import type { CarriedSums } from './audit-carried-over.ts';
import type { AuditedChain, ChainHistory } from './chain-history.ts';
import type { Findings } from './finding.ts';
import type { BookedAmounts, BookedSteps, RunOutline, TokenBooks } from './run-books.ts';

type Books = TokenBooks<RunOutline>;

/** A run that is audited, with all that its rules need. */
interface Collected {
  readonly token: Books;
  readonly amounts: BookedAmounts;
  readonly steps: BookedSteps;
  readonly carried: CarriedSums;
  readonly history: ChainHistory;
  readonly findings: Findings;
  /** A rule, with the run that it is about. */
  readonly what: (rule: string) => string;
  /** Undefined where the transaction does not name the account, or the node does not have it. */
  readonly balanceAfter: (signature: string, address: string) => Promise<bigint | undefined>;
}

export async function auditCollected(
  audited: {
    readonly token: Books;
    readonly run: RunOutline;
    readonly carried: CarriedSums;
    readonly history: ChainHistory;
    readonly chain: Pick<AuditedChain, 'balancesAfter'>;
  },
  findings: Findings,
): Promise<void> {
  const { token, run, carried, history, chain } = audited;
  const { amounts, steps, runId, asset } = run;
  const { balancesAfter } = chain;
  if (amounts === undefined || steps === undefined || balancesAfter === undefined) return;
  const collected: Collected = {
    token,
    amounts,
    steps,
    carried,
    history,
    findings,
    what: (rule) => `run ${runId}: ${rule}`,
    balanceAfter: async (signature, address) => (await balancesAfter(signature))?.get(address),
  };
  await auditTokens(collected, asset === 'sol' ? amounts.sold : 0n);
  const split = steps.split.at(-1);
  if (asset === 'sol' && split !== undefined) await auditProceeds(collected, split);
}

/** `sold`: what left the account for a pool. */
async function auditTokens(
  { token, amounts, steps, carried, findings, what, balanceAfter }: Collected,
  sold: bigint,
): Promise<void> {
  const account = associatedTokenAddress(token.wallet, token.mint);
  const held = amounts.collected + carried.kept + carried.owed.token + carried.dust.token;
  const withdrawn = steps.withdraw.at(-1);
  const afterWithdrawal = withdrawn === undefined ? undefined : await balanceAfter(withdrawn, account);
  if (afterWithdrawal === undefined)
    findings.add({
      what: what('the tax was withdrawn'),
      expected: 'a transaction that names the account',
      found: withdrawn ?? 'none',
      account,
    });
  else
    findings.atLeast(what('all that was withdrawn is collected'), afterWithdrawal, held, {
      account,
      ...(withdrawn === undefined ? {} : { signature: withdrawn }),
    });

  const split = steps.split.at(-1);
  const afterSplit = split === undefined ? undefined : await balanceAfter(split, account);
  // A link that neither burns nor sells does not name the account.
  if (split !== undefined && afterSplit !== undefined)
    findings.atLeast(
      what('no more is collected than was there to be split'),
      held,
      afterSplit + amounts.burned + sold,
      { account, signature: split },
    );
}

/** What the sale brought lies in the till that the split made, until the next link makes another. */
async function auditProceeds(collected: Collected, split: string): Promise<void> {
  const { amounts, steps, carried, findings, what } = collected;
  const brought = amounts.proceeds + carried.owed.sol + carried.dust.sol;
  const made = await tillAfter(split, collected);
  if (made === undefined)
    findings.add({
      what: what('the sale goes into a till'),
      expected: 'a till of the wallet',
      found: 'none',
      signature: split,
    });
  else
    findings.atLeast(what('all that the sale brought are proceeds'), made.balance, brought, {
      account: made.till,
      signature: split,
    });
  const [opening] = steps.open;
  const next = opening === undefined ? undefined : await tillAfter(opening, collected);
  if (opening === undefined || next === undefined) return;
  findings.atLeast(what('no more are proceeds than was in the till'), brought, next.balance + next.intoPots, {
    account: next.till,
    signature: opening,
  });
}

/** The till that a link makes, with what the link left in it and moved from it into pots. */
async function tillAfter(
  signature: string,
  { token: { wallet, marker }, history, balanceAfter }: Collected,
): Promise<{ readonly till: string; readonly balance: bigint; readonly intoPots: bigint } | undefined> {
  const actions = (await history.transaction(signature))?.actions ?? [];
  // A till is the first account that a link makes for the wallet. The first link of all makes the marker before it.
  const made = actions.find(
    (action) => action.kind === 'initialize' && action.owner === wallet && action.account !== marker,
  );
  if (made?.kind !== 'initialize') return undefined;
  const till = made.account;
  const balance = await balanceAfter(signature, till);
  if (balance === undefined) return undefined;
  const intoPots = actions.reduce(
    (sum, action) => (action.kind === 'move' && action.from === till ? sum + action.amount : sum),
    0n,
  );
  return { till, balance, intoPots };
}
