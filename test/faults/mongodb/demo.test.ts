// The demo goes well with its read models, images and ledgers in MongoDB, although the service and the server are killed.
import { describe, expect, test, vi } from 'vitest';
import { hasMongoServer, startMongoServer, tellOfSkippedMongo } from '../../support/mongo-server.ts';
import { killAll, runDemo, servicesOf } from '../../support/running-demo.ts';

tellOfSkippedMongo(1);
vi.setConfig({ testTimeout: 300_000 });

describe.skipIf(!hasMongoServer)('the demo, with everything but the log in MongoDB, goes well', () => {
  test('although its service, the server, or both are killed after each step', async () => {
    const server = await startMongoServer();
    const url = server.newUrl();
    const on = { READ_MODEL_URL: url, IMAGE_STORE_URL: url, LEDGER_STORE_URL: url };
    let step = 0;
    const told = await runDemo(on, async (demo) => {
      step += 1;
      // Both: then the service starts while there is no server.
      const isServerKilled = step % 3 !== 1;
      if (isServerKilled) await server.kill();
      if (step % 3 !== 2) killAll(servicesOf(demo));
      if (isServerKilled) await server.start();
    });
    expect(told).toContain('The service ended (SIGKILL)');
    expect(told).toContain('everything held');
    expect(told.match(/wallets paid too often: 0, too little: 0/g)).toHaveLength(2);
  });
});
