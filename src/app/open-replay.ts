/** Opens a place for read models of the past, and refuses one that holds anything else. */
import { OperatorError } from '../ports/operator-error.ts';
import type { ReadModel } from '../ports/read-model.ts';
import { type Cut, readReplayed, requirePlaceFor } from '../replay/replay-log.ts';
import {
  type OpenReadModelOptions,
  openReadModelsForReading,
  openReadModelsForWriting,
  readModelsExist,
} from './open-read-models.ts';

/** Nobody else writes there. */
const TERM = 1;

export interface ReplayPlace {
  readonly readModel: ReadModel;
  /** It holds all of it already. */
  readonly isComplete: boolean;
  close(): Promise<void>;
}

export async function openReplayPlace(url: string, cut: Cut, env: NodeJS.ProcessEnv): Promise<ReplayPlace> {
  const options: OpenReadModelOptions = { env, option: '--into' };
  const place = { readModel: url };
  let isComplete = false;
  if (await readModelsExist(place, options)) {
    const found = await openReadModelsForReading(place, options);
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
