/**
 * The payments of a run, by the chain: every transaction that a pot's delegate or owner signed is a payment of the
 * ledger, a closing, or nothing at all, and every payment of the ledger is one of them, once.
 */
import { addressOf, associatedTokenAddress, SYSTEM_PROGRAM } from 'levy-solana-wire';
import { readTokenAccount } from '../../chain/token-accounts.ts';
import type { ChainHistory, PastTransaction } from './chain-history.ts';
import type { Action } from './decode-actions.ts';
import type { Findings } from './finding.ts';
import { createPaidPlaces } from './paid-places.ts';
import { guardOf, isSignedFor, type Paid, paidBy } from './pot-transactions.ts';
import type { BookedBatch, BookedPot, ReadRun, RunOutline, TokenBooks } from './run-books.ts';

/** Takes the runs one after another. A pot that appears in several, which is wrong, is audited with the last of them. */
export function createPotsAudit(
  token: TokenBooks<RunOutline>,
  history: ChainHistory,
  findings: Findings,
): (run: ReadRun) => Promise<void> {
  const left = new Map<string, number>();
  for (const { pots } of token.runs)
    for (const pot of pots) left.set(keyOf(pot), (left.get(keyOf(pot)) ?? 0) + 1);
  const unfinished = new Map<string, Pick<AuditedPot, 'allowances' | 'batches'>>();

  return async (run) => {
    auditRecordsPaidOnce(run, findings);
    const byPot = new Map<string, BookedBatch[]>(run.pots.map(({ address }) => [address, []]));
    for (const batch of run.batches) {
      const own = byPot.get(batch.pot);
      if (own !== undefined) own.push(batch);
      else
        findings.add({
          what: `run ${run.runId}: every batch is paid by a pot of the run`,
          expected: 'a pot of the run',
          found: batch.pot,
          signature: batch.signature,
        });
    }
    for (const pot of run.pots) {
      const key = keyOf(pot);
      const earlier = unfinished.get(key);
      const batches = (byPot.get(pot.address) ?? []).map((batch) => ({ batch, run }));
      const audited = {
        allowances: [...(earlier?.allowances ?? []), pot.allowance],
        batches: [...(earlier?.batches ?? []), ...batches],
      };
      const more = (left.get(key) ?? 1) - 1;
      left.set(key, more);
      if (more > 0) unfinished.set(key, audited);
      else await auditPot({ token, run, pot, ...audited }, history, findings);
    }
  };
}

function keyOf({ address, delegate }: BookedPot): string {
  return `${address} ${delegate}`;
}

/** Nobody is paid twice in one capacity. */
function auditRecordsPaidOnce({ runId, records, batches }: ReadRun, findings: Findings): void {
  const paid = createPaidPlaces();
  for (const { signature, payments } of batches)
    for (const { record, amount } of payments) {
      const booked = records.at(record);
      const place = { signature, ...(booked === undefined ? {} : { account: booked.owner }) };
      findings.equal(`run ${runId}: a payment is what was planned`, booked?.planned ?? 0n, amount, place);
      if (paid.add(record)) continue;
      findings.add({
        what: `run ${runId}: each is paid by one batch at most in one capacity`,
        expected: firstToPay(record, batches),
        found: signature,
        ...place,
      });
    }
}

function firstToPay(record: number, batches: readonly BookedBatch[]): string {
  const first = batches.find(({ payments }) => payments.some((payment) => payment.record === record));
  return first?.signature ?? 'none';
}

interface AuditedPot {
  readonly token: TokenBooks<RunOutline>;
  readonly run: ReadRun;
  readonly pot: BookedPot;
  /** More than one where a delegate was approved again, which must not be. */
  readonly allowances: readonly bigint[];
  readonly batches: readonly { readonly batch: BookedBatch; readonly run: ReadRun }[];
}

/** What the chain shows of a pot. */
interface ShownPot {
  /** Transactions that took effect. */
  transactions: number;
  approvals: number;
  paid: bigint;
  /** What the delegate might still pay when the pot was closed, or the delegate revoked. */
  closedAt: bigint | undefined;
}

async function auditPot(audited: AuditedPot, history: ChainHistory, findings: Findings): Promise<void> {
  const { token, run, pot, batches } = audited;
  const { address, delegate, asset } = pot;
  // A pot of wrapped SOL is made for the run; a token's account lives on, and the delegate is made for the run.
  const past = history.of(asset === 'sol' ? address : delegate);
  const booked = new Map(batches.map((each) => [each.batch.signature, each]));
  const shown: ShownPot = { transactions: 0, approvals: 0, paid: 0n, closedAt: undefined };
  for await (const transaction of past) {
    shown.transactions += 1;
    for (const action of transaction.actions) auditAction(action, transaction, { audited, shown, findings });
    const payments = paidBy(transaction, pot);
    if (payments.length === 0) continue;
    shown.paid += payments.reduce((sum, { amount }) => sum + amount, 0n);
    const { signature } = transaction;
    const batch = booked.get(signature);
    booked.delete(signature);
    if (batch !== undefined) await auditBatch({ token, ...batch, pot, payments, history, findings });
    else
      findings.add({
        what: `run ${run.runId}: every payment on the chain is in the ledger`,
        expected: 'no payment',
        found: payments.map(({ to, amount }) => `${amount} to ${to}`).join(', '),
        account: address,
        signature,
      });
  }
  for (const signature of booked.keys())
    findings.add({
      what: `run ${run.runId}: every payment of the ledger is on the chain`,
      expected: 'a transaction of the pot',
      found: 'none',
      account: address,
      signature,
    });
  auditApprovals(audited, shown, findings);
  await auditMeter(audited, shown, history, findings);
}

function auditAction(
  action: Action,
  transaction: PastTransaction,
  {
    audited: { token, run, pot, allowances },
    shown,
    findings,
  }: { readonly audited: AuditedPot; readonly shown: ShownPot; readonly findings: Findings },
): void {
  const { address, delegate, asset } = pot;
  const place = { account: address, signature: transaction.signature };
  if (action.kind === 'approve' && action.account === address && action.delegate === delegate) {
    findings.equal(
      `run ${run.runId}: a pot may pay what the ledger says`,
      allowances[shown.approvals] ?? 0n,
      action.amount,
      place,
    );
    shown.approvals += 1;
  }
  if (action.kind === 'approve' && action.account === address && asset === 'sol')
    findings.equal(
      `run ${run.runId}: nobody else may pay from a pot of SOL`,
      delegate,
      action.delegate,
      place,
    );
  if ((action.kind === 'close' || action.kind === 'revoke') && action.account === address)
    shown.closedAt = guardOf(transaction, pot) ?? 0n;
  // Making a pot is the one thing about it that is neither payment nor closing.
  if (
    action.kind === 'other' &&
    action.program !== SYSTEM_PROGRAM &&
    action.accounts.includes(address) &&
    isSignedFor(transaction, token, pot)
  )
    findings.add({
      what: `run ${run.runId}: nothing but payments and closings touches a pot`,
      expected: 'a payment or a closing',
      found: `an instruction of ${action.program}`,
      ...place,
    });
}

function auditApprovals(
  { run, pot: { address: account }, allowances }: AuditedPot,
  { transactions, approvals }: ShownPot,
  findings: Findings,
): void {
  const times = Math.max(approvals, allowances.length);
  const isUnapproved = transactions > 0 && approvals === 0;
  if (isUnapproved || times > 1)
    findings.equal(
      `run ${run.runId}: a delegate is approved once for one account`,
      1n,
      isUnapproved ? 0n : BigInt(times),
      { account },
    );
}

/** The delegated amount of an account is the meter of what was paid. */
async function auditMeter(
  { run, pot: { address: account, delegate, asset }, allowances }: AuditedPot,
  { approvals, paid, closedAt }: ShownPot,
  history: ChainHistory,
  findings: Findings,
): Promise<void> {
  const allowance = allowances.reduce((sum, one) => sum + one, 0n);
  findings.atLeast(`run ${run.runId}: a pot pays no more than it may`, paid, allowance, { account });
  const found = await history.account(account);
  const state = found && readTokenAccount(found);
  const shownDelegate = state?.delegate && addressOf(state.delegate);
  if (shownDelegate !== undefined && asset === 'sol')
    findings.equal(`run ${run.runId}: nobody else may pay from a pot of SOL`, delegate, shownDelegate, {
      account,
    });
  if (state !== undefined && shownDelegate === delegate && approvals > 0)
    findings.equal(
      `run ${run.runId}: what is paid is the allowance less the meter`,
      allowance - state.delegatedAmount,
      paid,
      { account },
    );
  else if (closedAt !== undefined)
    findings.equal(
      `run ${run.runId}: what is paid is the allowance less the meter at the close`,
      allowance - closedAt,
      paid,
      { account },
    );
}

async function auditBatch(audited: {
  readonly token: TokenBooks<RunOutline>;
  readonly run: ReadRun;
  readonly pot: BookedPot;
  readonly batch: BookedBatch;
  readonly payments: readonly Paid[];
  readonly history: ChainHistory;
  readonly findings: Findings;
}): Promise<void> {
  const { token, run, pot, batch, payments, history, findings } = audited;
  const place = { account: pot.address, signature: batch.signature };
  const planned = batch.payments;
  findings.equal(
    `run ${run.runId}: a batch pays as many as the ledger says`,
    BigInt(planned.length),
    BigInt(payments.length),
    place,
  );
  for (const [index, { record, amount }] of planned.entries()) {
    const payment = payments[index];
    const owner = run.records.at(record)?.owner ?? '';
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
  { mint }: Pick<TokenBooks, 'mint'>,
  history: ChainHistory,
): Promise<string> {
  if (account === associatedTokenAddress(expected, mint)) return expected;
  const found = await history.account(account);
  const tokens = found && readTokenAccount(found);
  return tokens === undefined ? account : addressOf(tokens.owner);
}
