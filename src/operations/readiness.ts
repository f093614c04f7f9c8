/** Checks every part that a process needs, and says which of them work. Its roles decide which parts those are. */
import pTimeout from 'p-timeout';
import type { EventFeed } from '../delivery/feed/event-feed.ts';
import type { FeePayer } from '../drafts/fee-payer.ts';
import type { Chain } from '../ports/chain.ts';
import type { EventStore } from '../ports/event-store.ts';
import type { StoreTrouble } from '../ports/store-unavailable.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Projector } from '../runtime/projector.ts';
import type { Repetition, RepetitionStatus } from '../runtime/repeat.ts';
import type { ReadinessCheck } from '../views/readiness.ts';
import type { Workload } from './workload.ts';

/** A loop works only if it has succeeded within this time after its pause. Milliseconds. */
const LOOP_STALE_AFTER = 120_000;

/** Readiness is public, so the chain's answer is reused for this long. Milliseconds. */
const CHAIN_SEEN_FOR = 1_000;

/** Probes do not wait long: a part that has not answered by then does not work. Milliseconds. */
const LOOK_PATIENCE = 3_000;

/** One part, or several of a kind. A rejection means that it does not work. */
export interface Watched {
  readonly name: string;
  look(): Promise<readonly ReadinessCheck[]>;
}

/** Returns a function that checks all at once; it never rejects, and waits at most `patience` for each. */
export function createReadiness(
  parts: readonly Watched[],
  patience = LOOK_PATIENCE,
): () => Promise<readonly ReadinessCheck[]> {
  return async () => (await Promise.all(parts.map((part) => lookAt(part, patience)))).flat();
}

/** A part whose check fails does not work. */
async function lookAt({ name, look }: Watched, patience: number): Promise<readonly ReadinessCheck[]> {
  const without = (error: string) => [{ name, ok: false, details: { error } }];
  try {
    return await pTimeout(look(), { milliseconds: patience, fallback: () => without('no answer') });
  } catch (error) {
    return without(error instanceof Error ? error.name : 'unknown');
  }
}

/** Watches one part under its name. */
export function watched(
  name: string,
  look: () => Promise<Omit<ReadinessCheck, 'name'>> | Omit<ReadinessCheck, 'name'>,
): Watched {
  return { name, look: async () => [{ name, ...(await look()) }] };
}

/** `trouble`: what keeps the store from working, where it knows. */
export function watchedStore(
  store: Pick<EventStore, 'head'>,
  healthy: () => boolean,
  trouble: () => StoreTrouble | undefined = () => undefined,
): Watched {
  return watched('event store', async () => {
    const found = trouble();
    if (found !== undefined) return { ok: false, details: troubleDetails(found) };
    const position = await store.head();
    return { ok: healthy(), details: { position } };
  });
}

export function watchedImages(trouble: () => Promise<StoreTrouble | undefined>): Watched {
  return watched('images', async () => {
    const found = await trouble();
    return found === undefined ? { ok: true, details: {} } : { ok: false, details: troubleDetails(found) };
  });
}

function troubleDetails({ kind, where, reason, whatToDo }: StoreTrouble): ReadinessCheck['details'] {
  return { error: kind, where, reason, whatToDo };
}

export function watchedProjections(
  store: Pick<EventStore, 'head'>,
  projector: Pick<Projector, 'status'>,
): Watched {
  return {
    name: 'projections',
    async look() {
      const head = await store.head();
      return projector.status().map(({ name, version, state, position, error }) => ({
        name: `projection ${name}`,
        ok: state === 'live',
        details: { version, state, position, behind: position < head, error: error ?? null },
      }));
    },
  };
}

/** `restarts`: how often the chain's process was restarted, if it is ours. */
export function watchedChain(
  chain: Pick<Chain, 'genesisHash'>,
  genesisHash: string,
  restarts: () => number | undefined,
): Watched {
  let seen: { readonly at: number; readonly found: string; readonly milliseconds: number } | undefined;

  return watched('chain', async () => {
    const started = performance.now();
    if (seen === undefined || started - seen.at >= CHAIN_SEEN_FOR) {
      seen = undefined;
      const found = await chain.genesisHash();
      seen = { at: started, found, milliseconds: Math.round(performance.now() - started) };
    }
    const { found, milliseconds } = seen;
    const count = restarts();
    return {
      ok: found === genesisHash,
      details: { milliseconds, ...(count === undefined ? {} : { restarts: count }) },
    };
  });
}

/** `floor` in lamports. */
export function watchedFeePayer(
  feePayer: Pick<FeePayer, 'balance'>,
  address: string,
  floor: bigint,
): Watched {
  return watched('fee payer', async () => {
    const lamports = await feePayer.balance();
    return { ok: lamports >= floor, details: { address, lamports: lamports.toString() } };
  });
}

export function watchedSubmissions(workload: Workload): Watched {
  return watched('submissions', async () => {
    const [{ toSettle }, { known, leased }] = await Promise.all([
      workload.submissions(),
      workload.nonceAccounts(),
    ]);
    return { ok: true, details: { toSettle, nonceAccounts: known, nonceAccountsLeased: leased } };
  });
}

/** Idle is fine: it follows the log once it has a subscriber. */
export function watchedEventFeed(eventFeed: Pick<EventFeed, 'status'>): Watched {
  return watched('event feed', () => {
    const { state, position, subscribers } = eventFeed.status();
    return { ok: state !== 'failed', details: { state, position, subscribers } };
  });
}

/** The set of loops may change: another process runs them while it holds the lease. */
export function watchedLoops(
  repetitions: () => { readonly [name: string]: Pick<Repetition, 'status'> },
  clock: Clock,
): Watched {
  return {
    name: 'loops',
    look: async () =>
      Object.entries(repetitions()).map(([name, repetition]) => {
        const status = repetition.status();
        const { lastSuccess, error } = status;
        return {
          name,
          ok: loopWorks(status, clock.now()),
          details: { lastSuccess: lastSuccess ?? null, error: error ?? null },
        };
      }),
  };
}

/** Whether the latest run succeeded and the next is not long overdue. A loop that has not run yet works. */
export function loopWorks({ lastSuccess, error, pause }: RepetitionStatus, now: Date): boolean {
  if (error !== undefined) return false;
  return lastSuccess === undefined || now.getTime() - Date.parse(lastSuccess) < pause + LOOP_STALE_AFTER;
}
