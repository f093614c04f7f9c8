/** Copies a log from one store to another. */

import { adapterFor } from '../app/adapters.ts';
import { eventStoreSettings, storeConfiguration } from '../app/stores.ts';
import { OperatorError } from '../kernel/ports/errors.ts';
import type { LogReader } from '../kernel/ports/log-reader.ts';
import type { WritableLog } from '../kernel/ports/log-writer.ts';
import type { Logger } from '../kernel/ports/logger.ts';
import { schemeOf } from '../kernel/ports/technology.ts';
import { readLog } from '../kernel/runtime/read-log.ts';
import { createAppendingWriter } from '../operations/archive/append-log.ts';
import { type Copied, copyLog } from '../operations/archive/copy-log.ts';
import { openPlace } from './place.ts';

export interface CopyOptions {
  /** As EVENT_STORE_URL; undefined for the log of a running service. */
  readonly from: string | undefined;
  readonly service?: string | undefined;
  readonly operatorKeyFile?: string | undefined;
  readonly to: string;
  /** Appends under way at once, where the target takes them one stream after the other. */
  readonly inFlight: number;
  readonly env: NodeJS.ProcessEnv;
  readonly logger: Logger;
  readonly progress?: (events: number, of: number | undefined) => void;
}

export async function copy(options: CopyOptions): Promise<Copied> {
  const { from, service, operatorKeyFile, to, env, logger, progress } = options;
  if (from === to) throw new OperatorError('--from and --to name the same log: name another target');
  const source = await openPlace({ store: from, service, operatorKeyFile }, { env, logger });
  try {
    const target = await openTarget(options, source);
    const { unit, amount } = source.extentOf(await source.head());
    const of = unit === 'events' ? amount : undefined;
    try {
      return await copyLog({ source, target }, (done) => progress?.(done, of));
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

async function openTarget(
  { to, env, logger, inFlight }: CopyOptions,
  source: LogReader,
): Promise<WritableLog> {
  const configuration = storeConfiguration(env, { EVENT_STORE_URL: { option: '--to', url: to } });
  const settings = await eventStoreSettings(configuration, logger);
  const adapter = adapterFor('event-store', settings.url);
  if (adapter.openForCopying !== undefined)
    return adapter.openForCopying(settings, { areKept: false, sourceHead: Number(await source.head()) });
  if (adapter.openForAppendedCopy === undefined)
    throw new OperatorError(`no log can be copied to ${schemeOf(to)}: name sqlite:<file> or esdb://<host>`);
  const { store, close, ...mark } = await adapter.openForAppendedCopy(settings);
  const writer = createAppendingWriter(store, inFlight, mark);
  return { events: () => readLog(store), writer, close };
}
