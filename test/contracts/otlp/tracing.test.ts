import { createServer } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { otlp } from '../../../src/adapters/otlp/index.ts';
import { openOtlpTracing } from '../../../src/adapters/otlp/tracing.ts';
import { type Logger, loggerTo, silentLogger } from '../../../src/kernel/ports/logger.ts';
import { ofTheTest } from '../../support/lifetime.ts';
import { listening } from '../../support/listening.ts';
import { openTraceCollector } from '../../support/trace-collector.ts';
import { collect } from '../../support/traced-service.ts';
import { until } from '../../support/until.ts';
import { tracingContract } from '../tracing.contract.ts';

function openAt(endpoint: string, logger: Logger = silentLogger, closeTimeout = 10_000) {
  return openOtlpTracing({
    endpoint,
    serviceVersion: '1.2.3',
    closeTimeout,
    logger,
  });
}

tracingContract('OTLP tracing', async () => {
  const collector = await openTraceCollector();
  const tracing = await otlp.tracing.open({
    url: collector.url,
    serviceVersion: '1.2.3',
    closeTimeout: 10_000,
    logger: silentLogger,
  });
  return {
    tracing,
    async spans() {
      await tracing.close();
      return collector.spans;
    },
    async dispose() {
      await tracing.close();
      await collector.close();
    },
  };
});

describe('OTLP tracing', () => {
  test.each([
    ['its own', 'levy', undefined],
    ['the one where OpenTelemetry looks for it', 'levy-eu', 'levy-eu'],
  ])('sends the spans of a service under a name: %s', async (_which, name, configured) => {
    vi.stubEnv('OTEL_SERVICE_NAME', configured);
    onTestFinished(() => void vi.unstubAllEnvs());
    const collector = await collect();
    const tracing = openAt(collector.url);
    tracing.begin('call', undefined).end();
    await tracing.close();
    expect(collector.spans.map(({ service }) => service)).toEqual([name]);
    expect(collector.received.join()).toContain('1.2.3');
  });

  test('tells once that the collector refuses, however much it refuses', async () => {
    const collector = await collect();
    collector.refuse(true);
    const told: string[] = [];
    const tracing = openAt(
      collector.url,
      loggerTo((message) => told.push(message)),
    );
    // More than one sending takes.
    for (let count = 0; count < 1_200; count += 1) tracing.begin('call', undefined).end();
    await until(async () => (told.length > 0 ? true : undefined));
    await tracing.close();
    expect(told).toEqual(['trace export failing']);
    expect(collector.spans).toEqual([]);
  });

  test('gives the collector what comes later when it takes it again, and tells that too', async () => {
    vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '20');
    onTestFinished(() => void vi.unstubAllEnvs());
    const collector = await collect();
    collector.refuse(true);
    const told: string[] = [];
    const tracing = openAt(
      collector.url,
      loggerTo((message) => told.push(message)),
    );
    tracing.begin('lost', undefined).end();
    await until(async () => (told.length > 0 ? true : undefined));
    collector.refuse(false);
    tracing.begin('later', undefined).end();
    await tracing.close();
    expect(told).toEqual(['trace export failing', 'trace export resumed']);
    expect(collector.spans.map(({ name }) => name)).toEqual(['later']);
  });

  test('closes within its time where the collector takes a connection and never answers', async () => {
    const silent = await listening(createServer(), ofTheTest);
    const tracing = openAt(`http://127.0.0.1:${silent}`, silentLogger, 50);
    tracing.begin('call', undefined).end();
    await tracing.close();
  });
});
