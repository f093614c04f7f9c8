/** What the client of a database server does, as metrics of the service. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { type OpenedMongo, openMongo } from '../../../../src/adapters/mongodb/client.ts';
import type { ClientConnections, ClientMeter } from '../../../../src/kernel/ports/client-meter.ts';
import { createMetrics, type Metrics } from '../../../../src/operations/metrics/metrics.ts';
import { readExposition } from '../../../support/exposition.ts';
import { openMongoAnswers } from '../../../support/mongo-answers.ts';

const COMMANDS = 'levy_database_command_duration_seconds_count';
const CONNECTIONS = 'levy_database_connections';

async function opened(
  meter: ClientMeter,
  answer: Parameters<typeof openMongoAnswers>[0],
): Promise<OpenedMongo & { readonly url: string }> {
  const url = `mongodb://127.0.0.1:${await openMongoAnswers(answer)}/levy`;
  const mongo = await openMongo({ url, meter });
  onTestFinished(() => mongo.close());
  return { ...mongo, url };
}

const valuesOf = async (metrics: Metrics) => readExposition((await metrics.text()).body).value;

describe('commands', () => {
  test('are counted and timed by what came of them', async () => {
    const metrics = createMetrics({ version: '1' });
    const { database } = await opened(metrics.clients, (command) => {
      if ('drop' in command) return { ok: 0, code: 13, codeName: 'Unauthorized', errmsg: 'not allowed' };
      return 'count' in command ? undefined : {};
    });
    await database.command({ ping: 1 });
    await database.command({ ping: 1 });
    await expect(database.command({ drop: 'tokens' })).rejects.toThrow('not allowed');
    await expect(database.command({ count: 'tokens' })).rejects.toThrow('closed');

    const value = await valuesOf(metrics);
    expect(value(COMMANDS, { command: 'ping', outcome: 'answered' })).toBe(2);
    expect(value(COMMANDS, { command: 'drop', outcome: 'refused' })).toBe(1);
    expect(value(COMMANDS, { command: 'count', outcome: 'unanswered' })).toBe(1);
    expect(value(COMMANDS, { command: 'count', outcome: 'answered' })).toBeUndefined();
  });

  test('of two ports that share a client are counted once', async () => {
    const metrics = createMetrics({ version: '1' });
    const { database, url } = await opened(metrics.clients, () => ({}));
    const other = await openMongo({ url, meter: metrics.clients });
    onTestFinished(() => other.close());
    expect(other.database.client).toBe(database.client);
    await database.command({ ping: 1 });
    const value = await valuesOf(metrics);
    expect(value(COMMANDS, { command: 'ping', outcome: 'answered' })).toBe(1);
  });
});

describe('connections', () => {
  test('are counted while they are used, and while commands wait for one', async () => {
    const seen: ClientConnections[] = [];
    let look: (() => ClientConnections) | undefined;
    const meter: ClientMeter = {
      commanded: () => undefined,
      withoutConnection: () => undefined,
      watch(connections) {
        look = connections;
        return () => undefined;
      },
    };
    const { database } = await opened(meter, (command) => {
      if ('ping' in command && look !== undefined) seen.push(look());
      return {};
    });
    // More than there can be connections.
    await Promise.all(Array.from({ length: 40 }, () => database.command({ ping: 1 })));
    expect(seen).toHaveLength(40);
    expect(seen[0]?.waiting).toBeGreaterThanOrEqual(8);
    for (const { open, inUse } of seen) {
      expect(inUse).toBeGreaterThanOrEqual(1);
      expect(inUse).toBeLessThanOrEqual(open);
      expect(open).toBeLessThanOrEqual(32);
    }
    expect(look?.()).toMatchObject({ inUse: 0, waiting: 0 });
  });

  test('are told until the client is closed, and not where there is none', async () => {
    const metrics = createMetrics({ version: '1' });
    expect((await valuesOf(metrics))(CONNECTIONS, { state: 'open' })).toBeUndefined();
    const { close } = await opened(metrics.clients, () => ({}));
    const value = await valuesOf(metrics);
    expect(value(CONNECTIONS, { state: 'open' })).toBeGreaterThanOrEqual(1);
    expect(value(CONNECTIONS, { state: 'in-use' })).toBe(0);
    expect(value(CONNECTIONS, { state: 'waiting' })).toBe(0);
    await close();
    expect((await valuesOf(metrics))(CONNECTIONS, { state: 'open' })).toBeUndefined();
  });

  test('that cannot be had are counted by reason', async () => {
    const metrics = createMetrics({ version: '1' });
    let isReachable = true;
    const { database } = await opened(metrics.clients, () => (isReachable ? {} : undefined));
    isReachable = false;
    const failures = await Promise.allSettled(Array.from({ length: 3 }, () => database.command({ ping: 1 })));
    expect(failures.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    const value = await valuesOf(metrics);
    expect(value('levy_database_connection_failures_total', { reason: 'connectionError' })).toBeGreaterThan(
      0,
    );
  });
});
