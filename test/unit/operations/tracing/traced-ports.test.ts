/** What is traced goes on as before, whatever it offers; its calls are spans of the trace that is going on. */
import { expect, onTestFinished, test } from 'vitest';
import { otlp } from '../../../../src/adapters/otlp/index.ts';
import { type Chain, ChainUnavailable } from '../../../../src/kernel/ports/chain.ts';
import { silentLogger } from '../../../../src/kernel/ports/logger.ts';
import { randomId } from '../../../../src/kernel/runtime/ids.ts';
import { createTracedChain, createTracedStore } from '../../../../src/operations/tracing/traced-ports.ts';
import { EMPTY_CHAIN } from '../../../support/empty-chain.ts';
import { temporaryEventStore, wholeLog } from '../../../support/temporary-event-store.ts';
import { openTraceCollector } from '../../../support/trace-collector.ts';

async function openTracing() {
  const collector = await openTraceCollector();
  onTestFinished(() => collector.close());
  const tracing = await otlp.tracing.open({
    url: collector.url,
    serviceVersion: '1',
    closeTimeout: 5_000,
    logger: silentLogger,
  });
  onTestFinished(() => tracing.close());
  return { collector, tracing };
}

test('a traced store has a span for each append, and is the store in everything else', async () => {
  const { collector, tracing } = await openTracing();
  const store = Object.assign(await temporaryEventStore(), { streams: () => ['thing-a'] });
  const traced = createTracedStore(store, tracing) as typeof store;
  const event = { id: randomId(), type: 'Made', data: {}, metadata: {} };
  const call = tracing.begin('call', undefined);
  await call.run(async () => {
    expect(await traced.append('thing-a', 'none', [event])).toMatchObject({ outcome: 'appended' });
    expect(await wholeLog(traced)).toEqual(await wholeLog(store));
    expect(await traced.head()).toBe(await store.head());
    expect(traced.streams()).toEqual(['thing-a']);
  });
  call.end();
  await tracing.close();
  expect(collector.spans.map(({ name }) => name).toSorted()).toEqual(['append', 'call']);
  const append = collector.spans.find(({ name }) => name === 'append');
  expect(append?.attributes).toMatchObject({ 'levy.events': 1, 'levy.append.outcome': 'appended' });
});

test('a traced chain has a span for each call, also for one that fails', async () => {
  const { collector, tracing } = await openTracing();
  const genesisHash = () => Promise.reject(new ChainUnavailable('no answer'));
  const chain = createTracedChain({ ...EMPTY_CHAIN, genesisHash } as unknown as Chain, tracing);
  const call = tracing.begin('call', undefined);
  await call.run(() => expect(chain.genesisHash()).rejects.toThrow(ChainUnavailable));
  call.end();
  await tracing.close();
  const span = collector.spans.find(({ name }) => name === 'chain genesisHash');
  expect(span?.attributes).toMatchObject({ 'rpc.system': 'jsonrpc', 'rpc.method': 'genesisHash' });
});
