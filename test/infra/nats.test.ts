// The configuration of the bus: that the server takes it, that each user may do their part and nothing else, and that a cluster of it works.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AckPolicy, connect, type NatsConnection } from 'nats';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { PublisherMessage } from '../../src/kernel/ports/publisher.ts';
import { outcomes } from '../../src/outcomes/index.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { natsPublisher, STREAM } from '../support/nats-bus.ts';
import { hasNatsServer, startNatsServer, tellOfSkippedNats } from '../support/nats-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { choices, INFRA } from './operators-choices.ts';

tellOfSkippedNats(17);

const PASSWORDS = ['NATS_LEVY_PASSWORD', 'NATS_DOWNSTREAM_PASSWORD'] as const;
const SYNCED = /^ *sync_interval: always$/m;
const SOURCE = 'urn:uuid:00000000-0000-5000-8000-000000000000';
const forever = new AbortController().signal;

const accounts = PASSWORDS.reduce(
  (text, name) => text.replace(`$${name}`, JSON.stringify(choices[name])),
  readFileSync(join(INFRA, 'nats/accounts.conf'), 'utf8'),
);

/** Debian's server is older than the setting, and refuses it. */
function knowsSyncInterval(): boolean {
  const { stdout } = spawnSync('nats-server', ['--version'], { encoding: 'utf8' });
  const [, major = '0', minor = '0'] = /v(\d+)\.(\d+)/.exec(stdout) ?? [];
  return Number(major) > 2 || Number(minor) >= 10;
}

function message(number: number, name: string): PublisherMessage {
  const position = String(number).padStart(20, '0');
  const id = `event-${number}`;
  return { id, position, name, body: JSON.stringify({ id, source: SOURCE, position }) };
}

const levy = { user: 'levy', pass: choices.NATS_LEVY_PASSWORD ?? '' };
const downstream = { user: 'downstream', pass: choices.NATS_DOWNSTREAM_PASSWORD ?? '' };

async function connectAs(
  port: number,
  who: { readonly user: string; readonly pass: string },
): Promise<NatsConnection> {
  const connection = await connect({
    servers: `127.0.0.1:${port}`,
    reconnect: false,
    timeout: 5_000,
    ...who,
  });
  onTestFinished(() => connection.close());
  return connection;
}

/** One server, with all outcomes published once. */
async function busWithEverything(): Promise<number> {
  const { port } = await startNatsServer(accounts);
  const publisher = natsPublisher(port, {
    address: { servers: [`127.0.0.1:${port}`], tls: false, credentials: levy },
  });
  await publisher.resume(SOURCE, forever);
  await publisher.publish(outcomes.map(({ name }, index) => message(index + 1, name)));
  return port;
}

test.each(['single', 'cluster'])('what a server of %s.conf acknowledges is on its disk', (name) => {
  expect(readFileSync(join(INFRA, `nats/${name}.conf`), 'utf8')).toMatch(SYNCED);
});

describe.skipIf(!hasNatsServer)('with a server', () => {
  test('the configuration of the one server is taken', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'accounts.conf'), readFileSync(join(INFRA, 'nats/accounts.conf')));
    const single = readFileSync(join(INFRA, 'nats/single.conf'), 'utf8');
    await writeFile(join(folder, 'single.conf'), knowsSyncInterval() ? single : single.replace(SYNCED, ''));
    const { stderr } = spawnSync('nats-server', ['-t', '-c', join(folder, 'single.conf')], {
      env: { ...process.env, ...choices },
      encoding: 'utf8',
    });
    expect(stderr).toContain('is valid');
  });

  test('the service may make its stream and publish every outcome that there is', async () => {
    const port = await busWithEverything();
    const manager = await (await connectAs(port, downstream)).jetstreamManager();
    expect((await manager.streams.info(STREAM)).state.messages).toBe(outcomes.length);
  });

  test('a reader takes everything with a durable consumer of its own', async () => {
    const port = await busWithEverything();
    const connection = await connectAs(port, downstream);
    const manager = await connection.jetstreamManager();
    await manager.consumers.add(STREAM, { durable_name: 'accounting', ack_policy: AckPolicy.Explicit });
    const consumer = await connection.jetstream().consumers.get(STREAM, 'accounting');
    const names: string[] = [];
    for await (const found of await consumer.fetch({ max_messages: outcomes.length, expires: 5_000 })) {
      names.push(found.subject);
      await found.ackAck();
    }
    expect(names).toEqual(outcomes.map(({ name }) => name));
    expect((await manager.consumers.info(STREAM, 'accounting')).num_ack_pending).toBe(0);
  });

  test.each([
    ['downstream', 'tokens.created'],
    ['downstream', `$JS.API.STREAM.CREATE.${STREAM}`],
    ['downstream', `$JS.API.STREAM.UPDATE.${STREAM}`],
    ['downstream', `$JS.API.STREAM.PURGE.${STREAM}`],
    ['downstream', `$JS.API.STREAM.DELETE.${STREAM}`],
    ['downstream', `$JS.API.STREAM.MSG.DELETE.${STREAM}`],
    ['downstream', `$KV.${STREAM}_publisher.checkpoint`],
    ['levy', `$JS.API.STREAM.PURGE.${STREAM}`],
    ['levy', `$JS.API.STREAM.DELETE.${STREAM}`],
    ['levy', '$JS.API.STREAM.CREATE.OTHER'],
    ['levy', `$JS.API.CONSUMER.CREATE.${STREAM}`],
    ['levy', 'elsewhere.created'],
  ])('%s may not send to %s', async (user, subject) => {
    const port = (await startNatsServer(accounts)).port;
    const connection = await connectAs(port, user === 'levy' ? levy : downstream);
    await expect(connection.request(subject, '{}', { timeout: 5_000 })).rejects.toMatchObject({
      code: 'PERMISSIONS_VIOLATION',
    });
  });

  test('nobody comes in without a password', async () => {
    const { port } = await startNatsServer(accounts);
    await expect(connectAs(port, { user: 'levy', pass: '' })).rejects.toMatchObject({
      code: 'AUTHORIZATION_VIOLATION',
    });
    await expect(connect({ servers: `127.0.0.1:${port}`, reconnect: false })).rejects.toMatchObject({
      code: 'AUTHORIZATION_VIOLATION',
    });
  });

  test('three servers with certificates of our own authority keep the stream three times', async () => {
    const folder = await temporaryFolder();
    execFileSync(join(INFRA, 'cluster/make-certificates.sh'), [folder], { stdio: 'ignore' });
    const certificates = join(folder, 'certificates');
    const routes = await Promise.all([1, 2, 3].map(freePort));
    const text = readFileSync(join(INFRA, 'nats/cluster.conf'), 'utf8');
    const servers = await Promise.all(
      routes.map((route, index) => {
        const name = `nats-${index + 1}`;
        const configuration = routes
          .reduce((all, other, at) => all.replace(`nats-${at + 1}:6222`, `127.0.0.1:${other}`), text)
          .replace('$NATS_NAME', name)
          .replace(/^listen: .*$/m, '')
          .replace(/^http: .*$/m, '')
          .replace(/^jetstream \{[^}]*\}$/m, '')
          .replace(/^include .*$/m, accounts)
          .replace('0.0.0.0:6222', `127.0.0.1:${route}`)
          .replaceAll('/etc/nats-certificates/node', join(certificates, name))
          .replaceAll('/etc/nats-certificates/ca', join(certificates, 'ca'));
        return startNatsServer(configuration);
      }),
    );
    const addresses = servers.map(({ port }) => `127.0.0.1:${port}`);
    const caFile = join(certificates, 'ca/ca.crt');
    const publisher = natsPublisher(0, {
      address: { servers: addresses, tls: true, credentials: levy },
      caFile,
      replicas: 3,
    });
    await eventually('the cluster has a leader', async () => {
      await publisher.resume(SOURCE, forever);
      return true;
    });
    await publisher.publish([message(1, 'tokens.created')]);

    const reader = await connect({ servers: addresses, tls: { caFile }, reconnect: false, ...downstream });
    onTestFinished(() => reader.close());
    const info = await (await reader.jetstreamManager()).streams.info(STREAM);
    expect(info.config.num_replicas).toBe(3);
    expect(info.state.messages).toBe(1);
  });
});
