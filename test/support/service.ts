/** Opens the whole service inside the test's own process: SQLite files in a temporary folder, the real machine in a child. */
import { createHash } from 'node:crypto';
import { pino } from 'pino';
import { openService } from '../../src/app/open-service.ts';
import type { EventStore, EventToAppend } from '../../src/kernel/ports/event-store.ts';
import { withMethods } from '../../src/kernel/runtime/wrap-calls.ts';
import { readConfiguration } from '../../src/operations/config/configuration.ts';
import type { Constants } from '../../src/operations/config/constants.ts';
import { afterTheFile, folderForTheFile } from './after-the-file.ts';
import { eventually } from './eventually.ts';
import { OPERATOR_KEY, OPERATOR_NAME, operatorEntry } from './operator.ts';
import { secretsIn } from './secret-files.ts';
import { until } from './until.ts';

export interface Environment {
  readonly [variable: string]: string;
}

/** Options in which a test's service differs from the default one. */
export const TEST_ENVIRONMENT: Environment = {
  PORT: '0',
  LOCAL_CHAIN_PORT: '0',
  // Finality comes after 32 slots: at the default rate every test that waits for it would take 13 seconds.
  LOCAL_CHAIN_SLOT_MS: '25',
  // Enough for the drafts of one test file: to open accounts one by one takes longer.
  NONCE_ACCOUNTS_MIN: '6',
  RATE_LIMITS: 'off',
  OPERATOR_KEYS: operatorEntry(OPERATOR_NAME, OPERATOR_KEY),
  LOG_LEVEL: 'warn',
};

/** A submission is answered one pause after the chain has executed it. */
const TEST_CONSTANTS: Partial<Constants> = { settlePauseMs: 20 };

export interface TestService {
  readonly url: string;
  readonly chainUrl: string;
  /** Address of the metrics listener, if METRICS_PORT opens one. */
  readonly metricsUrl: string | undefined;
  readonly folder: string;
  /** Events caused by callers, in order, without those of the service's own loops, which may append at any time. */
  readonly recorded: readonly EventToAppend[];
  /** Log records as pino writes them; level 50 and above are errors. */
  readonly logged: readonly LogLine[];
  /** Writes into the service's own log, as another program might. */
  append: EventStore['append'];
  close(): Promise<void>;
}

export interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly [field: string]: unknown;
}

interface Readiness {
  readonly checks: readonly {
    readonly name: string;
    readonly nonceAccounts?: number;
    readonly state?: string;
    readonly behind?: boolean;
  }[];
}

/** A server makes the indexes of all read models before the first query: in the place of MongoDB some take long. */
const BUILT_WITHIN_SECONDS = 90;

/**
 * A service that listens on a free port, in a new folder unless one is given, and has opened its nonce accounts. It is
 * closed after the tests of the file, if it was not before.
 */
export async function openTestService(
  environment: Environment = {},
  options: {
    readonly folder?: string;
    /** Variables that differ from the service's defaults. */
    readonly constants?: Partial<Constants>;
    readonly decorateStore?: (store: EventStore) => EventStore;
  } = {},
): Promise<TestService> {
  const folder = options.folder ?? (await folderForTheFile());
  const recorded: EventToAppend[] = [];
  const logged: LogLine[] = [];
  let log: EventStore | undefined;
  if (environment.EVENT_STORE_URL?.startsWith('esdb')) await secretsIn(folder);
  const configuration = readConfiguration(
    { ...TEST_ENVIRONMENT, DATA_DIR: folder, ...readModelsOf(folder), ...environment },
    { ...TEST_CONSTANTS, ...options.constants },
  );
  const service = await openService({
    configuration,
    log: pino(
      { level: configuration.logLevel },
      { write: (line: string) => void logged.push(JSON.parse(line)) },
    ),
    decorateStore: (store) => {
      log = store;
      return withRecord(options.decorateStore?.(store) ?? store, recorded);
    },
  });
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= service.close();
    return closed;
  };
  afterTheFile(close);
  if (service.localChainUrl === undefined) throw new Error('a test service runs on the local chain');
  const ready = async () => (await (await fetch(`${service.address}/ready`)).json()) as Readiness;
  const isShared = process.env.TEST_READ_MODELS_AT !== undefined && environment.READ_MODEL_URL === undefined;
  const untilBuilt = async () =>
    eventually(
      'the read models show the whole log',
      async () =>
        (await ready()).checks.every(({ state, behind }) => state !== 'building' && behind !== true),
      { seconds: BUILT_WITHIN_SECONDS },
    );
  if (isShared) await untilBuilt();
  const accounts = configuration.draftLifetimeKind === 'durable-nonce' ? configuration.nonceAccountsMin : 0;
  await until(async () => {
    const { checks } = await ready();
    const opened = checks.find(({ name }) => name === 'submissions')?.nonceAccounts ?? 0;
    return opened >= accounts ? true : undefined;
  });
  // The accounts were opened meanwhile.
  if (isShared) await untilBuilt();
  const { address: url, localChainUrl: chainUrl, metricsAddress: metricsUrl } = service;
  const append: EventStore['append'] = (...call) => {
    if (log === undefined) throw new Error('the service has opened no log');
    return log.append(...call);
  };
  return { url, chainUrl, metricsUrl, folder, recorded, logged, append, close };
}

/** Where TEST_READ_MODELS_AT says: a folder that is opened again finds its own. */
function readModelsOf(folder: string): Environment {
  const server = process.env.TEST_READ_MODELS_AT;
  if (server === undefined) return {};
  const database = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  return { READ_MODEL_URL: `${server.replace(/\/$/, '')}/levy_${database}` };
}

function withRecord(store: EventStore, recorded: EventToAppend[]): EventStore {
  return withMethods(store, {
    async append(stream, expected, events) {
      const result = await store.append(stream, expected, events);
      const isByCaller = ({ metadata: { actor } }: EventToAppend) => !String(actor).startsWith('service:');
      if (result.outcome === 'appended') recorded.push(...events.filter(isByCaller));
      return result;
    },
  });
}
