/**
 * Compares the runs of a token with the chain: every recorded link, withdrawal and batch landed as recorded, the service's keys
 * signed nothing else, and the balances after the transactions match the records.
 */
import { readTokenAccount } from '../../../chain/token-accounts.ts';
import type { DistributedToken } from '../../../distribution/distributed-token.ts';
import type { DistributionState, RecordedLink } from '../../../streams/distribution.ts';
import type { PlannedBatch, PlannedPot } from '../../../streams/distribution-run.ts';
import { type AuditedChain, createChainHistory, type PastTransaction } from '../chain/landed-transactions.ts';
import type { Findings, Place } from '../finding.ts';
import { auditPayees } from './audit-payees.ts';
import type { AuditedLedgers } from './audited-ledgers.ts';
import { compareBatch, compareLink, type Difference, isWithdrawal } from './compare-instructions.ts';
import { type ExecutedRun, placeOf } from './re-execute-run.ts';

/** Events recorded after the audited part, which exist if the service is running. */
export interface NewerLog {
  /** All recorded links of the token. */
  links(): Promise<readonly RecordedLink[]>;
  /** All recorded batches of the run. */
  batches(runId: string): Promise<readonly PlannedBatch[]>;
  /** Number of opened runs. */
  runs(): Promise<number>;
}

export type ChainAudit = ReturnType<typeof createChainAudit>;

interface LandedLink {
  readonly link: RecordedLink;
  readonly past: PastTransaction;
  /** Recorded lamports of the till; undefined unless the link is the last of its event. */
  readonly lamports: string | undefined;
  readonly place: Place;
}

export function createChainAudit({
  chain,
  ledgers,
  newer,
  findings,
  compared,
}: {
  readonly chain: AuditedChain;
  readonly ledgers: AuditedLedgers;
  readonly newer: NewerLog;
  readonly findings: Findings;
  /** Called with the number of compared transactions. */
  readonly compared: (count: number) => void;
}) {
  const history = createChainHistory(chain);
  /** Signatures of the links that were compared with the log. */
  const known = new Set<string>();
  /** Lamports lent for accounts, by address. */
  const lent = new Map<string, bigint>();
  let before: LandedLink | undefined;

  function differs(what: string, difference: Difference | undefined, place: Place): void {
    if (difference !== undefined) findings.add({ what, ...difference, ...place });
  }

  async function landed(
    signature: string,
    fee: string | undefined,
    place: Place,
  ): Promise<PastTransaction | undefined> {
    compared(1);
    const past = await history.transaction(signature);
    if (past === undefined)
      findings.add({
        what: 'a recorded transaction is on the chain',
        expected: signature,
        found: 'none that took effect',
        ...place,
        signature,
      });
    else if (fee !== undefined)
      findings.equal('a recorded fee is the fee on the chain', past.fee, BigInt(fee), {
        ...place,
        signature,
      });
    return past;
  }

  async function auditLinks({ events, token }: ExecutedRun): Promise<void> {
    for (const event of events) {
      // A correction by an operator replaces the recorded amount of the last till.
      if (event.type === 'BooksCorrected' && before !== undefined)
        before = { ...before, lamports: event.data.lamports };
      if (event.type !== 'LinksLanded') continue;
      for (const { signature, fee, ...link } of event.data.links) {
        const place = { ...placeOf(event), account: link.till, signature };
        known.add(signature);
        const past = await landed(signature, fee, place);
        if (past === undefined) continue;
        compareWithLog(link, token, past, place);
        const isLast = link.till === event.data.links.at(-1)?.till;
        const next = { link, past, lamports: isLast ? event.data.lamports : undefined, place };
        if (before !== undefined) auditTill(before, next);
        before = next;
      }
    }
  }

  function compareWithLog(
    link: RecordedLink,
    token: DistributedToken,
    past: PastTransaction,
    place: Place,
  ): void {
    const found = compareLink(link, token, past);
    differs('a link matches its record', found.difference, place);
    lent.set(link.till, found.lent);
    let owed = link.previous === null ? 0n : (lent.get(link.previous) ?? 0n);
    for (const action of link.actions) {
      if (action.kind === 'open') lent.set(action.pot, found.lent);
      if (action.kind === 'close') owed += lent.get(action.pot) ?? 0n;
    }
    if (found.returned > owed)
      findings.add({
        what: 'the distributor receives at most the rents that it lent',
        expected: `at most ${owed}`,
        found: `${found.returned}`,
        ...place,
      });
  }

  /**
   * Anyone may send lamports to a till before it is spent, so its recorded balance must be between the balance after its link
   * and the amount that the next link found.
   */
  function auditTill({ link, past, lamports: recorded, place }: LandedLink, next: LandedLink): void {
    const made = past.tokensAfter?.get(link.till);
    const after = next.past.tokensAfter?.get(next.link.till);
    if (recorded === undefined || made === undefined || after === undefined) return;
    const lamports = BigInt(recorded);
    findings.atLeast('a till is recorded with everything that its link left in it', made, lamports, place);
    if (next.link.actions.some(({ kind }) => kind === 'sell')) return;
    const moved = next.link.actions.reduce((sum, action) => {
      if (action.kind === 'open') return sum + BigInt(action.allowance);
      return action.kind === 'close' ? sum - BigInt(action.left) : sum;
    }, after);
    findings.atLeast(
      'a till is recorded with at most the amount that the next link found in it',
      lamports,
      moved,
      place,
    );
  }

  /** The recorded balance must equal the balance right after the withdrawal, unless an operator has corrected it. */
  async function auditCollections({ events, token }: ExecutedRun): Promise<void> {
    const isCorrected = events.some(({ type }) => type === 'CollectionCorrected');
    for (const event of events) {
      if (event.type !== 'TaxCollected') continue;
      for (const signature of event.data.withdraw) {
        const place = { ...placeOf(event), account: token.tokens, signature };
        const past = await landed(signature, undefined, place);
        if (past === undefined) continue;
        if (!isWithdrawal(token, past))
          findings.add({
            what: 'the tax is withdrawn',
            expected: 'a withdrawal',
            found: 'something else',
            ...place,
          });
        const balance = past.tokensAfter?.get(token.tokens);
        if (balance !== undefined && !isCorrected && signature === event.data.withdraw.at(-1))
          findings.equal('the withdrawn amount is collected', balance, BigInt(event.data.balance), place);
      }
    }
  }

  async function auditPot(executed: ExecutedRun, pot: PlannedPot, place: Place): Promise<void> {
    const { open, run, token, book } = executed;
    const { address, delegate, asset } = pot;
    if (book === undefined) return;
    const settled = new Map(
      executed.events.flatMap((event) =>
        event.type === 'BatchesSettled'
          ? event.data.batches
              .filter((batch) => run.allotted?.pots[batch.pot]?.address === address)
              .map((batch) => [batch.signature, { batch, at: placeOf(event) }] as const)
          : [],
      ),
    );
    let recorded: Promise<readonly PlannedBatch[]> | undefined;
    // A token account outlives its runs, but its delegate is created for one run.
    for await (const past of history.of(asset === 'sol' ? address : delegate)) {
      const { signature, signers } = past;
      if (!signers.includes(delegate) || signers.includes(token.wallet.address)) continue;
      compared(1);
      const recordedBatch = settled.get(signature);
      const own = { ...(recordedBatch?.at ?? place), account: address, signature };
      settled.delete(signature);
      if (recordedBatch !== undefined) {
        const { batch } = recordedBatch;
        findings.equal('a recorded fee is the fee on the chain', past.fee, BigInt(batch.fee), own);
        differs('a batch matches its record', compareBatch({ pot, batch }, { token, book }, past), own);
        continue;
      }
      // Batches are recorded before they are signed, so reading them after the history includes all of it.
      if (!executed.isClosed) recorded ??= newer.batches(open.runId);
      const isRecorded = (await recorded)?.some(
        (each) =>
          run.allotted?.pots[each.pot]?.address === address &&
          compareBatch({ pot, batch: each }, { token, book }, past) === undefined,
      );
      if (isRecorded !== true)
        findings.add({
          what: 'only recorded batches are paid',
          expected: 'a recorded batch',
          found: 'a transaction that the delegate signed',
          ...own,
        });
    }
    for (const [signature, { at }] of settled)
      findings.add({
        what: 'a recorded transaction is on the chain',
        expected: signature,
        found: 'none in the history of the pot',
        ...at,
        account: address,
        signature,
      });
  }

  async function auditWallet(token: DistributedToken, place: Place): Promise<void> {
    const wallet = token.wallet.address;
    let links: Promise<readonly RecordedLink[]> | undefined;
    for await (const past of history.of(wallet)) {
      const { signature, signers, instructions } = past;
      if (!signers.includes(wallet) || known.has(signature) || isWithdrawal(token, past)) continue;
      const named = new Set(instructions.flatMap(({ accounts }) => accounts));
      links ??= newer.links();
      const recorded = (await links).filter(({ till }) => named.has(till));
      if (recorded.some((link) => compareLink(link, token, past).difference === undefined)) continue;
      findings.add({
        what: 'the wallet signs only recorded links and collections of tax',
        expected: 'a recorded link, or a withdrawal of tax into its own account',
        found: instructions.map(({ program }) => program).join(', '),
        ...place,
        account: wallet,
        signature,
      });
    }
  }

  /**
   * Checks that owed, retained and undivided amounts are still held. Skipped while a run is open, when part of them is in
   * transit.
   */
  async function auditHoldings(
    token: DistributedToken,
    state: DistributionState,
    place: Place,
  ): Promise<void> {
    if (state.open !== undefined || state.till === undefined) return;
    const { kept, owed, dust } = state.carried;
    const held = async (address: string) => {
      const account = await history.account(address);
      return (account && readTokenAccount(account)?.amount) ?? 0n;
    };
    const [inTill, inAccount] = [await held(state.till.address), await held(token.tokens)];
    if ((await newer.runs()) > state.runs) return;
    findings.atLeast(
      'the till holds the owed and undivided amounts',
      BigInt(owed.sol) + BigInt(dust.sol),
      inTill,
      { ...place, account: state.till.address },
    );
    findings.atLeast(
      "the wallet's account holds the retained, owed and undivided amounts",
      BigInt(kept.developer) + BigInt(kept.holders) + BigInt(owed.token) + BigInt(dust.token),
      inAccount,
      { ...place, account: token.tokens },
    );
  }

  return {
    async run(executed: ExecutedRun): Promise<void> {
      await auditLinks(executed);
      await auditCollections(executed);
      const allotted = executed.events.findLast((event) => event.type === 'RunAllotted');
      if (allotted?.type !== 'RunAllotted' || executed.book === undefined) return;
      const place = placeOf(allotted);
      await auditPayees(await ledgers.allotment(allotted.data.ledger), chain, findings, place);
      for (const pot of allotted.data.pots) await auditPot(executed, pot, place);
    },
    /** Call after the last run. */
    async end(token: DistributedToken, state: DistributionState, place: Place): Promise<void> {
      await auditHoldings(token, state, place);
      await auditWallet(token, place);
    },
  };
}
