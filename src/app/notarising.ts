/** Keeps the transparency log, in the process that holds the role `notary`. */

import { readMasterSeed } from '../adapters/file/secrets.ts';
import { createKeyring, type Keyring } from '../chain/keys.ts';
import type { BlobStore } from '../kernel/ports/blob-store.ts';
import { OperatorError } from '../kernel/ports/errors.ts';
import type { LeaseTerm } from '../kernel/ports/lease.ts';
import { keepRunning, type RestartedWork } from '../kernel/runtime/lease.ts';
import { messageOf } from '../kernel/runtime/message-of.ts';
import type { Configuration } from '../operations/config/configuration.ts';
import { type Watched, watched } from '../operations/readiness.ts';
import { checkpointClaims } from '../proof/transparency/checkpoint-claims.ts';
import { logFiles, servedOrigin, serveOrigin } from '../proof/transparency/log-files.ts';
import { type Notary, startNotary } from '../proof/transparency/notary.ts';
import type { NotaryStatus } from '../proof/transparency/notary-status.ts';
import { createWitness } from '../proof/transparency/witness.ts';
import { service } from '../streams/service.ts';
import { OTHER_SEED, SERVICE_STREAM_ID } from './chain.ts';
import type { Foundation } from './foundation.ts';

export interface NotaryRole {
  /** Undefined while another process keeps the log. */
  readonly status: () => NotaryStatus | undefined;
  readonly watched: Watched;
}

interface NotaryParts {
  readonly keyring: Keyring;
  readonly blobs: BlobStore;
}

type HeldNotary = Pick<RestartedWork<Notary>, 'current' | 'error' | 'stop' | 'ended'>;

/** `parts`: what this process has opened for other roles. */
export async function startNotaryRole(
  foundation: Foundation,
  parts: NotaryParts | undefined,
): Promise<NotaryRole> {
  const { configuration, store, codec, reader, clock, singletons, whenClosing, isShared } = foundation;
  const { keyring, blobs } = parts ?? (await openNotaryParts(foundation));
  const logger = foundation.logger.child({ part: 'notary' });

  async function begin(term: LeaseTerm): Promise<Notary> {
    const origin = await originOf(configuration, blobs, keyring.fingerprint);
    if ((await servedOrigin(blobs)) !== origin) await serveOrigin(blobs, origin);
    const failed = (error: unknown) =>
      logger.warn({ error: messageOf(error) }, 'claims of checkpoints fail, trying again');
    return startNotary(
      {
        store,
        files: logFiles(blobs, origin),
        claims: checkpointClaims({ origin, store, codec, reader, clock, failed }),
        signer: keyring.logKey,
        witnesses: configuration.witnesses.map((address) => createWitness(address)),
        clock,
        logger,
        isShared,
      },
      term,
    );
  }

  const role = await singletons.run<HeldNotary>('notary', async (term) => {
    await requireOwnSeed(foundation, keyring);
    if (isShared) {
      const notary = await begin(term);
      return { ...notary, current: () => notary, error: () => undefined };
    }
    const kept = keepRunning({
      start: () => begin(term),
      failed: (error) => logger.error({ error }, 'notary cannot begin, trying again'),
    });
    await kept.tried;
    return kept;
  });
  whenClosing(() => role.stop());
  const status = () => role.work()?.current()?.status();
  return {
    status,
    watched: {
      name: 'notary',
      async look() {
        const [now, error] = [status(), role.work()?.error()];
        if (now !== undefined) return watched('notary', () => checkOf(now)).look();
        return error === undefined
          ? []
          : [{ name: 'notary', ok: false, details: { state: 'waiting', error } }];
      },
    },
  };
}

/** A process whose other roles need neither keys nor ledgers opens them for this role. */
async function openNotaryParts({ configuration, ledgerFiles }: Foundation): Promise<NotaryParts> {
  const { seed } = await readMasterSeed(configuration.masterSeedFile, { mayCreate: false });
  return { keyring: createKeyring(seed), blobs: (await ledgerFiles()).ledgers };
}

/** With another seed, the log would be signed by an unknown key. */
async function requireOwnSeed({ executor }: Foundation, keyring: Keyring): Promise<void> {
  const { state } = await executor.load(service, SERVICE_STREAM_ID);
  if (state === undefined || state.seedFingerprint === keyring.fingerprint) return;
  throw new OperatorError(OTHER_SEED);
}

/** A log keeps the name that it began with, unless it is given another one. */
async function originOf(
  { logOrigin, publicUrl }: Pick<Configuration, 'logOrigin' | 'publicUrl'>,
  blobs: Pick<BlobStore, 'getFile'>,
  fingerprint: string,
): Promise<string> {
  if (logOrigin !== undefined) return logOrigin;
  const known = await servedOrigin(blobs);
  if (known !== undefined) return known;
  const place = publicUrl?.replace(/^https?:\/\//, '') ?? `levy-${fingerprint.slice(0, 16)}.invalid`;
  return `${place}/log`;
}

function checkOf(status: NotaryStatus) {
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
