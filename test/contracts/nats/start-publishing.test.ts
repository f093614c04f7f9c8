import { beforeEach, describe, expect, test } from 'vitest';
import type { EventStore } from '../../../src/kernel/ports/event-store.ts';
import { randomId } from '../../../src/kernel/runtime/ids.ts';
import { sourceOf } from '../../../src/outcomes/cloud-event.ts';
import { TokenHidden } from '../../../src/streams/token.ts';
import { submissionAccepted } from '../../support/domain-examples.ts';
import { eventually } from '../../support/eventually.ts';
import { record, someToken } from '../../support/feeding.ts';
import { GROUPS, STREAM, storedMessages } from '../../support/nats-bus.ts';
import {
  hasNatsServer,
  type NatsServer,
  startNatsServer,
  tellOfSkippedNats,
} from '../../support/nats-server.ts';
import { quarantineAt, readerOf } from '../../support/quarantining.ts';
import { temporaryEventStore, wholeLog } from '../../support/temporary-event-store.ts';
import { anImage, outcomeIds, publishedIds, publishing, recordTokens } from './publishing.ts';

tellOfSkippedNats(12);

describe.skipIf(!hasNatsServer)('publishing a log', () => {
  let store: EventStore;
  let server: NatsServer;

  beforeEach(async () => {
    store = await temporaryEventStore();
    server = await startNatsServer();
    await record(store, anImage());
  });

  test('the bus is given every outcome as a CloudEvent, in the order of the log, and nothing of internal events', async () => {
    const tokenId = randomId();
    await record(store, someToken(tokenId));
    await record(store, anImage());
    await record(store, TokenHidden({ tokenId, reason: 'for the operators alone' }));
    await record(store, submissionAccepted);
    await publishing(store, server.port).caughtUp();

    const log = await wholeLog(store);
    const told = (await storedMessages(await server.connect())).map(({ name, body }) => ({
      name,
      ...JSON.parse(body),
    }));
    expect(told.map(({ name, id, position }) => ({ name, id, position }))).toEqual([
      { name: 'tokens.created', id: log[1]?.id, position: log[1]?.position },
      { name: 'tokens.hidden', id: log[3]?.id, position: log[3]?.position },
      { name: 'submissions.accepted', id: log[4]?.id, position: log[4]?.position },
    ]);
    expect(told[0]).toMatchObject({
      specversion: '1.0',
      source: sourceOf(log[0]?.id ?? ''),
      type: 'levy.tokens.created',
      subject: tokenId,
      data: { tokenId },
    });
    expect(JSON.stringify(told)).not.toContain('for the operators alone');
  });

  test('messages say what they are in their headers', async () => {
    await record(store, someToken());
    await publishing(store, server.port).caughtUp();
    const manager = await (await server.connect()).jetstreamManager();
    const { header, subject } = await manager.streams.getMessage(STREAM, { seq: 1 });
    const [, told] = await wholeLog(store);
    expect(subject).toBe('tokens.created');
    expect(header.get('Nats-Msg-Id')).toBe(told?.id);
    expect(header.get('Levy-Position')).toBe(told?.position);
    expect(header.get('Content-Type')).toBe('application/cloudevents+json');
  });

  test('a prefix stands before every subject', async () => {
    await record(store, someToken());
    await publishing(store, server.port, { subjectPrefix: 'levy.test.' }).caughtUp();
    const manager = await (await server.connect()).jetstreamManager();
    const { config } = await manager.streams.info(STREAM);
    expect(config.subjects).toEqual(GROUPS.map((group) => `levy.test.${group}.*`));
    expect((await manager.streams.getMessage(STREAM, { seq: 1 })).subject).toBe('levy.test.tokens.created');
  });

  test('what happens later is published when it happens', async () => {
    const own = publishing(store, server.port);
    await own.caughtUp();
    for (let times = 0; times < 5; times += 1) {
      await record(store, someToken());
      await own.caughtUp();
    }
    expect(await publishedIds(server)).toEqual(await outcomeIds(store));
    expect(own.status()).toMatchObject({ state: 'publishing', error: undefined });
    expect(own.reports).toEqual([]);
  });

  test('while there is no bus it says so, and publishes everything when there is one', async () => {
    await server.kill();
    await recordTokens(store, 3);
    const own = publishing(store, server.port);
    await eventually('it waits', async () => own.status().state === 'waiting');
    expect(own.status()).toMatchObject({
      position: undefined,
      error: expect.stringContaining('no connection'),
    });
    await server.start();
    await own.caughtUp();
    expect(own.status()).toMatchObject({ state: 'publishing', error: undefined });
    expect(own.reports.map((report) => report.split(':')[0])).toEqual([
      'publishing failed, retrying',
      'publishing recovered',
    ]);
    expect(await publishedIds(server)).toEqual(await outcomeIds(store));
  });

  test('that the bus is lost is seen although nothing happens', async () => {
    const own = publishing(store, server.port);
    await own.caughtUp();
    await server.kill();
    await eventually('it waits', async () => own.status().state === 'waiting');
    await server.start();
    await eventually('it publishes', async () => own.status().state === 'publishing');
  });

  test('waits at an event that it cannot decode, with all before it on the bus, until that is quarantined', async () => {
    await recordTokens(store, 3);
    const before = await outcomeIds(store);
    const id = randomId();
    await store.append(`token-${randomId()}`, 'none', [
      { id, type: 'TokenCreated', data: { nonsense: true }, metadata: {} },
    ]);
    await recordTokens(store, 3);
    const reader = readerOf(store);
    const own = publishing(store, server.port, {}, reader);
    await eventually('it waits', async () => own.status().state === 'blocked');
    expect(own.status()).toMatchObject({
      error: expect.stringContaining('TokenCreated'),
      blockedBy: { eventId: id },
    });
    expect(await publishedIds(server)).toEqual(before);

    const [found] = reader.undecodable();
    if (found === undefined) throw new Error('the reader has met the event');
    await quarantineAt(store, found);
    await reader.refresh();
    await own.caughtUp();
    expect(own.status()).toMatchObject({ state: 'publishing', error: undefined, blockedBy: undefined });
    expect(await publishedIds(server)).toEqual((await outcomeIds(store)).filter((each) => each !== id));
  });

  test.each([
    ['all of them', async () => undefined],
    ['all of them while more were under way', async (own: { stop(): Promise<void> }) => own.stop()],
  ])('messages that were removed from the stream are not published again: %s', async (_which, meanwhile) => {
    await recordTokens(store, 30);
    const first = publishing(store, server.port);
    await first.caughtUp();
    const connection = await server.connect();
    const manager = await connection.jetstreamManager();
    await meanwhile(first);
    await manager.streams.purge(STREAM);
    await first.stop();
    const old = await outcomeIds(store);

    await recordTokens(store, 5);
    await publishing(store, server.port).caughtUp();
    expect(await publishedIds(server)).toEqual((await outcomeIds(store)).slice(old.length));
  });

  test('a stream of another log is left alone, and used once the operator has removed it', async () => {
    const other = await temporaryEventStore();
    await record(other, anImage());
    await recordTokens(other, 2);
    const foreign = publishing(other, server.port);
    await foreign.caughtUp();
    await foreign.stop();

    await recordTokens(store, 2);
    const own = publishing(store, server.port);
    await eventually('it waits', async () => own.status().state === 'waiting');
    expect(own.status().error).toContain('contains the outcomes of another log');
    expect(await publishedIds(server)).toEqual(await outcomeIds(other));

    await (await (await server.connect()).jetstreamManager()).streams.delete(STREAM);
    await own.caughtUp();
    expect(await publishedIds(server)).toEqual(await outcomeIds(store));
  });
});
