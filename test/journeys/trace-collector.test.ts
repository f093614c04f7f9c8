/** A service whose trace collector is not what it should be: neither its callers nor its end are held up. */
import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { createClient } from '../support/client.ts';
import { creatorWith, openCreator } from '../support/creator.ts';
import { listening } from '../support/listening.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { collect, headersOf, sentTo, spansOf, TRACE_ID } from '../support/traced-service.ts';
import { until } from '../support/until.ts';

describe('a collector', () => {
  test('that is not there disturbs neither the calls nor the end of the process', async () => {
    const service = await startServiceProcess(sentTo('http://127.0.0.1:1'));
    const creator = await openCreator(service);
    expect(await creator.createToken()).toMatchObject({ success: true });
    expect(await service.stop()).toMatchObject({ code: 0, signal: null });
  });

  test('that never answers holds the end of the process up no longer than is allowed', async () => {
    const silent = await listening(createServer());
    const service = await startServiceProcess(sentTo(`http://127.0.0.1:${silent}`), {
      constants: { shutdownTimeoutMs: 4_000 },
    });
    const { client } = creatorWith(await openCreator(service, { sol: 0 }));
    expect((await client.call('GET', '/tokens')).status).toBe(200);
    // Were it waited for, the process would be ended by its own clock, with 1.
    expect(await service.stop()).toMatchObject({ code: 0, signal: null });
  });

  test('that refuses is told of in the log once, and gets what comes later when it takes it again', async () => {
    const collector = await collect();
    collector.refuse(true);
    const service = await startServiceProcess({
      ...sentTo(collector.url),
      OTEL_BSP_SCHEDULE_DELAY: '20',
      LOG_LEVEL: 'warn',
    });
    const client = createClient(service.url);
    let told = '';
    service.child.stderr?.on('data', (text) => {
      told += String(text);
    });
    await until(async () => {
      await client.call('GET', '/tokens');
      return told.includes('trace export failing') ? true : undefined;
    });
    collector.refuse(false);
    await client.call('GET', '/tokens', headersOf(TRACE_ID));
    const { code, stderr } = await service.stop();
    expect(code).toBe(0);
    expect(spansOf(collector, TRACE_ID)).toHaveLength(1);
    expect(stderr.split('trace export failing')).toHaveLength(2);
    expect(stderr.split('trace export resumed')).toHaveLength(2);
  });
});
