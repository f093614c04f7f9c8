/**
 * The books of a token's distribution as anybody can read them: the pages of its runs, the ledger files that they name, and
 * the transactions that they name. Of closed runs only: an open one has no settlement yet.
 */
import type { PaidTo, RunAmounts } from '../../streams/run-amounts.ts';
import { bookedBatches } from './booked-batches.ts';
import type { AuditedChain } from './chain-history.ts';
import { actionsOf } from './decode-actions.ts';
import { LedgerFileInvalid, readAllotment, readSettlement, type SettlementOfRun } from './ledger-files.ts';
import { bookedAmounts, bookedPaidTo } from './read-books.ts';
import type { Asset, BookedLink, BookedPot, ReadRun, TokenBooks } from './run-books.ts';

/** What `GET /distribution/:tokenId/runs/:runId` answers of a closed run. */
export interface PublicRun {
  readonly runId: string;
  readonly asset: Asset;
  readonly amounts: RunAmounts;
  readonly paidDebts: string;
  readonly paidTo: PaidTo;
  readonly transactions: {
    readonly begin: readonly string[];
    readonly withdraw: readonly string[];
    readonly split: readonly string[];
    readonly open: readonly string[];
    readonly close: readonly string[];
  };
  readonly pots: readonly { readonly asset: Asset; readonly address: string; readonly allowance: string }[];
  readonly ledger: {
    readonly sha256: string;
    readonly settlementSha256: string | null;
    readonly root: string;
  } | null;
}

export interface PublicSource {
  readonly mint: string;
  /** The distribution wallet. */
  readonly wallet: string;
  readonly distributor: string;
  readonly markerOf: (wallet: string) => string;
  /** All of the token's runs, the oldest first. */
  readonly runs: readonly PublicRun[];
  /** All bytes of a ledger file; undefined if it is not there. */
  file(sha256: string): Promise<Uint8Array | undefined>;
  readonly chain: Pick<AuditedChain, 'transaction'>;
}

/** Throws `LedgerFileInvalid` where a file is missing, or not what the pages say. */
export async function readPublicBooks(source: PublicSource): Promise<TokenBooks<ReadRun>> {
  const { mint, wallet, distributor, markerOf } = source;
  const runs: ReadRun[] = [];
  const links: BookedLink[] = [];
  let last: { readonly settlement: SettlementOfRun; readonly kept: bigint } | undefined;
  for (const page of source.runs) {
    const { books, settlement } = await readRun(page, source);
    runs.push(books);
    last = { settlement, kept: books.amounts?.keptAfter ?? 0n };
    const { begin, split, open, close } = page.transactions;
    const signatures = [...begin, ...split, ...open, ...close];
    const number = links.length;
    signatures.forEach((signature, place) => {
      links.push({
        number: number + place,
        signature,
        burned: split.includes(signature) ? BigInt(page.amounts.burned) : 0n,
        ...(place === signatures.length - 1 ? { till: settlement.till } : {}),
      });
    });
  }
  const { owedAfter, dustAfter } = last?.settlement ?? { owedAfter: undefined, dustAfter: undefined };
  return {
    mint,
    wallet,
    distributor,
    marker: markerOf(wallet),
    runs,
    links,
    inTill: (owedAfter?.sol ?? 0n) + (dustAfter?.sol ?? 0n),
    inAccount: (last?.kept ?? 0n) + (owedAfter?.token ?? 0n) + (dustAfter?.token ?? 0n),
  };
}

async function readRun(
  { runId, asset, amounts, paidDebts, paidTo, transactions, pots, ledger }: PublicRun,
  source: PublicSource,
): Promise<{ readonly books: ReadRun; readonly settlement: SettlementOfRun }> {
  if (ledger === null || ledger.settlementSha256 === null)
    throw new LedgerFileInvalid(`the run ${runId} is not closed`);
  const allotment = readAllotment(ledger.sha256, await source.file(ledger.sha256));
  if (allotment.root !== ledger.root || allotment.asset !== asset)
    throw new LedgerFileInvalid(`the allotment ${ledger.sha256} is not the one of the run ${runId}`);
  const settlement = readSettlement(ledger.settlementSha256, await source.file(ledger.settlementSha256));
  const { withdraw, split, open } = transactions;
  return {
    settlement,
    books: {
      runId,
      asset,
      amounts: bookedAmounts(amounts, paidDebts),
      paidTo: bookedPaidTo(paidTo),
      records: allotment.records,
      allotment,
      pots: await Promise.all(
        pots.map(
          async (pot): Promise<BookedPot> => ({
            asset: pot.asset,
            address: pot.address,
            delegate:
              pot.asset === 'sol' ? source.distributor : await delegateOf(pot.address, open, source.chain),
            allowance: BigInt(pot.allowance),
          }),
        ),
      ),
      batches: bookedBatches(allotment, settlement.stretches),
      steps: { withdraw, split, open },
    },
  };
}

/** The key that may pay from the wallet's own account: the one that the run's opening approved. */
async function delegateOf(
  account: string,
  open: readonly string[],
  chain: PublicSource['chain'],
): Promise<string> {
  for (const signature of open) {
    const landed = await chain.transaction(signature, 'finalized');
    const actions = landed === undefined ? [] : (actionsOf(landed.wire)?.actions ?? []);
    for (const action of actions)
      if (action.kind === 'approve' && action.account === account) return action.delegate;
  }
  return 'nobody';
}
