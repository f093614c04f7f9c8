/** Checks the whole log, and read models in SQLite: pages, events, documents. Changes nothing. */
import type { checkDatabase as CheckDatabase } from '../../adapters/sqlite/check-database.ts';
import { StoreInUse } from '../../kernel/ports/errors.ts';
import type { LogReader } from '../../kernel/ports/log-reader.ts';
import { pathIn } from '../../kernel/ports/technology.ts';
import { createEventCodec, EventUndecodable } from '../../kernel/runtime/event-codec.ts';
import type { Values } from '../../operations/config/variables.ts';
import { type ServiceState, service } from '../../streams/service.ts';
import { eventReaderOf } from '../log-events.ts';
import { DISK, lostLog } from '../lost-log.ts';
import { openLog } from '../open-log.ts';
import type { Findings, ShowProgress } from './obstacle.ts';

export interface LogFacts {
  /** Undefined where it could not be read. */
  readonly isBegun: boolean | undefined;
  /** With what it was begun; undefined if it is empty, or not known. */
  readonly begunWith: ServiceState;
}

const UNKNOWN: LogFacts = { isBegun: undefined, begunWith: undefined };

const MACHINE = {
  ...DISK,
  checkDatabase: async (...given: Parameters<typeof CheckDatabase>): ReturnType<typeof CheckDatabase> => {
    const { checkDatabase } = await import('../../adapters/sqlite/check-database.ts');
    return checkDatabase(...given);
  },
  open: (env: NodeJS.ProcessEnv) => openLog({}, { env }),
};

export async function checkLog(
  values: Partial<Values> & Pick<Values, 'eventStore'> & { readonly isDeep: boolean },
  env: NodeJS.ProcessEnv,
  findings: Findings,
  progress: ShowProgress,
  machine = MACHINE,
): Promise<LogFacts> {
  const { eventStore, isDeep } = values;
  // A file is read whole anyway.
  const reads = isDeep || eventStore.isEmbedded ? progress : undefined;
  if (eventStore.isEmbedded) {
    const path = pathIn(eventStore.url);
    const lost = lostLog(values, machine);
    if (lost !== undefined) {
      findings.obstacle(lost);
      return UNKNOWN;
    }
    if (!machine.holdsLog(path)) {
      findings.remark(`no log yet: the first start begins it in ${path}`);
      return { isBegun: false, begunWith: undefined };
    }
    if (!(await checkFile(path, findings, progress, { machine }))) return UNKNOWN;
  }
  const found = await findings.attempt(async () =>
    lookIntoAndClose(await machine.open(env), findings, reads),
  );
  return found ?? UNKNOWN;
}

export async function checkReadModelFile(
  { readModel }: Pick<Values, 'readModel'>,
  findings: Findings,
  progress: ShowProgress,
  machine = MACHINE,
): Promise<void> {
  const path = pathIn(readModel.url);
  if (machine.holdsLog(path)) await checkFile(path, findings, progress, { remedy: REMOVE, machine });
  else findings.remark(`none yet: the start fills them from the log, in ${path}`);
}

/** Whether it could be checked and nothing was found. */
export async function checkFile(
  path: string,
  findings: Findings,
  progress: ShowProgress,
  options: {
    readonly remedy?: string;
    readonly machine?: Pick<typeof MACHINE, 'checkDatabase'>;
    readonly hasFormat?: boolean;
  } = {},
): Promise<boolean> {
  const { remedy = RESTORE, machine = MACHINE, hasFormat = true } = options;
  const report = await machine
    .checkDatabase(path, {
      hasFormat,
      progress: ({ part, done, of }) => (part === 'log' ? progress(done, of) : undefined),
    })
    .catch((error: unknown) => {
      if (!(error instanceof StoreInUse)) throw error;
      findings.obstacle(
        `${path} is in use: a service runs on it, and a second start would be refused. Its own GET /ready says how it is; stop it to check the file`,
      );
      return undefined;
    });
  if (report === undefined) return false;
  for (const { part, position, reason } of report.findings) {
    const where = position === undefined ? '' : ` at position ${position}`;
    findings.obstacle(`${path} is damaged, in the ${part}${where}: ${reason}. ${remedy}`);
  }
  if (report.events > 0) findings.remark(`${report.events.toLocaleString('en-US')} events in ${path}`);
  return report.findings.length === 0;
}

const RESTORE = 'Restore a backup: docs/how-to/operate/mend-a-damaged-log.md';
const REMOVE = 'Remove it and the "-wal" file beside it: the next start fills it anew from the log';

async function lookIntoAndClose(
  log: LogReader,
  findings: Findings,
  progress: ShowProgress | undefined,
): Promise<LogFacts> {
  try {
    return await lookInto(log, findings, progress);
  } finally {
    await log.close();
  }
}

/** `progress`: absent where the contents of the events are not read. */
export async function lookInto(
  log: LogReader,
  findings: Findings,
  progress: ShowProgress | undefined,
): Promise<LogFacts> {
  const head = await log.head();
  if (head === '') {
    findings.remark('an empty log: the first start begins it');
    return { isBegun: false, begunWith: undefined };
  }
  for await (const event of log.stream('service-levy')) {
    const { data } = createEventCodec([service]).decode(event);
    findings.remark(`it ends at position ${head}`);
    if (progress === undefined) findings.remark('its events were not decoded: levy check --deep does it');
    else await checkContents(log, findings, progress);
    // The codec has checked the data by the schema of the stream's only type.
    return { isBegun: true, begunWith: data as NonNullable<ServiceState> };
  }
  findings.obstacle(
    'the log holds events but was not begun by this service: point EVENT_STORE_URL (or EVENT_STORE_PREFIX) at another',
  );
  return UNKNOWN;
}

/** Events that are named; more are counted. */
const MOST_NAMED = 10;
const EVENTS_A_TELLING = 1_000;

async function checkContents(log: LogReader, findings: Findings, progress: ShowProgress): Promise<void> {
  const reader = await eventReaderOf(log);
  const of = log.extentOf(await log.head()).amount;
  let [events, undecodable] = [0, 0];
  for await (const stored of log.events()) {
    events += 1;
    if (events % EVENTS_A_TELLING === 0) progress(log.extentOf(stored.position).amount, of);
    try {
      reader.readNow(stored);
    } catch (error) {
      if (!(error instanceof EventUndecodable)) throw error;
      undecodable += 1;
      if (undecodable > MOST_NAMED) continue;
      const { problem, isNewer } = error.event;
      const remedy = isNewer
        ? 'Use the release that wrote it, or a later one'
        : 'What to do: docs/how-to/operate/give-up-an-event.md';
      findings.obstacle(
        `the event ${stored.id} (${stored.type}, revision ${stored.revision} of ${stored.stream}) cannot be decoded: ${problem}. ${remedy}`,
      );
    }
  }
  if (undecodable > MOST_NAMED)
    findings.obstacle(`${undecodable - MOST_NAMED} more events cannot be decoded`);
  else if (undecodable === 0) findings.remark('every event can be decoded');
}
