// Encrypted connections, and users that show a key instead of a password.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { NatsPublisherOptions } from '../../../src/adapters/nats/publisher.ts';
import { natsAddress } from '../../../src/operations/config/nats-address.ts';
import { hasOpenssl, makeCertificate } from '../../support/certificate.ts';
import { natsPublisher } from '../../support/nats-bus.ts';
import { natsCredentials } from '../../support/nats-credentials.ts';
import { hasNatsServer, startNatsServer, tellOfSkippedNats } from '../../support/nats-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createMessages, SOURCE } from '../publisher.contract.ts';

tellOfSkippedNats(3);

if (!hasOpenssl)
  console.warn('SKIPPED: 2 tests of encrypted publishing, because there is no openssl in PATH');

const never = new AbortController().signal;

async function publishOne(port: number, options: Partial<NatsPublisherOptions>): Promise<void> {
  const publisher = natsPublisher(port, options);
  await publisher.resume(SOURCE, never);
  await publisher.publish(createMessages()(1));
}

describe.skipIf(!hasNatsServer)('a user with a key', () => {
  test('of somebody else is not let in, and may be given the right one later', async () => {
    const { configuration, file } = natsCredentials();
    const server = await startNatsServer(configuration);
    const credentialsFile = join(await temporaryFolder(), 'levy.creds');
    await writeFile(credentialsFile, natsCredentials().file);
    const publisher = natsPublisher(server.port, { credentialsFile });
    await expect(publisher.resume(SOURCE, never)).rejects.toThrow(/authorization/i);
    await writeFile(credentialsFile, file);
    await expect(publisher.resume(SOURCE, never)).resolves.toMatchObject({ position: '' });
  });
});

describe.skipIf(!hasNatsServer || !hasOpenssl)('an encrypted connection', () => {
  let port: number;
  let caFile: string;

  beforeEach(async () => {
    const { key, certificate } = await makeCertificate('DNS:localhost,IP:127.0.0.1');
    ({ port } = await startNatsServer(`tls { cert_file: "${certificate}", key_file: "${key}" }`));
    caFile = certificate;
  });

  test('is made when who signed the certificate is known', async () => {
    await publishOne(port, { address: natsAddress.parse(`tls://localhost:${port}`), caFile });
    await publishOne(port, { address: natsAddress.parse(`nats://127.0.0.1:${port}`), caFile });
  });

  test('is not made to whoever signed his own', async () => {
    for (const scheme of ['tls', 'nats']) {
      const publisher = natsPublisher(port, { address: natsAddress.parse(`${scheme}://localhost:${port}`) });
      await expect(publisher.resume(SOURCE, never)).rejects.toMatchObject({
        name: 'PublisherUnavailable',
        message: expect.stringMatching(/certificate/),
      });
    }
  });
});
