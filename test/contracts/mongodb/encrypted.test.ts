/** Encrypted connections: the server is behind a listener that speaks TLS, as a server of its own would. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createServer } from 'node:tls';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { mongoDb } from '../../../src/adapters/mongodb/index.ts';
import { OperatorError } from '../../../src/kernel/ports/errors.ts';
import { silentLogger } from '../../../src/kernel/ports/logger.ts';
import type { BlobStoreSettings } from '../../../src/kernel/ports/technology.ts';
import { type Certificate, hasOpenssl, makeCertificate } from '../../support/certificate.ts';
import { ofTheFile } from '../../support/lifetime.ts';
import { hasMongoServer, startMongoServer, tellOfSkippedMongo } from '../../support/mongo-server.ts';

tellOfSkippedMongo(5);

if (!hasOpenssl)
  console.warn('SKIPPED: 5 tests of encrypted connections to MongoDB, because there is no openssl in PATH');

const images = {
  open: (settings: Omit<BlobStoreSettings, 'content'>) =>
    mongoDb['blob-store'].open({ ...settings, content: 'image' }),
};

/** The port of a listener that shows the certificate and hands everything on. */
async function encrypt(port: number, { key, certificate }: Certificate): Promise<number> {
  const sockets = new Set<Socket>();
  const listener = createServer({ key: await readFile(key), cert: await readFile(certificate) }, (client) => {
    const server = connect(port, '127.0.0.1');
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
      one.pipe(other);
    }
  });
  listener.on('tlsClientError', () => undefined);
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  ofTheFile.atTheEnd(async () => {
    for (const socket of sockets) socket.destroy();
    listener.close();
  });
  return (listener.address() as AddressInfo).port;
}

describe.skipIf(!hasMongoServer || !hasOpenssl)('a server that only speaks TLS', () => {
  let own: Certificate;
  let another: Certificate;
  let port: number;
  let plainPort: number;
  const urlAt = (of: number) => `mongodb://127.0.0.1:${of}/levy?directConnection=true`;

  beforeAll(async () => {
    const server = await startMongoServer({}, ofTheFile);
    plainPort = server.port;
    own = await makeCertificate('IP:127.0.0.1');
    another = await makeCertificate('IP:127.0.0.1');
    port = await encrypt(plainPort, own);
  });

  const refusalOf = (settings: { readonly url: string; readonly caFile?: string }) =>
    images.open(settings).then(
      () => undefined,
      (error: unknown) => error,
    );

  test("is used with its authority's certificate, named by the setting or in the address", async () => {
    const bytes = randomBytes(2_000_000);
    for (const settings of [
      { url: `${urlAt(port)}&tls=true`, caFile: own.certificate },
      { url: urlAt(port), caFile: own.certificate },
      { url: `${urlAt(port)}&tls=true&tlsCAFile=${encodeURIComponent(own.certificate)}` },
    ]) {
      const { store } = await images.open(settings);
      onTestFinished(() => store.close());
      const sha256 = await store.put([bytes]);
      expect(bytes.equals((await store.read(sha256, 0, bytes.length)) ?? Buffer.alloc(0))).toBe(true);
    }
  });

  test('is used in plain text beside servers with certificates only where its address says tls=false', async () => {
    const caFile = own.certificate;
    const { store } = await images.open({ url: `${urlAt(plainPort)}&tls=false`, caFile });
    await store.close();
    expect(await refusalOf({ url: urlAt(plainPort), caFile })).toBeInstanceOf(Error);
  });

  test.each([
    'it may not',
    'it may',
  ])('with the wrong authority is refused, also where a start may wait: %s', async (how) => {
    const waiting = how === 'it may not' ? undefined : () => undefined;
    for (const caFile of [another.certificate, undefined]) {
      const refusal = await refusalOf({
        url: `${urlAt(port)}&tls=true`,
        ...(caFile === undefined ? {} : { caFile }),
        ...(waiting === undefined ? {} : { waiting }),
      });
      expect(refusal).toBeInstanceOf(OperatorError);
      expect(String(refusal)).toContain('presents an untrusted certificate');
      expect(String(refusal)).toContain('CA_FILE');
    }
  });

  test('is not trusted under another name than its certificate has', async () => {
    const elsewhere = await makeCertificate('DNS:db.example');
    const other = await encrypt(plainPort, elsewhere);
    const refusal = await refusalOf({ url: `${urlAt(other)}&tls=true`, caFile: elsewhere.certificate });
    expect(String(refusal)).toContain('presents an untrusted certificate');
    expect(String(refusal)).toContain("does not match certificate's altnames");
  });

  test('is told apart from one that speaks none', async () => {
    const refusal = await refusalOf({ url: `${urlAt(plainPort)}&tls=true`, caFile: own.certificate });
    expect(refusal).toBeInstanceOf(OperatorError);
    const awaited = await images.open({ url: `${urlAt(plainPort)}&tls=true`, waiting: silentLogger });
    onTestFinished(() => awaited.store.close());
    expect(awaited.trouble?.()?.whatToDo).toContain('requires TLS; a server without TLS never responds');
    const unencrypted = await refusalOf({ url: urlAt(port) });
    expect(unencrypted).toBeInstanceOf(OperatorError);
    expect(String(unencrypted)).toContain('does not respond');
  });
});
