/**
 * Connects to the configured chain, which must match the log: the log's first event contains the seed's fingerprint and the
 * chain's genesis hash.
 */
import type { FastifyBaseLogger } from 'fastify';
import { type LocalChain, openLocalChain } from 'levy-local-chain';
import type { Keyring } from '../chain/keys.ts';
import { hasNonces, NO_NONCES } from '../drafts/nonce-support.ts';
import { type Chain, ChainUnavailable } from '../kernel/ports/chain.ts';
import { FORMAT } from '../kernel/ports/errors.ts';
import { type EventStore, START } from '../kernel/ports/event-store.ts';
import type { Logger } from '../kernel/ports/logger.ts';
import { errorMessage } from '../kernel/runtime/error-message.ts';
import { causeOf, type Executor } from '../kernel/runtime/execute.ts';
import { wrapCalls } from '../kernel/runtime/wrap-calls.ts';
import type { Configuration } from '../operations/config/configuration.ts';
import { listenersOf } from '../operations/config/conflicts.ts';
import {
  requireFormat,
  SERVICE_STREAM,
  ServiceInitialized,
  type ServiceState,
  service,
} from '../streams/service.ts';
import { adapterFor } from './adapters.ts';
import { chainFolderOf } from './data-folder.ts';
import type { Foundation } from './foundation.ts';
import { openFolder, refusedPort, StartRefused } from './start-refusals.ts';

const SERVICE_STREAM_ID = 'levy';

export const OTHER_SEED =
  'The master seed does not belong to this event log: its keys would control none of the recorded wallets. Restore the original MASTER_SEED_FILE.';

export function otherChain(genesisHash: string, begunOn: string): string {
  return `The chain (genesis ${genesisHash}) is not the chain of this event log (genesis ${begunOn}). Correct CHAIN_URL, or start with an empty DATA_DIR.`;
}

/**
 * Rejects if the log belongs to another seed or chain. If the chain does not respond, an existing log is served
 * nevertheless.
 */
export async function openServiceChain(foundation: Foundation, keyring: Keyring) {
  const { configuration, log, metrics, observed, executor, loggerOf, store, whenClosing } = foundation;
  const { fingerprint: seedFingerprint, feePayer } = keyring;
  const localChain = configuration.chain.isEmbedded ? await startLocalChain(configuration, log) : undefined;
  if (localChain !== undefined) whenClosing(() => localChain.close());
  const url = localChain?.url ?? configuration.chain.url;
  const chain = observed.chain(await adapterFor('chain', url).open({ url, meter: metrics.chainNodes.meter }));
  const check = async () => {
    const genesisHash = await chain.genesisHash();
    await claimLog(store, executor, { seedFingerprint, genesisHash });
    await requireNonces(configuration, chain, feePayer.address, log);
    return genesisHash;
  };
  try {
    return { chain, localChain, genesisHash: await check() };
  } catch (error) {
    if (!(error instanceof ChainUnavailable) || localChain !== undefined) throw error;
    const genesisHash = await begunOn(store, executor, seedFingerprint);
    // A log's first event requires the chain's genesis hash.
    if (genesisHash === undefined) throw error;
    const chainLogger = loggerOf('chain');
    chainLogger.warn(
      { error: error.message },
      'started without a chain node: the chain is checked once it responds',
    );
    return { chain: deferCheck(chain, { check, logger: chainLogger }), localChain, genesisHash };
  }
}

async function startLocalChain(configuration: Configuration, log: FastifyBaseLogger): Promise<LocalChain> {
  const dataDir = chainFolderOf(configuration);
  try {
    return await openFolder({ folder: dataDir, name: 'DATA_DIR' }, () =>
      openLocalChain({
        dataDir,
        port: configuration.localChainPort,
        slotMilliseconds: configuration.localChainSlotMs,
        nonces: configuration.draftLifetimeKind === 'durable-nonce',
        programs: configuration.localChainFiles.programs,
        accountFiles: configuration.localChainFiles.accounts,
        optionNames: { programs: 'LOCAL_CHAIN_ACCOUNTS', accountFiles: 'LOCAL_CHAIN_ACCOUNTS' },
        log: (message) => log.warn({ part: 'local chain' }, message),
      }),
    );
  } catch (error) {
    // The chain's process returns its reason as text.
    const reason = /\w+ (EADDRINUSE|EACCES).*/.exec(errorMessage(error))?.[0];
    const { localChain } = listenersOf(configuration);
    throw localChain && reason ? refusedPort(localChain, reason) : error;
  }
}

/**
 * Chain of a process whose node did not respond at startup: every call first checks the chain, until a check has
 * succeeded. A chain that would prevent startup rejects every call, so that nothing is signed for it or sent to it. `check`
 * rejects with `StartRefused` for such a chain, and with the chain's error while that does not respond.
 */
function deferCheck(
  chain: Chain,
  { check, logger }: { readonly check: () => Promise<unknown>; readonly logger: Logger },
): Chain {
  let isChecked = false;
  let checking: Promise<void> | undefined;
  let refusal: string | undefined;
  async function checkNow(): Promise<void> {
    try {
      await check();
    } catch (error) {
      if (!(error instanceof StartRefused)) throw error;
      if (refusal !== error.message)
        logger.error({ error: error.message }, 'chain rejected, nothing is sent to it');
      refusal = error.message;
      throw new ChainUnavailable(error.message);
    }
    isChecked = true;
    logger.warn({}, 'chain node available, chain verified');
  }
  return wrapCalls(chain, async (method, call) => {
    // Readiness only compares the genesis hash.
    if (isChecked || method === 'genesisHash') return call();
    checking ??= checkNow().finally(() => {
      checking = undefined;
    });
    await checking.catch((error: unknown) => {
      throw error instanceof ChainUnavailable ? error : new ChainUnavailable(errorMessage(error));
    });
    return call();
  });
}

/**
 * Genesis hash of the log's chain; undefined for an empty log. Throws `StartRefused` for another seed, `OtherFormat` for
 * another format.
 */
export async function begunOn(
  store: EventStore,
  executor: Executor,
  seedFingerprint: string,
): Promise<string | undefined> {
  await requireFormat(store.read(SERVICE_STREAM, 0));
  const { state } = await executor.load(service, SERVICE_STREAM_ID);
  if (state !== undefined && state.seedFingerprint !== seedFingerprint) throw new StartRefused(OTHER_SEED);
  return state?.genesisHash;
}

/** Throws `StartRefused` if the log belongs to another seed, chain or program, and `OtherFormat` for another format. */
export async function claimLog(
  store: EventStore,
  executor: Executor,
  own: Omit<NonNullable<ServiceState>, 'format'>,
): Promise<void> {
  const isEmpty = (await store.head()) === START;
  await requireFormat(store.read(SERVICE_STREAM, 0));
  const { state } = await executor.execute(service, SERVICE_STREAM_ID, causeOf('start'), (known) =>
    known === undefined && isEmpty ? [ServiceInitialized({ format: FORMAT, ...own })] : [],
  );
  if (state === undefined) {
    throw new StartRefused(
      'The event log contains events of another program; set EVENT_STORE_URL to another log.',
    );
  }
  if (state.seedFingerprint !== own.seedFingerprint) throw new StartRefused(OTHER_SEED);
  if (state.genesisHash !== own.genesisHash)
    throw new StartRefused(otherChain(own.genesisHash, state.genesisHash));
}

/**
 * True if this process creates drafts with durable nonces, or their accounts, on an external chain; the configuration
 * determines the features of an embedded one.
 */
export function needsNonces({ chain, draftLifetimeKind, roles }: Configuration): boolean {
  return (
    !chain.isEmbedded && draftLifetimeKind === 'durable-nonce' && (roles.has('api') || roles.has('settler'))
  );
}

/** Throws `StartRefused` if the chain lacks durable nonces; a chain that does not respond does not prevent startup. */
export async function requireNonces(
  configuration: Configuration,
  chain: Chain,
  feePayer: string,
  log: FastifyBaseLogger,
): Promise<void> {
  if (!needsNonces(configuration)) return;
  const found = await hasNonces(chain, feePayer).catch((error: unknown) => {
    log.warn({ error: String(error) }, 'could not determine whether the chain supports durable nonces');
    return undefined;
  });
  if (found === false) throw new StartRefused(NO_NONCES);
}
