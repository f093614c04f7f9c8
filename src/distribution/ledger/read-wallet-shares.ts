/** Reads each wallet's shares from the ledger of a closed run, for the read model of wallets. */
import { ContentDamaged } from '../../kernel/ports/errors.ts';
import type { FileDocument } from '../../kernel/runtime/define-projection.ts';
import { type WalletShareDocument, walletShareKey } from '../../projections/wallet-shares.ts';
import type { DistributionEvent } from '../../streams/distribution.ts';
import { type Ledgers, previousLedger } from './open-ledgers.ts';
import { LedgerInvalid } from './read-range.ts';
import type { LedgerPayment, RunLedger } from './run-ledger.ts';

type ClosedRun = Extract<DistributionEvent, { type: 'RunClosed' }>['data'];

/** Records per slice; few enough not to block other tasks. */
const RECORDS_PER_SLICE = 512;

/**
 * All wallets that were ever paid or are owed, each once. Rejects with `LedgerInvalid` if a file is missing or damaged; the
 * message contains no path.
 */
export async function* readWalletShares(
  ledgers: Ledgers,
  run: Pick<ClosedRun, 'tokenId' | 'runId' | 'closedAt' | 'carried'>,
): AsyncGenerator<readonly FileDocument[], void> {
  try {
    const ledger = await previousLedger(ledgers, run.carried);
    if (ledger === undefined) return;
    for await (const wallets of byWallet(ledger))
      yield wallets.flatMap((payments) => documentOf(run, payments) ?? []);
  } catch (error) {
    if (!(error instanceof ContentDamaged)) throw error;
    throw new LedgerInvalid(`the ledger file ${error.file} is damaged: restore it from a backup`, {
      cause: error,
    });
  }
}

/** Groups the records of each wallet, which are adjacent. */
async function* byWallet(ledger: RunLedger): AsyncGenerator<readonly (readonly LedgerPayment[])[], void> {
  let last: LedgerPayment[] = [];
  for (let index = 0; index < ledger.allotment.records; index += RECORDS_PER_SLICE) {
    const complete: LedgerPayment[][] = [];
    for (const payment of await ledger.payments(index, RECORDS_PER_SLICE)) {
      if (last[0]?.wallet === payment.wallet) {
        last.push(payment);
        continue;
      }
      if (last.length > 0) complete.push(last);
      last = [payment];
    }
    yield complete;
  }
  if (last.length > 0) yield [last];
}

/** Undefined for a wallet that has earned nothing so far. */
function documentOf(
  { tokenId, runId, closedAt }: Pick<ClosedRun, 'tokenId' | 'runId' | 'closedAt'>,
  payments: readonly LedgerPayment[],
): FileDocument | undefined {
  const [first] = payments;
  if (first === undefined || payments.every(({ paidAfter, owedAfter }) => paidAfter + owedAfter === 0n))
    return undefined;
  const { wallet } = first;
  const document: WalletShareDocument = {
    wallet,
    tokenId,
    runId,
    closedAt,
    parts: payments.map(({ kind, asset, paidAfter, owedAfter, reason }) => ({
      kind,
      asset,
      paid: paidAfter.toString(),
      owed: owedAfter.toString(),
      reason,
    })),
  };
  return { key: walletShareKey(document), document };
}
