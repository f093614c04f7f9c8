// A tree is claimed in the event log before it is signed: of two notaries at one revision the second is refused.
import { expect, test } from 'vitest';
import type { EventStore } from '../../../../src/kernel/ports/event-store.ts';
import { createEventCodec } from '../../../../src/kernel/runtime/event-codec.ts';
import { strictReader } from '../../../../src/kernel/runtime/event-reader.ts';
import { withMethods } from '../../../../src/kernel/runtime/wrap-calls.ts';
import { checkpointClaims } from '../../../../src/proof/transparency/checkpoint-claims.ts';
import { streams } from '../../../../src/streams/index.ts';
import { clock } from '../../../support/counter.ts';
import { NOTARY_ORIGIN } from '../../../support/running-notary.ts';
import { skipPauses } from '../../../support/skipped-pauses.ts';
import { temporaryEventStore, wholeLog } from '../../../support/temporary-event-store.ts';

skipPauses();

const codec = createEventCodec(streams);
const treeOf = (size: number) => ({ size, root: Buffer.alloc(32, size) });
const { signal } = new AbortController();

function claimsOn(store: EventStore, origin = NOTARY_ORIGIN) {
  const failures: unknown[] = [];
  const failed = (error: unknown) => void failures.push(error);
  const reader = strictReader(codec);
  return { failures, ...checkpointClaims({ origin, store, codec, reader, clock, failed }) };
}

test('the last claim is known to whoever reads the log, with its size and its root', async () => {
  const store = await temporaryEventStore();
  const claims = claimsOn(store);
  expect(await claims.last()).toBeUndefined();
  expect(await claims.claim(treeOf(3), signal)).toBe(true);
  expect(await claims.claim(treeOf(5), signal)).toBe(true);
  expect(await claimsOn(store).last()).toEqual(treeOf(5));
  expect(await claimsOn(store, 'levy.example/other').last()).toBeUndefined();
  const [first] = await wholeLog(store);
  expect(first).toMatchObject({
    type: 'CheckpointClaimed',
    data: { origin: NOTARY_ORIGIN, size: 3, root: '03'.repeat(32) },
    metadata: { occurredAt: clock.now().toISOString() },
  });
});

test('of two notaries that have read the same claims, the second is refused, until it reads them again', async () => {
  const store = await temporaryEventStore();
  const [one, other] = [claimsOn(store), claimsOn(store)];
  await one.last();
  await other.last();
  expect(await one.claim(treeOf(3), signal)).toBe(true);
  expect(await other.claim(treeOf(4), signal)).toBe(false);
  expect(await other.claim(treeOf(4), signal)).toBe(false);
  expect(await other.last()).toEqual(treeOf(3));
  expect(await other.claim(treeOf(4), signal)).toBe(true);
  expect(await one.claim(treeOf(5), signal)).toBe(false);
});

test('a claim of another log in the stream is no claim of this one, and its revision counts', async () => {
  const store = await temporaryEventStore();
  await claimsOn(store).claim(treeOf(3), signal);
  const [own] = await wholeLog(store);
  if (own === undefined) return expect.unreachable();
  const data = { ...own.data, origin: 'levy.example/other', size: 9 };
  const id = '00000000-0000-4000-8000-000000000009';
  await store.append(own.stream, 0, [{ id, type: own.type, data, metadata: own.metadata }]);
  const claims = claimsOn(store);
  expect(await claims.last()).toEqual(treeOf(3));
  expect(await claims.claim(treeOf(4), signal)).toBe(true);
});

test('an append without an answer is repeated until its outcome is known, and is one claim', async () => {
  const store = await temporaryEventStore();
  let calls = 0;
  const { claim, failures } = claimsOn(
    withMethods(store, {
      async append(...given) {
        calls += 1;
        if (calls === 1) throw new Error('not sent');
        const result = await store.append(...given);
        if (calls === 2) throw new Error('no answer');
        return result;
      },
    }),
  );
  expect(await claim(treeOf(3), signal)).toBe(true);
  expect(failures.map(String)).toEqual(['Error: not sent', 'Error: no answer']);
  expect(await wholeLog(store)).toHaveLength(1);
});

test('a claim that cannot be written as an event is a fault of the program, and is not repeated', async () => {
  const store = await temporaryEventStore();
  const fault = new TypeError('no event');
  const { claim, failures } = claimsOn(withMethods(store, { append: () => Promise.reject(fault) }));
  await expect(claim(treeOf(3), signal)).rejects.toBe(fault);
  expect(failures).toEqual([]);
});

test('a claim ends when the notary is stopped, before it is made and between two tries', async () => {
  const store = await temporaryEventStore();
  const stopping = new AbortController();
  let calls = 0;
  const { claim } = claimsOn(
    withMethods(store, {
      append() {
        calls += 1;
        stopping.abort(new Error('stopped'));
        return Promise.reject(new Error('no answer'));
      },
    }),
  );
  await expect(claim(treeOf(3), stopping.signal)).rejects.toThrow('stopped');
  await expect(claim(treeOf(3), stopping.signal)).rejects.toThrow('stopped');
  expect(calls).toBe(1);
});

test('older claims are dropped with the first claim and every fiftieth after it, and what fails there is only told', async () => {
  const store = await temporaryEventStore();
  const kept: unknown[] = [];
  let claimed = 0;
  const { claim, failures } = claimsOn(
    withMethods(store, {
      async setMaxCount(...given) {
        kept.push([claimed, ...given]);
        throw new Error('nothing was dropped');
      },
    }),
  );
  for (claimed = 1; claimed <= 101; claimed += 1) expect(await claim(treeOf(claimed), signal)).toBe(true);
  const stream = expect.stringMatching(/^checkpoint-/);
  expect(kept).toEqual([
    [1, stream, 20],
    [51, stream, 20],
    [101, stream, 20],
  ]);
  expect(failures.map(String)).toEqual(Array(3).fill('Error: nothing was dropped'));
});
