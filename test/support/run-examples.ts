/** The open run of `distribution-examples.ts` as the engine sees it: what is recorded so far, and what a process remembers. */
import { addressBytes, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from 'levy-solana-wire';
import { expect } from 'vitest';
import { createKeyring } from '../../src/chain/keys.ts';
import { createPayeeVerdicts } from '../../src/distribution/allotting/payee-verdicts.ts';
import { type HolderScan, newScan } from '../../src/distribution/collecting/holder-scan.ts';
import type { ScannedOwners } from '../../src/distribution/collecting/scanned-owners.ts';
import { type Decision, isDecision } from '../../src/distribution/decision.ts';
import { distributedToken } from '../../src/distribution/distributed-token.ts';
import type { DistributionPolicy, EngineParts } from '../../src/distribution/engine-parts.ts';
import type { Ledgers } from '../../src/distribution/ledger/open-ledgers.ts';
import { isTrueToContent } from '../../src/distribution/links/link-content.ts';
import type { PaymentBook } from '../../src/distribution/paying/payment-book.ts';
import { RECIPIENTS } from '../../src/distribution/paying/plan-batches.ts';
import type { Markets } from '../../src/distribution/selling/sale-venue.ts';
import type { Sender } from '../../src/distribution/sending/sender.ts';
import { createTokenMemory, type TokenMemory } from '../../src/distribution/token-memory.ts';
import type { RunView, StepAt } from '../../src/distribution/view.ts';
import type { BlobStore } from '../../src/kernel/ports/blob-store.ts';
import type { Chain, ChainAccount } from '../../src/kernel/ports/chain.ts';
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

export const KEYRING = createKeyring(Buffer.alloc(32, 12));
export const TOKEN = distributedToken(KEYRING, runOpened.data);
export const POLICY: DistributionPolicy = {
  holding: 'now',
  minShare: 1_000n,
  minimumPayout: 10_000n,
  floor: 100_000_000n,
  costsMaxBasisPoints: 1_000,
  selfCostsPerDay: 100_000n,
  maxPots: 3,
  announce: 30_000,
  recipients: RECIPIENTS,
};
export const NOW = new Date('2026-05-04T11:01:00.000Z');

type AnyEvent = DistributionEvent | DistributionRunEvent;

/** Revision of the token's stream, not of the run's. */
export function isOfToken(event: AnyEvent): event is DistributionEvent {
  return event.type in distributionEvents;
}

/** Frozen, so that a decider that changes it fails. */
export function viewOf(events: readonly AnyEvent[]): RunView {
  const state = events.filter(isOfToken).reduce(distribution.evolve, distribution.initial);
  const run = events
    .filter((event): event is DistributionRunEvent => !isOfToken(event))
    .reduce(distributionRun.evolve, distributionRun.initial);
  if (state.open === undefined) throw new Error('the example has no open run');
  return { ...deepFreeze({ state, open: state.open, run }), token: TOKEN };
}

/** Events that a decision records; empty if it records none. */
export function recordedBy(decision: Decision): readonly AnyEvent[] {
  return decision.kind === 'record-of-token' || decision.kind === 'record-of-run' ? decision.events : [];
}

/** A decision to wait, with what is given of it. */
export function waiting(code: string, detail?: unknown, pause?: number) {
  const wanted = { for: { code, ...(detail !== undefined && { detail }) } };
  return { kind: 'wait', waiting: { ...wanted, ...(pause !== undefined && { pause }) } };
}

export function halting(code: string, reason: unknown) {
  return { kind: 'halt', code, reason };
}

/** The links that a decision records; the till of each commits to what it does. */
export function recordedLinks(decision: Decision) {
  const [recorded] = recordedBy(decision);
  if (recorded?.type !== 'LinksRecorded') throw new Error('links are recorded');
  const { links, ...rest } = recorded.data;
  for (const link of links)
    expect(isTrueToContent({ ...link, actions: [...link.actions] }, TOKEN)).toBe(true);
  return { recorded, links, rest };
}

/** Throws for a look that has decided by itself. */
export function factsOf<Facts>(found: Facts | Decision): Facts {
  if (isDecision(found)) throw new Error(`the look has found nothing: ${found.kind}`);
  return found;
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
export function bookOf(...amounts: readonly bigint[]): Pick<PaymentBook, 'sumOfBatch' | 'notToHolders'> {
  return {
    notToHolders: [],
    sumOfBatch: (_asset, { from, to, without }) =>
      amounts.reduce(
        (sum, amount, number) =>
          number >= from && number < to && !without.includes(number) ? sum + amount : sum,
        0n,
      ),
  };
}
/** A book of payments to these, each of so many lamports. */
export function bookOfPayments(
  paymentOf: (number: number) => { readonly to: string; readonly amount: bigint },
): Pick<PaymentBook, 'numbersOf' | 'paymentsOf' | 'sumOfBatch'> {
  const numbersOf: PaymentBook['numbersOf'] = ({ from, to, without }) =>
    Array.from({ length: to - from }, (_, index) => from + index).filter((each) => !without.includes(each));
  const paymentsOf: PaymentBook['paymentsOf'] = (_asset, batch) => numbersOf(batch).map(paymentOf);
  return {
    numbersOf,
    paymentsOf,
    sumOfBatch: (asset, batch) => paymentsOf(asset, batch).reduce((sum, { amount }) => sum + amount, 0n),
  };
}

/** A store of files in memory, and what was put into it, in order. */
export function storeInMemory(nameOf: (count: number) => string = (count) => `${count}`.repeat(64)) {
  const files: Buffer[] = [];
  const blobs = only<BlobStore>('the store', {
    async put(pieces) {
      const parts: Uint8Array[] = [];
      for await (const piece of pieces) parts.push(Uint8Array.from(piece));
      return nameOf(files.push(Buffer.concat(parts)));
    },
    read: async (sha256, from, length) =>
      files.find((_file, index) => nameOf(index + 1) === sha256)?.subarray(from, from + length),
  });
  return { blobs, files };
}

/** Of the example: three payments, of which the second was refused. */
export const BOOK = bookOf(44_000_000n, 1_000_000n, 45_000_000n);

export const SUMS: ScanSums = {
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
  verdicts: createPayeeVerdicts(),
};
export const SCAN: HolderScan = {
  ...newScan(TOKEN.mint),
  slots: [4_098n, 4_101n],
  mintAfter: { slot: 4_101n, supply: 1n, withheld: 0n },
};

const RENT = 2_039_280n;

/** A token account, of wrapped SOL unless said otherwise. */
export function tokenAccount(shown: {
  readonly owner?: string;
  readonly amount: bigint;
  readonly delegate?: string;
  readonly delegated?: bigint;
}): ChainAccount {
  const { owner = TOKEN.wallet.address, amount, delegate, delegated = 0n } = shown;
  const data = Buffer.alloc(165);
  data.set(addressBytes(owner), 32);
  data.writeBigUInt64LE(amount, 64);
  if (delegate !== undefined) {
    data.writeUInt32LE(1, 72);
    data.set(addressBytes(delegate), 76);
  }
  data[108] = 1;
  data.writeUInt32LE(1, 109);
  data.writeBigUInt64LE(RENT, 113);
  data.writeBigUInt64LE(delegated, 121);
  return { owner: TOKEN_PROGRAM, lamports: amount + RENT, data };
}

/** A port of which a test needs what it gives: whatever else is asked of it is an error. */
export function only<Port extends object>(name: string, given: Partial<Port> = {}): Port {
  return new Proxy(given as Port, {
    get(target, key) {
      // Whatever is awaited is asked for it.
      if (key in target || key === 'then') return Reflect.get(target, key);
      throw new Error(`nobody expected ${name}.${String(key)}`);
    },
  });
}

/** The counts of transactions and sales, as texts in their order. */
export function counting() {
  const counted: string[] = [];
  const counts: EngineParts['counts'] = {
    scanned() {},
    transaction: (kind, outcome) => counted.push(`${kind} ${outcome}`),
    sale: (outcome) => counted.push(`sale ${outcome}`),
  };
  return { counted, counts };
}

/** What the engine works with: whatever a test does not give, nobody may ask for. */
export function partsOf(given: Partial<EngineParts> = {}): EngineParts {
  return only<EngineParts>('the parts', {
    clock: { now: () => NOW },
    yieldToOthers: async () => {},
    chain: only<Chain>('the chain'),
    blobs: only<BlobStore>('the store'),
    sender: only<Sender>('the sender'),
    markets: only<Markets>('the markets'),
    ledgers: only<Ledgers>('the ledgers'),
    counts: counting().counts,
    prices: { want: () => {}, of: () => undefined },
    witness: undefined,
    policy: POLICY,
    keyring: KEYRING,
    ...given,
  });
}

/** What a step is taken with. */
export function stepAt(
  events: readonly AnyEvent[],
  given: { readonly parts?: Partial<EngineParts>; readonly memory?: Partial<TokenMemory> } = {},
): StepAt {
  const memory = { ...createTokenMemory(), ...given.memory };
  return { parts: partsOf(given.parts), view: viewOf(events), memory };
}

/** A node that shows these accounts and no others, and what it was asked for. */
export function nodeShowing(
  accounts: { readonly [address: string]: ChainAccount | undefined },
  { slot = 4_200n, ...more }: Partial<Chain> & { readonly slot?: bigint } = {},
) {
  const asked: Parameters<Chain['accountsAt']>[2][] = [];
  const chain = only<Chain>('the chain', {
    async accountsAt(addresses, _commitment, options) {
      asked.push(options);
      return { slot, accounts: addresses.map((address) => accounts[address]) };
    },
    ...more,
  });
  return { chain, asked };
}

/** The example's mint, at a tax of 3 %. */
export function taxedMint({
  supply,
  withheld,
}: {
  readonly supply: bigint;
  readonly withheld: bigint;
}): ChainAccount {
  const data = Buffer.alloc(278);
  data.writeBigUInt64LE(supply, 36);
  data[44] = 6;
  data[45] = 1;
  data[165] = 1;
  data.writeUInt16LE(1, 166);
  data.writeUInt16LE(108, 168);
  const config = data.subarray(170);
  config.writeBigUInt64LE(withheld, 64);
  for (const [at, epoch] of [
    [72, 700n],
    [90, 702n],
  ] as const) {
    config.writeBigUInt64LE(epoch, at);
    config.writeBigUInt64LE(1_000_000_000n, at + 8);
    config.writeUInt16LE(300, at + 16);
  }
  return { owner: TOKEN_2022_PROGRAM, lamports: 1n, data };
}
