/** The service as a process: how it starts, refuses to start, stops, and what it keeps. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { folderForTheFile } from '../support/after-the-file.ts';
import type { Problem } from '../support/client.ts';
import { type Draft, openCreator, picture } from '../support/creator.ts';
import { requestText } from '../support/raw-http.ts';
import { TEST_ENVIRONMENT } from '../support/service.ts';
import { endOfServiceProcess, type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { until } from '../support/until.ts';

const BOUNDARY = 'levy-boundary';
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** An upload of which only the first half has been sent. */
async function beginUpload({ url }: ServiceProcess, token: string) {
  const { hostname, port } = new URL(url);
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), picture(), Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
  const request = requestText('POST', '/tokens/upload-image', {
    authorization: `Bearer ${token}`,
    'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
    'content-length': String(body.length),
    // Answered when the request has been taken in hand.
    expect: '100-continue',
    // As browsers have it: it is for the service to end the connection when it stops.
    connection: 'keep-alive',
  });
  const socket = connect(Number(port), hostname);
  let received = '';
  const continued = new Promise<void>((resolve) => {
    socket.on('data', (chunk) => {
      received += String(chunk);
      if (received.startsWith('HTTP/1.1 100')) resolve();
    });
  });
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => socket.destroy());
  socket.write(request);
  await continued;
  socket.write(body.subarray(0, 60));
  return {
    async finish(): Promise<string> {
      socket.write(body.subarray(60));
      await closed;
      return received;
    },
    closed,
    giveUp: () => socket.destroy(),
  };
}

describe('a start', () => {
  test('makes an operator key once, for a service that only its own machine reaches', async () => {
    const status = async ({ url }: ServiceProcess, key: string) => {
      const headers = { 'x-operator-key': key };
      return (await fetch(`${url}/operator/projections`, { headers })).status;
    };
    const environment = { NONCE_ACCOUNTS_MIN: '0', OPERATOR_KEYS: '' };
    const first = await startServiceProcess(environment);
    const { folder } = first;
    const file = join(folder, 'operator-key');
    const key = (await readFile(file, 'utf8')).trim();
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect([await status(first, key), await status(first, `${key}0`)]).toEqual([200, 401]);
    const { stdout, stderr } = await first.stop();
    expect(stdout).toContain(`the operator's key is in ${file}\n`);
    expect(stdout + stderr).not.toContain(key);
    const again = await startServiceProcess(environment, { folder });
    expect(await status(again, key)).toBe(200);
    await again.stop();
    const open = await startServiceProcess({ ...environment, HOST: '0.0.0.0' }, { folder });
    expect(await status({ ...open, url: open.url.replace('0.0.0.0', '127.0.0.1') }, key)).toBe(404);
    expect((await open.stop()).stdout).not.toContain('operator');
  });

  test('makes the secrets for their owner alone, and says where it listens and nothing else', async () => {
    const service = await startServiceProcess({ LOG_LEVEL: 'info' });
    expect((await fetch(`${service.url}/health`)).status).toBe(200);
    const creator = await openCreator(service);
    await creator.createToken();
    for (const file of ['master-seed', 'jwt-key.json']) {
      expect((await stat(join(service.folder, file))).mode & 0o777).toBe(0o600);
    }
    const { code, stdout, stderr } = await service.stop();
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n')).toEqual([
      `listening on ${service.url}`,
      `local chain on ${service.chainUrl}`,
      `the console is at ${service.url}/console/`,
      `the master seed is in ${join(service.folder, 'master-seed')}: keep a copy, without it the collected tax is lost`,
    ]);
    // Every line is one of the log: a library's warning is noise to whoever reads it.
    const logged = stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(logged).toContainEqual(
      expect.objectContaining({
        method: 'POST',
        route: '/tokens/submit',
        status: 200,
        requestId: expect.any(String),
      }),
    );
    expect(stderr).not.toContain(creator.token);
    expect(logged.filter(({ level }) => level >= 50)).toEqual([]);
  });

  test('by `npm start` ends when npm is told to end, and leaves nothing running', async () => {
    const npm = spawn('npm', ['start'], {
      cwd: ROOT,
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        ...TEST_ENVIRONMENT,
        DATA_DIR: await folderForTheFile(),
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let told = '';
    npm.stdout.setEncoding('utf8').on('data', (text: string) => {
      told += text;
    });
    const url = await until(async () => /^listening on (http:\S+)$/m.exec(told)?.[1]);
    expect((await fetch(`${url}/health`)).status).toBe(200);
    npm.kill('SIGTERM');
    // Its pipe closes when the last process that writes into it has ended.
    await once(npm, 'close');
    await expect(fetch(`${url}/health`)).rejects.toThrow('fetch failed');
  });

  test('is refused on a folder or a port that another process holds, which goes on undisturbed', async () => {
    const first = await startServiceProcess();
    const onItsPort = await endOfServiceProcess({ PORT: new URL(first.url).port });
    expect(onItsPort.code).toBe(1);
    expect(onItsPort.stderr).toMatch(/^levy cannot start: .*EADDRINUSE/m);
    const { code, stderr } = await endOfServiceProcess({}, { folder: first.folder });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^levy cannot start: .*in use.*$/m);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(await (await openCreator(first)).createToken()).toMatchObject({ success: true });
    expect((await first.stop()).code).toBe(0);
  });
});

describe('a folder', () => {
  test('keeps everything over a restart: tokens, sessions, drafts, repeated calls, and what was ended', async () => {
    const first = await startServiceProcess();
    const creator = await openCreator(first);
    const key = { 'idempotency-key': 'restart' };
    const created = await creator.createToken({ name: 'Kept' });
    const json = await creator.tokenInput();
    const open = await creator.call<Draft>('POST', '/tokens/create-unsigned', { json, headers: key });
    const ended = await openCreator(first, { sol: 0 });
    await ended.call('POST', '/auth/logout');
    const [list, detail] = [
      await creator.call('GET', '/tokens'),
      await creator.call('GET', `/tokens/${created.mintAddress}`),
    ];
    expect((await first.stop()).code).toBe(0);

    const second = await startServiceProcess({ PORT: new URL(first.url).port }, { folder: first.folder });
    expect((await creator.call('GET', '/tokens')).bytes).toEqual(list.bytes);
    expect((await creator.call('GET', `/tokens/${created.mintAddress}`)).bytes).toEqual(detail.bytes);
    expect((await creator.call<{ tokens: unknown[] }>('GET', '/tokens/me')).body.tokens).toHaveLength(1);
    await ended.client.refusal('UNAUTHENTICATED', 'GET', '/tokens/me', { token: ended.token });
    const again = await creator.call('POST', '/tokens/create-unsigned', { json, headers: key });
    expect(again.bytes).toEqual(open.bytes);
    expect((await creator.submit(open.body)).mintAddress).toBe(open.body.mintKeypair.publicKey);
    expect((await second.stop('SIGINT')).code).toBe(0);
  });
});

describe('SIGTERM', () => {
  test('lets a call in progress come to its answer, takes no new ones, and ends with 0', async () => {
    const service = await startServiceProcess();
    const { token, client } = await openCreator(service, { sol: 0 });
    const upload = await beginUpload(service, token);
    const ended = service.stop();
    // Refused from the moment that the process knows: on a connection that it still has, or for want of one.
    for (let tries = 0; ; tries += 1) {
      expect(tries).toBeLessThan(2_000);
      const answer = await client.call<Problem>('GET', '/tokens').catch(() => undefined);
      if (answer === undefined) break;
      if (answer.status === 200) continue;
      expect([answer.status, answer.body.code]).toEqual([503, 'STORE_UNAVAILABLE']);
      break;
    }
    expect(await upload.finish()).toMatch(/HTTP\/1\.1 200 OK[\s\S]*"success":true/);
    expect(await ended).toMatchObject({ code: 0, signal: null });
  });

  test('cuts off a call that does not end, and lets go of everything else in order', async () => {
    const service = await startServiceProcess({}, { constants: { shutdownTimeoutMs: 4_000 } });
    const { token } = await openCreator(service, { sol: 0 });
    const upload = await beginUpload(service, token);
    expect(await service.stop()).toMatchObject({ code: 0, signal: null });
    await upload.closed;
  });
});
