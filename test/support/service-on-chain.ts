/** Opens the service in the test's own process on a chain that the test holds in its hands, reached over HTTP as on a cluster. */

import { type LocalChain, type LocalChainOptions, openLocalChain } from 'levy-local-chain';
import { pino } from 'pino';
import { openService } from '../../src/app/open-service.ts';
import type { Keyring } from '../../src/chain/keys.ts';
import type { EventStore, RecordedEvent } from '../../src/kernel/ports/event-store.ts';
import { readConfiguration } from '../../src/operations/config/configuration.ts';
import type { Constants } from '../../src/operations/config/constants.ts';
import { afterTheFile, folderForTheFile } from './after-the-file.ts';
import { fund } from './creator.ts';
import { eventually } from './eventually.ts';
import { secretsIn } from './secret-files.ts';
import { type Environment, type LogLine, TEST_ENVIRONMENT } from './service.ts';
import { wholeLog } from './temporary-event-store.ts';

/** Milliseconds: 32 slots make a transaction final. */
const SLOT = 25;

/** Result of the check `submissions` of `GET /ready`. */
export interface Submissions {
  readonly toSettle: number;
  readonly nonceAccounts: number;
  readonly nonceAccountsLeased: number;
}

export interface ServiceOnChain {
  readonly url: string;
  /** Address of the node itself, regardless of proxies. */
  readonly chainUrl: string;
  readonly folder: string;
  readonly keyring: Keyring;
  readonly logged: readonly LogLine[];
  /** Everything recorded so far, in order. */
  events(): Promise<readonly RecordedEvent[]>;
  close(): Promise<void>;
}

/** A chain of its own, closed after the tests of the file. */
export async function openTestChain(
  options: Partial<LocalChainOptions> = {},
): Promise<LocalChain & { readonly dataDir: string }> {
  const dataDir = options.dataDir ?? (await folderForTheFile());
  const chain = await openLocalChain({
    port: 0,
    slotMilliseconds: SLOT,
    ...options,
    dataDir,
  });
  afterTheFile(() => chain.close());
  return { ...chain, dataDir };
}

export interface ServiceOnChainOptions {
  /** Address that the service calls: the node, or a proxy in front of it. */
  readonly nodeUrl: string;
  /** The node, where the test funds wallets and looks at what is true. */
  readonly chainUrl: string;
  readonly folder?: string;
  readonly environment?: Environment;
  readonly constants?: Partial<Constants>;
  readonly decorateStore?: (store: EventStore) => EventStore;
  /** Lamports of the fee payer before the service opens. */
  readonly lamports?: number;
}

export async function openServiceOnChain(options: ServiceOnChainOptions): Promise<ServiceOnChain> {
  const { nodeUrl, chainUrl, environment, lamports = 1_000_000_000 } = options;
  const folder = options.folder ?? (await folderForTheFile());
  const { keyring } = await secretsIn(folder);
  if (lamports > 0) await fund(chainUrl, keyring.feePayer.address, lamports);
  const logged: LogLine[] = [];
  const given = {
    ...TEST_ENVIRONMENT,
    NONCE_ACCOUNTS_MIN: '2',
    DATA_DIR: folder,
    CHAIN_URL: nodeUrl,
    PUBLIC_URL: 'https://levy.example.com',
    ...environment,
  };
  const configuration = readConfiguration(given, options.constants);
  let store: EventStore | undefined;
  const service = await openService({
    configuration,
    log: pino({ level: 'warn' }, { write: (line: string) => void logged.push(JSON.parse(line)) }),
    decorateStore(opened) {
      store = opened;
      return options.decorateStore?.(opened) ?? opened;
    },
  });
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= service.close();
    return closed;
  };
  afterTheFile(close);
  return {
    url: service.address,
    chainUrl,
    folder,
    keyring,
    logged,
    close,
    async events() {
      if (store === undefined) throw new Error('the service has no store');
      const events = await wholeLog(store);
      await shown(service.address, events.at(-1)?.position);
      return events;
    },
  };
}

/** Resolves when the lists show the position, or soon if they cannot. */
async function shown(url: string, position = ''): Promise<void> {
  await fetch(`${url}/tokens?limit=1`, { headers: { 'x-after-position': position } }).then(
    (answer) => answer.text(),
    () => undefined,
  );
}

/** What `GET /ready` says, and of the submissions in numbers. */
export async function readiness(url: string): Promise<{
  readonly status: number;
  readonly failing: readonly string[];
  readonly submissions: Submissions;
}> {
  const response = await fetch(`${url}/ready`);
  const { checks } = (await response.json()) as { checks: { name: string; ok: boolean }[] };
  const submissions = checks.find(({ name }) => name === 'submissions') as unknown as Submissions;
  return {
    status: response.status,
    failing: checks.filter(({ ok }) => !ok).map(({ name }) => name),
    submissions: submissions,
  };
}

/** Resolves when nothing is left to settle and every nonce account is free. */
export async function allAtRest(url: string): Promise<Submissions> {
  return eventually('nothing is to be settled and no nonce account is leased', async () => {
    const { submissions } = await readiness(url);
    return submissions.toSettle === 0 && submissions.nonceAccountsLeased === 0 && submissions;
  });
}
