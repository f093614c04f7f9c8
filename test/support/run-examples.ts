import { createKeyring } from '../../src/chain/keys.ts';
import { createPayeeLooks } from '../../src/distribution/allotting/look-at-payees.ts';
import { beginScan, type HolderScan } from '../../src/distribution/collecting/scan-holders.ts';
import type { ScannedOwners } from '../../src/distribution/collecting/scanned-owners.ts';
import { distributedToken } from '../../src/distribution/distributed-token.ts';
import type { PaymentBook } from '../../src/distribution/paying/payment-book.ts';
import type { RunView } from '../../src/distribution/run/view.ts';
import type { TokenMemory } from '../../src/distribution/token-memory.ts';
import {
  type DistributionEvent,
  distribution,
  distributionEvents,
  LinksLanded,
  LinksRecorded,
  type RecordedLink,
} from '../../src/streams/distribution.ts';
import { type DistributionRunEvent, distributionRun } from '../../src/streams/distribution-run.ts';
import type { ScanSums } from '../../src/streams/scan-sums.ts';
import { deepFreeze } from './deep-freeze.ts';
import {
  batchesSettled,
  batchReplanned,
  holdersScanned,
  linksLanded,
  linksRecorded,
  openRecorded,
  pot,
  roundRecorded,
  runAllotted,
  runId,
  runOpened,
  splitLanded,
  splitRecorded,
  taxCollected,
  taxSplit,
} from './distribution-examples.ts';
import { ids, signatures } from './domain-examples.ts';

const KEYRING = createKeyring(Buffer.alloc(32, 12));
const TOKEN = distributedToken(KEYRING, runOpened.data);
export const NOW = new Date('2026-05-04T11:01:00.000Z');

type AnyEvent = DistributionEvent | DistributionRunEvent;

/** Of the token's stream, not of the run's. */
function isOfToken(event: AnyEvent): event is DistributionEvent {
  return event.type in distributionEvents;
}

/** Unchangeable: whoever decides on it may not change it. */
export function viewOf(events: readonly AnyEvent[]): RunView {
  const state = events.filter(isOfToken).reduce(distribution.evolve, distribution.initial);
  const run = events
    .filter((event): event is DistributionRunEvent => !isOfToken(event))
    .reduce(distributionRun.evolve, distributionRun.initial);
  if (state.open === undefined) throw new Error('the example has no open run');
  return { ...deepFreeze({ state, open: state.open, run }), token: TOKEN };
}

const { tokenId } = ids;
const landed = { signature: signatures.first, fee: '5000' };
export const openLanded = LinksLanded({
  tokenId,
  runId,
  purpose: 'open',
  links: openRecorded.data.links.map((link) => ({ ...(link as RecordedLink), ...landed })),
  slot: '4130',
  lamports: '10000000',
  tokens: '90000',
});
export const lastTill = 'GpGjn5bLMHcX7C7xUVvpaLEQx2gkJSQYoYCKFB8XVkUt';
const closing: RecordedLink = {
  number: 3,
  previous: openRecorded.data.links.at(-1)?.till ?? null,
  till: lastTill,
  actions: [{ kind: 'close', pot, left: '1000000', rent: '2039280' }],
};
export const closeRecorded = LinksRecorded({ tokenId, runId, purpose: 'close', links: [closing] });
export const closeLanded = LinksLanded({
  tokenId,
  runId,
  purpose: 'close',
  links: [{ ...closing, signature: signatures.second, fee: '5000' }],
  slot: '4160',
  lamports: '11000000',
  tokens: '90000',
});

/** The whole run but its closing, in order. */
const COURSE = [
  runOpened,
  linksRecorded,
  linksLanded,
  holdersScanned,
  taxCollected,
  splitRecorded,
  splitLanded,
  taxSplit,
  runAllotted,
  openRecorded,
  openLanded,
  roundRecorded,
  batchReplanned,
  batchesSettled,
  closeRecorded,
  closeLanded,
] as const;

/** What is recorded up to this event, and with it; `instead` takes the place of events of its type. */
export function courseTo(
  last: (typeof COURSE)[number],
  instead: readonly AnyEvent[] = [],
): readonly AnyEvent[] {
  return COURSE.slice(0, COURSE.indexOf(last) + 1).map(
    (event) => instead.find(({ type }) => type === event.type && type !== 'LinksLanded') ?? event,
  );
}

/** A book of payments of so many lamports each. */
export function bookOf(...amounts: readonly bigint[]): Pick<PaymentBook, 'sumOfBatch'> {
  return {
    sumOfBatch: (_asset, { from, to, without }) =>
      amounts.reduce(
        (sum, amount, number) =>
          number >= from && number < to && !without.includes(number) ? sum + amount : sum,
        0n,
      ),
  };
}
/** Of the example: three payments, of which the second was refused. */
export const BOOK = bookOf(44_000_000n, 1_000_000n, 45_000_000n);

const SUMS: ScanSums = {
  balances: '9000000',
  withheld: '900000',
  mint: [
    { slot: '4097', supply: '10000000', withheld: '100000' },
    { slot: '4101', supply: '10000000', withheld: '100000' },
  ],
  slack: '0',
  inOneAnswer: false,
};

const NO_OWNERS: ScannedOwners = {
  count: 0,
  ownerAt: () => new Uint8Array(32),
  balanceAt: () => 0n,
  hasAssociatedAt: () => false,
};
export const OWNERS: NonNullable<TokenMemory['owners']> = {
  scanned: NO_OWNERS,
  slots: [4_098n, 4_101n],
  sums: SUMS,
  looks: createPayeeLooks(),
};
export const SCAN: HolderScan = { ...beginScan(TOKEN.mint), stage: 'done', slots: [4_098n, 4_101n] };
