/**
 * The books of a token's distribution: what its log says, and for whom and by what its ledger files say that was paid. Of a
 * closed run the files alone count, since they are what the public sees.
 */
import type { DistributionEvent, RecordedLink } from '../../streams/distribution.ts';
import type { DistributionRunEvent } from '../../streams/distribution-run.ts';
import type { PaidTo } from '../../streams/run-amounts.ts';
import { bookedBatches } from './booked-batches.ts';
import { LedgerFileInvalid, readAllotment, readSettlement } from './ledger-files.ts';
import type {
  BookedAmounts,
  BookedLink,
  BookedPaidTo,
  BookedPot,
  BookedSteps,
  ReadRun,
  RunOutline,
  TokenBooks,
  UnreadBooks,
} from './run-books.ts';

export interface BooksSource {
  /** All of the token's stream, the oldest first. */
  readonly distribution: readonly DistributionEvent[];
  /** All of a run's stream. */
  run(runId: string): Promise<readonly DistributionRunEvent[]>;
  /** All bytes of a ledger file; undefined if it is not there. */
  file(sha256: string): Promise<Uint8Array | undefined>;
  readonly distributor: string;
  readonly markerOf: (wallet: string) => string;
}

type Allotted = Extract<DistributionRunEvent, { type: 'RunAllotted' }>['data'];
type Opened = Extract<DistributionEvent, { type: 'RunOpened' }>['data'];
type Closed = Extract<DistributionEvent, { type: 'RunClosed' }>['data'];

/** Undefined before the first run. Throws `LedgerFileInvalid` where a file is missing, or not what the log says. */
export async function readBooks(source: BooksSource): Promise<TokenBooks<ReadRun> | undefined> {
  const books = await outlineBooks(source);
  if (books === undefined) return undefined;
  const { read, ...rest } = books;
  const runs: ReadRun[] = [];
  for (const index of books.runs.keys()) runs.push(await read(index));
  return { ...rest, runs };
}

/** The same, with ledgers that are read when they are asked for. Undefined before the first run. */
export async function outlineBooks(source: BooksSource): Promise<UnreadBooks | undefined> {
  const { distribution, distributor, markerOf } = source;
  const opened = distribution.flatMap((event) => (event.type === 'RunOpened' ? [event.data] : []));
  const closed = new Map(
    distribution.flatMap((event) => (event.type === 'RunClosed' ? [[event.data.runId, event.data]] : [])),
  );
  const [first] = opened;
  if (first === undefined) return undefined;
  const runs: RunOutline[] = [];
  for (const run of opened)
    runs.push(outlineOf(run, closed.get(run.runId), await source.run(run.runId), distribution));
  const links = distribution.flatMap((event): readonly BookedLink[] =>
    event.type === 'LinksLanded'
      ? event.data.links.map((link) => ({ ...bookedLink(link), signature: link.signature }))
      : [],
  );
  const left = [...closed.values()].at(-1)?.carried;
  return {
    mint: first.mint,
    wallet: first.distributionWallet,
    distributor,
    marker: markerOf(first.distributionWallet),
    runs,
    links,
    inTill: left === undefined ? 0n : BigInt(left.owed.sol) + BigInt(left.dust.sol),
    inAccount:
      left === undefined
        ? 0n
        : BigInt(left.kept.developer) +
          BigInt(left.kept.holders) +
          BigInt(left.owed.token) +
          BigInt(left.dust.token),
    async read(index) {
      const [outline, run] = [runs[index], opened[index]];
      if (outline === undefined || run === undefined) throw new RangeError(`there is no run ${index}`);
      return readRun(outline, closed.get(run.runId), source);
    },
  };
}

function outlineOf(
  { runId, asset, settings }: Opened,
  closed: Closed | undefined,
  events: readonly DistributionRunEvent[],
  distribution: readonly DistributionEvent[],
): RunOutline {
  const allotted = events.findLast((event) => event.type === 'RunAllotted')?.data;
  const sums = events.find((event) => event.type === 'HoldersScanned')?.data.sums;
  return {
    runId,
    asset,
    amounts: closed && bookedAmounts(closed.amounts, closed.paidDebts),
    ...(closed && { paidTo: bookedPaidTo(closed.paidTo) }),
    pots: (allotted?.pots ?? []).map(bookedPot),
    steps: stepsOf(runId, events, distribution),
    pinned: {
      model: settings.distributionModel,
      minimumHolding: BigInt(settings.minimumHoldingRequirement),
    },
    ...(sums === undefined ? {} : { scan: sums }),
  };
}

async function readRun(
  outline: RunOutline,
  closed: Closed | undefined,
  source: Pick<BooksSource, 'run' | 'file'>,
): Promise<ReadRun> {
  const { runId, asset, pots } = outline;
  const events = await source.run(runId);
  const allotted = events.findLast((event) => event.type === 'RunAllotted')?.data;
  if (allotted === undefined) return { ...outline, records: [], batches: [] };
  const allotment = readAllotment(allotted.ledger, await source.file(allotted.ledger));
  if (allotment.root !== allotted.root || allotment.asset !== asset)
    throw new LedgerFileInvalid(`the allotment ${allotted.ledger} is not the one of the run ${runId}`);
  const sha256 = closed?.carried.settlement ?? undefined;
  const stretches =
    sha256 === undefined
      ? settledSoFar(events, pots)
      : readSettlement(sha256, await source.file(sha256)).stretches;
  const batches = bookedBatches(allotment, stretches);
  return { ...outline, records: allotment.records, batches, allotment };
}

function stepsOf(
  ofRun: string,
  events: readonly DistributionRunEvent[],
  distribution: readonly DistributionEvent[],
): BookedSteps {
  const landed = (step: 'split' | 'open') =>
    distribution.flatMap((event) =>
      event.type === 'LinksLanded' && event.data.runId === ofRun && event.data.purpose === step
        ? event.data.links.map(({ signature }) => signature)
        : [],
    );
  return {
    withdraw: events.flatMap((event) => (event.type === 'TaxCollected' ? event.data.withdraw : [])),
    split: landed('split'),
    open: landed('open'),
  };
}

function settledSoFar(events: readonly DistributionRunEvent[], pots: readonly BookedPot[]) {
  return events
    .flatMap((event) => (event.type === 'BatchesSettled' ? event.data.batches : []))
    .flatMap(({ pot, from, to, without, signature }) => {
      const paying = pots[pot];
      return paying === undefined
        ? []
        : [{ asset: paying.asset, pot: paying.address, from, to, without, signature }];
    });
}

export function bookedLink({ number, till, actions }: RecordedLink): BookedLink {
  const burned = actions.reduce(
    (sum, action) => (action.kind === 'burn' ? sum + BigInt(action.amount) : sum),
    0n,
  );
  return { number, till, burned };
}

export function bookedPot({ asset, address, delegate, allowance }: Allotted['pots'][number]): BookedPot {
  return { asset, address, delegate, allowance: BigInt(allowance) };
}

export function bookedPaidTo({ costs, developer, holders, holdersPaid }: PaidTo): BookedPaidTo {
  return {
    costs: BigInt(costs),
    developer: BigInt(developer),
    holders: BigInt(holders),
    holdersPaid: BigInt(holdersPaid),
  };
}

/** Buckets are summed. */
export function bookedAmounts(amounts: Closed['amounts'], paidDebts: string): BookedAmounts {
  const { kept, sold, keptAfter, ownTax: _byBucket, ...digits } = amounts;
  const sumOf = (parts: typeof kept) => BigInt(parts.developer) + BigInt(parts.holders);
  const numbers = Object.fromEntries(
    Object.entries(digits).map(([name, value]) => [name, BigInt(value)]),
  ) as { readonly [name in keyof typeof digits]: bigint };
  return {
    ...numbers,
    kept: sumOf(kept),
    sold: sumOf(sold),
    keptAfter: sumOf(keptAfter),
    paidDebts: BigInt(paidDebts),
  };
}
