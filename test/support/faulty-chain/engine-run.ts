/**
 * The whole engine on the faulty chain, from a seed: the real steps of a run, a real event store and ledger store, a desk
 * that buys the tax. Processes take turns at every call to chain, log and ledger store, and may die there.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SYSTEM_PROGRAM } from 'levy-solana-wire';
import { openFileBlobStore } from '../../../src/adapters/file/blob-store.ts';
import { openSqliteDatabase } from '../../../src/adapters/sqlite/database.ts';
import { createSqliteEventStore } from '../../../src/adapters/sqlite/event-store.ts';
import { createKeyring } from '../../../src/chain/keys.ts';
import type { DistributionPolicy, EngineParts } from '../../../src/distribution/engine-parts.ts';
import { openAllotment } from '../../../src/distribution/ledger/allotment-file.ts';
import type { LedgerRecord } from '../../../src/distribution/ledger/ledger-record.ts';
import { createLedgers } from '../../../src/distribution/ledger/open-ledgers.ts';
import { LedgerMissing } from '../../../src/distribution/ledger/read-range.ts';
import { takeStep } from '../../../src/distribution/run/take-step.ts';
import { createMarkets, type SaleVenue } from '../../../src/distribution/selling/sale-venue.ts';
import { createDesk } from '../../../src/distribution/selling/test-buyer.ts';
import { createSender } from '../../../src/distribution/sending/sender.ts';
import { createTokenMemory } from '../../../src/distribution/token-memory.ts';
import type { BlobStore } from '../../../src/kernel/ports/blob-store.ts';
import {
  type Chain,
  type ChainAccount,
  ChainAnswerInvalid,
  ChainUnavailable,
} from '../../../src/kernel/ports/chain.ts';
import type { EventStore, RecordedEvent } from '../../../src/kernel/ports/event-store.ts';
import { createEventCodec } from '../../../src/kernel/runtime/event-codec.ts';
import { causeOf, createExecutor, type Executor } from '../../../src/kernel/runtime/execute.ts';
import { Rejection } from '../../../src/kernel/runtime/rejection.ts';
import { withMethods } from '../../../src/kernel/runtime/wrap-calls.ts';
import {
  type DistributionEvent,
  type DistributionState,
  distribution,
  RunRequested,
} from '../../../src/streams/distribution.ts';
import {
  distributionOwners,
  type ListedOwners,
  OwnersListed,
} from '../../../src/streams/distribution-owners.ts';
import type { DistributionRunEvent } from '../../../src/streams/distribution-run.ts';
import type { DistributionSettings } from '../../../src/streams/distribution-settings.ts';
import type { Wait } from '../../../src/streams/distribution-wait.ts';
import { streams } from '../../../src/streams/index.ts';
import { DistributionSettingsUpdated, TokenCreated, token } from '../../../src/streams/token.ts';
import type { TransientRefusal } from '../../../src/streams/unsold-reasons.ts';
import { saleBasis } from '../distribution-examples.ts';
import { ids, tokenCreated } from '../domain-examples.ts';
import { appendRecorded } from '../recorded-events.ts';
import { type AuditedRuns, auditRunsIn, type RunsReport } from '../run-audit.ts';
import { drawGuards } from './drawn-guards.ts';
import { createFaultyChain } from './faulty-chain.ts';
import { createFaultyNetwork, type FaultyNetwork } from './faulty-network.ts';
import { createForkingLedger, type ForkingLedger } from './forking-ledger.ts';
import { paidTwice } from './paid-twice.ts';
import { createRandom } from './random.ts';
import { supervised } from './supervised.ts';
import { createStrangers, createTokenWorld, DECIMALS, SUPPLY } from './token-world.ts';
import { createTurns, type Process } from './turns.ts';
import { STORM, type Weather } from './weather.ts';

export interface EngineRun extends RunsReport {
  /** Runs that are closed. */
  readonly closed: number;
  readonly halted: string | undefined;
  readonly paidTwice: readonly string[];
  readonly wasPutBack: boolean;
  readonly told: Record<string, number>;
  /** Results of the scans of holders. */
  readonly scans: readonly Parameters<EngineParts['counts']['scanned']>[0][];
  /** Reasons for waiting, each once, in order. */
  readonly waitedFor: readonly string[];
  readonly distribution: readonly DistributionEvent[];
  readonly runs: readonly (readonly DistributionRunEvent[])[];
  /** Allotments of each run, in the order of the ledger. */
  readonly allotments: readonly (readonly LedgerRecord[])[];
  /** The whole log in its order: types, and what links are for. */
  readonly recorded: readonly string[];
  /** The same, as each process but the first found it when it began. */
  readonly found: readonly (readonly string[])[];
}

/** An owner of tokens that nobody signs for. */
export interface FurtherOwner {
  readonly address: string;
  /** Override of the value there; by default, that of the machine. */
  readonly account?: ChainAccount;
  readonly tokens: bigint;
}

export interface EngineRunOptions {
  readonly weather?: Weather;
  /** Calls after which the chain is calm. */
  readonly stormyCalls?: number;
  readonly engines?: number;
  /** Payments of each run, in order. */
  readonly assets?: readonly ('sol' | 'token')[];
  /** All processes end, and the log is put back as it was some time ago. */
  readonly putBack?: boolean;
  /** Looks before each step, and does something instead of it if it says so. */
  readonly operator?: (seen: {
    readonly state: DistributionState;
    readonly executor: Executor;
    /** The folder of the ledger store. */
    readonly ledgers: string;
  }) => Promise<'done' | 'go on'>;
  /** The desk is a market: why it refuses the quote of this number, counted from 0; undefined where it buys. */
  readonly marketRefuses?: (quote: number) => TransientRefusal | undefined;
  /** Hold tokens beside the holders. */
  readonly owners?: readonly FurtherOwner[];
  /** Listed by the creator before the first run. */
  readonly lists?: Pick<ListedOwners, 'excludedOwners' | 'allowedOwners'>;
  /** Without it the creator's. */
  readonly developerWallet?: string;
  /** Called before each run is asked for; `run` is counted from 0. */
  readonly beforeRun?: (run: number, ledger: ForkingLedger) => void;
  /** Answers of a node that lies to the engines; the audit reads an honest one. */
  readonly lying?: (chain: Chain) => Chain;
  /** A second node, which the engines ask as well. */
  readonly witness?: (chain: Chain) => Chain;
  readonly maxCalls?: number;
  readonly beforeAudit?: (left: {
    readonly ledger: ForkingLedger;
    readonly mint: string;
    readonly tokensOf: (owner: string) => string;
    /** The last one. */
    readonly till: string;
  }) => void;
  /** Called with all that an audit reads, while it is there. */
  readonly audited?: (runs: Required<Pick<AuditedRuns, 'events' | 'file' | 'chain'>>) => Promise<void>;
  /** Guards, and those who switch things off meanwhile, are drawn too. Without it nothing keeps a run from being opened. */
  readonly drawsGuards?: boolean;
  /** At which writes a process dies, before or after it is done. */
  readonly diesAt?: (write: string) => Dying | undefined;
}

export type Dying = 'not done' | 'done, not answered';

const { tokenId, walletId } = ids;
const KEYRING = createKeyring(Buffer.alloc(32, 12));
const CODEC = createEventCodec(streams);
const SOL = 1_000_000_000n;
const START = Date.parse('2026-05-04T10:00:00.000Z');
const SLOT = 400;
/** Enough for a run and most of the next. */
const STORMY_CALLS = 1_500;
const MAX_CALLS = 12_000;
/** Slots between two steps, at most: the chain may not grow too fast for what is signed. */
const MAX_PAUSE = 8;
const NOTHING = new Uint8Array();
/** Steps in which an hour passes. */
const IDLE_STEPS = 100;

const POLICY: DistributionPolicy = {
  holding: 'now',
  minShare: 1_000n,
  minimumPayout: 10_000n,
  floor: 0n,
  costsMaxBasisPoints: 1_000,
  selfCostsPerDay: SOL,
  maxPots: 3,
  announce: 0,
  recipients: { sol: 2, token: 2 },
};

export async function runEngine(seed: number, options: EngineRunOptions = {}): Promise<EngineRun> {
  const random = createRandom(seed);
  const draws = random.of('engine scenario');
  const { weather = STORM, stormyCalls = STORMY_CALLS, engines = 1, putBack = false } = options;
  const { lying = (chain) => chain, drawsGuards = false } = options;
  const { maxCalls = drawsGuards ? 3 * MAX_CALLS : MAX_CALLS } = options;
  const scans: Parameters<EngineParts['counts']['scanned']>[0][] = [];
  const waitedFor: string[] = [];
  const found: (readonly string[])[] = [];
  const assets = options.assets ?? Array.from({ length: 2 }, () => draws.pick(['sol', 'token'] as const));
  const folder = await mkdtemp(join(tmpdir(), 'levy-engine-'));
  const blobs = await openFileBlobStore(folder);
  const ledger = createForkingLedger(seed);
  const log = openLog();
  try {
    const { distributor, desk } = KEYRING;
    const wallet = KEYRING.distributionWallet(walletId);
    const world = createTokenWorld(ledger, {
      holders: draws.between(6, 12),
      wallet,
      distributor,
      basisPoints: 300,
      random,
    });
    const { creator } = world;
    for (const { address, account, tokens } of options.owners ?? []) {
      if (account !== undefined) ledger.put(address, account);
      world.openAccount(address);
      world.giveTokens(address, tokens);
    }
    ledger.put(desk.address, { owner: SYSTEM_PROGRAM, lamports: 1_000n * SOL, data: new Uint8Array() });
    ledger.finalizeUpTo(ledger.slot());
    const network = createFaultyNetwork(ledger, random, weather);
    network.strangers = createStrangers({
      network,
      world,
      wallet: wallet.address,
      seen: network.seen,
      random,
      changeTax: true,
    });
    const guards = drawsGuards
      ? drawGuards(random, { tokenId, distributor: distributor.address, ledger })
      : undefined;
    // With guards time goes on as long as is waited; slots do not, so that what was signed may still land.
    let waited = 0;
    const clock = { now: () => new Date(START + ledger.slot() * SLOT + waited) };
    await recordToken(createExecutor(log.store, CODEC, clock), {
      mint: world.mint,
      creator: world.creator.address,
      wallet: wallet.address,
      rewardToken: rewardTokenOf(assets[0]),
      developerFeeBasisPoints: draws.pick([0, 500, 2_000]),
      burnBasisPoints: draws.pick([0, 1_000]),
      sellBasisPoints: draws.pick([10_000, 7_000]),
      developerWallet: options.developerWallet ?? world.creator.address,
      lists: options.lists,
      model: guards?.model ?? 'proportional',
    });
    const turns = createTurns(random, () => network.weather.crash);
    const copiedAt = draws.between(100, 900);
    const putBackAt = copiedAt + draws.between(50, 600);
    let copy: readonly RecordedEvent[] = [];
    let [isOver, wasPutBack] = [false, false];
    const crashes = await supervised({
      turns,
      network,
      engines,
      stormyCalls,
      maxCalls,
      isOver: () => isOver,
      async start(process, name) {
        if (name !== 'engine 1') found.push((await log.all()).map((event) => nameOf([event])));
        const own = random.of(name);
        const honest = createFaultyChain(network, own);
        const ending = endingAt(process, options.diesAt);
        const chain = turns.of(process, ending.chain(lying(honest)));
        const executor = createExecutor(turns.of(process, ending.store(storePort(log.store))), CODEC, clock);
        const stored: BlobStore = turns.of(process, ending.blobs(blobs));
        const witness = options.witness ?? guards?.witness;
        const parts: EngineParts = {
          executor,
          chain,
          witness: witness && turns.of(process, witness(honest)),
          onWitnessVerdict() {},
          blobs: stored,
          ledgers: createLedgers(stored),
          keyring: KEYRING,
          clock,
          markets: createMarkets([
            atMarket(
              createDesk({
                chain,
                key: desk,
                marketCap: 1_000n * SOL,
              }),
              options.marketRefuses,
            ),
          ]),
          sender: createSender({ chain, maximumPrice: 0n }),
          policy: { ...POLICY, ...guards?.policy },
          yieldToOthers: async () => {},
          prices: { want: () => {}, of: () => undefined },
          counts: { scanned: (outcome) => scans.push(outcome), transaction: () => {}, sale: () => {} },
          suitability: { unsuitable: () => undefined, check: async () => undefined },
        };
        await drive({
          parts,
          executor,
          assets,
          isDue: guards?.isDue ?? false,
          waiting: turns.of(
            process,
            waitingOn(network, (milliseconds) => {
              if (drawsGuards) waited += milliseconds;
            }),
          ),
          trade(run) {
            options.beforeRun?.(run, ledger);
            world.trade(draws.pick(world.holders).address, 3_000_000_000n);
          },
          async operator(state) {
            await guards?.meddle(executor, state);
            return options.operator?.({ state, executor, ledgers: folder });
          },
          waitsFor({ code, detail }) {
            const told = `${code}: ${detail}`;
            if (!waitedFor.includes(told)) waitedFor.push(told);
          },
        });
        isOver = true;
      },
      async at(call, killAll) {
        if (putBack && call === copiedAt) copy = await log.all();
        if (putBack && call === putBackAt) {
          killAll();
          await log.putBack(copy);
          wasPutBack = true;
        }
      },
    });
    const events = (await log.all()).map((event) => CODEC.decode(event));
    const ofToken = events.filter((event) => event.stream.startsWith('distribution-'));
    const distributed = ofToken as unknown as readonly DistributionEvent[];
    const ofRun = (runId: string) =>
      events.filter(({ stream }) => stream === `run-${runId}`) as unknown as readonly DistributionRunEvent[];
    const runs = distributed.flatMap((event) =>
      event.type === 'RunOpened' ? [ofRun(event.data.runId)] : [],
    );
    const allotments: (readonly LedgerRecord[])[] = [];
    for (const event of runs.flat()) {
      if (event.type !== 'RunAllotted') continue;
      const { ledger: sha256, records } = event.data;
      const file = await openAllotment(
        async (from, length) => (await blobs.read(sha256, from, length)) ?? NOTHING,
      );
      allotments.push((await file.records(0, records)).map(({ record }) => record));
    }
    const landed = distributed.findLast((event) => event.type === 'LinksLanded');
    const till = landed?.type === 'LinksLanded' ? (landed.data.links.at(-1)?.till ?? '') : '';
    options.beforeAudit?.({ ledger, mint: world.mint, tokensOf: world.tokensOf, till });
    const halt = distributed.findLast(
      (event) => event.type === 'DistributionHalted' && event.data.code !== 'OPERATOR',
    );
    const audited = {
      events: await log.all(),
      file: async (sha256: string) => blobs.read(sha256, 0, (await blobs.size(sha256)) ?? 0),
      chain: createFaultyChain(network, random),
    };
    await options.audited?.(audited);
    return {
      ...(await auditRunsIn(audited)),
      closed: distributed.filter(({ type }) => type === 'RunClosed').length,
      halted: halt?.type === 'DistributionHalted' ? `${halt.data.code}: ${halt.data.reason}` : undefined,
      paidTwice: paidTwice(ledger, {
        // Whoever created the token is paid as its developer and as a holder; a sale is no payment.
        capacitiesOf: (to) => ([creator.address, world.tokensOf(creator.address)].includes(to) ? 2 : 1),
        seller: wallet.address,
      }),
      wasPutBack,
      scans,
      waitedFor,
      told: { ...network.told, crashes, calls: turns.calls },
      distribution: distributed,
      runs,
      allotments,
      recorded: events.map((event) => nameOf([event])),
      found,
    };
  } finally {
    ledger.reset();
    await log.close();
    await blobs.close();
    await rm(folder, { recursive: true });
  }
}

/** The desk as a venue whose price others move; as it is without `refuses`. */
function atMarket(desk: SaleVenue, refuses: EngineRunOptions['marketRefuses']): SaleVenue {
  if (refuses === undefined) return desk;
  let quotes = 0;
  return {
    ...desk,
    async quote(onSale, wanted, bounds) {
      const reason = bounds.reference === 'unneeded' ? undefined : refuses(quotes++);
      if (reason !== undefined) return { reason };
      const quote = await desk.quote(onSale, wanted, bounds);
      if ('reason' in quote) return quote;
      const { at: _at, ...basis } = saleBasis;
      return { ...quote, basis: { ...basis, moved: Number(bounds.moved) } };
    },
  };
}

interface Driven {
  readonly waitsFor: (wait: Wait) => void;
  readonly parts: EngineParts;
  readonly executor: Executor;
  readonly assets: readonly ('sol' | 'token')[];
  /** Nobody asks for runs but for those that were skipped. */
  readonly isDue: boolean;
  readonly waiting: { pass(milliseconds: number): Promise<void> };
  readonly trade: (run: number) => void;
  readonly operator: (state: DistributionState) => Promise<'done' | 'go on' | undefined>;
}

/** As the distributor does it; an operator asks for the next run whenever one is closed. */
async function drive(driven: Driven): Promise<void> {
  const { parts, executor, assets, isDue, waiting, trade, operator, waitsFor } = driven;
  const memory = createTokenMemory();
  let idle = 0;
  for (;;) {
    try {
      const { state } = await executor.load(distribution, tokenId);
      if ((await operator(state)) === 'done') continue;
      if (state.halted !== undefined && state.halted.code !== 'OPERATOR') return;
      if (state.open === undefined && state.requested === undefined) {
        const asset = assets[state.runs];
        if (asset === undefined) return;
        if (asset !== undefined) {
          if (!isDue || idle % IDLE_STEPS === 0) trade(state.runs);
          idle += 1;
          await choose(executor, asset);
          // What is due comes by itself, but for what was skipped or found nothing.
          if (!isDue || state.skipped !== undefined || idle > 2 * IDLE_STEPS) await request(executor);
        }
      }
      const taken = await takeStep(parts, tokenId, memory);
      if ('failure' in taken) throw taken.failure;
      const { pause, waitingFor } = taken;
      if (waitingFor !== undefined) waitsFor(waitingFor);
      if (pause > 0) await waiting.pass(pause);
    } catch (error) {
      if (
        ![ChainUnavailable, ChainAnswerInvalid, Rejection, LedgerMissing].some(
          (kind) => error instanceof kind,
        )
      )
        throw error;
      memory.scan = undefined;
      await waiting.pass(SLOT);
    }
  }
}

async function choose(executor: Executor, asset: 'sol' | 'token'): Promise<void> {
  const to = { rewardToken: rewardTokenOf(asset) };
  await executor.execute(token, tokenId, causeOf('test'), (state) =>
    state === undefined || state.settings.rewardToken === to.rewardToken
      ? []
      : [DistributionSettingsUpdated({ tokenId, from: { rewardToken: state.settings.rewardToken }, to })],
  );
}

async function request(executor: Executor): Promise<void> {
  await executor.execute(distribution, tokenId, causeOf('test'), (state) =>
    state.open === undefined && state.requested === undefined
      ? [RunRequested({ tokenId, reason: 'The next one.' })]
      : [],
  );
}

function rewardTokenOf(asset: 'sol' | 'token' | undefined): string {
  return asset === 'token' ? 'SELF' : 'SOL';
}

/** `rest`: is told the time that is waited beside the slots that pass. */
function waitingOn(network: FaultyNetwork, rest: (milliseconds: number) => void) {
  return {
    async pass(milliseconds: number) {
      const slots = Math.min(MAX_PAUSE, Math.ceil(milliseconds / SLOT));
      network.pass(slots);
      rest(Math.max(0, milliseconds - slots * SLOT));
    },
  };
}

async function recordToken(
  executor: Executor,
  facts: {
    readonly mint: string;
    readonly creator: string;
    readonly wallet: string;
    readonly rewardToken: string;
    readonly developerFeeBasisPoints: number;
    readonly burnBasisPoints: number;
    readonly sellBasisPoints: number;
    readonly developerWallet: string;
    readonly lists: EngineRunOptions['lists'];
    readonly model: DistributionSettings['distributionModel'];
  },
): Promise<void> {
  const { mint, creator, wallet, lists, model, ...settings } = facts;
  const created = TokenCreated({
    ...tokenCreated.data,
    creator,
    token: {
      ...tokenCreated.data.token,
      ...settings,
      tokenId,
      walletId,
      mintAddress: mint,
      distributionWallet: wallet,
      transferFeeBasisPoints: 300,
      decimals: DECIMALS,
      supply: SUPPLY.toString(),
    },
  });
  const chosen = DistributionSettingsUpdated({
    tokenId,
    from: { distributionModel: 'proportional' },
    to: { distributionModel: model },
  });
  await executor.execute(token, tokenId, causeOf('test'), () =>
    model === 'proportional' ? [created] : [created, chosen],
  );
  if (lists === undefined) return;
  const at = new Date(START).toISOString();
  await executor.execute(distributionOwners, tokenId, causeOf('test'), () => [
    OwnersListed({ tokenId, ...lists, listedAt: at, validFrom: at }),
  ]);
}

/** The ports of a process that dies at a write, done or not. */
function endingAt(process: Process, diesAt: EngineRunOptions['diesAt']) {
  async function write<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const dying = diesAt?.(name);
    if (dying === undefined) return work();
    if (dying === 'done, not answered') await work();
    process.kill();
    throw new Error('the process is gone');
  }
  return {
    store: (store: EventStore): EventStore => ({
      ...store,
      append: (stream, expected, events) =>
        write(nameOf(events), () => store.append(stream, expected, events)),
    }),
    chain: (chain: Chain): Chain => ({ ...chain, send: (wire) => write('send', () => chain.send(wire)) }),
    blobs: (blobs: BlobStore): BlobStore =>
      withMethods(blobs, { put: (pieces) => write('put', () => blobs.put(pieces)) }),
  };
}

/** Links are told apart by their purpose. */
function nameOf(
  events: readonly { readonly type: string; readonly data: { readonly [name: string]: unknown } }[],
): string {
  return events
    .map(({ type, data }) => (typeof data.purpose === 'string' ? `${type} ${data.purpose}` : type))
    .join(', ');
}

/** What the executor asks of a store, as functions that a turn can be put before. */
function storePort(store: EventStore): EventStore {
  return {
    ...store,
    async *read(stream, from) {
      yield* store.read(stream, from);
    },
  };
}

interface Log {
  readonly store: EventStore;
  all(): Promise<readonly RecordedEvent[]>;
  /** The store has these events and no others from now on. */
  putBack(events: readonly RecordedEvent[]): Promise<void>;
  close(): Promise<void>;
}

function openLog(): Log {
  const open = () => {
    const database = openSqliteDatabase(':memory:');
    return { database, store: createSqliteEventStore(database) };
  };
  let current = open();
  const close = async () => {
    await current.store.close();
    current.database.close();
  };
  return {
    get store() {
      return current.store;
    },
    async all() {
      const events: RecordedEvent[] = [];
      const signal = new AbortController().signal;
      for await (const message of current.store.subscribe({ after: '', signal })) {
        if (message.kind === 'caught-up') break;
        if (message.kind === 'event') events.push(message.event);
      }
      return events;
    },
    async putBack(events) {
      await close();
      current = open();
      await appendRecorded(current.store, events);
    },
    close,
  };
}
