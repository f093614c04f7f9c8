/** Copies the embedded chain for a backup, into a file beside it that is removed when it was read. */
import { randomBytes } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { copyStoppedChain, type LocalChain, LocalChainUnavailable } from 'levy-local-chain';
import pTimeout from 'p-timeout';
import { OperatorError } from '../kernel/ports/operator-error.ts';
import { type ChainCopy, type CopyChain, PIECE } from '../operations/archive/take-backup.ts';
import type { Configuration } from '../operations/config/configuration.ts';
import { chainFileOf, chainFolderOf } from './open-chain.ts';

const COPY = /^copy-[0-9a-f]{16}\.db/;

/** The longest time in milliseconds for which the chain is paused. */
const STANDSTILL = 5_000;

/** Rejects where `copyTo` does. One at a time in a folder: what a killed process left is removed. */
async function copiedChain(
  configuration: Pick<Configuration, 'dataDirectory'>,
  copyTo: (target: string) => Promise<void>,
): Promise<ChainCopy> {
  const folder = chainFolderOf(configuration);
  for (const name of await readdir(folder)) if (COPY.test(name)) await rm(join(folder, name));
  const target = join(folder, `copy-${randomBytes(8).toString('hex')}.db`);
  const remove = () => rm(target, { force: true });
  try {
    await copyTo(target);
  } catch (error) {
    await remove();
    throw error;
  }
  return { pieces: createReadStream(target, { highWaterMark: PIECE }), remove };
}

/** The chain of a running service. */
export function runningChain(
  configuration: Pick<Configuration, 'dataDirectory'>,
  chain: Pick<LocalChain, 'copyTo'>,
): CopyChain {
  return (atThatMoment) =>
    copiedChain(configuration, (target) =>
      chain.copyTo(target, () =>
        pTimeout(atThatMoment(), {
          milliseconds: STANDSTILL,
          message: `the event log did not answer for ${STANDSTILL / 1_000} s, and the chain waits no longer: try again`,
        }),
      ),
    );
}

/** The chain of a stopped service. Undefined where its chain is elsewhere, or was never started. */
export function stoppedChain(configuration: Configuration): CopyChain | undefined {
  const folder = chainFolderOf(configuration);
  if (!configuration.chain.isEmbedded || !existsSync(chainFileOf(configuration))) return undefined;
  return (atThatMoment) =>
    copiedChain(configuration, async (target) => {
      await atThatMoment();
      try {
        copyStoppedChain(folder, target);
      } catch (error) {
        if (!(error instanceof LocalChainUnavailable)) throw error;
        throw new OperatorError(`${error.message}: stop the service first, or ask it (--service)`, {
          cause: error,
        });
      }
    });
}
