/** Publishes the log in processes that hold the roles: outcomes on the bus, and all events in the transparency log. */
import { readMasterSeed } from '../adapters/file/secrets.ts';
import { createKeyring, type Keyring } from '../chain/keys.ts';
import type { BlobStore } from '../kernel/ports/blob-store.ts';
import { errorMessage } from '../kernel/runtime/error-message.ts';
import type { Configuration } from '../operations/config/configuration.ts';
import { placeOf, watchedWhileHeld } from '../operations/readiness.ts';
import { outcomes } from '../outcomes/index.ts';
import { checkpointClaims } from '../proof/transparency/checkpoint-claims.ts';
import { logFiles, servedOrigin, serveOrigin } from '../proof/transparency/log-files.ts';
import { startNotary } from '../proof/transparency/notary.ts';
import type { NotaryStatus } from '../proof/transparency/notary-status.ts';
import { createWitness } from '../proof/transparency/witness.ts';
import { startPublishing } from '../server/delivery/publishing/start-publishing.ts';
import { adapterFor } from './adapters.ts';
import { begunOn } from './chain.ts';
import type { Foundation } from './foundation.ts';

/** Undefined without a configured bus. Connects only when publishing starts. */
export async function startPublishingRole(foundation: Foundation) {
  const { configuration, singletons, loggerOf } = foundation;
  if (configuration.publisher === undefined) return undefined;
  const { url } = configuration.publisher;
  const publisher = await adapterFor('publisher', url).open({
    url,
    stream: configuration.publisherStream,
    subjectPrefix: configuration.publisherSubjectPrefix,
    groups: [...new Set(outcomes.map(({ name }) => name.replace(/\..*$/, '')))],
    replicas: replicasFor(url),
    credentialsFile: configuration.publisherCredentialsFile,
    caFile: configuration.caFile,
  });
  // Each sequence on the bus accepts one message, so a publisher is harmless after the end of its term.
  const role = await singletons.run('publisher', async () =>
    startPublishing({ ...foundation, publisher, logger: loggerOf('publisher') }),
  );
  return {
    /** `running` is the publishing in this process; undefined unless it holds the role. */
    measured: { status: publisher.status, running: role.work },
    watched: watchedWhileHeld('publisher', role.work, (running) => {
      const { state, position, error, blockedBy } = running.status();
      return {
        ok: error === undefined && state !== 'failed',
        details: {
          state,
          isConnected: publisher.status().isConnected,
          position: position ?? null,
          error: error ?? null,
          ...placeOf(blockedBy),
        },
      };
    }),
  };
}

/** Three replicas survive the loss of one; two are no safer than one. `urls` are separated by commas. */
export function replicasFor(urls: string): number {
  return urls.split(',').length < 3 ? 1 : 3;
}

/** `opened`: the keys, if this process also needs them for other roles. */
export async function startNotaryRole(foundation: Foundation, opened: Keyring | undefined) {
  const { configuration, executor, clock, singletons, loggerOf, ledgers: blobs } = foundation;
  const { masterSeedFile, witnesses } = configuration;
  const keyring = opened ?? createKeyring((await readMasterSeed(masterSeedFile, { mayCreate: false })).seed);
  const logger = loggerOf('notary');
  const failed = (error: unknown) =>
    logger.warn({ error: errorMessage(error) }, 'checkpoint claims failed, retrying');
  const role = await singletons.run('notary', async (term) => {
    // With another seed, an unknown key would sign the log.
    await begunOn(foundation.store, executor, keyring.fingerprint);
    const origin = await originOf(configuration, blobs, keyring.fingerprint);
    if ((await servedOrigin(blobs)) !== origin) await serveOrigin(blobs, origin);
    return startNotary(
      {
        ...foundation,
        files: logFiles(blobs, origin),
        claims: checkpointClaims({ ...foundation, origin, clock, failed }),
        signer: keyring.logKey,
        witnesses: witnesses.map((address) => createWitness(address)),
        logger,
      },
      term,
    );
  });
  const status = () => role.work()?.status();
  return { status, watched: watchedWhileHeld('notary', status, notaryCheck) };
}

/** The origin of a log never changes, unless configured. */
async function originOf(
  { logOrigin, publicUrl }: Pick<Configuration, 'logOrigin' | 'publicUrl'>,
  blobs: Pick<BlobStore, 'getFile'>,
  fingerprint: string,
): Promise<string> {
  const place = publicUrl?.replace(/^https?:\/\//, '') ?? `levy-${fingerprint.slice(0, 16)}.invalid`;
  return logOrigin ?? (await servedOrigin(blobs)) ?? `${place}/log`;
}

function notaryCheck(status: NotaryStatus) {
  const { state, origin, size, published, error, trouble, witnesses } = status;
  const silent = witnesses.filter((witness) => witness.error !== undefined && !witness.disagrees);
  const disagreeing = witnesses.filter((witness) => witness.disagrees);
  return {
    ok: trouble === undefined,
    details: {
      state,
      origin,
      entries: size,
      published: published?.size ?? 0,
      error: trouble?.message ?? error ?? null,
      ...(trouble && { trouble: trouble.kind, since: trouble.since, ...trouble.event }),
      ...(witnesses.length > 0 && {
        witnesses: witnesses.length,
        silentWitnesses: silent.map(({ name }) => name).join(', '),
        ...(disagreeing.length > 0 && {
          disagreeingWitnesses: disagreeing.map((witness) => witness.error).join('; '),
        }),
      }),
    },
  };
}
