/**
 * The payments of a run, by the chain: every transaction that a pot's delegate or owner signed is a payment of the
 * ledger, a closing, or nothing at all, and every payment of the ledger is one of them, once.
 */
import { addressOf, associatedTokenAddress, readTokenAccount } from 'levy-solana-wire';
import type { ChainHistory, PastTransaction } from './chain-history.ts';
import type { Findings } from './finding.ts';
import type { BookedBatch, BookedPot, RunBooks, TokenBooks } from './run-books.ts';

interface Paid {
  readonly to: string;
  readonly amount: bigint;
}

export async function auditPots(token: TokenBooks, history: ChainHistory, findings: Findings): Promise<void> {
  const pots = new Map<string, AuditedPot>();
  const keyOf = ({ address, delegate }: BookedPot) => `${address} ${delegate}`;
  for (const run of token.runs) {
    auditRecordsPaidOnce(run, findings);
    for (const pot of run.pots) {
      const batches = run.batches
        .filter((batch) => batch.pot === pot.address)
        .map((batch) => ({ ...batch, run }));
      const known = pots.get(keyOf(pot));
      const allowances = [...(known?.allowances ?? []), pot.allowance];
      pots.set(keyOf(pot), {
        token,
        run,
        pot,
        allowances,
        batches: [...(known?.batches ?? []), ...batches],
      });
    }
    for (const { pot, signature } of run.batches)
      if (!run.pots.some(({ address }) => address === pot))
        findings.add({
          what: `run ${run.runId}: every batch is paid by a pot of the run`,
          expected: 'a pot of the run',
          found: pot,
          signature,
        });
  }
  for (const pot of pots.values()) await auditPot(pot, history, findings);
}

/** Nobody is paid twice in one capacity. */
function auditRecordsPaidOnce({ runId, records, batches }: RunBooks, findings: Findings): void {
  const seen = new Map<string, string>();
  for (const { signature, payments } of batches)
    for (const { record, amount } of payments) {
      const booked = records[record];
      const key = `${booked?.kind} ${booked?.owner}`;
      findings.equal(`run ${runId}: a payment is what was planned`, booked?.planned ?? 0n, amount, {
        signature,
        ...(booked === undefined ? {} : { account: booked.owner }),
      });
      const earlier = seen.get(key);
      if (earlier !== undefined)
        findings.add({
          what: `run ${runId}: each is paid by one batch at most in one capacity`,
          expected: earlier,
          found: signature,
          signature,
          ...(booked === undefined ? {} : { account: booked.owner }),
        });
      seen.set(key, signature);
    }
}

interface AuditedPot {
  readonly token: TokenBooks;
  readonly run: RunBooks;
  readonly pot: BookedPot;
  /** More than one where a delegate was approved again, which must not be. */
  readonly allowances: readonly bigint[];
  readonly batches: readonly (BookedBatch & { readonly run: RunBooks })[];
}

async function auditPot(
  { token, run, pot, allowances, batches }: AuditedPot,
  history: ChainHistory,
  findings: Findings,
): Promise<void> {
  const what = (rule: string) => `run ${run.runId}: ${rule}`;
  const { address, delegate, asset } = pot;
  const allowance = allowances.reduce((sum, one) => sum + one, 0n);
  // A pot of wrapped SOL is made for the run; a token's account lives on, and the delegate is made for the run.
  const past = await history.of(asset === 'sol' ? address : delegate);
  const booked = new Map(batches.map((batch) => [batch.signature, batch]));
  let [approvals, paid] = [0, 0n];
  let closedAt: bigint | undefined;

  for (const transaction of past) {
    const { signature } = transaction;
    const place = { account: address, signature };
    for (const action of transaction.actions) {
      if (action.kind === 'approve' && action.account === address && action.delegate === delegate) {
        findings.equal(
          what('a pot may pay what the ledger says'),
          allowances[approvals] ?? 0n,
          action.amount,
          place,
        );
        approvals += 1;
      }
      if (action.kind === 'close' && action.account === address) closedAt = guardOf(transaction, pot) ?? 0n;
      if (action.kind === 'revoke' && action.account === address) closedAt = guardOf(transaction, pot) ?? 0n;
      if (
        action.kind === 'other' &&
        isSignedFor(transaction, token, pot) &&
        action.accounts.includes(address)
      )
        if (action.program !== '11111111111111111111111111111111')
          // Making a pot is the one thing about it that is neither payment nor closing.
          findings.add({
            what: what('nothing but payments and closings touches a pot'),
            expected: 'a payment or a closing',
            found: `an instruction of ${action.program}`,
            ...place,
          });
    }
    const payments = paidBy(transaction, token, pot);
    if (payments.length === 0) continue;
    paid += payments.reduce((sum, { amount }) => sum + amount, 0n);
    const batch = booked.get(signature);
    booked.delete(signature);
    if (batch === undefined) {
      findings.add({
        what: what('every payment on the chain is in the ledger'),
        expected: 'no payment',
        found: payments.map(({ to, amount }) => `${amount} to ${to}`).join(', '),
        ...place,
      });
      continue;
    }
    await auditBatch({ token, run: batch.run, pot, batch, payments, history, findings });
  }

  const sayApproved = (times: number) =>
    findings.equal(what('a delegate is approved once for one account'), 1n, BigInt(times), {
      account: address,
    });
  for (const signature of booked.keys())
    findings.add({
      what: what('every payment of the ledger is on the chain'),
      expected: 'a transaction of the pot',
      found: 'none',
      account: address,
      signature,
    });
  const approved = Math.max(approvals, allowances.length);
  if (past.length > 0 && approvals === 0) sayApproved(0);
  else if (approved > 1) sayApproved(approved);
  findings.atLeast(what('a pot pays no more than it may'), paid, allowance, { account: address });

  const account = await history.account(address);
  const state = account && readTokenAccount(account);
  const isOurs = state?.delegate !== undefined && addressOf(state.delegate) === delegate && approvals > 0;
  if (isOurs && state !== undefined)
    findings.equal(
      what('what is paid is the allowance less the meter'),
      allowance - state.delegatedAmount,
      paid,
      {
        account: address,
      },
    );
  else if (closedAt !== undefined)
    findings.equal(
      what('what is paid is the allowance less the meter at the close'),
      allowance - closedAt,
      paid,
      {
        account: address,
      },
    );
}

async function auditBatch(audited: {
  readonly token: TokenBooks;
  readonly run: RunBooks;
  readonly pot: BookedPot;
  readonly batch: BookedBatch;
  readonly payments: readonly Paid[];
  readonly history: ChainHistory;
  readonly findings: Findings;
}): Promise<void> {
  const { token, run, pot, batch, payments, history, findings } = audited;
  const place = { account: pot.address, signature: batch.signature };
  findings.equal(
    `run ${run.runId}: a batch pays as many as the ledger says`,
    BigInt(batch.payments.length),
    BigInt(payments.length),
    place,
  );
  for (const [index, { record, amount }] of batch.payments.entries()) {
    const payment = payments[index];
    const owner = run.records[record]?.owner ?? '';
    if (payment === undefined) continue;
    const what = `run ${run.runId}: a payment is the ledger's`;
    const to = pot.asset === 'sol' ? payment.to : await ownerOfTokens(payment.to, owner, token, history);
    findings.equal(what, `${amount} to ${owner}`, `${payment.amount} to ${to}`, place);
  }
}

/** The owner, or the account itself where it is gone and is not the owner's standard one. */
async function ownerOfTokens(
  account: string,
  expected: string,
  { mint }: TokenBooks,
  history: ChainHistory,
): Promise<string> {
  if (account === associatedTokenAddress(expected, mint)) return expected;
  const found = await history.account(account);
  const tokens = found && readTokenAccount(found);
  return tokens === undefined ? account : addressOf(tokens.owner);
}

/** What leaves the pot for somebody else. A move to itself is the guard. */
function paidBy(
  { actions }: PastTransaction,
  { wallet }: TokenBooks,
  { address, delegate, allowance, asset }: BookedPot,
): readonly Paid[] {
  return actions.flatMap((action) => {
    if (action.kind !== 'move' && action.kind !== 'unwrap') return [];
    const { from, to, authority, amount = allowance } = action;
    // The wallet itself spends from the token's account for other ends: to sell.
    const isPotsOwn = authority === delegate || (asset === 'sol' && authority === wallet);
    return from === address && to !== address && isPotsOwn ? [{ to, amount }] : [];
  });
}

function guardOf({ actions }: PastTransaction, { address, delegate }: BookedPot): bigint | undefined {
  for (const action of actions)
    if (
      action.kind === 'move' &&
      action.from === address &&
      action.to === address &&
      action.authority === delegate
    )
      return action.amount;
  return undefined;
}

function isSignedFor({ signers }: PastTransaction, { wallet }: TokenBooks, { delegate }: BookedPot): boolean {
  return signers.includes(wallet) || signers.includes(delegate);
}
