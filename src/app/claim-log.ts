/** Ties a log to one seed and one chain: its first event names both, and a start with others is refused. */

import { FORMAT, OperatorError } from '../kernel/ports/errors.ts';
import type { EventStore } from '../kernel/ports/event-store.ts';
import { START } from '../kernel/ports/event-store.ts';
import { causeOf, type Executor } from '../kernel/runtime/execute.ts';
import {
  requireFormat,
  SERVICE_STREAM,
  ServiceInitialized,
  type ServiceState,
  service,
} from '../streams/service.ts';

export const SERVICE_STREAM_ID = 'levy';

export const OTHER_SEED =
  'The master seed is not the one that this event log was begun with: its keys would control none of the recorded wallets. Give back the right MASTER_SEED_FILE.';

export function otherChain(genesisHash: string, begunOn: string): string {
  return `The chain (genesis ${genesisHash}) is not the one that this event log was begun on (genesis ${begunOn}). Correct CHAIN_URL, or start with an empty DATA_DIR.`;
}

/** The start was refused; the message says why and what to do. */
export class StartRefused extends OperatorError {
  override readonly name = 'StartRefused';
}

/** The genesis hash of the chain that the log was begun on; undefined before that. Throws `StartRefused` for another seed, `OtherFormat` for another format. */
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

/** Throws `StartRefused` if the log was begun with another seed, on another chain, or by something else; `OtherFormat` for another format. */
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
      'The event log holds events but was not begun by this service; point EVENT_STORE_URL at another.',
    );
  }
  if (state.seedFingerprint !== own.seedFingerprint) throw new StartRefused(OTHER_SEED);
  if (state.genesisHash !== own.genesisHash)
    throw new StartRefused(otherChain(own.genesisHash, state.genesisHash));
}
