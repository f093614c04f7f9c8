/** What is measured goes on as before: the same answers, the same errors. */
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { createNodeChain } from '../../../../src/adapters/solana-rpc/chain.ts';
import { ChainAnswerInvalid, ChainUnavailable } from '../../../../src/kernel/ports/chain.ts';
import type { EventToAppend } from '../../../../src/kernel/ports/event-store.ts';
import { randomId } from '../../../../src/kernel/runtime/ids.ts';
import { createMetrics } from '../../../../src/operations/metrics/metrics.ts';
import { readExposition } from '../../../support/exposition.ts';
import { listening } from '../../../support/listening.ts';
import { temporaryEventStore, wholeLog } from '../../../support/temporary-event-store.ts';

const anEvent = (type: string): EventToAppend => ({ id: randomId(), type, data: {}, metadata: {} });

/** A chain node that answers everything with this. */
async function nodeAnswering(result: unknown): Promise<string> {
  const server = createServer(async (request, response) => {
    const { id } = (await json(request)) as { readonly id: unknown };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
  return `http://127.0.0.1:${await listening(server)}`;
}

describe('a measured store', () => {
  test('counts what was appended by type, and times appends by what came of them', async () => {
    const metrics = createMetrics({ version: '1' });
    const store = await temporaryEventStore();
    const measured = metrics.measuredStore(store);
    const first = await measured.append('thing-a', 'none', [anEvent('Made'), anEvent('Used')]);
    expect(first).toMatchObject({ outcome: 'appended', revision: 1 });
    expect(await measured.append('thing-a', 'none', [anEvent('Made')])).toEqual({
      outcome: 'conflict',
      actual: 1,
    });
    await expect(measured.append('$thing', 'none', [anEvent('Made')])).rejects.toThrow(TypeError);

    const { value } = readExposition((await metrics.text()).body);
    const count = (outcome: string) => value('levy_append_duration_seconds_count', { outcome });
    expect([count('appended'), count('conflict'), count('failed')]).toEqual([1, 1, 1]);
    expect(value('levy_events_appended_total', { type: 'Made' })).toBe(1);
    expect(value('levy_events_appended_total', { type: 'Used' })).toBe(1);
  });

  test('is the store in everything else', async () => {
    const store = await temporaryEventStore();
    const measured = createMetrics({ version: '1' }).measuredStore(store);
    await measured.append('thing-a', 'none', [anEvent('Made'), anEvent('Used')]);
    expect(await measured.head()).toBe(await store.head());
    expect(await wholeLog(measured)).toEqual(await wholeLog(store));
    const read: string[] = [];
    for await (const { type } of measured.read('thing-a', 1)) read.push(type);
    expect(read).toEqual(['Used']);
    await measured.close();
    await expect(store.head()).rejects.toThrow();
  });
});

describe('a measured chain', () => {
  test('counts calls by method and by what came of them', async () => {
    const metrics = createMetrics({ version: '1' });
    const answers = metrics.measuredChain(createNodeChain({ url: await nodeAnswering('hash') }));
    const isSilent = metrics.measuredChain(createNodeChain({ url: 'http://127.0.0.1:1' }));
    expect(await answers.genesisHash()).toBe('hash');
    await expect(answers.rentExemption(80)).rejects.toThrow(ChainAnswerInvalid);
    await expect(isSilent.genesisHash()).rejects.toThrow(ChainUnavailable);
    await expect(isSilent.genesisHash()).rejects.toThrow(ChainUnavailable);

    const { value } = readExposition((await metrics.text()).body);
    const count = (method: string, outcome: string) => value('levy_chain_calls_total', { method, outcome });
    expect(count('genesisHash', 'answered')).toBe(1);
    expect(count('genesisHash', 'unavailable')).toBe(2);
    expect(count('rentExemption', 'invalid')).toBe(1);
    expect(value('levy_chain_call_duration_seconds_count', { method: 'genesisHash' })).toBe(3);
  });
});
