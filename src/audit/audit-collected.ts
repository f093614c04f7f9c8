/**
 * What a run collected and what its sale brought, by the balances that the chain shows behind its transactions. A stranger
 * may give tokens or lamports between two of them, and what is given counts: so each sum lies between what was there right
 * behind one transaction and what the next one found.
 */
import { associatedTokenAddress } from 'levy-solana-wire';
import type { CarriedSums } from './audit-carried-over.ts';
import type { AuditedChain, ChainHistory } from './chain-history.ts';
import type { Findings } from './finding.ts';
import type { RunOutline, TokenBooks } from './run-books.ts';

type Books = TokenBooks<RunOutline>;

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
  if (amounts === undefined || steps === undefined || chain.balancesAfter === undefined) return;
  const what = (rule: string) => `run ${runId}: ${rule}`;
  const account = associatedTokenAddress(token.wallet, token.mint);
  const balanceAfter = async (signature: string | undefined, address: string | undefined) =>
    signature === undefined || address === undefined
      ? undefined
      : (await chain.balancesAfter?.(signature))?.get(address);

  const held = amounts.collected + carried.kept + carried.owed.token + carried.dust.token;
  const withdrawn = steps.withdraw.at(-1);
  const afterWithdrawal = await balanceAfter(withdrawn, account);
  if (withdrawn === undefined || afterWithdrawal === undefined)
    findings.add({
      what: what('the tax was withdrawn'),
      expected: 'a transaction that names the account',
      found: withdrawn ?? 'none',
      account,
    });
  else
    findings.atLeast(what('all that was withdrawn is collected'), afterWithdrawal, held, {
      account,
      signature: withdrawn,
    });

  const split = steps.split.at(-1);
  if (split === undefined) return;
  const afterSplit = await balanceAfter(split, account);
  // A link that neither burns nor sells does not name the account.
  if (afterSplit !== undefined)
    findings.atLeast(
      what('no more is collected than was there to be split'),
      held,
      afterSplit + amounts.burned + (asset === 'sol' ? amounts.sold : 0n),
      { account, signature: split },
    );

  if (asset !== 'sol') return;
  const brought = amounts.proceeds + carried.owed.sol + carried.dust.sol;
  const till = await tillMadeBy(split, token, history);
  const inTill = await balanceAfter(split, till);
  if (till === undefined || inTill === undefined)
    findings.add({
      what: what('the sale goes into a till'),
      expected: 'a till of the wallet',
      found: 'none',
      signature: split,
    });
  else
    findings.atLeast(what('all that the sale brought are proceeds'), inTill, brought, {
      account: till,
      signature: split,
    });
  const [next] = steps.open;
  const made = next === undefined ? undefined : await tillMadeBy(next, token, history);
  const left = await balanceAfter(next, made);
  if (next === undefined || made === undefined || left === undefined) return;
  const intoPots = (await history.transaction(next))?.actions.reduce(
    (sum, action) => (action.kind === 'move' && action.from === made ? sum + action.amount : sum),
    0n,
  );
  findings.atLeast(what('no more are proceeds than was in the till'), brought, left + (intoPots ?? 0n), {
    account: made,
    signature: next,
  });
}

/** The first account that a link makes for the wallet, but for the marker of the first link. */
async function tillMadeBy(
  signature: string,
  { wallet }: Books,
  history: ChainHistory,
): Promise<string | undefined> {
  const past = await history.transaction(signature);
  const made = past?.actions.find((action) => action.kind === 'initialize' && action.owner === wallet);
  return made?.kind === 'initialize' ? made.account : undefined;
}
