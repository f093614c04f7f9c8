/** The stream of events and the process that serves it: killed, started again, and stopped in order. */
import { expect, test } from 'vitest';
import { openSqliteDatabase } from '../../src/adapters/sqlite/database.ts';
import { createSqliteEventStore } from '../../src/adapters/sqlite/event-store.ts';
import { createClient } from '../support/client.ts';
import { creatorWith, openCreator } from '../support/creator.ts';
import { type CloudEvent, openEventStream } from '../support/event-stream.ts';
import { OPERATOR_KEY } from '../support/operator.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { wholeLog } from '../support/temporary-event-store.ts';
import { until } from '../support/until.ts';

/** Follows one service after another as a browser does: comes back with the id that it was told last. */
function follow(options: { readonly operatorKey?: string }) {
  const told: CloudEvent[] = [];
  let lastEventId: string | undefined;
  return {
    told,
    /** Resolves when the connection has ended. With a position, that is when it has come so far. */
    async during({ url }: ServiceProcess, until?: string): Promise<void> {
      const stream = await openEventStream(url, { after: 'start', lastEventId, ...options });
      if (until !== undefined) await stream.reached(until).then(stream.close);
      await stream.end();
      told.push(...stream.events);
      lastEventId = stream.lastEventId ?? lastEventId;
    },
  };
}

test('who comes back after a kill has missed nothing and is told nothing twice', async () => {
  const environment = { LOCAL_CHAIN_SLOT_MS: '25', NONCE_ACCOUNTS_MIN: '2' };
  const constants = { eventsHeartbeatMs: 100 };
  let service = await startServiceProcess(environment, { constants });
  const { folder } = service;
  const port = new URL(service.url).port;
  let creator = await openCreator(service);
  const everybody = follow({});
  const operators = follow({ operatorKey: OPERATOR_KEY });

  for (const signal of ['SIGKILL', 'SIGKILL', 'SIGTERM'] as const) {
    const following = [everybody.during(service), operators.during(service)];
    await creator.createToken();
    // In the middle of what follows from it: nothing of this is final yet.
    await service.stop(signal);
    await Promise.all(following);
    service = await startServiceProcess({ ...environment, PORT: port }, { folder, constants });
    creator = creatorWith({ ...creator, client: createClient(service.url) });
  }
  await until(async () => {
    const { checks } = await creator.client.ask<{ checks: { name: string; toSettle?: number }[] }>(
      'GET',
      '/ready',
    );
    return checks.find(({ name }) => name === 'submissions')?.toSettle === 0 || undefined;
  });
  // Something that nobody is told of: it is recorded after everything else.
  const { headers } = await creator.client.call('POST', '/tokens/generate-distribution-wallet');
  const end = headers.get('x-position') ?? '';
  await Promise.all([everybody.during(service, end), operators.during(service, end)]);
  await service.stop();

  const database = openSqliteDatabase(`${folder}/levy.db`);
  const store = createSqliteEventStore(database);
  const log = await wholeLog(store);
  await store.close();
  await database.close();
  const recorded = (...types: string[]) =>
    log.filter(({ type }) => types.includes(type)).map(({ id, position }) => [id, position]);
  const heard = (events: readonly CloudEvent[]) => events.map(({ id, position }) => [id, position]);
  expect(heard(everybody.told)).toEqual(recorded('TokenCreated'));
  expect(everybody.told).toHaveLength(3);
  expect(heard(operators.told)).toEqual(
    recorded('TokenCreated', 'SubmissionAccepted', 'SubmissionConfirmed', 'SubmissionFinalized'),
  );
});

test('a service that stops ends every stream at once, in good order, and goes', async () => {
  const service = await startServiceProcess(
    { NONCE_ACCOUNTS_MIN: '0' },
    { constants: { shutdownTimeoutMs: 60_000 } },
  );
  const streams = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      openEventStream(service.url, index % 2 ? { after: 'start' } : {}),
    ),
  );
  for (const stream of streams) await until(async () => stream.lastEventId);
  const [ended] = await Promise.all([service.stop(), ...streams.map((stream) => stream.end())]);
  expect(ended).toMatchObject({ code: 0, signal: null });
  expect(ended.stderr).not.toMatch(/"level":[56]0/);
});
