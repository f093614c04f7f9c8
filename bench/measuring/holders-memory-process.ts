/**
 * Process that scans and allots a run of many holders on a simulated chain, and reports its maximum memory: the heap
 * and the columns, with a garbage collection before each measurement. Requires `--expose-gc`.
 */
import { randomBytes } from 'node:crypto';
import { setImmediate as yielded } from 'node:timers/promises';
import { addressBytes, addressOf, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM } from 'levy-solana-wire';
import { openFileBlobStore } from '../../src/adapters/file/blob-store.ts';
import { createKeyring } from '../../src/chain/keys.ts';
import { allotRun, runInSlices } from '../../src/distribution/allotting/allot-run.ts';
import { createPayeeVerdicts } from '../../src/distribution/allotting/payee-verdicts.ts';
import {
  createOwnerCollector,
  type OwnerCollector,
} from '../../src/distribution/collecting/scanned-owners.ts';
import { distributedToken } from '../../src/distribution/distributed-token.ts';
import { openAllotment } from '../../src/distribution/ledger/allotment-file.ts';
import { openRunLedger, type RunFiles } from '../../src/distribution/ledger/run-ledger.ts';
import { readPaymentBook } from '../../src/distribution/paying/payment-book.ts';
import { RECIPIENTS } from '../../src/distribution/paying/plan-batches.ts';
import { planPots } from '../../src/distribution/pots.ts';
import type { BlobStore } from '../../src/kernel/ports/blob-store.ts';
import { ENGINE_RULES, NOTHING_CARRIED } from '../../src/streams/distribution.ts';
import { serve } from './child.ts';
import { NO_OWN_TAX, SUMS } from './scan-sums.ts';

export interface HoldersMemoryOptions {
  readonly folder: string;
  /** Files of an earlier run that paid the same wallets. */
  readonly files: RunFiles;
  readonly maxPots: number;
}

/** Maximum bytes during the work. */
export interface HoldersMemory {
  readonly scan: number;
  readonly sorting: number;
  readonly allotment: number;
  readonly payments: number;
}

const KEYRING = createKeyring(Buffer.alloc(32, 12));
const RUN_ID = '00000000-0000-4000-8000-000000000004';
const PAYMENT = 20_000n;
const RENT_FLOOR = 890_880n;
const RICH = { owner: SYSTEM_PROGRAM, lamports: 10n * RENT_FLOOR, data: new Uint8Array() };
const ACCOUNT_SIZE = 182;
/** Minimum milliseconds between two measurements, because a measurement takes some of them. */
const LOOK_PAUSE = 400;

const { gc } = globalThis;
if (gc === undefined) throw new Error('start this with --expose-gc');

await serve(async ({ folder, files, maxPots }: HoldersMemoryOptions) => {
  const blobs = await openFileBlobStore(folder);
  process.once('message', () => {
    measure(blobs, files, maxPots).then(
      (found) => process.send?.(found),
      (error: unknown) => {
        process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
        process.exit(1);
      },
    );
  });
  return { url: 'http://127.0.0.1', close: () => blobs.close() };
});

function held(): number {
  gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function measure(blobs: BlobStore, files: RunFiles, maxPots: number): Promise<HoldersMemory> {
  const previous = await openRunLedger(blobs, files);
  const { mint, tokenId } = previous.allotment;
  const token = distributedToken(KEYRING, { tokenId, mint, decimals: 6, walletId: RUN_ID });
  const before = held();
  const look = createLook(before);

  const { scanned, scan, sorting } = await scannedOwners();
  const written = await allotRun(
    {
      blobs,
      yieldToOthers: look.rest,
      chain: {
        // One wallet is missing, so everything is decided a second time.
        accountsAt: async (addresses) => ({
          slot: 2n,
          accounts: addresses.map((_, index) => (index === 0 ? undefined : RICH)),
        }),
      },
    },
    {
      token,
      open: openedRun(),
      split: splitTax(),
      scanned,
      slots: ['1', '2'],
      sums: SUMS,
      previous,
      rentFloor: RENT_FLOOR,
      verdicts: createPayeeVerdicts(),
    },
  );
  if (written === undefined) throw new Error('the payees are not decided');
  const allotment = look.highest();
  const file = await openAllotment(async (offset, length) => {
    const bytes = await blobs.read(written.ledger, offset, length);
    if (bytes === undefined) throw new Error('the ledger was not written');
    return bytes;
  });
  const book = await readPaymentBook(file, mint, look.rest);
  const delegate = KEYRING.distributorOfRun(RUN_ID).address;
  if (planPots({ token, runId: RUN_ID, book, maxPots, delegate, recipients: RECIPIENTS }).length === 0)
    throw new Error('nobody is to be paid');
  // The engine releases the scan only when the allotment is recorded.
  if (scanned.count === 0) throw new Error('nobody was found');
  return { scan, sorting, allotment, payments: look.highest() };

  /** Releases the collector, as the engine does once the tax is collected. */
  async function scannedOwners() {
    const collector = await collected();
    const scan = look.highest();
    const scanned = await runInSlices(collector.finish(), look.rest);
    return { scanned, scan, sorting: look.highest() };
  }

  async function collected(): Promise<OwnerCollector> {
    const collector = createOwnerCollector(mint);
    for await (const { count, owners } of previous.carriedOwners()) {
      const accounts = Array.from({ length: count }, (_, index) =>
        accountOf(mint, owners.subarray(32 * index, 32 * index + 32)),
      );
      collector.add({ accounts });
      await look.rest();
    }
    return collector;
  }

  function openedRun() {
    return {
      tokenId,
      runId: RUN_ID,
      number: 2,
      mint,
      decimals: 6,
      walletId: RUN_ID,
      distributionWallet: token.wallet.address,
      dueAt: '2026-05-04T10:00:00.000Z',
      requested: false,
      asset: 'sol' as const,
      settings: {
        rewardToken: 'SOL',
        distributionModel: 'square-root' as const,
        minimumHoldingRequirement: '0',
        sellBasisPoints: 10_000,
        distributionEnabled: true,
        distributionInterval: '24h' as const,
        burnBasisPoints: 1_000,
        developerFeeBasisPoints: 500,
        developerWallet: addressOf(randomBytes(32)),
      },
      epoch: '702',
      tax: { older: NO_TAX, newer: NO_TAX },
      owners: { excludedOwners: [], allowedOwners: [] },
      carried: { ...NOTHING_CARRIED, root: previous.root },
      rules: ENGINE_RULES,
      policy: {
        holding: 'least-of-two' as const,
        leastShare: '1000',
        minimumPayout: '10000',
        costsMaxBasisPoints: 1_000,
      },
      distributor: token.distributor.address,
      serviceAddresses: [],
    };
  }

  function splitTax() {
    const holders = `${PAYMENT * BigInt(previous.allotment.records)}`;
    return {
      runId: RUN_ID,
      tokenId,
      burned: '0',
      sold: { developer: '0', holders },
      kept: NOTHING_CARRIED.kept,
      ownTax: NO_OWN_TAX,
      unsold: null,
      tries: 1,
      offers: [],
      fees: '5000',
      epoch: '702',
      proceeds: holders,
      costs: '5000',
      developer: '1000000',
      holders,
    };
  }
}

const NO_TAX = { epoch: '0', basisPoints: 300, maximumFee: '0' };

function createLook(before: number) {
  let highest = 0;
  let lookedAt = 0;
  const look = () => {
    highest = Math.max(highest, held() - before);
    lookedAt = performance.now();
  };
  return {
    async rest(): Promise<void> {
      if (performance.now() - lookedAt > LOOK_PAUSE) look();
      await yielded();
    },
    /** Since the last request. */
    highest(): number {
      look();
      const found = highest;
      highest = 0;
      return found;
    },
  };
}

/** An associated account with withheld tax, at a separate address. */
function accountOf(mint: string, owner: Uint8Array) {
  const data = Buffer.alloc(ACCOUNT_SIZE);
  data.set(addressBytes(mint));
  data.set(owner, 32);
  data.writeBigUInt64LE(5_000_000n, 64);
  data.set([1], 108);
  data.set([2, 7, 0, 0, 0, 2, 0, 8, 0, 9], 165);
  return { address: addressOf(randomBytes(32)), account: { owner: TOKEN_2022_PROGRAM, lamports: 1n, data } };
}
