import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { nats } from '../../../src/adapters/nats/index.ts';
import type { Publisher } from '../../../src/kernel/ports/publisher.ts';
import type { NatsCredentials } from '../../../src/operations/config/nats-address.ts';
import { GROUPS, natsPublisher, STREAM, storedMessages } from '../../support/nats-bus.ts';
import { hasNatsServer, startNatsServer, tellOfSkippedNats } from '../../support/nats-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createMessages, positionOf, publisherContract, SOURCE } from '../publisher.contract.ts';

tellOfSkippedNats(31);

const never = new AbortController().signal;
const subjects = GROUPS.map((group) => `${group}.*`);
const IMPATIENT = { timeout: 500, ackTimeout: 500 } as const;

describe.skipIf(!hasNatsServer)('with a server', () => {
  publisherContract('NATS', async () => {
    const server = await startNatsServer();
    const connection = await server.connect();
    return {
      async publisher() {
        const url = `nats://127.0.0.1:${server.port}`;
        const made = { stream: STREAM, subjectPrefix: '', groups: GROUPS, replicas: 1 };
        const publisher = await nats.publisher.open({ url, ...made });
        onTestFinished(() => publisher.release());
        return publisher;
      },
      messages: () => storedMessages(connection),
    };
  });

  describe('the stream', () => {
    test('is made where there is none: in a file, for ever, for these subjects alone', async () => {
      const server = await startNatsServer();
      await natsPublisher(server.port).resume(SOURCE, never);
      const { streams } = await (await server.connect()).jetstreamManager();
      const { config } = await streams.info(STREAM);
      expect(config).toMatchObject({
        subjects,
        storage: 'file',
        retention: 'limits',
        num_replicas: 1,
        max_age: 0,
        max_msgs: -1,
      });
    });

    test('is used as the operator set it up', async () => {
      const server = await startNatsServer();
      const { streams } = await (await server.connect()).jetstreamManager();
      const { config } = await streams.add({
        name: STREAM,
        subjects: subjects.toReversed(),
        max_msgs: 3,
        duplicate_window: 5_000_000_000,
      });
      const publisher = natsPublisher(server.port);
      await publisher.resume(SOURCE, never);
      await publisher.publish(createMessages()(10));
      const found = await streams.info(STREAM);
      expect(found.config).toEqual(config);
      expect(found.state).toMatchObject({ messages: 3, last_seq: 10 });
    });

    test.each([
      ['other subjects', { subjects: ['tokens.*'] }, 'must be tokens.*, submissions.*'],
      ['more subjects', { subjects: [...subjects, 'other.*'] }, 'must be tokens.*, submissions.*'],
      ['wider subjects', { subjects: ['>'], no_ack: true }, 'must be tokens.*, submissions.*'],
      ['no acknowledgements', { subjects, no_ack: true }, 'no_ack'],
    ])('is refused with %s', async (_what, config, reason) => {
      const server = await startNatsServer();
      const { streams } = await (await server.connect()).jetstreamManager();
      await streams.add({ name: STREAM, ...config });
      await expect(natsPublisher(server.port).resume(SOURCE, never)).rejects.toMatchObject({
        name: 'PublisherRefused',
        message: expect.stringContaining(reason),
      });
    });

    test('cannot be made where another one takes a subject of it', async () => {
      const server = await startNatsServer();
      const { streams } = await (await server.connect()).jetstreamManager();
      await streams.add({ name: 'OTHER', subjects: ['tokens.created'] });
      await expect(natsPublisher(server.port).resume(SOURCE, never)).rejects.toMatchObject({
        name: 'PublisherRefused',
        message: expect.stringContaining('PUBLISHER_SUBJECT_PREFIX'),
      });
      const prefixed = natsPublisher(server.port, { subjectPrefix: 'levy.' });
      await expect(prefixed.resume(SOURCE, never)).resolves.toMatchObject({ position: '' });
    });

    test('that was emptied is known to be where it was, also when the latest was not written down', async () => {
      const server = await startNatsServer();
      const publisher = natsPublisher(server.port);
      await publisher.resume(SOURCE, never);
      await publisher.publish(createMessages()(500));
      const { streams } = await (await server.connect()).jetstreamManager();
      await streams.purge(STREAM);
      const { position, alreadyStored } = await natsPublisher(server.port).resume(SOURCE, never);
      expect(Number(position || 0) + alreadyStored).toBe(500);
    });
  });

  test('a message that another stream takes, in the place of a deleted one, does not count as stored', async () => {
    const server = await startNatsServer();
    const publisher = natsPublisher(server.port);
    await publisher.resume(SOURCE, never);
    const { streams } = await (await server.connect()).jetstreamManager();
    await streams.delete(STREAM);
    await streams.add({ name: 'OTHER', subjects });
    await expect(publisher.publish(createMessages()(1))).rejects.toMatchObject({
      name: 'PublisherRefused',
      message: expect.stringContaining('OTHER'),
    });
  });

  describe('the server', () => {
    const refusal = async (publisher: Publisher): Promise<Error> => {
      try {
        await publisher.resume(SOURCE, never);
      } catch (error) {
        if (error instanceof Error) return error;
      }
      throw new Error('it was not refused');
    };

    test.each<[string, string, NatsCredentials]>([
      ['a user and a password', 'user: levy, password: "s3cret p@ss"', { user: 'levy', pass: 's3cret p@ss' }],
      ['a token', 'token: "s3cret-t0ken"', { token: 's3cret-t0ken' }],
    ])('is shown %s, and no message shows them', async (_what, authorization, credentials) => {
      const server = await startNatsServer(`authorization { ${authorization} }`);
      const address = { servers: [`127.0.0.1:${server.port}`], tls: false } as const;
      const right = natsPublisher(server.port, { address: { ...address, credentials } });
      await expect(right.resume(SOURCE, never)).resolves.toMatchObject({ position: '' });

      const wrong = Object.fromEntries(
        Object.entries(credentials).map(([key, value]) => [key, `${value}-not`]),
      );
      const error = await refusal(
        natsPublisher(server.port, { address: { ...address, credentials: wrong as NatsCredentials } }),
      );
      expect(error.name).toBe('PublisherUnavailable');
      expect(error.message).toMatch(/authorization/i);
      expect(JSON.stringify(error) + error.message + error.stack).not.toContain('s3cret');
    });

    test('may be one of several', async () => {
      const server = await startNatsServer();
      const gone = await startNatsServer();
      await gone.kill();
      const servers = [`127.0.0.1:${gone.port}`, `127.0.0.1:${server.port}`];
      const publisher = natsPublisher(server.port, {
        address: { servers, tls: false, credentials: {} },
      });
      await expect(publisher.resume(SOURCE, never)).resolves.toMatchObject({ position: '' });
    });

    test('that does not encrypt gets nothing where encryption is wanted', async () => {
      const server = await startNatsServer();
      const servers = [`127.0.0.1:${server.port}`];
      const publisher = natsPublisher(server.port, {
        address: { servers, tls: true, credentials: { token: 's3cret' } },
      });
      expect((await refusal(publisher)).name).toBe('PublisherUnavailable');
    });

    test('without JetStream is refused', async () => {
      const server = await startNatsServer(
        'accounts { PLAIN { users: [{ user: a, password: b }] } }\nno_auth_user: a',
      );
      const error = await refusal(natsPublisher(server.port, IMPATIENT));
      expect(error.message).toContain('JetStream');
    });

    test('that does not allow what is needed is refused, with the subject', async () => {
      const server = await startNatsServer(
        'authorization { users: [{ user: a, password: b, permissions: { publish: ["$JS.API.>", "$KV.>", "submissions.*"] } }] }\nno_auth_user: a',
      );
      const publisher = natsPublisher(server.port, IMPATIENT);
      const { lost } = await publisher.resume(SOURCE, never);
      await expect(publisher.publish(createMessages()(3))).rejects.toMatchObject({
        name: 'PublisherRefused',
        message: expect.stringContaining('tokens.transfer-fee-changed'),
      });
      expect((await lost).name).toBe('PublisherRefused');
      expect(await publisher.resume(SOURCE, never)).toMatchObject({ position: positionOf(2) });
    });

    test('that does not allow the API of JetStream is refused', async () => {
      const server = await startNatsServer(
        'authorization { users: [{ user: a, password: b, permissions: { publish: ["tokens.*"] } }] }\nno_auth_user: a',
      );
      const error = await refusal(natsPublisher(server.port, IMPATIENT));
      expect(error).toMatchObject({ name: 'PublisherRefused' });
      expect(error.message).toContain('$JS.API.STREAM.INFO.LEVY');
    });

    test('that takes no message so large is refused, with all before it stored', async () => {
      const server = await startNatsServer('max_payload: 4096');
      const publisher = natsPublisher(server.port);
      await publisher.resume(SOURCE, never);
      const next = createMessages();
      const [small, large] = [next(2), next(1, 'x'.repeat(5_000))];
      const first = publisher.publish(small);
      await expect(publisher.publish(large)).rejects.toMatchObject({
        name: 'PublisherRefused',
        message: expect.stringContaining('max_payload'),
      });
      await first.catch(() => undefined);
      expect(await publisher.resume(SOURCE, never)).toMatchObject({ position: positionOf(2) });
    });
  });

  test('a file that cannot be read is named', async () => {
    const server = await startNatsServer();
    const missing = join(await temporaryFolder(), 'levy.creds');
    for (const options of [{ credentialsFile: missing }, { caFile: missing }]) {
      await expect(natsPublisher(server.port, options).resume(SOURCE, never)).rejects.toMatchObject({
        name: 'PublisherRefused',
        message: expect.stringContaining(missing),
      });
    }
  });

  test('a file without credentials is refused, and not repeated', async () => {
    const server = await startNatsServer();
    const file = join(await temporaryFolder(), 'levy.creds');
    await writeFile(file, 'SUAMNOTAKEY');
    const error: unknown = await natsPublisher(server.port, { credentialsFile: file, ...IMPATIENT })
      .resume(SOURCE, never)
      .catch((problem: unknown) => problem);
    expect(error).toMatchObject({ name: 'PublisherRefused', message: expect.stringContaining(file) });
    expect(String(error)).not.toContain('SUAMNOTAKEY');
  });
});
