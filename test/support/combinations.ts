/** On what a journey can run: the embedded default, files apart, and the real servers that are there. */
import { randomBytes } from 'node:crypto';
import { afterTheFile } from './after-the-file.ts';
import { hasEventStore, sharedEventStoreUrl } from './event-store-server.ts';
import { ofTheFile } from './lifetime.ts';
import { hasNatsServer, startNatsServer } from './nats-server.ts';
import type { Environment } from './service.ts';

export interface Combination {
  readonly name: string;
  /** A required server is not on this machine. */
  readonly isMissing: boolean;
  /** The read models are written with the log: nothing is ever a moment behind. */
  readonly isImmediate: boolean;
  /** Environment of a service in the folder, with a log of its own that a later service with this environment continues. */
  environment(folder: string): Promise<Environment>;
}

let nats: Promise<string> | undefined;

function sharedNatsUrl(): Promise<string> {
  if (nats === undefined) {
    nats = startNatsServer('', ofTheFile).then(({ url }) => url);
    afterTheFile(async () => {
      nats = undefined;
    });
  }
  return nats;
}

function ownName(): string {
  return `test_${randomBytes(6).toString('hex')}`;
}

async function onEventStore(): Promise<Environment> {
  return { EVENT_STORE_URL: await sharedEventStoreUrl(), EVENT_STORE_PREFIX: ownName() };
}

async function publishing(): Promise<Environment> {
  const name = ownName();
  return {
    PUBLISHER_URL: await sharedNatsUrl(),
    PUBLISHER_STREAM: name,
    PUBLISHER_SUBJECT_PREFIX: `${name}.`,
  };
}

/** What `npm start` runs on. */
export const EMBEDDED: Combination = {
  name: 'with everything in one file',
  isMissing: false,
  isImmediate: true,
  environment: async () => ({}),
};

export const COMBINATIONS: readonly Combination[] = [
  {
    name: 'with the read models in a file apart',
    isMissing: false,
    isImmediate: false,
    environment: async (folder) => ({ READ_MODEL_URL: `sqlite:${folder}/read.db` }),
  },
  { name: 'publishing on NATS', isMissing: !hasNatsServer, isImmediate: true, environment: publishing },
  { name: 'on EventStoreDB', isMissing: !hasEventStore, isImmediate: false, environment: onEventStore },
  {
    name: 'on EventStoreDB, publishing on NATS',
    isMissing: !hasEventStore || !hasNatsServer,
    isImmediate: false,
    environment: async () => ({ ...(await onEventStore()), ...(await publishing()) }),
  },
];

/** Says once in a file which are missing. */
export function tellOfMissingCombinations(what: string): void {
  const missing = COMBINATIONS.filter(({ isMissing }) => isMissing).map(({ name }) => name);
  if (missing.length === 0) return;
  console.warn(
    `SKIPPED: ${what} ${missing.join('; ')}, because no such server is there (test/README.md says how to provide one)`,
  );
}
