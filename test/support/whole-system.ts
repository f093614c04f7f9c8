/** The service as on several machines, with an event store and a bus of its own: what a test takes away, it can give back. */
import type { RecordedEvent } from '../../src/kernel/ports/event-store.ts';
import { folderForTheFile } from './after-the-file.ts';
import { hasEventStoreOfItsOwn } from './event-store-server.ts';
import { eventually, Hopeless } from './eventually.ts';
import { freePort } from './free-port.ts';
import { ofTheFile } from './lifetime.ts';
import { hasNatsServer, type NatsServer, startNatsServer } from './nats-server.ts';
import type { Environment } from './service.ts';
import { DidNotListen, type ServiceProcess, startServiceProcess } from './service-process.ts';
import { openSeveralProcesses, type SeveralProcesses } from './several-processes.ts';
import { auditSystem } from './system-audit.ts';

const STREAM = 'LEVY';

export const hasWholeSystem = hasEventStoreOfItsOwn && hasNatsServer;

/** Says once in a file how many of its tests are skipped, and why. */
export function tellOfSkippedSystem(count: number): void {
  if (hasWholeSystem) return;
  console.warn(
    `SKIPPED: ${count} journeys with faults over several processes, because TEST_EVENT_STORE_COMMAND names no command that runs an EventStoreDB, or there is no nats-server in PATH`,
  );
}

interface Readiness {
  readonly isReady: boolean;
  /** Names of the parts that do not work. */
  readonly failing: readonly string[];
  /** `waiting`, `held` and so on; of the roles that it contends for, by their names. */
  readonly roles: { readonly [role: string]: string };
}

/** A place where a process runs: at the same address and on the same files, however often it is started. */
export interface Machine {
  readonly url: string;
  /** As a supervisor does: again and again, while what it needs is not there. */
  start(): Promise<void>;
  kill(): Promise<void>;
  /** In good order; resolves with its exit code. */
  stop(): Promise<number | null>;
  /** It keeps its connections, and does nothing. */
  pause(): void;
  resume(): void;
  readiness(): Promise<Readiness>;
  /** All that its processes wrote. */
  written(): string;
}

/** On an event store that is somebody else's concern. */
export interface SystemOn extends Pick<SeveralProcesses, 'chainUrl' | 'store' | 'events'> {
  readonly bus: NatsServer;
  /** A new one, started. `program` is what node runs there, if not the service as it is. */
  machine(
    roles: string,
    options?: { readonly environment?: Environment; readonly program?: readonly string[] },
  ): Promise<Machine>;
  /** Waits until nothing is under way; sentences on what does not hold. */
  audit(apis: readonly Machine[]): Promise<readonly string[]>;
}

/** Everything but the event store is gone after the tests of the file. */
export async function openSystemOn(eventStoreUrl: string, own: Environment = {}): Promise<SystemOn> {
  const bus = await startNatsServer('', ofTheFile);
  const several = await openSeveralProcesses({
    eventStoreUrl,
    environment: { PUBLISHER_URL: bus.url, PUBLISHER_STREAM: STREAM, ...own },
  });
  const { chainUrl, store, events } = several;
  return {
    chainUrl,
    store,
    events,
    bus,
    machine: async (roles, { environment, program } = {}) =>
      openMachine({ ...several.environment, ...environment, ROLES: roles }, program),
    audit: async (apis) => {
      const connection = await bus.connect();
      const apiUrls = apis.map(({ url }) => url);
      return auditSystem({ chainUrl, events, apiUrls, bus: { connection, stream: STREAM } });
    },
  };
}

async function openMachine(environment: Environment, program?: readonly string[]): Promise<Machine> {
  const folder = await folderForTheFile();
  const port = await freePort();
  let running: ServiceProcess;
  let written = '';

  async function start(): Promise<void> {
    const options = { folder, ...(program === undefined ? {} : { program }) };
    running = await eventually(
      `a process of ${environment.ROLES} starts`,
      () =>
        startServiceProcess({ ...environment, PORT: String(port) }, options).catch((error) => {
          // No supervisor would see that.
          throw error instanceof DidNotListen ? new Hopeless(error.message) : error;
        }),
      { seconds: 60 },
    );
    for (const output of [running.child.stdout, running.child.stderr])
      output?.on('data', (text: string) => {
        written += text;
      });
  }

  const url = `http://127.0.0.1:${port}`;
  await start();
  return {
    url,
    start,
    kill: async () => void (await running.stop('SIGKILL')),
    stop: async () => (await running.stop()).code,
    pause: () => void running.child.kill('SIGSTOP'),
    resume: () => void running.child.kill('SIGCONT'),
    written: () => written,
    async readiness() {
      const response = await fetch(`${url}/ready`);
      const { checks } = (await response.json()) as {
        checks: { name: string; ok: boolean; state?: string }[];
      };
      const roles = checks.filter(({ name }) => name.startsWith('role '));
      return {
        isReady: response.status === 200,
        failing: checks.filter(({ ok }) => !ok).map(({ name }) => name),
        roles: Object.fromEntries(roles.map(({ name, state = '' }) => [name.replace('role ', ''), state])),
      };
    },
  };
}

/** Resolves with the next event of the type that is recorded from now on. */
export async function nextEvent({ store }: Pick<SystemOn, 'store'>, type: string): Promise<RecordedEvent> {
  const messages = store.subscribe({ after: await store.head(), signal: new AbortController().signal });
  for await (const message of messages) {
    if (message.kind === 'event' && message.event.type === type) return message.event;
  }
  throw new Error(`the log ended before ${type}`);
}
