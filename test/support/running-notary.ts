/** Runs a notary in the test's own process, for logs that tests write. */
import { onTestFinished } from 'vitest';
import { createKeyring } from '../../src/chain/keys.ts';
import type { BlobStore } from '../../src/kernel/ports/blob-store.ts';
import type { EventStore } from '../../src/kernel/ports/event-store.ts';
import { silentLogger } from '../../src/kernel/ports/logger.ts';
import { createEventCodec } from '../../src/kernel/runtime/event-codec.ts';
import { strictReader } from '../../src/kernel/runtime/event-reader.ts';
import { randomId } from '../../src/kernel/runtime/ids.ts';
import { checkpointClaims } from '../../src/proof/transparency/checkpoint-claims.ts';
import { logFiles } from '../../src/proof/transparency/log-files.ts';
import { type Notary, startNotary } from '../../src/proof/transparency/notary.ts';
import type { Witness } from '../../src/proof/transparency/witness.ts';
import { streams } from '../../src/streams/index.ts';
import { eventually, Hopeless } from './eventually.ts';

export const NOTARY_ORIGIN = 'levy.example/log';
export const { logKey: notaryKey } = createKeyring(new Uint8Array(32).fill(7));

const codec = createEventCodec(streams);

export interface NotaryPlace {
  readonly store: EventStore;
  readonly files: Pick<BlobStore, 'getFile' | 'putFile'>;
  readonly origin?: string;
}

export function notaryOf(
  { store, files, origin = NOTARY_ORIGIN }: NotaryPlace,
  options: { readonly witnesses?: readonly Witness[]; readonly isHeld?: () => boolean } = {},
): Notary {
  const { witnesses = [], isHeld = () => true } = options;
  const clock = { now: () => new Date() };
  const reader = strictReader(codec);
  const notary = startNotary(
    {
      store,
      files: logFiles(files, origin),
      claims: checkpointClaims({ origin, store, codec, reader, clock, failed: () => undefined }),
      signer: notaryKey,
      witnesses,
      clock,
      logger: silentLogger,
      isShared: false,
    },
    { isHeld },
  );
  onTestFinished(() => notary.stop());
  return notary;
}

export async function appendEntries(store: EventStore, stream: string, count: number): Promise<void> {
  let revision: number | 'none' = 'none';
  for await (const event of store.read(stream)) revision = event.revision;
  const events = Array.from({ length: count }, (_, index) => ({
    id: randomId(),
    type: 'Happened',
    data: { index, text: `€ ${index}` },
    metadata: { actor: 'test' },
  }));
  await store.append(stream, revision, events);
}

export async function untilPublished(notary: Notary, size: number): Promise<void> {
  await eventually(`${size} entries are published`, async () => {
    const { published, trouble } = notary.status();
    if (trouble !== undefined) throw new Hopeless(trouble.message);
    return published?.size === size;
  });
}
