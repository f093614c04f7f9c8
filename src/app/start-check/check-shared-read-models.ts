/** Looks whether the read models that other processes share were made from this log, as a start does. Changes nothing. */
import { silentLogger } from '../../kernel/ports/logger.ts';
import { otherLog } from '../../kernel/runtime/log-source.ts';
import { readNote } from '../../kernel/runtime/progress-note.ts';
import { adapterFor } from '../adapters.ts';
import { openLog } from '../open-log.ts';
import { type AccessFiles, serverAccess } from '../server-access.ts';
import type { LogFacts } from './check-log.ts';
import type { Findings } from './obstacle.ts';

export async function checkSharedReadModels(
  {
    url,
    access,
    env,
  }: { readonly url: string; readonly access: AccessFiles; readonly env: NodeJS.ProcessEnv },
  { isBegun }: Pick<LogFacts, 'isBegun'>,
  findings: Findings,
): Promise<void> {
  const madeFrom = await logOf(url, access);
  const own = madeFrom !== undefined && isBegun === true ? await firstEventId(env) : undefined;
  tellOrigin({ madeFrom, isBegun, own }, findings);
}

export function tellOrigin(
  {
    madeFrom,
    isBegun,
    own,
  }: Pick<LogFacts, 'isBegun'> & {
    /** The id of the first event of the log that they were made from; undefined before anybody has written them. */
    readonly madeFrom: string | undefined;
    /** The id of the first event of the log. */
    readonly own: string | undefined;
  },
  findings: Pick<Findings, 'remark' | 'obstacle'>,
): void {
  if (madeFrom === undefined) findings.remark('empty: the process with the role projector fills them');
  else if (isBegun === undefined) findings.remark('not compared with the log, which could not be read');
  else if (own === madeFrom) findings.remark('made from this log');
  else findings.obstacle(otherLog().message);
}

async function logOf(url: string, access: AccessFiles): Promise<string | undefined> {
  const opened = await adapterFor('read-model', url).open({
    url,
    logger: silentLogger,
    ...(await serverAccess('MongoDB', access)),
  });
  try {
    const note = await opened.shared?.progress();
    return note && readNote(note)?.log;
  } finally {
    await opened.close();
  }
}

async function firstEventId(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const log = await openLog({}, { env });
  try {
    for await (const { id } of log.events()) return id;
    return undefined;
  } finally {
    await log.close();
  }
}
