// A log belongs to one seed and one chain: a start with others is refused, and records nothing.

import { expect, test } from 'vitest';
import { claimLog } from '../../../src/app/chain.ts';
import { StartRefused } from '../../../src/app/start-refusals.ts';
import { FORMAT, OtherFormat } from '../../../src/kernel/ports/errors.ts';
import type { EventStore } from '../../../src/kernel/ports/event-store.ts';
import { createEventCodec } from '../../../src/kernel/runtime/event-codec.ts';
import { createExecutor } from '../../../src/kernel/runtime/execute.ts';
import { service } from '../../../src/streams/service.ts';
import { clock, counter } from '../../support/counter.ts';
import { temporaryEventStore, wholeLog } from '../../support/temporary-event-store.ts';

const OWN = { seedFingerprint: 'a'.repeat(64), genesisHash: '1'.repeat(32) };
const OTHER = { seedFingerprint: 'b'.repeat(64), genesisHash: '2'.repeat(32) };

const claim = (store: EventStore, own: typeof OWN) =>
  claimLog(store, createExecutor(store, createEventCodec([service, counter]), clock), own);

test('given an empty log, the first start records its seed and its chain, and another start records nothing', async () => {
  const store = await temporaryEventStore();
  await claim(store, OWN);
  await claim(store, OWN);
  expect((await wholeLog(store)).map(({ stream, type, data }) => ({ stream, type, data }))).toEqual([
    { stream: 'service-levy', type: 'ServiceInitialized', data: { format: FORMAT, ...OWN } },
  ]);
});

test.each([
  [
    'seed',
    { ...OWN, seedFingerprint: OTHER.seedFingerprint },
    'The master seed does not belong to this event log: its keys would control none of the recorded wallets. Restore the original MASTER_SEED_FILE.',
  ],
  [
    'chain',
    { ...OWN, genesisHash: OTHER.genesisHash },
    `The chain (genesis ${OTHER.genesisHash}) is not the chain of this event log (genesis ${OWN.genesisHash}). Correct CHAIN_URL, or start with an empty DATA_DIR.`,
  ],
])('given a log, a start with another %s is refused', async (_what, own, sentence) => {
  const store = await temporaryEventStore();
  await claim(store, OWN);
  await expect(claim(store, own)).rejects.toThrow(new StartRefused(sentence));
  await expect(claim(store, own)).rejects.toBeInstanceOf(StartRefused);
  expect(await wholeLog(store)).toHaveLength(1);
});

test('given a log of something else, a start is refused', async () => {
  const store = await temporaryEventStore();
  await store.append('token-1', 'none', [
    { id: '00000000-0000-4000-8000-000000000001', type: 'Happened', data: {}, metadata: {} },
  ]);
  await expect(claim(store, OWN)).rejects.toThrow(
    new StartRefused('The event log contains events of another program; set EVENT_STORE_URL to another log.'),
  );
  expect(await wholeLog(store)).toHaveLength(1);
});

test.each([
  ['none', {}],
  ['a newer one', { format: FORMAT + 1 }],
  ['one that is no number', { format: `${FORMAT}` }],
])('given a log whose format is %s, a start is refused before anything of it is decoded', async (_which, data) => {
  const store = await temporaryEventStore();
  await store.append('service-levy', 'none', [
    {
      id: '00000000-0000-4000-8000-000000000001',
      type: 'ServiceInitialized',
      data: { ...OWN, ...data },
      metadata: {},
    },
  ]);
  await expect(claim(store, OWN)).rejects.toBeInstanceOf(OtherFormat);
  expect(await wholeLog(store)).toHaveLength(1);
});
