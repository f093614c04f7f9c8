/**
 * Events of a run in SOL as the engine records them, planned by the engine's functions. Without a chain; no
 * recipient is refused.
 */
import { randomBytes } from 'node:crypto';
import { addressOf, base58, seededAddress, TOKEN_PROGRAM } from 'levy-solana-wire';
import { createKeyring } from '../../src/chain/keys.ts';
import { distributedToken } from '../../src/distribution/distributed-token.ts';
import { openAllotment } from '../../src/distribution/ledger/allotment-file.ts';
import { recordLink } from '../../src/distribution/links/link-content.ts';
import { readPaymentBook } from '../../src/distribution/paying/payment-book.ts';
import { nextBatch, RECIPIENTS } from '../../src/distribution/paying/plan-batches.ts';
import { consecutiveLinks, openingLinks, POTS_PER_CLOSE, planPots } from '../../src/distribution/pots.ts';
import type { BlobStore } from '../../src/kernel/ports/blob-store.ts';
import {
  type DistributionEvent,
  ENGINE_RULES,
  type LinkPurpose,
  LinksLanded,
  LinksRecorded,
  NOTHING_CARRIED,
  type RecordedLink,
  RunClosed,
  RunOpened,
} from '../../src/streams/distribution.ts';
import {
  BatchesSettled,
  type DistributionRunEvent,
  type DistributionRunState,
  distributionRun,
  HoldersScanned,
  RoundRecorded,
  RunAllotted,
  TaxCollected,
  TaxSplit,
} from '../../src/streams/distribution-run.ts';
import type { PaidRun } from './paid-run.ts';
import { NO_OWN_TAX, SUMS } from './scan-sums.ts';

export interface SimulatedRun {
  /** In the order of recording. */
  readonly events: readonly (
    | { readonly stream: 'distribution'; readonly event: DistributionEvent }
    | { readonly stream: 'run'; readonly event: DistributionRunEvent }
  )[];
  readonly rounds: number;
  readonly batches: number;
}

const KEYRING = createKeyring(Buffer.alloc(32, 12));
const WALLET_ID = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const NOW = '2026-05-04T10:00:00.000Z';
const RATE = { epoch: '702', basisPoints: 300, maximumFee: `${2n ** 64n - 1n}` };
const SLOT = '400000000';
const FEE = '5000';

export async function simulateRun(
  blobs: Pick<BlobStore, 'read'>,
  { files, header, root }: PaidRun,
  maxPots: number,
): Promise<SimulatedRun> {
  const { runId, tokenId, mint, records, divided, sumOfWeights, payments, slots } = header;
  const identity = { runId, tokenId };
  const token = distributedToken(KEYRING, { tokenId, mint, decimals: 6, walletId: WALLET_ID });
  const allotment = await openAllotment(async (offset, length) => {
    const bytes = await blobs.read(files.ledger, offset, length);
    if (bytes === undefined) throw new Error('the run has no ledger');
    return bytes;
  });
  const book = await readPaymentBook(allotment, mint, async () => {});
  const delegate = KEYRING.distributorOfRun(runId).address;
  const pots = planPots({ token, runId, book, maxPots, delegate, recipients: RECIPIENTS });

  const events: SimulatedRun['events'][number][] = [];
  let state: DistributionRunState = distributionRun.initial;
  const ofToken = (event: DistributionEvent) => void events.push({ stream: 'distribution', event });
  const record = (event: DistributionRunEvent): void => {
    events.push({ stream: 'run', event });
    state = distributionRun.evolve(state, event);
  };

  let till = { number: 0, address: seededAddress(token.wallet.address, 'till', TOKEN_PROGRAM) };
  /** Links of one purpose are recorded together, and land one by one. */
  function link(purpose: LinkPurpose, links: readonly RecordedLink[]): void {
    ofToken(LinksRecorded({ ...identity, purpose, links: [...links] }));
    for (const each of links) {
      const landed = { ...each, signature: signature(), fee: FEE };
      ofToken(
        LinksLanded({
          ...identity,
          purpose,
          links: [landed],
          slot: SLOT,
          lamports: divided,
          tokens: '0',
        }),
      );
      till = { number: each.number, address: each.till };
    }
  }

  const parts = { developer: '0', holders: divided };
  const carried = { ...NOTHING_CARRIED, root, ledger: files.ledger, settlement: files.settlement };
  ofToken(
    RunOpened({
      ...identity,
      number: 1,
      mint,
      decimals: 6,
      walletId: WALLET_ID,
      distributionWallet: token.wallet.address,
      dueAt: NOW,
      requested: false,
      asset: 'sol',
      settings: {
        rewardToken: 'SOL',
        distributionModel: 'proportional',
        minimumHoldingRequirement: '0',
        sellBasisPoints: 10_000,
        distributionEnabled: true,
        distributionInterval: '24h',
        burnBasisPoints: 1_000,
        developerFeeBasisPoints: 500,
        developerWallet: addressOf(randomBytes(32)),
      },
      epoch: RATE.epoch,
      tax: { older: RATE, newer: RATE },
      owners: { excludedOwners: [], allowedOwners: [] },
      carried,
      rules: ENGINE_RULES,
      policy: {
        holding: 'least-of-two',
        leastShare: '1000',
        minimumPayout: '10000',
        costsMaxBasisPoints: 1_000,
      },
      distributor: token.distributor.address,
      serviceAddresses: [],
    }),
  );
  record(
    HoldersScanned({
      ...identity,
      slots,
      accounts: records,
      owners: records,
      withheld: divided,
      supply: divided,
      sums: SUMS,
    }),
  );
  record(
    TaxCollected({
      ...identity,
      collected: divided,
      balance: divided,
      slot: SLOT,
      harvested: records,
      withdraw: [signature()],
      fees: FEE,
      at: NOW,
    }),
  );
  const sale = {
    kind: 'sell',
    venue: 'desk',
    market: KEYRING.desk.address,
    amount: divided,
    minimum: divided,
    tokensAfter: '0',
    tillAfter: divided,
  } as const;
  link('split', [recordLink({ number: till.number + 1, previous: till.address, actions: [sale] }, token)]);
  record(
    TaxSplit({
      ...identity,
      burned: '0',
      sold: parts,
      kept: NOTHING_CARRIED.kept,
      ownTax: NO_OWN_TAX,
      tries: 1,
      offers: [],
      unsold: null,
      fees: FEE,
      epoch: RATE.epoch,
      proceeds: divided,
      costs: FEE,
      developer: '0',
      holders: divided,
    }),
  );
  record(
    RunAllotted({
      ...identity,
      mint,
      asset: 'sol',
      slots,
      ledger: files.ledger,
      root,
      records,
      divided,
      sumOfWeights,
      shares: divided,
      dust: '0',
      payments,
      rentFloor: '890880',
      pots: [...pots],
      payAfter: NOW,
    }),
  );
  link('open', openingLinks(token, till, pots, `levy:${runId}:${root}`));

  for (;;) {
    const batches = pots.flatMap((planned, pot) => nextBatch(state, pot, planned, RECIPIENTS.sol) ?? []);
    if (batches.length === 0) break;
    record(RoundRecorded({ ...identity, round: state.rounds + 1, batches }));
    const settled = batches.map((batch) => ({
      ...batch,
      signature: signature(),
      slot: SLOT,
      left: `${BigInt(batch.value) - book.sumOfBatch('sol', batch)}`,
      fee: FEE,
    }));
    record(BatchesSettled({ ...identity, batches: settled }));
  }
  if (state.pots.some(({ value }) => value !== '0')) throw new Error('somebody was not paid');
  const closing = pots.map(
    ({ address }) => ({ kind: 'close', pot: address, left: '0', rent: '2039280' }) as const,
  );
  link('close', consecutiveLinks(token, till, closing, POTS_PER_CLOSE));
  ofToken(
    RunClosed({
      ...identity,
      number: 1,
      asset: 'sol',
      amounts: {
        kept: NOTHING_CARRIED.kept,
        collected: divided,
        burned: '0',
        sold: parts,
        keptAfter: NOTHING_CARRIED.kept,
        ownTax: NO_OWN_TAX,
        proceeds: divided,
        costs: FEE,
        developer: '0',
        holders: divided,
        dust: '0',
        dustAfter: '0',
        shares: divided,
        owed: '0',
        owedAfter: '0',
        planned: divided,
        paid: divided,
      },
      paidDebts: '0',
      walletsPaid: records,
      paidTo: { costs: '0', developer: '0', holders: divided, holdersPaid: records },
      fees: FEE,
      closedAt: NOW,
      carried,
    }),
  );
  return { events, rounds: state.rounds, batches: state.settled.length };
}

function signature(): string {
  return base58(randomBytes(64));
}
