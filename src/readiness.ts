/** Looks at every part that the service needs, and says which of them work. */
import type { FeePayer } from './chain/fee-payer.ts';
import type { EventFeed } from './feed/event-feed.ts';
import type { Chain } from './ports/chain.ts';
import type { EventStore } from './ports/event-store.ts';
import type { Clock } from './runtime/clock.ts';
import type { Projector } from './runtime/projector.ts';
import type { Repetition, RepetitionStatus } from './runtime/repeat.ts';
import type { ReadinessCheck } from './services.ts';
import type { Workload } from './workload.ts';

/** A loop that has not succeeded for so long after its rest does not work. Milliseconds. */
const LOOP_STALE_AFTER = 120_000;

/** Anybody may ask how ready we are; the chain is asked only so often. Milliseconds. */
const CHAIN_SEEN_FOR = 1_000;

export interface ReadinessOptions {
  readonly store: EventStore;
  readonly healthy: () => boolean;
  readonly projector: Projector;
  readonly chain: Chain;
  readonly genesisHash: string;
  /** How often the chain's process had to be started again, where it is ours. */
  readonly chainRestarts: () => number | undefined;
  readonly feePayer: FeePayer;
  readonly feePayerAddress: string;
  readonly feePayerFloor: bigint;
  readonly workload: Workload;
  readonly eventFeed: EventFeed;
  readonly clock: Clock;
  readonly repetitions: { readonly [name: string]: Repetition };
}

export function createReadiness(options: ReadinessOptions): () => Promise<readonly ReadinessCheck[]> {
  const { store, projector, workload, clock } = options;

  async function storeCheck(): Promise<ReadinessCheck> {
    const position = await store.head();
    return { name: 'event store', ok: options.healthy(), details: { position } };
  }

  async function projectionChecks(): Promise<readonly ReadinessCheck[]> {
    const head = await store.head();
    return projector.status().map(({ name, version, state, position, error }) => ({
      name: `projection ${name}`,
      ok: state === 'live',
      details: { version, state, position, behind: position < head, error: error ?? null },
    }));
  }

  let chainSeen: { readonly at: number; readonly found: string; readonly milliseconds: number } | undefined;

  async function chainCheck(): Promise<ReadinessCheck> {
    const started = performance.now();
    if (chainSeen === undefined || started - chainSeen.at >= CHAIN_SEEN_FOR) {
      chainSeen = undefined;
      const found = await options.chain.genesisHash();
      chainSeen = { at: started, found, milliseconds: Math.round(performance.now() - started) };
    }
    const { found, milliseconds } = chainSeen;
    const restarts = options.chainRestarts();
    return {
      name: 'chain',
      ok: found === options.genesisHash,
      details: { milliseconds, ...(restarts === undefined ? {} : { restarts }) },
    };
  }

  async function feePayerCheck(): Promise<ReadinessCheck> {
    const lamports = await options.feePayer.balance();
    return {
      name: 'fee payer',
      ok: lamports >= options.feePayerFloor,
      details: { address: options.feePayerAddress, lamports: lamports.toString() },
    };
  }

  async function submissionsCheck(): Promise<ReadinessCheck> {
    const [{ toSettle }, { known, leased }] = await Promise.all([
      workload.submissions(),
      workload.nonceAccounts(),
    ]);
    const details = { toSettle, nonceAccounts: known, nonceAccountsLeased: leased };
    return { name: 'submissions', ok: true, details };
  }

  /** Idle is well: it follows the log from the first subscriber on. */
  async function eventFeedCheck(): Promise<ReadinessCheck> {
    const { state, position, subscribers } = options.eventFeed.status();
    return { name: 'event feed', ok: state !== 'failed', details: { state, position, subscribers } };
  }

  function loopChecks(): readonly ReadinessCheck[] {
    return Object.entries(options.repetitions).map(([name, repetition]) => {
      const status = repetition.status();
      const { lastSuccess, error } = status;
      return {
        name,
        ok: loopWorks(status, clock.now()),
        details: { lastSuccess: lastSuccess ?? null, error: error ?? null },
      };
    });
  }

  return async () => {
    const checks = await Promise.all([
      guarded('event store', storeCheck),
      guardedAll('projections', projectionChecks),
      guarded('chain', chainCheck),
      guarded('fee payer', feePayerCheck),
      guarded('submissions', submissionsCheck),
      guarded('event feed', eventFeedCheck),
    ]);
    return [...checks.flat(), ...loopChecks()];
  };
}

/** Whether the latest run went well, and the next one is not long overdue. One that has not run yet may still come. */
export function loopWorks({ lastSuccess, error, pause }: RepetitionStatus, now: Date): boolean {
  if (error !== undefined) return false;
  return lastSuccess === undefined || now.getTime() - Date.parse(lastSuccess) < pause + LOOP_STALE_AFTER;
}

async function guarded(
  name: string,
  check: () => Promise<ReadinessCheck>,
): Promise<readonly ReadinessCheck[]> {
  return guardedAll(name, async () => [await check()]);
}

/** A part that cannot even be asked does not work. */
async function guardedAll(
  name: string,
  check: () => Promise<readonly ReadinessCheck[]>,
): Promise<readonly ReadinessCheck[]> {
  try {
    return await check();
  } catch (error) {
    return [{ name, ok: false, details: { error: error instanceof Error ? error.name : 'unknown' } }];
  }
}
