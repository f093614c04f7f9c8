/** Looks whether the read models that other processes share were made from this log, as a start does. Changes nothing. */
import type { LogReader } from '../../kernel/ports/log-reader.ts';
import { silentLogger } from '../../kernel/ports/logger.ts';
import type { OpenedReadModel } from '../../kernel/ports/technology.ts';
import { otherLog } from '../../kernel/runtime/log-source.ts';
import { writerStatusIn } from '../../kernel/runtime/remote-projection.ts';
import { adapterFor } from '../adapters.ts';
import { openLog } from '../open-log.ts';
import { type AccessFiles, serverAccess } from '../server-access.ts';
import type { LogFacts } from './check-log.ts';
import type { Findings } from './obstacle.ts';

const OPEN = {
  readModel: async (url: string, access: AccessFiles): Promise<Pick<OpenedReadModel, 'shared' | 'close'>> =>
    adapterFor('read-model', url).open({
      url,
      logger: silentLogger,
      ...(await serverAccess('MongoDB', access)),
    }),
  log: (env: NodeJS.ProcessEnv) => openLog({}, { env }),
};

export async function checkSharedReadModels(
  {
    url,
    access,
    env,
  }: { readonly url: string; readonly access: AccessFiles; readonly env: NodeJS.ProcessEnv },
  { isBegun }: Pick<LogFacts, 'isBegun'>,
  findings: Findings,
  open = OPEN,
): Promise<void> {
  const madeFrom = await logOf(await open.readModel(url, access));
  if (madeFrom === undefined) findings.remark('empty: the process with the role projector fills them');
  else if (isBegun === undefined) findings.remark('not compared with the log, which could not be read');
  else if (isBegun && (await firstEventId(await open.log(env))) === madeFrom)
    findings.remark('made from this log');
  else findings.obstacle(otherLog().message);
}

/** The id of the first event of the log that they were made from; undefined before anybody has written them. */
async function logOf(opened: Awaited<ReturnType<typeof OPEN.readModel>>): Promise<string | undefined> {
  try {
    return writerStatusIn((await opened.shared?.progress([]))?.status)?.log;
  } finally {
    await opened.close();
  }
}

async function firstEventId(log: LogReader): Promise<string | undefined> {
  try {
    for await (const { id } of log.events()) return id;
    return undefined;
  } finally {
    await log.close();
  }
}
