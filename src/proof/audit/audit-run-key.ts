/**
 * The key that pays a run's tokens out, by the chain: the lamports that the distributor lent it went into fees, came back
 * to it, or are still there. The key pays nobody else.
 */
import type { ChainHistory, TriedTransaction } from './chain-history.ts';
import type { Findings } from './finding.ts';
import type { RunOutline, TokenBooks } from './run-books.ts';

export interface RunKeyAudit {
  /** Called with every transaction that names the key. */
  saw(
    transaction: TriedTransaction,
    token: Pick<TokenBooks<RunOutline>, 'wallet' | 'distributor'>,
    findings: Findings,
  ): void;
  end(findings: Findings): void;
}

export async function auditRunKey(
  runId: string,
  key: string,
  history: Pick<ChainHistory, 'account'>,
): Promise<RunKeyAudit> {
  // Read before its transactions: what leaves it meanwhile is seen as one of them.
  const left = (await history.account(key))?.lamports ?? 0n;
  const what = (rule: string) => `run ${runId}: ${rule}`;
  let [lent, returned, spent] = [0n, 0n, 0n];
  return {
    saw({ payer, signers, signature, fee, failed, actions }, { wallet, distributor }, findings) {
      if (payer === key) spent += fee;
      if (failed) return;
      const place = { account: key, signature };
      for (const action of actions) {
        if (action.kind !== 'lamports') continue;
        const { from, to, amount } = action;
        if (to === key && from === distributor) {
          lent += amount;
          const by = signers.includes(wallet) ? 'a link' : 'another transaction';
          findings.equal(what("a run's key is lent lamports by links"), 'a link', by, place);
        }
        if (from !== key) continue;
        findings.equal(what("a run's key gives lamports back, and to nobody else"), distributor, to, place);
        returned += amount;
      }
    },
    end(findings) {
      findings.atLeast(
        what("what a run's key was lent is there, came back or was paid as fees"),
        lent,
        left + returned + spent,
        { account: key },
      );
    },
  };
}
