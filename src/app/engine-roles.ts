/** The engine's loops in this process: those of a role run in one process at a time, the others in each. */

import type { DistributionProgress } from '../distribution/services.ts';
import { startDraftSignals } from '../drafts/draft-signals.ts';
import { createNoncePool } from '../drafts/nonces/nonce-pool.ts';
import type { LaunchFiguresNow } from '../drafts/observers/figures-now.ts';
import { startPoolWatch } from '../drafts/observers/pool-watch.ts';
import { createSignalledDrafts, type SignalledDrafts } from '../drafts/signalled-drafts.ts';
import { fencedChain, fencedExecutor, fencedImages } from '../kernel/leases/fenced.ts';
import type { LeaseTerm } from '../kernel/leases/lease-term.ts';
import type { Repetition } from '../kernel/runtime/repeat.ts';
import { adapterFor } from './adapters.ts';
import { startDistributing } from './distributing.ts';
import type { Engine } from './engine.ts';
import type { Foundation } from './foundation.ts';
import { startSettling } from './settling.ts';

type Parts = Pick<
  Engine,
  | 'keyring'
  | 'chain'
  | 'localChain'
  | 'policy'
  | 'images'
  | 'ledgers'
  | 'runLedgers'
  | 'nonces'
  | 'foreignAdvances'
  | 'feePayer'
  | 'distributor'
  | 'settlements'
  | 'slotTime'
>;

export interface EngineRoles {
  readonly launches: LaunchFiguresNow;
  /** Undefined while this process does not distribute. */
  readonly distributionProgress: () => DistributionProgress | undefined;
  /** The loops that run in this process now. */
  repetitions(): { readonly [name: string]: Repetition };
}

export async function startEngineRoles(foundation: Foundation, parts: Parts): Promise<EngineRoles> {
  const { projector } = foundation;
  const signalled = createSignalledDrafts(projector);
  const settler = await startSettlerRole(foundation, parts, signalled);
  const distributing = await startDistributorRole(foundation, parts);
  const pools = await startPools(foundation, parts, () => settler?.isHeld() ?? false);
  await startSignals(foundation, parts, signalled, () => settler?.work()?.kick());
  return {
    launches: pools.figures,
    distributionProgress: () => distributing?.work()?.progress,
    repetitions: () => ({
      ...settler?.work()?.repetitions,
      ...distributing?.work()?.repetitions,
      'pool-watcher': pools.repetition,
    }),
  };
}

/** What every role works with. */
function commonOf({ configuration, executor, readModel, store, projector, clock, logger }: Foundation) {
  return { configuration, executor, readModel, store, projector, clock, logger };
}

/** What a process that has lost its lease must not do any more. */
function fencedBy({ executor }: Foundation, { chain }: Parts, term: Pick<LeaseTerm, 'name' | 'isHeld'>) {
  return { executor: fencedExecutor(executor, term), chain: fencedChain(chain, term) };
}

async function startSettlerRole(
  foundation: Foundation,
  parts: Parts,
  { unseen, unrecorded }: Pick<SignalledDrafts, 'unseen' | 'unrecorded'>,
) {
  const { configuration, log, singletons, observed } = foundation;
  if (!configuration.roles.has('settler')) return undefined;
  const settler = await singletons.run('settler', (term) => {
    const { policy, keyring, foreignAdvances } = parts;
    const fenced = {
      ...commonOf(foundation),
      policy,
      keyring,
      foreignAdvances,
      ...fencedBy(foundation, parts, term),
    };
    return startSettling({
      ...fenced,
      // If no other process can settle, no fence is needed, and one pool knows what it has begun.
      nonces: foundation.isShared ? createNoncePool({ ...fenced, ...nonceLimits(foundation) }) : parts.nonces,
      images: fencedImages(parts.images, term),
      feePayer: parts.feePayer,
      slotTime: parts.slotTime,
      unseen,
      unrecorded,
      airdropsFunds: parts.localChain !== undefined,
      imagesRemoved: (count) => log.info({ part: 'image-keeper', images: count }, 'unused images removed'),
      inTrace: observed.inTrace,
    });
  });
  foundation.whenClosing(() => settler.stop());
  return settler;
}

export function nonceLimits({ configuration }: Pick<Foundation, 'configuration'>) {
  const { nonceAccountsMax: maximum, feePayerFloor: floor, rateLimits } = configuration;
  return { maximum, floor, sharesFairly: rateLimits !== undefined };
}

async function startDistributorRole(foundation: Foundation, parts: Parts) {
  const { configuration, singletons, metrics } = foundation;
  if (!configuration.roles.has('distributor')) return undefined;
  const { chainWitness } = configuration;
  const witness =
    chainWitness && (await adapterFor('chain', chainWitness.url).open({ url: chainWitness.url }));
  const distributing = await singletons.run('distributor', (term) =>
    startDistributing({
      ...commonOf(foundation),
      ...fencedBy(foundation, parts, term),
      keyring: parts.keyring,
      witness,
      blobs: parts.ledgers,
      ledgers: parts.runLedgers,
      distributor: parts.distributor,
      airdropsFunds: parts.localChain !== undefined,
      counts: metrics.distributions,
    }),
  );
  foundation.whenClosing(() => distributing.stop());
  return distributing;
}

/** In each process, for its answers; what is seen is recorded by the one that settles. */
async function startPools(foundation: Foundation, parts: Parts, isSettler: () => boolean) {
  const pools = await startPoolWatch({
    ...commonOf(foundation),
    ...fencedBy(foundation, parts, { name: 'settler', isHeld: isSettler }),
    logger: foundation.logger.child({ part: 'pool-watcher' }),
    mayRecord: isSettler,
  });
  foundation.whenClosing(() => pools.repetition.stop());
  return pools;
}

async function startSignals(
  { store, executor, logger, whenClosing }: Foundation,
  { settlements }: Parts,
  signalled: SignalledDrafts,
  kick: () => void,
): Promise<void> {
  const signals = await startDraftSignals({
    store,
    after: signalled.shownUpTo(),
    learn: executor.learn,
    changed(transactionId, event) {
      signalled.add(transactionId, event);
      settlements.changed(transactionId);
    },
    submitted: kick,
    logger: logger.child({ part: 'draft-signals' }),
  });
  whenClosing(() => signals.stop());
}
