/** Opens a place for read models of the past, and refuses one that holds anything else. */
import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { NothingWritten, OperatorError } from '../kernel/ports/operator-error.ts';
import type { ReadModel } from '../kernel/ports/read-model.ts';
import { type Cut, readReplayed, requirePlaceFor } from '../proof/replay/replay-log.ts';
import {
  type OpenReadModelOptions,
  openReadModelsForReading,
  openReadModelsForWriting,
  type ReadModelPlace,
  readModelsExist,
} from './open-read-models.ts';

/** The only writer. */
const TERM = 1;
const SQLITE = 'sqlite:';

export interface ReplayPlace {
  readonly readModel: ReadModel;
  /** It holds all of it already. */
  readonly isComplete: boolean;
  close(): Promise<void>;
}

async function existing(
  place: ReadModelPlace & { readonly readModel: string },
  options: OpenReadModelOptions,
) {
  if (!(await readModelsExist(place, options))) return undefined;
  const { looked, remove } = await whatALookMayLock(place.readModel);
  try {
    const found = await openReadModelsForReading({ readModel: looked }, options);
    return {
      port: found.port,
      async close() {
        await found.close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    if (error instanceof NothingWritten) return undefined;
    if (!(error instanceof OperatorError)) throw error;
    throw new OperatorError(
      error.message.replaceAll(looked.slice(SQLITE.length), place.readModel.slice(SQLITE.length)),
      {
        cause: error,
      },
    );
  }
}

/**
 * A file that a killed process left with its write-ahead log cannot be written in a process that has read it, so that a copy
 * is looked at.
 */
async function whatALookMayLock(url: string) {
  const file = url.slice(SQLITE.length);
  if (!url.startsWith(SQLITE) || !existsSync(`${file}-wal`))
    return { looked: url, remove: async () => undefined };
  const folder = await mkdtemp(join(dirname(resolve(file)), '.looked-at-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const copy = join(folder, 'copy.db');
  try {
    await cp(file, copy);
    await cp(`${file}-wal`, `${copy}-wal`);
  } catch (error) {
    await remove();
    throw error;
  }
  return { looked: `${SQLITE}${copy}`, remove };
}

export async function openReplayPlace(url: string, cut: Cut, env: NodeJS.ProcessEnv): Promise<ReplayPlace> {
  const options: OpenReadModelOptions = { env, option: '--into' };
  const place = { readModel: url };
  let isComplete = false;
  const found = await existing(place, options);
  if (found !== undefined) {
    try {
      const replayed = await readReplayed(found.port);
      requirePlaceFor(cut, replayed, replayed === undefined && (await found.port.isUnused()));
      isComplete = replayed !== 'begun' && replayed?.isComplete === true;
    } finally {
      await found.close();
    }
  }
  const opened = await openReadModelsForWriting(place, options);
  try {
    await opened.shared?.beginTerm(TERM);
  } catch (error) {
    await opened.close();
    throw new OperatorError(`${url} is written by a service: name an empty place`, { cause: error });
  }
  return { readModel: opened.port, isComplete, close: opened.close };
}
